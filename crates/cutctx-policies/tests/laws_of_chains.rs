//! Chains of version 2.0.0 against a slow oracle, with members of every kind: shipped ones of both
//! versions, chains in chains, and scripted ones that mask, trim, drop and fold whatever they can,
//! stand-ins included.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    clippy::std_instead_of_alloc,
    reason = "a test may be short about what cannot happen, and has std"
)]

#[cfg(test)]
#[path = "laws_of_chains/cast.rs"]
mod cast;
#[cfg(test)]
#[path = "laws/generator.rs"]
mod generator;
#[cfg(test)]
#[path = "laws_of_chains/script.rs"]
mod script;
#[cfg(test)]
#[path = "laws_of_chains/slow_chain.rs"]
mod slow_chain;

#[cfg(test)]
mod tests {
    use super::cast::{Part, parts};
    use super::generator::{cases, renamed, with_id};
    use super::script::Script;
    use core::mem::discriminant;
    use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
    use cutctx_policies::{DropOldestPolicy, PolicyChain};
    use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
    use proptest::prelude::*;

    /// A plan without its group ids: the actions, and each group's turns, target and prompt.
    fn nameless(plan: &CompactionPlan) -> (Vec<String>, Vec<String>, Option<u64>) {
        let action = |action: &Action| match action {
            Action::Summarize { group } => {
                let requests = plan.summarization_requests().iter();
                format!("into {:?}", { requests }.position(|request| request.group_id() == group))
            }
            other => format!("{other:?}"),
        };
        let request = |request: &cutctx_types::SummarizationRequest| {
            format!("{:?} {} {}", request.turn_ids(), request.target_tokens(), request.prompt_id())
        };
        (
            plan.actions().iter().map(|turn| action(&turn.action)).collect(),
            plan.summarization_requests().iter().map(request).collect(),
            plan.estimator_ratio().map(f64::to_bits),
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn a_chain_decides_as_the_slow_chain_does(case in cases(), parts in prop::collection::vec(parts(), 1..5)) {
            let (fast, slow) = (Part::Chain(parts.clone()).fast(), Part::Chain(parts).slow(0));
            let fast = fast.decide(&case.transcript, &case.budget);
            let slow = slow.decide(&case.transcript, &case.budget);
            match (&fast, &slow) {
                (Ok(fast), Ok(slow)) => {
                    prop_assert_eq!(nameless(fast), nameless(slow));
                    prop_assert_eq!(fast.tokens_after_estimate(), slow.tokens_after_estimate());
                }
                (Err(fast), Err(slow)) => {
                    prop_assert_eq!(discriminant(fast), discriminant(slow));
                }
                _ => prop_assert!(false, "{fast:?} is not {slow:?}"),
            }
        }

        #[test]
        fn a_chain_of_sound_members_never_makes_a_draft_that_the_rules_refuse(
            case in cases(),
            parts in prop::collection::vec(parts(), 1..5),
        ) {
            let sound: Vec<Part> = parts.into_iter().filter(Part::is_sound).collect();
            prop_assume!(!sound.is_empty());
            let decision = Part::Chain(sound).fast().decide(&renamed(&case.transcript), &case.budget);
            prop_assert!(matches!(decision, Ok(_) | Err(PolicyError::Unsatisfiable(_))), "{decision:?}");
        }
    }

    fn user(id: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(id, Role::User, "some words", tokens).unwrap()
    }

    fn chain_of(parts: Vec<Part>) -> PolicyChain {
        PolicyChain::new(parts.into_iter().map(|part| part.fast()).collect()).unwrap()
    }

    fn unprotected(max_tokens: u64) -> CompactionBudget {
        CompactionBudget::new(max_tokens).with_protected_recent_turns(0)
    }

    fn decide(chain: &PolicyChain, turns: Vec<TranscriptTurn>, max_tokens: u64) -> CompactionPlan {
        chain.decide(&Transcript::new(turns).unwrap(), &unprotected(max_tokens)).unwrap()
    }

    fn kinds(plan: &CompactionPlan) -> Vec<&str> {
        plan.actions().iter().map(|action| action.action.kind().as_str()).collect()
    }

    #[test]
    fn a_summary_of_an_earlier_round_is_a_turn_like_any_other() {
        // B2: version 1.0.0 keeps it, whatever its members decide.
        let chain = PolicyChain::new(vec![Box::new(DropOldestPolicy::new())]).unwrap();
        let plan = decide(&chain, vec![user("summary:x", 100), user("u", 1)], 50);
        assert_eq!((kinds(&plan), plan.tokens_after_estimate()), (vec!["drop", "keep"], 1));
    }

    #[test]
    fn a_span_of_earlier_summaries_alone_is_summarized_again() {
        // B3: version 1.0.0 fails here, "covers no turns".
        let pinned = user("p", 1).with_pinned(true);
        let plan =
            decide(&chain_of(vec![Part::Summarizing(0.2, 1)]), vec![user("summary:x", 100), pinned], 50);
        assert_eq!((kinds(&plan), plan.tokens_after_estimate()), (vec!["summarize", "keep"], 21));
    }

    #[test]
    fn a_nested_chain_drops_the_stand_in_of_the_chain_around_it() {
        // B7: version 1.0.0 cannot.
        let nested = Part::Chain(vec![Part::DropOldest]);
        let chain = chain_of(vec![Part::Summarizing(0.5, 2), nested]);
        let plan = decide(&chain, vec![user("a", 100), user("b", 100), user("p", 9).with_pinned(true)], 10);
        assert_eq!(kinds(&plan), ["drop", "drop", "keep"]);
        assert!(plan.summarization_requests().is_empty());
    }

    #[test]
    fn a_nested_chain_does_not_count_on_masking_the_stand_in_of_the_chain_around_it() {
        let mask = Script::MaskAll { tokens: 1, ratio: None };
        let nested = Part::Chain(vec![Part::Script(mask), Part::DropOldest]);
        let chain = chain_of(vec![Part::Summarizing(0.5, 2), nested]);
        let plan = decide(&chain, vec![user("a", 100), user("b", 100), user("p", 9).with_pinned(true)], 20);
        assert_eq!((kinds(&plan), plan.tokens_after_estimate()), (vec!["drop", "drop", "keep"], 9));
    }

    #[test]
    fn nobody_is_asked_once_the_goal_is_reached_exactly() {
        let mask = Script::MaskAll { tokens: 1, ratio: None };
        let plan = decide(
            &chain_of(vec![Part::DropOldest, Part::Script(mask)]),
            vec![user("a", 7), user("b", 5)],
            5,
        );
        assert_eq!(kinds(&plan), ["drop", "keep"]);
    }

    #[test]
    fn a_chain_does_not_fold_its_own_stand_in_again() {
        // B9: version 1.0.0 shrinks the same target twice and starves the next span.
        let chain = chain_of(vec![Part::Summarizing(0.5, 1), Part::Summarizing(0.5, 1)]);
        let turns = vec![user("a", 100), user("p", 5).with_pinned(true), user("b", 100)];
        let plan = decide(&chain, turns, 10);
        let requests: Vec<(usize, u64)> = plan
            .summarization_requests()
            .iter()
            .map(|request| (request.turn_ids().len(), request.target_tokens()))
            .collect();
        assert_eq!(requests, [(1, 50), (1, 50)]);
    }

    #[test]
    fn groups_of_one_name_are_told_apart() {
        // B10: a custom member that uses fixed names, twice in one chain.
        let fold = |chunk| Part::Script(Script::FoldChunks { chunk, target: 5, first: chunk == 1 });
        let chain = chain_of(vec![fold(1), Part::Script(Script::FoldRest { target: 3 })]);
        let turns = vec![user("a", 10), user("b", 10), user("summary:g0~1", 10)];
        let plan = decide(&chain, turns, 1);
        let ids: Vec<&str> =
            plan.summarization_requests().iter().map(|request| request.group_id().as_ref()).collect();
        assert_eq!(ids, ["g0", "g0~2"]);
    }

    #[test]
    fn a_masked_stand_in_stays_what_it_is() {
        // B11: version 1.0.0 masks every turn behind it.
        let mask = Script::MaskAll { tokens: 1, ratio: Some(3.5) };
        let chain = chain_of(vec![Part::Summarizing(0.5, 2), Part::Script(mask)]);
        let turns = vec![user("a", 10), user("b", 10), user("p", 5).with_pinned(true), user("c", 10)];
        let plan = decide(&chain, turns, 9);
        assert_eq!(kinds(&plan), ["summarize", "summarize", "keep", "mask"]);
        assert_eq!((plan.tokens_after_estimate(), plan.estimator_ratio()), (16, Some(3.5)));
    }

    #[test]
    fn the_ratio_is_that_of_the_stubs_in_the_plan_and_none_where_they_differ() {
        // B14: version 1.0.0 records the first ratio that any member named.
        let result = |id: &str, tokens| TranscriptTurn::new(id, Role::Tool, "some words", tokens).unwrap();
        let turns = || vec![result("r", 1_000), user("u", 10)];
        let ratio = |chain: PolicyChain, max_tokens| decide(&chain, turns(), max_tokens).estimator_ratio();
        assert_eq!(ratio(chain_of(vec![Part::Masking(0), Part::DropOldest]), 50), Some(4.0));
        assert_eq!(ratio(chain_of(vec![Part::Masking(0), Part::DropOldest]), 10), None);
        let other = Part::Script(Script::MaskUsers { ratio: Some(3.0) });
        assert_eq!(ratio(chain_of(vec![Part::Masking(0), other]), 20), None);
    }

    #[test]
    fn thousands_of_groups_in_a_row_are_flattened_and_dropped_in_one_go() {
        let turns: Vec<TranscriptTurn> =
            (0..20_000).map(|at| with_id(&user("t", 10), &format!("t{at}"))).collect();
        let fold = |chunk| Part::Script(Script::FoldChunks { chunk, target: 4, first: false });
        let plan = decide(&chain_of(vec![fold(2), fold(2), fold(2)]), turns.clone(), 100);
        assert_eq!(plan.summarization_requests().len(), 2_500);
        assert!(plan.summarization_requests().iter().all(|request| request.turn_ids().len() == 8));
        let plan = decide(&chain_of(vec![fold(2), fold(2), Part::DropOldest]), turns, 100);
        assert_eq!((plan.summarization_requests().len(), plan.tokens_after_estimate()), (25, 100));
    }
}
