//! A policy that asks for as many summaries as it can.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, SummarizationRequest, TurnAction};

/// Makes a summary group of every exchange of several turns that may go.
#[derive(Debug)]
pub(super) struct FoldBlocks;

impl CompactionPolicy for FoldBlocks {
    fn name(&self) -> Cow<'_, str> {
        "fold_blocks".into()
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let mut actions: Vec<TurnAction> =
            survey.turns().iter().map(|turn| TurnAction::new(turn.turn_id().clone(), Action::Keep)).collect();
        let mut requests = Vec::new();
        for (number, members) in survey.exchanges().iter().enumerate() {
            if members.len() > 1 && survey.is_removable_exchange(number) {
                requests.push(fold(number, members, &mut actions)?);
            }
        }
        Ok(PlanDraft::new(self.name(), self.version(), actions).with_requests(requests))
    }
}

fn fold(
    number: usize,
    members: &[usize],
    actions: &mut [TurnAction],
) -> Result<SummarizationRequest, InvalidValue> {
    let group: Arc<str> = format!("block-{number}").into();
    let mut turn_ids = Vec::with_capacity(members.len());
    for member in members {
        if let Some(action) = actions.get_mut(*member) {
            turn_ids.push(action.turn_id.clone());
            action.action = Action::Summarize { group: group.clone() };
        }
    }
    Ok(SummarizationRequest::new(group, turn_ids, 5, "bench/prompt")?)
}
