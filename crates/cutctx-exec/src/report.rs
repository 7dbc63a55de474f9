//! The report in the reference's fourteen keys.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{ActionKind, CompactionReport, Transcript, TranscriptTurn};

/// The report of a plan that was applied and gave a view of `turns_after` turns.
///
/// Figures are the plan's. Turn counts and lists are those of the transcript at hand: turns appended
/// since are among the kept ones.
pub(crate) fn report(
    transcript: &Transcript,
    plan: &CompactionPlan,
    summary_turns: &[TranscriptTurn],
    appended: &[TranscriptTurn],
    turns_after: usize,
) -> CompactionReport {
    let Lists { mut kept, masked, summarized, dropped } = Lists::of(plan);
    kept.extend(ids(appended));
    CompactionReport {
        plan_hash: plan.plan_hash(),
        policy_name: String::from(plan.policy_name()),
        policy_version: String::from(plan.policy_version()),
        tokens_before: plan.tokens_before(),
        tokens_after_estimate: plan.tokens_after_estimate(),
        estimator_ratio: plan.estimator_ratio(),
        budget_unmet: plan.budget_unmet(),
        turns_before: transcript.len(),
        turns_after,
        kept_turn_ids: kept,
        masked_turn_ids: masked,
        summarized_turn_ids: summarized,
        dropped_turn_ids: dropped,
        summary_turn_ids: ids(summary_turns).collect(),
    }
}

fn ids(turns: &[TranscriptTurn]) -> impl Iterator<Item = Arc<str>> {
    turns.iter().map(|turn| turn.turn_id().clone())
}

/// The planned turns by fate, in transcript order.
#[derive(Default)]
struct Lists {
    kept: Vec<Arc<str>>,
    masked: Vec<Arc<str>>,
    summarized: Vec<Arc<str>>,
    dropped: Vec<Arc<str>>,
}

impl Lists {
    fn of(plan: &CompactionPlan) -> Self {
        let mut lists = Self::default();
        for action in plan.actions() {
            let list = match action.action.kind() {
                ActionKind::Keep | ActionKind::Trim => &mut lists.kept,
                ActionKind::Mask => &mut lists.masked,
                ActionKind::Summarize => &mut lists.summarized,
                ActionKind::Drop => &mut lists.dropped,
            };
            list.push(action.turn_id.clone());
        }
        lists
    }
}
