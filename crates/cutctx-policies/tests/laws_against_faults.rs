//! The reference's faults, one by one: version 1.0.0 has them still, version 2.0.0 has not.
//! `docs/policies.md` lists them under the same numbers; those that need a policy of one's own to show
//! (B11, B12) are in `laws_of_chains.rs`.

#[cfg(test)]
mod tests {
    use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
    use cutctx_policies::{
        BoxedPolicy, DefaultChainSettings, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain,
        PolicyVersion, SummarizingPolicy,
    };
    use cutctx_types::{Action, CompactionBudget, Role, SummarizationRequest, Transcript, TranscriptTurn};

    const BOTH: [PolicyVersion; 2] = [PolicyVersion::V1, PolicyVersion::V2];

    /// A turn from `id/role/tokens`, `id/role/tokens/call` or, pinned, `id/role/tokens!`.
    fn turn(line: &str) -> TranscriptTurn {
        let mut fields = line.split('/');
        let mut next = || fields.next().unwrap();
        let (id, role, tokens) = (next(), role(next()), next());
        let pinned = tokens.ends_with('!');
        let tokens = tokens.trim_end_matches('!').parse().unwrap();
        let turn = TranscriptTurn::new(id, role, "some words", tokens).unwrap().with_pinned(pinned);
        match fields.next() {
            Some(call) => turn.with_tool_call_id(call),
            None => turn,
        }
    }

    fn role(name: &str) -> Role {
        match name {
            "system" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => Role::Tool,
        }
    }

    fn decide(
        policy: &dyn CompactionPolicy,
        lines: &[&str],
        max_tokens: u64,
        protected: u64,
    ) -> Result<CompactionPlan, PolicyError> {
        let transcript = Transcript::new(lines.iter().copied().map(turn).collect()).unwrap();
        policy.decide(&transcript, &CompactionBudget::new(max_tokens).with_protected_recent_turns(protected))
    }

    fn summarizing(version: PolicyVersion, ratio: f64, min_span_turns: u64) -> BoxedPolicy {
        let policy = SummarizingPolicy::at(version, "test/prompt").unwrap();
        Box::new(policy.with_target_ratio(ratio).unwrap().with_min_span_turns(min_span_turns).unwrap())
    }

    fn masking(version: PolicyVersion) -> BoxedPolicy {
        Box::new(ObservationMaskingPolicy::at(version).with_keep_recent_results(0))
    }

    fn dropping(version: PolicyVersion) -> BoxedPolicy {
        Box::new(DropOldestPolicy::at(version))
    }

    fn chain(version: PolicyVersion, members: Vec<BoxedPolicy>) -> BoxedPolicy {
        Box::new(PolicyChain::at(version, members).unwrap())
    }

    fn default_chain(version: PolicyVersion) -> PolicyChain {
        let mut settings = DefaultChainSettings::new("test/prompt");
        settings.version = version;
        settings.build().unwrap()
    }

    /// The tokens after each version's plan; `None` where it fails.
    fn after(
        policy: impl Fn(PolicyVersion) -> BoxedPolicy,
        lines: &[&str],
        max_tokens: u64,
        protected: u64,
    ) -> [Option<u64>; 2] {
        let tokens = |plan: CompactionPlan| plan.tokens_after_estimate();
        BOTH.map(|version| decide(policy(version).as_ref(), lines, max_tokens, protected).ok().map(tokens))
    }

    fn kinds(plan: &CompactionPlan) -> Vec<&str> {
        plan.actions().iter().map(|action| action.action.kind().as_str()).collect()
    }

    #[test]
    fn b1_a_span_never_holds_half_an_exchange() {
        let lines = [
            "a1/assistant/50/c1",
            "u1/user/50",
            "u2/user/50",
            "u3/user/50",
            "a2/assistant/50/c2",
            "t1/tool/50/c1",
            "p1/user/1!",
            "t2/tool/50/c2",
        ];
        assert_eq!(after(|version| Box::new(default_chain(version)), &lines, 100, 0), [None, Some(1)]);
        let least = ["a/assistant/5/x", "b/assistant/5/y", "c/tool/5/x", "s/system/1", "d/tool/5/y"];
        assert_eq!(after(|version| summarizing(version, 0.2, 1), &least, 3, 0), [None, Some(21)]);
    }

    #[test]
    fn b2_a_chain_acts_on_the_summaries_of_earlier_rounds() {
        let chain = |version| chain(version, vec![dropping(version)]);
        assert_eq!(after(chain, &["summary:x/assistant/100", "u/user/1"], 50, 0), [Some(101), Some(1)]);
    }

    #[test]
    fn b3_a_span_of_such_summaries_alone_is_summarized() {
        let mut lines = vec!["summary:0/assistant/50", "summary:1/assistant/50"];
        lines.extend(["summary:2/assistant/50", "summary:3/assistant/50"]);
        lines.extend(["m0/user/10", "m1/user/10", "m2/user/10", "m3/user/10"]);
        assert_eq!(after(|version| Box::new(default_chain(version)), &lines, 100, 4), [None, Some(80)]);
    }

    #[test]
    fn b4_a_summary_replaces_all_that_its_target_is_a_share_of() {
        let chain = |version| chain(version, vec![summarizing(version, 0.2, 2)]);
        assert_eq!(after(chain, &["summary:x/assistant/1000", "u/user/1"], 50, 0), [Some(1_200), Some(200)]);
    }

    #[test]
    fn b5_nothing_is_summarized_once_enough_is_dropped() {
        let lines = ["summary:x/assistant/100/c", "u/tool/100/c", "v/user/50", "w/user/5"];
        let chain = |version| chain(version, vec![dropping(version), summarizing(version, 0.2, 2)]);
        assert_eq!(after(chain, &lines, 60, 0), [Some(31), Some(55)]);
    }

    #[test]
    fn b6_a_ratio_is_recorded_only_beside_a_stub() {
        for (version, expected) in BOTH.into_iter().zip([["keep", "keep"], ["mask", "keep"]]) {
            let chain = chain(version, vec![masking(version)]);
            let plan = decide(chain.as_ref(), &["summary:x/tool/1000", "u/user/1"], 50, 0).unwrap();
            assert_eq!((kinds(&plan), plan.estimator_ratio()), (expected.to_vec(), Some(4.0)));
        }
    }

    #[test]
    fn b7_an_inner_chain_acts_on_the_stand_ins_of_the_outer_one() {
        let nested = |version| {
            chain(version, vec![summarizing(version, 0.5, 2), chain(version, vec![dropping(version)])])
        };
        let lines = ["a/user/100", "b/user/100", "p/user/9!"];
        assert_eq!(after(nested, &lines, 10, 0), [Some(109), Some(9)]);
    }

    #[test]
    fn b8_a_stub_keeps_the_digest_of_the_original() {
        for (version, original) in BOTH.into_iter().zip(["(original: 33 tokens", "(original: 100000 tokens"])
        {
            let twice = chain(version, vec![masking(version), masking(version)]);
            let plan = decide(twice.as_ref(), &["t/tool/100000", "u/user/100"], 50, 0).unwrap();
            let Action::Mask(stub) = &plan.actions()[0].action else { panic!("{plan:?}") };
            assert!(stub.content.contains(original), "{}", stub.content);
        }
    }

    #[test]
    fn b9_a_chain_folds_the_next_span_rather_than_its_own_stand_in() {
        let lines = ["a/user/100", "p/user/5!", "b/user/100"];
        let targets = BOTH.map(|version| {
            let twice = chain(version, vec![summarizing(version, 0.2, 1), summarizing(version, 0.2, 1)]);
            let plan = decide(twice.as_ref(), &lines, 10, 0).unwrap();
            plan.summarization_requests().iter().map(SummarizationRequest::target_tokens).collect::<Vec<_>>()
        });
        assert_eq!(targets, [vec![4], vec![20, 20]]);
    }

    #[test]
    fn b10_lists_of_ids_that_join_alike_are_different_groups() {
        let lines = ["a\0b/user/100", "p/user/5!", "a/user/100", "b/user/100"];
        let twice =
            |version| chain(version, vec![summarizing(version, 0.5, 1), summarizing(version, 0.5, 2)]);
        assert_eq!(after(twice, &lines, 10, 0), [None, Some(50 + 5 + 100)]);
    }

    #[test]
    fn b13_what_costs_nothing_is_not_dropped() {
        for (version, expected) in BOTH.into_iter().zip([["drop", "drop"], ["keep", "drop"]]) {
            let plan = decide(dropping(version).as_ref(), &["z/user/0", "u/user/10"], 5, 0).unwrap();
            assert_eq!(kinds(&plan), expected);
        }
    }

    #[test]
    fn b14_a_ratio_goes_with_the_last_of_its_stubs() {
        for (version, ratio) in BOTH.into_iter().zip([Some(4.0), None]) {
            let chain = chain(version, vec![masking(version), dropping(version)]);
            let plan = decide(chain.as_ref(), &["r/tool/1000", "u/user/10"], 10, 0).unwrap();
            assert_eq!((kinds(&plan), plan.estimator_ratio()), (vec!["drop", "keep"], ratio));
        }
    }
}
