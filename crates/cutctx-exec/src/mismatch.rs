//! Whether a transcript is the one that a plan was made over.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{Details, SummarizationRequest, Transcript, TranscriptTurn, capped_ids};

type Ids = Vec<Arc<str>>;

/// How a transcript differs from the one that a plan was made over. Lists of ids are sorted and hold
/// at most ten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Mismatch {
    /// Turns that the plan names and the transcript does not have.
    pub unknown_turn_ids: Ids,
    /// Turns of the transcript that the plan does not name.
    pub unplanned_turn_ids: Ids,
    /// Whether the turns are the planned ones in another order.
    pub reordered: bool,
    /// What only the strict executor looks at.
    pub strict: Option<StrictMismatch>,
}

/// What only the strict executor looks at. Lists of ids are sorted and hold at most ten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct StrictMismatch {
    /// Planned turns whose role, content, estimate, call id or pin is another now.
    pub changed_turn_ids: Ids,
    /// Turns appended since that cannot follow this plan: one belongs to an exchange that the plan
    /// removes, or has the id that a summary turn will take.
    pub conflicting_turn_ids: Ids,
}

impl Mismatch {
    pub(crate) fn details(&self) -> Details {
        let details = Details::none()
            .with("unknown_turn_ids", self.unknown_turn_ids.clone())
            .with("unplanned_turn_ids", self.unplanned_turn_ids.clone())
            .with("reordered", self.reordered);
        match &self.strict {
            None => details,
            Some(strict) => details
                .with("changed_turn_ids", strict.changed_turn_ids.clone())
                .with("conflicting_turn_ids", strict.conflicting_turn_ids.clone()),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.main_fault())
    }
}

impl Mismatch {
    fn main_fault(&self) -> &'static str {
        let strict = self.strict.as_ref();
        if !self.unknown_turn_ids.is_empty() {
            "planned turns are not in it"
        } else if self.reordered {
            "its turns are in another order"
        } else if strict.is_some_and(|strict| !strict.changed_turn_ids.is_empty()) {
            "turns have changed since"
        } else if strict.is_some_and(|strict| !strict.conflicting_turn_ids.is_empty()) {
            "turns appended since cannot follow the plan"
        } else {
            "it has turns that were not planned over"
        }
    }
}

/// Compares ids alone, all of them.
pub(crate) fn compare_ids(transcript: &Transcript, plan: &CompactionPlan) -> Result<(), Mismatch> {
    let planned = plan.transcript();
    if planned.shares_turns_with(transcript) || ids(planned.turns()).eq(ids(transcript.turns())) {
        return Ok(());
    }
    let (unknown_turn_ids, unplanned_turn_ids) = missing_ids(planned.turns(), transcript.turns());
    let reordered = unknown_turn_ids.is_empty() && unplanned_turn_ids.is_empty();
    Err(Mismatch { unknown_turn_ids, unplanned_turn_ids, reordered, strict: None })
}

/// Compares what a plan depends on, and accepts turns appended since. Gives those.
pub(crate) fn compare_strictly<'t>(
    transcript: &'t Transcript,
    plan: &CompactionPlan,
) -> Result<&'t [TranscriptTurn], Mismatch> {
    let planned = plan.transcript();
    if planned.shares_turns_with(transcript) {
        return Ok(&[]);
    }
    match transcript.turns().split_at_checked(planned.len()) {
        Some((begin, appended)) if same_turns(planned.turns(), begin) => {
            refuse_conflicts(appended, plan).map(|()| appended)
        }
        Some(_) | None => Err(strict_mismatch(planned.turns(), transcript.turns())),
    }
}

fn same_turns(planned: &[TranscriptTurn], turns: &[TranscriptTurn]) -> bool {
    planned.iter().zip(turns).all(|(planned, turn)| planned.is_same_to_a_plan(turn))
}

fn refuse_conflicts(appended: &[TranscriptTurn], plan: &CompactionPlan) -> Result<(), Mismatch> {
    let calls: BTreeSet<&str> = appended.iter().filter_map(TranscriptTurn::tool_call_id).collect();
    let removed: BTreeSet<&str> = removed_calls(plan).filter(|call| calls.contains(call)).collect();
    let summary_ids: BTreeSet<_> =
        plan.summarization_requests().iter().map(SummarizationRequest::summary_turn_id).collect();
    let conflicting = appended.iter().filter(|turn| {
        turn.tool_call_id().is_some_and(|call| removed.contains(call))
            || summary_ids.contains(turn.turn_id().as_ref())
    });
    let conflicting_turn_ids = capped_ids(conflicting.map(|turn| turn.turn_id().clone()));
    if conflicting_turn_ids.is_empty() {
        return Ok(());
    }
    let strict = StrictMismatch { conflicting_turn_ids, ..StrictMismatch::default() };
    Err(Mismatch { strict: Some(strict), ..Mismatch::default() })
}

/// The call ids of the turns that a plan removes.
fn removed_calls(plan: &CompactionPlan) -> impl Iterator<Item = &str> {
    let rows = plan.transcript().turns().iter().zip(plan.actions());
    rows.filter(|(_, action)| action.action.removes()).filter_map(|(turn, _)| turn.tool_call_id())
}

fn strict_mismatch(planned: &[TranscriptTurn], turns: &[TranscriptTurn]) -> Mismatch {
    let (unknown_turn_ids, unplanned_turn_ids) = missing_ids(planned, turns);
    let strict =
        StrictMismatch { changed_turn_ids: changed_ids(planned, turns), ..StrictMismatch::default() };
    let begin = turns.get(..planned.len()).unwrap_or(turns);
    let in_order = ids(planned).eq(ids(begin));
    let reordered = unknown_turn_ids.is_empty() && !in_order && missing_ids(planned, begin).0.is_empty();
    Mismatch { unknown_turn_ids, unplanned_turn_ids, reordered, strict: Some(strict) }
}

fn ids(turns: &[TranscriptTurn]) -> impl Iterator<Item = &Arc<str>> {
    turns.iter().map(TranscriptTurn::turn_id)
}

/// The ids that only the planned turns have, and those that only the others have.
fn missing_ids(planned: &[TranscriptTurn], turns: &[TranscriptTurn]) -> (Ids, Ids) {
    let (here, there): (BTreeSet<_>, BTreeSet<_>) = (ids(planned).collect(), ids(turns).collect());
    let unknown = here.difference(&there).map(|id| Arc::clone(id));
    let unplanned = there.difference(&here).map(|id| Arc::clone(id));
    (capped_ids(unknown), capped_ids(unplanned))
}

/// The planned turns that are still there under their ids and say or cost something else.
fn changed_ids(planned: &[TranscriptTurn], turns: &[TranscriptTurn]) -> Ids {
    let by_id: BTreeMap<&Arc<str>, &TranscriptTurn> = ids(turns).zip(turns).collect();
    let changed = planned
        .iter()
        .filter(|planned| by_id.get(planned.turn_id()).is_some_and(|turn| !planned.is_same_to_a_plan(turn)));
    capped_ids(changed.map(|turn| turn.turn_id().clone()))
}
