//! The policies about the prompt cache.

#[cfg(test)]
mod tests {
    use cutctx_invariants::conformance::{Conformance, Law, assert_conforms};
    use cutctx_invariants::{CompactionPlan, CompactionPolicy};
    use cutctx_policies::{
        BoxedPolicy, DropOldestPolicy, FrozenHeadPolicy, ObservationMaskingPolicy, PaysBackPolicy,
        PolicyChain, PolicySpec,
    };
    use cutctx_types::{
        Action, CacheAccount, CachePrices, CompactionBudget, Role, Transcript, TranscriptTurn,
    };
    use proptest::prelude::*;

    fn drop_oldest() -> BoxedPolicy {
        Box::new(DropOldestPolicy::new())
    }

    fn mask_then_drop() -> BoxedPolicy {
        let masking = ObservationMaskingPolicy::new().with_keep_recent_results(0);
        Box::new(PolicyChain::new(vec![Box::new(masking), drop_oldest()]).unwrap())
    }

    /// Turns of a user, each of so many tokens.
    fn turns(count: usize, tokens: u64) -> Transcript {
        let turn = |n| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", tokens).unwrap();
        Transcript::new((0..count).map(turn).collect()).unwrap()
    }

    fn prices() -> CachePrices {
        CachePrices::new(100, 1_250).unwrap()
    }

    fn changes(plan: &CompactionPlan) -> bool {
        plan.actions().iter().any(|action| action.action != Action::Keep)
    }

    #[test]
    fn the_veto_keeps_the_laws_of_what_it_wraps() {
        for steps in [0, 3, u64::MAX] {
            assert_conforms(&PaysBackPolicy::new(mask_then_drop(), prices(), steps));
        }
        let must = PaysBackPolicy::new(mask_then_drop(), prices(), 0);
        Conformance::of(&must).only(Law::MeetsBudget).check().unwrap();
    }

    #[test]
    fn a_frozen_head_keeps_the_laws_and_meets_every_budget_that_can_be_met() {
        let frozen = FrozenHeadPolicy::new(mask_then_drop());
        assert_conforms(&frozen);
        Conformance::of(&frozen).only(Law::MeetsBudget).check().unwrap();
    }

    #[test]
    fn what_pays_back_in_time_is_done_and_what_does_not_is_left() {
        let transcript = turns(100, 100);
        // 5,000 of 10,000 tokens go, and 5,000 behind them are read anew: 1.15 x 5,000 against 0.1 x 5,000 a step.
        let budget = CompactionBudget::new(9_000).with_target(5_000).unwrap();
        for (steps, done) in [(11, false), (12, true)] {
            let policy = PaysBackPolicy::new(drop_oldest(), prices(), steps).with_window(20_000);
            let plan = policy.decide(&transcript, &budget).unwrap();
            assert_eq!((changes(&plan), plan.budget_unmet()), (done, !done), "{steps} steps");
        }
    }

    #[test]
    fn what_does_not_fit_the_window_must_go_whatever_it_costs() {
        let (transcript, budget) = (turns(100, 100), CompactionBudget::new(9_000));
        let decide = |policy: PaysBackPolicy| changes(&policy.decide(&transcript, &budget).unwrap());
        let veto = || PaysBackPolicy::new(drop_oldest(), prices(), 0);
        assert!(decide(veto()), "the maximum is the window where nobody says otherwise");
        assert!(decide(veto().with_window(9_999)));
        assert!(!decide(veto().with_window(10_000)));
    }

    #[test]
    fn the_plan_is_in_the_name_of_the_wrapper() {
        let (transcript, budget) = (turns(100, 100), CompactionBudget::new(9_000));
        let plan = PaysBackPolicy::new(drop_oldest(), prices(), 0).decide(&transcript, &budget).unwrap();
        assert_eq!((plan.policy_name(), plan.policy_version()), ("pays_back(drop_oldest@2.0.0)", "2.0.0"));
        let plan = FrozenHeadPolicy::new(drop_oldest()).decide(&transcript, &budget).unwrap();
        assert_eq!((plan.policy_name(), plan.policy_version()), ("frozen_head(drop_oldest@2.0.0)", "2.0.0"));
    }

    #[test]
    fn the_head_ends_between_exchanges() {
        let turn = |id: &str, call: Option<&str>| {
            let turn = TranscriptTurn::new(id, Role::User, "x", 100).unwrap();
            match call {
                Some(call) => turn.with_tool_call_id(call),
                None => turn,
            }
        };
        // The head of 600 tokens would end within the exchange that begins at the fourth turn.
        let mut all: Vec<TranscriptTurn> = (0..4).map(|n| turn(&format!("t{n}"), None)).collect();
        all.extend(["a", "b", "c"].map(|id| turn(id, Some("c1"))));
        all.extend((4..13).map(|n| turn(&format!("t{n}"), None)));
        let budget = CompactionBudget::new(1_000);
        let plan =
            FrozenHeadPolicy::new(drop_oldest()).decide(&Transcript::new(all).unwrap(), &budget).unwrap();
        assert_eq!(plan.first_changed_position(), Some(4));
    }

    #[test]
    fn where_the_rest_cannot_reach_the_goal_the_head_is_given_up() {
        // The tail has 800 of the goal's 1,000 tokens.
        let budget = CompactionBudget::new(1_000).with_protected_recent_turns(8);
        let plan = FrozenHeadPolicy::new(drop_oldest()).decide(&turns(20, 100), &budget).unwrap();
        assert_eq!((plan.first_changed_position(), plan.budget_unmet()), (Some(0), false));
        assert!(FrozenHeadPolicy::new(drop_oldest()).with_head_share(1_000).is_err());
    }

    #[test]
    fn specifications_build_them_with_one_member_or_a_chain_of_several() {
        let built = |json: &str| serde_json::from_str::<PolicySpec>(json).unwrap().build();
        let name = |json: &str| built(json).unwrap().name().into_owned();
        assert_eq!(
            name(r#"{"kind":"pays_back","members":[{"kind":"drop_oldest"}]}"#),
            "pays_back(drop_oldest@2.0.0)"
        );
        assert_eq!(
            name(
                r#"{"kind":"frozen_head","head_share":500,"members":[{"kind":"masking"},{"kind":"drop_oldest"}]}"#
            ),
            "frozen_head(chain(observation_masking@2.0.0+drop_oldest@2.0.0)@2.0.0)"
        );
        for refused in [
            r#"{"kind":"pays_back"}"#,
            r#"{"kind":"frozen_head","members":[]}"#,
            r#"{"kind":"pays_back","within_steps":-1,"members":[{"kind":"drop_oldest"}]}"#,
            r#"{"kind":"frozen_head","head_share":1000,"members":[{"kind":"drop_oldest"}]}"#,
        ] {
            assert!(built(refused).is_err(), "{refused}");
        }
        let dear = r#"{"kind":"pays_back","prices":{"read":2,"write":1},"members":[]}"#;
        assert!(serde_json::from_str::<PolicySpec>(dear).is_err());
        let json = r#"{"kind":"pays_back","members":[{"kind":"drop_oldest"}],"within_steps":3,"window_tokens":9,"prices":{"read":1,"write":2,"minimum_tokens":3}}"#;
        let spec: PolicySpec = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
    }

    /// Turns of these sizes.
    fn sized(sizes: &[u64]) -> Transcript {
        let turn =
            |(n, size): (usize, &u64)| TranscriptTurn::new(format!("t{n}"), Role::User, "x", *size).unwrap();
        Transcript::new(sizes.iter().enumerate().map(turn).collect()).unwrap()
    }

    /// A budget that the transcript is just above, with this share of it for a target, in per cent.
    fn just_below(transcript: &Transcript, target: u64) -> CompactionBudget {
        let max = transcript.token_estimate().saturating_sub(1);
        let budget = CompactionBudget::new(max).with_protected_recent_turns(2);
        budget.with_target(max.saturating_mul(target) / 100).unwrap()
    }

    proptest! {
        /// Either nothing is done, or what is done pays back in time.
        #[test]
        fn no_plan_below_the_window_fails_to_pay_back(
            sizes in prop::collection::vec(1_u64..200, 5..60),
            steps in 0_u64..40,
            target in 10_u64..90,
        ) {
            let transcript = sized(&sizes);
            let policy = PaysBackPolicy::new(drop_oldest(), prices(), steps);
            let policy = policy.with_window(transcript.token_estimate());
            let Ok(plan) = policy.decide(&transcript, &just_below(&transcript, target)) else { return Ok(()) };
            let account = CacheAccount::of(&plan.cache_edit(), prices());
            prop_assert!(!changes(&plan) || account.pays_back_within(steps));
        }

        /// What stands at the beginning stays, up to the share, or the member decides over all.
        #[test]
        fn the_head_stays_or_the_member_decides(
            sizes in prop::collection::vec(1_u64..200, 5..60),
            max in 100_u64..3_000,
        ) {
            let transcript = sized(&sizes);
            let budget = CompactionBudget::new(max).with_protected_recent_turns(2);
            let member = DropOldestPolicy::new().decide(&transcript, &budget);
            let frozen = FrozenHeadPolicy::new(drop_oldest()).decide(&transcript, &budget);
            prop_assert_eq!(member.is_ok(), frozen.is_ok());
            let (Ok(member), Ok(frozen)) = (member, frozen) else { return Ok(()) };
            let first = frozen.first_changed_position();
            if first == member.first_changed_position() {
                prop_assert_eq!(frozen.actions(), member.actions());
            } else {
                let head: u64 = sizes.iter().take(first.unwrap_or(0).saturating_add(1)).sum();
                prop_assert!(head > max.saturating_mul(600) / 1_000, "the head could be longer");
                prop_assert!(frozen.tokens_after_estimate() <= max);
            }
        }
    }
}
