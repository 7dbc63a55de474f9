//! Dropping, at both versions, against an oracle that does it step by step.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

#[cfg(test)]
#[path = "laws/generator.rs"]
mod generator;

#[cfg(test)]
mod tests {
    use super::generator::{cases, renamed};
    use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
    use cutctx_policies::{DropOldestPolicy, Exemptions};
    use cutctx_types::{Action, Coded, CompactionBudget, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    /// Which turns are dropped, found by looking at everything again for every exchange.
    fn slow(transcript: &Transcript, budget: &CompactionBudget, is_v1: bool) -> Vec<bool> {
        let turns = transcript.turns();
        let total = transcript.token_estimate();
        let max = budget.max_tokens();
        let goal = if is_v1 { max } else { budget.target_tokens().unwrap_or(max) };
        let mut dropped = vec![false; turns.len()];
        for position in 0..turns.len() {
            let exchange = exchange_of(turns, position);
            let left: u64 = (0..turns.len())
                .filter(|other| !dropped[*other])
                .map(|other| turns[other].token_estimate())
                .sum();
            let is_first = exchange.first() == Some(&position);
            let is_free = exchange.iter().all(|member| {
                let is_tail = *member as u64 + budget.protected_recent_turns() >= turns.len() as u64;
                !is_tail && !turns[*member].pinned() && turns[*member].role() != Role::System
            });
            let worth: u64 = exchange.iter().map(|member| turns[*member].token_estimate()).sum();
            if total > max && is_first && left > goal && is_free && (is_v1 || worth > 0) {
                for member in exchange {
                    dropped[member] = true;
                }
            }
        }
        dropped
    }

    fn exchange_of(turns: &[TranscriptTurn], position: usize) -> Vec<usize> {
        match turns[position].tool_call_id() {
            None => vec![position],
            call => (0..turns.len()).filter(|other| turns[*other].tool_call_id() == call).collect(),
        }
    }

    fn dropped(plan: &CompactionPlan) -> Vec<bool> {
        plan.actions().iter().map(|action| action.action == Action::Drop).collect()
    }

    proptest! {
        #[test]
        fn both_versions_drop_what_the_oracle_drops(case in cases()) {
            for (policy, is_v1) in [(DropOldestPolicy::v1(), true), (DropOldestPolicy::new(), false)] {
                let Ok(plan) = policy.decide(&case.transcript, &case.budget) else { continue };
                prop_assert_eq!(dropped(&plan), slow(&case.transcript, &case.budget, is_v1));
                prop_assert_eq!(plan.estimator_ratio(), None);
            }
        }

        #[test]
        fn only_version_1_accepts_a_budget_below_the_locked_floor(case in cases()) {
            let first = DropOldestPolicy::v1().decide(&case.transcript, &case.budget);
            let second = DropOldestPolicy::new().decide(&case.transcript, &case.budget);
            prop_assert!(first.is_ok() || second.is_err());
            if let (Ok(first), Err(_)) = (first, second) {
                prop_assert!(first.budget_unmet());
            }
        }

        #[test]
        fn other_ids_give_the_same_fates(case in cases()) {
            let decide = |transcript| DropOldestPolicy::v1().decide(transcript, &case.budget);
            if let (Ok(plan), Ok(again)) = (decide(&case.transcript), decide(&renamed(&case.transcript))) {
                prop_assert_eq!(dropped(&plan), dropped(&again));
            }
        }
    }

    fn turn(id: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(id, Role::User, "text", tokens).unwrap()
    }

    #[test]
    fn a_turn_worth_nothing_goes_at_version_1_and_stays_at_version_2() {
        let transcript = Transcript::new(vec![turn("zero", 0), turn("a", 5), turn("b", 5)]).unwrap();
        let budget = CompactionBudget::new(5).with_protected_recent_turns(0);
        let fates = |policy: DropOldestPolicy| dropped(&policy.decide(&transcript, &budget).unwrap());
        assert_eq!(fates(DropOldestPolicy::v1()), [true, true, false]);
        assert_eq!(fates(DropOldestPolicy::new()), [false, true, false]);
    }

    #[test]
    fn only_version_2_works_towards_a_target() {
        let transcript = Transcript::new(vec![turn("a", 5), turn("b", 5), turn("c", 5)]).unwrap();
        let budget = CompactionBudget::new(12).with_protected_recent_turns(0).with_target(5).unwrap();
        let after =
            |policy: DropOldestPolicy| policy.decide(&transcript, &budget).unwrap().tokens_after_estimate();
        assert_eq!(after(DropOldestPolicy::v1()), 10);
        assert_eq!(after(DropOldestPolicy::new()), 5);
    }

    #[test]
    fn an_exempt_member_spares_its_whole_exchange() {
        let turns = vec![
            turn("a", 5).with_tool_call_id("c"),
            turn("t", 5).with_tool_call_id("c").with_tool_name("memory"),
            turn("u", 5),
            turn("v", 5),
        ];
        let transcript = Transcript::new(turns).unwrap();
        let budget = CompactionBudget::new(4).with_protected_recent_turns(0);
        let exemptions = Exemptions::none().with_tools(["memory"]).with_turn_ids(["u", "no such turn"]);
        let policy = DropOldestPolicy::new().with_exemptions(exemptions).unwrap();
        let plan = policy.decide(&transcript, &budget).unwrap();
        assert_eq!(dropped(&plan), [false, false, false, true]);
        assert!(plan.budget_unmet());
    }

    #[test]
    fn version_1_knows_no_exemptions() {
        let exemptions = Exemptions::none().with_turn_ids(["u"]);
        let error = DropOldestPolicy::v1().with_exemptions(exemptions).unwrap_err();
        assert_eq!(error.code().as_str(), "VALIDATION_ERROR");
        assert!(DropOldestPolicy::v1().with_exemptions(Exemptions::none()).is_ok());
    }

    #[test]
    fn a_budget_below_the_untouchable_turns_is_refused_by_both() {
        let transcript = Transcript::new(vec![turn("a", 5).with_pinned(true)]).unwrap();
        for policy in [DropOldestPolicy::v1(), DropOldestPolicy::new()] {
            let error = policy.decide(&transcript, &CompactionBudget::new(4)).unwrap_err();
            assert!(matches!(error, PolicyError::Unsatisfiable(_)), "{error}");
        }
    }
}
