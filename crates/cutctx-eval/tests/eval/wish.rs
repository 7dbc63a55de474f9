//! A policy that does as it is told.

use alloc::borrow::Cow;
use cutctx::{Action, CompactionPolicy, PlanDraft, PolicyError, Survey, TurnAction, TurnReplacement};

/// Drops the turns at these positions, and masks those at others with a text.
#[derive(Debug, Default)]
pub(crate) struct Wish {
    pub(crate) drops: Vec<usize>,
    pub(crate) masks: Vec<(usize, &'static str)>,
}

impl CompactionPolicy for Wish {
    fn name(&self) -> Cow<'_, str> {
        "wish".into()
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let action = |position: usize| {
            let mask = self.masks.iter().find(|(masked, _)| *masked == position);
            match mask {
                _ if self.drops.contains(&position) => Action::Drop,
                Some((_, text)) => Action::Mask(TurnReplacement::new(*text, 1)),
                None => Action::Keep,
            }
        };
        let turns = survey.turns().iter().enumerate();
        let actions = turns.map(|(position, turn)| TurnAction::new(turn.turn_id().clone(), action(position)));
        Ok(PlanDraft::new("wish", "1", actions.collect()))
    }
}
