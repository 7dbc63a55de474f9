//! Masking, at both versions, against an oracle that does it step by step; and its stubs.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
#[path = "laws/generator.rs"]
mod generator;

#[cfg(test)]
mod tests {
    use super::generator::{cases, renamed};
    use alloc::borrow::Cow;
    use alloc::sync::Arc;
    use cutctx_invariants::{CompactionPlan, CompactionPolicy};
    use cutctx_policies::{Exemptions, MaskStub, ObservationMaskingPolicy, PolicyChain};
    use cutctx_types::{
        Action, CharRatioEstimator, CompactionBudget, InvalidValue, Role, TokenEstimator, Transcript,
        TranscriptTurn, sha256_of,
    };
    use proptest::prelude::*;

    const PLACEHOLDER: &str = "[tool result masked by cutctx]";

    /// The stub of each masked turn, found by adding everything up again for every result.
    fn slow(
        transcript: &Transcript,
        budget: &CompactionBudget,
        keep: usize,
        is_v1: bool,
    ) -> Vec<Option<String>> {
        let turns = transcript.turns();
        let max = budget.max_tokens();
        let goal = if is_v1 { max } else { budget.target_tokens().unwrap_or(max) };
        let mut stubs: Vec<Option<String>> = vec![None; turns.len()];
        if transcript.token_estimate() <= max {
            return stubs;
        }
        for (position, turn) in turns.iter().enumerate() {
            let cost = |stub: &str| stub.chars().count().div_ceil(4) as u64;
            let spent = |position: usize| match &stubs[position] {
                Some(stub) => cost(stub),
                None => turns[position].token_estimate(),
            };
            let running: u64 = (0..turns.len()).map(spent).sum();
            let later_results = turns[position + 1..].iter().filter(|turn| turn.role() == Role::Tool).count();
            let is_tail = position as u64 + budget.protected_recent_turns() >= turns.len() as u64;
            let is_open = turn.role() == Role::Tool && later_results >= keep && !is_tail && !turn.pinned();
            let digest = sha256_of(turn.content().as_ref()).unwrap();
            let stub = format!("{PLACEHOLDER} (original: {} tokens, sha256:{digest})", turn.token_estimate());
            let is_stub = turn.content().starts_with("[tool result masked");
            if running > goal && is_open && (is_v1 || !is_stub) && cost(&stub) < turn.token_estimate() {
                stubs[position] = Some(stub);
            }
        }
        stubs
    }

    fn stubs(plan: &CompactionPlan) -> Vec<Option<String>> {
        let stub = |action: &Action| match action {
            Action::Mask(replacement) => Some(replacement.content.to_string()),
            Action::Keep | Action::Summarize { .. } | Action::Drop | Action::Trim(_) => None,
        };
        plan.actions().iter().map(|turn| stub(&turn.action)).collect()
    }

    proptest! {
        #[test]
        fn both_versions_mask_what_the_oracle_masks(case in cases(), keep in 0_u8..4) {
            for (policy, is_v1) in [(ObservationMaskingPolicy::v1(), true), (ObservationMaskingPolicy::new(), false)] {
                let policy = policy.with_keep_recent_results(keep.into());
                let Ok(plan) = policy.decide(&case.transcript, &case.budget) else { continue };
                let expected = slow(&case.transcript, &case.budget, keep.into(), is_v1);
                let ratio = expected.iter().any(Option::is_some).then_some(4.0);
                prop_assert_eq!(stubs(&plan), expected);
                prop_assert_eq!(plan.estimator_ratio(), ratio);
            }
        }

        #[test]
        fn other_ids_give_the_same_stubs(case in cases()) {
            let decide = |transcript| eager().decide(transcript, &case.budget);
            if let (Ok(plan), Ok(again)) = (decide(&case.transcript), decide(&renamed(&case.transcript))) {
                prop_assert_eq!(stubs(&plan), stubs(&again));
            }
        }

        #[test]
        fn every_stub_is_recognised_and_names_its_original(
            placeholder in "[^\\x00-\\x1f\\x7f-\\x9f\u{2028}\u{2029}]{1,20}",
            content in any::<String>(),
            tokens in 5_000_u64..,
        ) {
            let Ok(policy) = ObservationMaskingPolicy::new().with_placeholder(placeholder.clone()) else {
                prop_assert!(placeholder.trim().is_empty());
                return Ok(());
            };
            let plan = masked(&policy.with_keep_recent_results(0), &content, tokens);
            let text = stubs(&plan).remove(0).unwrap();
            let stub = MaskStub::parse(&text).unwrap();
            prop_assert_eq!((stub.placeholder, stub.original_tokens), (placeholder.as_str(), Some(tokens)));
            prop_assert!(stub.is_of(&content));
        }

        #[test]
        fn any_text_is_judged_as_the_written_form_says(text in "(\\[c\\]|\n)? ?\\(original: 0?[0-9]{0,2} tokens, sha256:[0-9a-f]{63,65}\\)?") {
            let is_stub = MaskStub::parse(&text).is_some();
            let inner = text.strip_prefix("[c] (original: ").and_then(|rest| rest.strip_suffix(')'));
            let expected = inner.and_then(|inner| inner.split_once(" tokens, sha256:")).is_some_and(|(tokens, hex)| {
                hex.len() == 64 && tokens.parse::<u64>().is_ok_and(|number| number.to_string() == tokens)
            });
            prop_assert_eq!(is_stub, expected, "{}", text);
        }
    }

    /// The plan that masks one result of this content.
    fn masked(policy: &dyn CompactionPolicy, content: &str, tokens: u64) -> CompactionPlan {
        let transcript = Transcript::new(vec![result("t", content, tokens)]).unwrap();
        policy.decide(&transcript, &CompactionBudget::new(0).with_protected_recent_turns(0)).unwrap()
    }

    fn result(id: &str, content: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(id, Role::Tool, content, tokens).unwrap()
    }

    fn eager() -> ObservationMaskingPolicy {
        ObservationMaskingPolicy::new().with_keep_recent_results(0)
    }

    #[test]
    fn a_second_round_keeps_the_digest_of_the_original() {
        let first = stubs(&masked(&eager(), "the original", 100_000)).remove(0).unwrap();
        let again = |policy: ObservationMaskingPolicy| stubs(&masked(&policy, &first, 100_000)).remove(0);
        assert_eq!(again(eager()), None);
        let lost = again(ObservationMaskingPolicy::v1().with_keep_recent_results(0)).unwrap();
        assert!(MaskStub::parse(&lost).unwrap().is_of(&first));
    }

    #[test]
    fn a_text_that_only_quotes_a_stub_is_masked() {
        let stub = stubs(&masked(&eager(), "the original", 1_000)).remove(0).unwrap();
        for quoting in [format!("see\n{stub}"), format!("{stub}."), format!("{}{stub}", "x".repeat(300))] {
            assert!(stubs(&masked(&eager(), &quoting, 1_000)).remove(0).is_some(), "{quoting}");
        }
    }

    /// Counts bytes, so that it is nothing but itself.
    struct Bytes;

    impl TokenEstimator for Bytes {
        fn estimate(&self, text: &str) -> u64 {
            text.len() as u64
        }

        fn name(&self) -> Cow<'_, str> {
            "bytes".into()
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_estimator_that_measured_a_stub_in_the_plan() {
        let injected: [(Arc<dyn TokenEstimator>, Option<f64>); 2] =
            [(Arc::new(CharRatioEstimator::new(3.7).unwrap()), Some(3.7)), (Arc::new(Bytes), None)];
        for (estimator, ratio) in injected {
            let second = eager().with_estimator(estimator.clone());
            assert_eq!(masked(&second, "text", 1_000).estimator_ratio(), ratio);
            assert_eq!(masked(&second, "text", 1).estimator_ratio(), None);
            let first = ObservationMaskingPolicy::v1().with_keep_recent_results(0).with_estimator(estimator);
            assert_eq!(masked(&first, "text", 1_000).estimator_ratio(), None);
        }
    }

    #[test]
    fn a_locked_result_counts_at_its_stubs_cost() {
        let turns = vec![
            result("t", "a long result", 500).with_tool_call_id("c"),
            TranscriptTurn::new("p", Role::Assistant, "pinned", 10)
                .unwrap()
                .with_tool_call_id("c")
                .with_pinned(true),
        ];
        let transcript = Transcript::new(turns).unwrap();
        let decide = |policy: &dyn CompactionPolicy, max| {
            policy.decide(&transcript, &CompactionBudget::new(max).with_protected_recent_turns(0))
        };
        let by_bytes = eager().with_estimator(Arc::new(Bytes));
        let chain = PolicyChain::new(vec![Box::new(eager())]).unwrap();
        let policies: [(&dyn CompactionPolicy, u64); 3] = [(&eager(), 32), (&by_bytes, 126), (&chain, 32)];
        for (policy, stub) in policies {
            assert_eq!(decide(policy, 10 + stub).unwrap().tokens_after_estimate(), 10 + stub);
            assert!(decide(policy, 9 + stub).is_err());
        }
    }

    #[test]
    fn exempt_results_are_left_alone() {
        let turns = vec![
            result("memory", "x", 500).with_tool_name("memory"),
            result("kept", "x", 500),
            result("open", "x", 500).with_tool_name("shell"),
        ];
        let transcript = Transcript::new(turns).unwrap();
        let exemptions = Exemptions::none().with_tools(["memory"]).with_turn_ids(["kept"]);
        let policy = eager().with_exemptions(exemptions).unwrap();
        let budget = CompactionBudget::new(0).with_protected_recent_turns(0);
        let fates = stubs(&policy.decide(&transcript, &budget).unwrap());
        assert_eq!(fates.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_placeholder_must_be_recognisable_at_version_2_only() {
        let refused = |text: &str| ObservationMaskingPolicy::new().with_placeholder(text).unwrap_err();
        for text in ["two\nlines", "next\u{85}line", "para\u{2029}graph", &"x".repeat(257)] {
            assert!(matches!(refused(text), InvalidValue::Setting { setting: "placeholder", .. }), "{text}");
            assert!(ObservationMaskingPolicy::v1().with_placeholder(text).is_ok(), "{text}");
        }
        assert!(ObservationMaskingPolicy::new().with_placeholder("é".repeat(256)).is_ok());
        assert_eq!(refused(" \t").to_string(), "the setting `placeholder` is blank");
    }
}
