//! A plain way to apply a plan, for laws about what comes after.

use crate::plan::CompactionPlan;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use cutctx_types::{Action, Role, SummarizationRequest, Transcript, TranscriptError, TranscriptTurn, Trim};

/// The view that a plan gives, with summaries of exactly their targets.
///
/// This is the definition spelled out turn by turn, for tests; applications use `cutctx-exec`.
///
/// # Errors
///
/// [`TranscriptError`] when the view is no transcript, which no plan that was checked should cause.
pub fn applied(plan: &CompactionPlan) -> Result<Transcript, TranscriptError> {
    let mut summarized: BTreeSet<&str> = BTreeSet::new();
    let mut view: Vec<TranscriptTurn> = Vec::new();
    for (turn, action) in plan.transcript().turns().iter().zip(plan.actions()) {
        match &action.action {
            Action::Keep => view.push(turn.clone()),
            Action::Mask(stub) => {
                view.push(turn.clone().with_content(stub.content.clone(), stub.token_estimate));
            }
            Action::Trim(trim) => view.push(trimmed(turn, trim)),
            Action::Summarize { group } if summarized.insert(group) => {
                let request =
                    plan.summarization_requests().iter().find(|request| request.group_id() == group);
                view.extend(request.map(summary).transpose()?);
            }
            Action::Summarize { .. } | Action::Drop => {}
        }
    }
    Transcript::new(view)
}

fn summary(request: &SummarizationRequest) -> Result<TranscriptTurn, TranscriptError> {
    let text = format!("what happened in {} turns", request.turn_ids().len());
    Ok(TranscriptTurn::new(request.summary_turn_id(), Role::Assistant, text, request.target_tokens())?)
}

fn trimmed(turn: &TranscriptTurn, trim: &Trim) -> TranscriptTurn {
    let ranges = trim.kept.iter().flat_map(|kept| &kept.ranges);
    let kept: String = ranges.filter_map(|range| turn.content().get(range.clone())).collect();
    turn.clone().with_content(kept, trim.token_estimate)
}
