//! Transcripts: free ones, and ones in the shape of an agent's rounds.

use super::texts::{contents, ids};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use cutctx_types::{Metadata, Part, PartKind, Role, Transcript, TranscriptTurn};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Transcripts of up to about thirty turns, free in form or in the shape of an agent's rounds.
pub fn transcripts() -> impl Strategy<Value = Transcript> {
    let free = vec(turn_seeds(), 0..16);
    let rounds = vec(round_seeds(), 0..6).prop_map(|rounds| lay_out(&rounds));
    let seeds = prop_oneof![3 => free.boxed(), 2 => rounds.boxed()];
    (seeds, scales()).prop_filter_map("the ids or the total are unfit", |(seeds, scale)| {
        let small = |seed: TurnSeed| TurnSeed { tokens: seed.tokens.checked_rem(scale).unwrap_or(0), ..seed };
        assemble(&seeds.into_iter().map(small).collect::<Vec<_>>())
    })
}

/// What every turn of a transcript costs less than. Where all turns are small, stubs are dear.
fn scales() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(5), 2 => Just(50), 3 => Just(u64::MAX)]
}

/// What a turn is made from.
#[derive(Debug, Clone)]
struct TurnSeed {
    id: String,
    role: Role,
    content: String,
    tokens: u64,
    call: Option<String>,
    pinned: bool,
    /// Whether a pin is for its place alone.
    in_place: bool,
    /// Kinds of parts, each with how many characters it covers.
    parts: Vec<(PartKind, usize)>,
    labelled: bool,
}

fn turn_seeds() -> impl Strategy<Value = TurnSeed> {
    let speaker = (ids(), roles(), calls(), (prop::bool::weighted(0.1), any::<bool>()));
    let saying = (contents(), tokens(), parts(), any::<bool>());
    (speaker, saying).prop_map(
        |((id, role, call, (pinned, in_place)), (content, tokens, parts, labelled))| TurnSeed {
            id,
            role,
            content,
            tokens,
            call,
            pinned,
            in_place,
            parts,
            labelled,
        },
    )
}

fn roles() -> impl Strategy<Value = Role> {
    prop_oneof![3 => Just(Role::User), 4 => Just(Role::Assistant), 4 => Just(Role::Tool), 1 => Just(Role::System)]
}

/// The empty string is a call id like any other.
fn calls() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        4 => Just(None),
        6 => select(&["x", "y", "z", "", "c\0\u{1F600}"][..]).prop_map(|id| Some(id.to_string())),
    ]
}

/// The largest are such that no transcript's total overflows.
fn tokens() -> impl Strategy<Value = u64> {
    prop_oneof![1 => Just(0), 6 => 1_u64..20, 4 => 20_u64..2_000, 1 => (1_u64 << 40)..(1 << 56)]
}

fn parts() -> impl Strategy<Value = Vec<(PartKind, usize)>> {
    let kinds = select(
        &[
            PartKind::Text,
            PartKind::Reasoning,
            PartKind::OpaqueReasoning,
            PartKind::CallArguments,
            PartKind::Result,
            PartKind::Media,
        ][..],
    );
    prop_oneof![2 => Just(Vec::new()), 1 => vec((kinds, 0_usize..9), 1..5)]
}

/// One round of an agent: perhaps a question, a call, and its results, the last perhaps late.
#[derive(Debug, Clone)]
struct RoundSeed {
    question: Option<TurnSeed>,
    call: TurnSeed,
    results: Vec<TurnSeed>,
    late: bool,
}

fn round_seeds() -> impl Strategy<Value = RoundSeed> {
    let question = proptest::option::of(turn_seeds());
    (question, turn_seeds(), vec(turn_seeds(), 0..4), any::<bool>())
        .prop_map(|(question, call, results, late)| RoundSeed { question, call, results, late })
}

/// A late result comes after the next round's question and call, so that exchanges interleave.
fn lay_out(rounds: &[RoundSeed]) -> Vec<TurnSeed> {
    let mut turns: Vec<TurnSeed> = Vec::new();
    let mut late: Option<TurnSeed> = None;
    for (index, round) in rounds.iter().enumerate() {
        let mut exchange = round.exchange(index);
        turns.extend(round.question());
        let next_late = if round.late && exchange.len() > 1 { exchange.pop() } else { None };
        let results = exchange.split_off(exchange.len().min(1));
        turns.extend(exchange);
        turns.extend(late.take());
        turns.extend(results);
        late = next_late;
    }
    turns.extend(late);
    turns
}

impl RoundSeed {
    fn question(&self) -> Option<TurnSeed> {
        self.question.clone().map(|seed| TurnSeed { role: Role::User, call: None, ..seed })
    }

    fn exchange(&self, index: usize) -> Vec<TurnSeed> {
        let call = Some(format!("call-{index}"));
        let head = TurnSeed { role: Role::Assistant, call: call.clone(), ..self.call.clone() };
        let result = |seed: &TurnSeed| TurnSeed { role: Role::Tool, call: call.clone(), ..seed.clone() };
        core::iter::once(head).chain(self.results.iter().map(result)).collect()
    }
}

fn assemble(seeds: &[TurnSeed]) -> Option<Transcript> {
    let mut used: BTreeSet<String> = BTreeSet::new();
    let turns: Option<Vec<TranscriptTurn>> = seeds.iter().map(|seed| turn(seed, &mut used)).collect();
    Transcript::new(turns?).ok()
}

/// An id that is taken gets primes until it is free.
fn turn(seed: &TurnSeed, used: &mut BTreeSet<String>) -> Option<TranscriptTurn> {
    let mut id = seed.id.clone();
    while !used.insert(id.clone()) {
        id.push('\'');
    }
    let mut turn = TranscriptTurn::new(id, seed.role, seed.content.as_str(), seed.tokens)
        .ok()?
        .with_pinned(seed.pinned)
        .with_parts(tiles(&seed.content, seed.tokens, &seed.parts))
        .ok()?;
    if seed.pinned && seed.in_place {
        turn = turn.with_pinned_in_place();
    }
    if let Some(call) = &seed.call {
        turn = turn.with_tool_call_id(call.as_str());
    }
    if seed.labelled {
        turn =
            turn.with_tool_name("search").with_metadata(Metadata::none().with("note", "kept by its owner"));
    }
    Some(turn)
}

/// Parts that tile the content; the last one takes what the others leave.
fn tiles(content: &str, tokens: u64, parts: &[(PartKind, usize)]) -> Vec<Part> {
    let mut borders = content.char_indices().map(|(at, _)| at).skip(1);
    let mut end = 0;
    let last = parts.len().saturating_sub(1);
    let tile = |(index, (kind, characters)): (usize, &(PartKind, usize))| {
        if index == last {
            end = content.len();
        } else if let Some(before) = characters.checked_sub(1) {
            end = borders.nth(before).unwrap_or(content.len());
        }
        Part::new(*kind, end, if index == last { tokens } else { 0 })
    };
    parts.iter().enumerate().map(tile).collect()
}
