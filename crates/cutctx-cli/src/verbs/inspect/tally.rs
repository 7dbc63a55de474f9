//! Sums of tokens by what turns have in common.

use alloc::collections::BTreeMap;
use core::cmp::Reverse;
use cutctx::{Role, TranscriptTurn};
use serde::Serialize;

/// How many turns share a name, and what they cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Tally<'t> {
    pub(super) name: &'t str,
    pub(super) turns: u64,
    pub(super) tokens: u64,
}

/// By role, the most expensive first.
pub(super) fn by_role(turns: &[TranscriptTurn]) -> Vec<Tally<'_>> {
    tally(turns.iter().map(|turn| (turn.role().as_str(), turn)))
}

/// Tool results by tool, the most expensive first; results of tools without a name are left out.
pub(super) fn by_tool(turns: &[TranscriptTurn]) -> Vec<Tally<'_>> {
    let results = turns.iter().filter(|turn| turn.role() == Role::Tool);
    tally(results.filter_map(|turn| turn.tool_name().map(|name| (name, turn))))
}

/// The largest tool results with their positions, the largest first; of equal ones the older first.
pub(super) fn largest_results(turns: &[TranscriptTurn], count: usize) -> Vec<(usize, &TranscriptTurn)> {
    let mut results: Vec<_> =
        turns.iter().enumerate().filter(|(_, turn)| turn.role() == Role::Tool).collect();
    results.sort_by_key(|(position, turn)| (Reverse(turn.token_estimate()), *position));
    results.truncate(count);
    results
}

fn tally<'t>(named: impl Iterator<Item = (&'t str, &'t TranscriptTurn)>) -> Vec<Tally<'t>> {
    let mut by_name: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (name, turn) in named {
        let (turns, tokens) = by_name.entry(name).or_default();
        *turns = turns.saturating_add(1);
        *tokens = tokens.saturating_add(turn.token_estimate());
    }
    let mut tallies: Vec<Tally<'_>> =
        by_name.into_iter().map(|(name, (turns, tokens))| Tally { name, turns, tokens }).collect();
    tallies.sort_by_key(|tally| (Reverse(tally.tokens), tally.name));
    tallies
}
