//! What becomes of every call and every result.

use alloc::vec;
use alloc::vec::Vec;

use super::change::{ChangeKind, ConflictKind};
use super::outline::{Outline, ResultNote};

/// The fates of all calls and results of a list.
pub(super) struct Fates {
    pub(super) calls: Vec<CallFate>,
    pub(super) results: Vec<ResultFate>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallFate {
    /// It has a result.
    Answered,
    /// It waits and goes on waiting.
    Waits,
    /// It gets a result that says that it was not completed.
    Completed,
    /// It goes.
    Removed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultFate {
    /// It is the result of this call.
    Answers(usize),
    /// A later one answers this call, but it stays beside that, because its message is pinned.
    Superseded(usize),
    /// It has to go and stays where it is, because its message is pinned.
    Stays(ConflictKind),
    /// It goes.
    Removed(ChangeKind),
}

impl Fates {
    pub(super) fn new(outline: &Outline<'_>, removes_dangling: bool, closes_pending: bool) -> Self {
        let winners = winners(outline);
        let results = outline.results.iter().enumerate();
        let results = results.map(|(index, result)| result_fate(outline, &winners, index, result)).collect();
        let calls = outline.calls.iter().zip(&winners).map(|(call, winner)| {
            if winner.is_some() {
                CallFate::Answered
            } else if call.state.is_pending() {
                if closes_pending { CallFate::Completed } else { CallFate::Waits }
            } else if removes_dangling && !outline.is_pinned(call.message) {
                CallFate::Removed
            } else {
                CallFate::Completed
            }
        });
        Self { calls: calls.collect(), results }
    }

    pub(super) fn call(&self, call: usize) -> CallFate {
        self.calls.get(call).copied().unwrap_or(CallFate::Waits)
    }

    /// The fates of a range of results.
    pub(super) fn results(&self, range: core::ops::Range<usize>) -> &[ResultFate] {
        self.results.get(range).unwrap_or_default()
    }
}

/// The result of each call, as an index: the first of the final ones, or else the newest of the provisional ones.
fn winners(outline: &Outline<'_>) -> Vec<Option<usize>> {
    let mut winners: Vec<Option<usize>> = vec![None; outline.calls.len()];
    for (index, result) in outline.results.iter().enumerate() {
        let Some(winner) = result.call.and_then(|call| winners.get_mut(call)) else { continue };
        let earlier = winner.and_then(|winner| outline.results.get(winner));
        if earlier.is_none_or(|earlier| earlier.provisional) {
            *winner = Some(index);
        }
    }
    winners
}

fn result_fate(
    outline: &Outline<'_>,
    winners: &[Option<usize>],
    index: usize,
    result: &ResultNote<'_>,
) -> ResultFate {
    let pinned = outline.is_pinned(result.message);
    match result.call {
        Some(call) if winners.get(call) == Some(&Some(index)) => ResultFate::Answers(call),
        Some(call) if pinned && !result.again => ResultFate::Superseded(call),
        Some(_) if pinned => ResultFate::Stays(ConflictKind::DuplicateResult),
        Some(_) if result.provisional => ResultFate::Removed(ChangeKind::RemovedProvisionalResult),
        Some(_) => ResultFate::Removed(ChangeKind::RemovedDuplicateResult),
        None if pinned => ResultFate::Stays(ConflictKind::OrphanResult),
        None => ResultFate::Removed(ChangeKind::RemovedOrphanResult),
    }
}
