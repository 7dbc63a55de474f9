//! A compaction policy in a crate of its own: drop whole exchanges, but keep every n-th of them.
//!
//! It shows what a policy of one's own takes: a name, a version, and a draft. That the draft is sound is
//! judged by the rules; that the policy is good is tried by the conformance kit, in the test below.

use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, PlanDraft, TurnAction};
use std::borrow::Cow;
use std::num::NonZeroUsize;

/// Drops exchanges, oldest first, until the goal is reached, and spares every n-th: a thinned-out past
/// instead of none.
#[derive(Debug, Clone, Copy)]
pub struct KeepEveryNth {
    nth: NonZeroUsize,
}

impl KeepEveryNth {
    /// A policy that spares every `nth` exchange; 1 spares all.
    #[must_use]
    pub const fn new(nth: NonZeroUsize) -> Self {
        Self { nth }
    }

    /// Which exchanges go.
    fn dropped(self, survey: &Survey<'_>) -> Vec<bool> {
        let mut tokens = survey.transcript().token_estimate();
        let goal = survey.goal().unwrap_or(tokens);
        let exchanges = survey.exchanges();
        let drop = |(exchange, members): (usize, &[usize])| {
            let saved: u64 = members.iter().map(|member| survey.turns()[*member].token_estimate()).sum();
            let spared = exchange % self.nth == 0 || !survey.is_removable_exchange(exchange);
            let drop = tokens > goal && saved > 0 && !spared;
            tokens -= if drop { saved } else { 0 };
            drop
        };
        exchanges.iter().enumerate().map(drop).collect()
    }
}

impl CompactionPolicy for KeepEveryNth {
    fn name(&self) -> Cow<'_, str> {
        format!("keep_every({})", self.nth).into()
    }

    fn version(&self) -> &str {
        "1.0.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let dropped = self.dropped(survey);
        let actions = survey.turns().iter().enumerate().map(|(position, turn)| {
            let goes = survey.exchanges().of(position).is_some_and(|exchange| dropped[exchange]);
            TurnAction::new(turn.turn_id().clone(), if goes { Action::Drop } else { Action::Keep })
        });
        Ok(PlanDraft::new(self.name(), self.version(), actions.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx_invariants::conformance::assert_conforms;
    use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};

    #[test]
    fn it_keeps_the_laws() {
        for nth in [1, 3] {
            assert_conforms(&KeepEveryNth::new(NonZeroUsize::new(nth).unwrap()));
        }
    }

    #[test]
    fn it_thins_out_the_past() {
        let turn = |number| TranscriptTurn::new(format!("t{number}"), Role::User, "a question", 10).unwrap();
        let transcript = Transcript::new((0..7).map(turn).collect()).unwrap();
        let budget = CompactionBudget::new(40).with_protected_recent_turns(0);
        let plan = KeepEveryNth::new(NonZeroUsize::new(3).unwrap()).decide(&transcript, &budget).unwrap();
        let dropped = plan.actions().iter().filter(|action| action.action == Action::Drop);
        let dropped: Vec<&str> = dropped.map(|action| &*action.turn_id).collect();
        assert_eq!(dropped, ["t1", "t2", "t4"]);
        assert!(!plan.budget_unmet());
    }
}
