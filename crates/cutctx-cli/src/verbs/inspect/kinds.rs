//! Sums of tokens by the kinds of parts.

use alloc::collections::BTreeMap;
use core::cmp::Reverse;
use cutctx::messages::MediaKind;
use cutctx::types::PartKind;
use cutctx::{Role, TranscriptTurn};
use serde::Serialize;

/// How many parts are of a kind, in how many turns, and what they cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct KindTally {
    pub(super) name: &'static str,
    pub(super) turns: u64,
    pub(super) parts: u64,
    pub(super) tokens: u64,
}

/// The kinds of media, by turn and part.
type Media = BTreeMap<(usize, usize), MediaKind>;

/// By kind, the most expensive first. What a provider adds around a message counts with its first part.
pub(super) fn by_kind(turns: &[TranscriptTurn], media: &Media) -> Vec<KindTally> {
    let mut tallies = BTreeMap::new();
    for (position, turn) in turns.iter().enumerate() {
        let mut seen: Vec<&str> = Vec::new();
        for (name, tokens) in parts(position, turn, media) {
            let is_first = !seen.contains(&name);
            if is_first {
                seen.push(name);
            }
            add(&mut tallies, name, tokens, is_first);
        }
    }
    let mut tallies: Vec<KindTally> = tallies.into_values().collect();
    tallies.sort_by_key(|tally| (Reverse(tally.tokens), tally.name));
    tallies
}

fn add(tallies: &mut BTreeMap<&'static str, KindTally>, name: &'static str, tokens: u64, is_first: bool) {
    let tally = tallies.entry(name).or_insert(KindTally { name, turns: 0, parts: 0, tokens: 0 });
    tally.turns = tally.turns.saturating_add(u64::from(is_first));
    tally.parts = tally.parts.saturating_add(1);
    tally.tokens = tally.tokens.saturating_add(tokens);
}

/// The parts of a turn: their kinds and what they cost.
fn parts(position: usize, turn: &TranscriptTurn, media: &Media) -> Vec<(&'static str, u64)> {
    if turn.parts().is_empty() {
        let name = if turn.role() == Role::Tool { "result" } else { "text" };
        return vec![(name, turn.token_estimate())];
    }
    let said = turn.parts().iter().map(|part| part.token_estimate).fold(0, u64::saturating_add);
    let mut around = turn.token_estimate().saturating_sub(said);
    let parts = turn.parts().iter().enumerate().map(|(index, part)| {
        let tokens = part.token_estimate.saturating_add(core::mem::take(&mut around));
        (kind_name(part.kind, media.get(&(position, index)).copied()), tokens)
    });
    parts.collect()
}

fn kind_name(kind: PartKind, media: Option<MediaKind>) -> &'static str {
    match kind {
        PartKind::Text => "text",
        PartKind::Reasoning => "reasoning",
        PartKind::OpaqueReasoning => "opaque_reasoning",
        PartKind::CallArguments => "call_arguments",
        PartKind::Result => "result",
        PartKind::Media => media.map_or("media", MediaKind::as_str),
        _ => "other",
    }
}
