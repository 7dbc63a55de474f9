//! Chains of version 1.0.0 against a slow oracle: the same bytes, and the same refusals.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    clippy::std_instead_of_alloc,
    reason = "a test may be short about what cannot happen, and has std"
)]

extern crate alloc;

#[cfg(test)]
#[path = "laws/generator.rs"]
mod generator;
#[cfg(test)]
#[path = "laws_of_chains/script.rs"]
mod script;
#[cfg(test)]
#[path = "chain_v1/slow_chain.rs"]
mod slow_chain;

#[cfg(test)]
mod tests {
    use super::generator::{cases, renamed, with_id};
    use super::script::Script;
    use super::slow_chain::SlowChain;
    use cutctx_invariants::CompactionPolicy;
    use cutctx_policies::{
        BoxedPolicy, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain, SummarizingPolicy,
    };
    use cutctx_types::{Action, Coded, CompactionBudget, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    #[derive(Debug, Clone)]
    enum Part {
        Masking(u64),
        Summarizing(f64, u64),
        DropOldest,
        Script(Script),
        Chain(Vec<Self>),
    }

    impl Part {
        fn fast(&self) -> BoxedPolicy {
            match self {
                Self::Chain(parts) => {
                    Box::new(PolicyChain::v1(parts.iter().map(Self::fast).collect()).unwrap())
                }
                Self::Masking(_) | Self::Summarizing(..) | Self::DropOldest | Self::Script(_) => {
                    self.single()
                }
            }
        }

        fn slow(&self) -> BoxedPolicy {
            match self {
                Self::Chain(parts) => Box::new(SlowChain {
                    name: self.fast().name().into_owned(),
                    members: parts.iter().map(Self::slow).collect(),
                }),
                Self::Masking(_) | Self::Summarizing(..) | Self::DropOldest | Self::Script(_) => {
                    self.single()
                }
            }
        }

        fn single(&self) -> BoxedPolicy {
            match self {
                Self::Masking(keep) => {
                    Box::new(ObservationMaskingPolicy::v1().with_keep_recent_results(*keep))
                }
                Self::Summarizing(ratio, turns) => {
                    let policy = SummarizingPolicy::v1("p").unwrap().with_target_ratio(*ratio).unwrap();
                    Box::new(policy.with_min_span_turns(*turns).unwrap())
                }
                Self::Script(script) => Box::new(script.clone()),
                Self::DropOldest | Self::Chain(_) => Box::new(DropOldestPolicy::v1()),
            }
        }
    }

    fn parts() -> impl Strategy<Value = Vec<Part>> {
        let script =
            prop_oneof![
                (0_u64..9).prop_map(|tokens| Script::MaskAll { tokens, ratio: Some(2.5) }),
                Just(Script::MaskUsers { ratio: None }),
                (1_usize..4).prop_map(|modulus| Script::DropEvery { modulus }),
                (1_usize..4, 0_u64..50, any::<bool>())
                    .prop_map(|(chunk, target, first)| Script::FoldChunks { chunk, target, first }),
                (0_u64..50).prop_map(|target| Script::FoldRest { target }),
            ];
        let ratio = prop_oneof![Just(0.2), Just(0.5), Just(0.01)];
        let part = prop_oneof![
            (0_u64..3).prop_map(Part::Masking),
            (ratio, 1_u64..4).prop_map(|(ratio, turns)| Part::Summarizing(ratio, turns)),
            Just(Part::DropOldest),
            script.prop_map(Part::Script),
        ];
        let part =
            part.prop_recursive(2, 6, 3, |inner| prop::collection::vec(inner, 1..3).prop_map(Part::Chain));
        prop::collection::vec(part, 1..5)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn a_chain_decides_as_the_slow_chain_does(case in cases(), parts in parts()) {
            let chain = Part::Chain(parts);
            let fast = chain.fast().decide(&case.transcript, &case.budget);
            let slow = chain.slow().decide(&case.transcript, &case.budget);
            match (fast, slow) {
                (Ok(fast), Ok(slow)) => prop_assert_eq!(fast.canonical_json(), slow.canonical_json()),
                (Err(fast), Err(slow)) => {
                    prop_assert_eq!(fast.code(), slow.code());
                    prop_assert_eq!(fast.details(), slow.details());
                }
                (fast, slow) => prop_assert!(false, "{:?} is not {:?}", fast, slow),
            }
        }

        #[test]
        fn no_input_panics_under_other_ids(case in cases(), parts in parts()) {
            let chain = Part::Chain(parts).fast();
            let decided = chain.decide(&renamed(&case.transcript), &case.budget);
            prop_assert!(decided.is_ok() || !decided.unwrap_err().code().as_str().is_empty());
        }
    }

    fn turn(id: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(id, Role::User, "some text", tokens).unwrap()
    }

    fn tight(max: u64) -> CompactionBudget {
        CompactionBudget::new(max).with_protected_recent_turns(0)
    }

    #[test]
    fn a_trim_of_a_member_reaches_the_plan_unless_its_turn_goes() {
        let transcript = Transcript::new(vec![turn("a", 40), turn("b", 40), turn("c", 40)]).unwrap();
        let members: Vec<BoxedPolicy> = vec![Box::new(Script::TrimAll), Box::new(DropOldestPolicy::v1())];
        let plan = PolicyChain::v1(members).unwrap().decide(&transcript, &tight(40)).unwrap();
        let kinds: Vec<&str> = plan.actions().iter().map(|action| action.action.kind().as_str()).collect();
        assert_eq!(kinds, ["drop", "trim", "trim"]);
        assert_eq!((plan.wire_version(), plan.tokens_after_estimate()), (2, 40));
    }

    #[test]
    fn a_chain_with_a_member_of_version_2_asks_for_no_second_admission() {
        // Locked: the result shares its call with a pinned turn, so that nothing can be done about it.
        let locked = with_id(&turn("x", 50), "locked").with_tool_call_id("c");
        let pinned = turn("pinned", 1).with_tool_call_id("c").with_pinned(true);
        let transcript = Transcript::new(vec![locked, pinned]).unwrap();
        let chain = PolicyChain::v1(vec![Box::new(DropOldestPolicy::new())]).unwrap();
        let plan = chain.decide(&transcript, &tight(10)).unwrap();
        assert!(plan.budget_unmet() && plan.actions().iter().all(|action| action.action == Action::Keep));
        assert!(DropOldestPolicy::new().decide(&transcript, &tight(10)).is_err());
    }

    #[test]
    fn thousands_of_groups_are_no_matter() {
        let turns = (0..20_000).map(|number| turn(&format!("t{number}"), 10));
        let transcript = Transcript::new(turns.collect()).unwrap();
        let fold = Script::FoldChunks { chunk: 2, target: 5, first: false };
        let members: Vec<BoxedPolicy> = vec![Box::new(fold), Box::new(DropOldestPolicy::v1())];
        let plan = PolicyChain::v1(members).unwrap().decide(&transcript, &tight(30_000)).unwrap();
        assert_eq!(plan.summarization_requests().len(), 6_000);
        assert_eq!(plan.tokens_after_estimate(), 30_000);
    }
}
