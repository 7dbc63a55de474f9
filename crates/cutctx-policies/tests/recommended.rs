//! The recommended policy, and the policies around others: the laws, long loops, and what their settings do.

#![expect(clippy::arithmetic_side_effects, reason = "a test may be short about what cannot happen")]

#[cfg(test)]
#[path = "simulation/agent.rs"]
mod agent;

#[cfg(test)]
mod tests {
    use super::agent::{Agent, Habits};
    use cutctx_exec::{CompactionExecutor, Summaries};
    use cutctx_invariants::conformance::{Conformance, Law, assert_conforms};
    use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
    use cutctx_policies::{
        BoxedPolicy, CoverPolicy, DropOldestPolicy, MinimumGainPolicy, ObservationMaskingPolicy, PolicyChain,
        PolicySpec, ProtectedTailPolicy, Recommended, RollingSummaryPolicy, TargetShare, recommended,
    };
    use cutctx_types::{
        Action, CompactionBudget, Part, PartKind, Role, SUMMARY_PREFIX, Transcript, TranscriptTurn,
    };

    fn turn(id: &str, role: Role, text: &str, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(id, role, text, tokens).unwrap()
    }

    fn stories(count: u64) -> Transcript {
        let story = |number| turn(&format!("t{number}"), Role::User, &"a story. ".repeat(50), 100);
        Transcript::new((0..count).map(story).collect()).unwrap()
    }

    fn masking() -> BoxedPolicy {
        Box::new(ObservationMaskingPolicy::new().with_keep_recent_results(0))
    }

    fn rolling() -> RollingSummaryPolicy {
        RollingSummaryPolicy::new("p")
            .unwrap()
            .with_min_span_turns(1)
            .unwrap()
            .with_summary_tokens(60)
            .unwrap()
    }

    #[test]
    fn they_keep_the_laws() {
        let tail = ProtectedTailPolicy::new(Box::new(CoverPolicy::new()), 40);
        let gain = MinimumGainPolicy::new(masking(), 30).with_share(100).unwrap();
        let chain: Vec<BoxedPolicy> = vec![Box::new(gain), Box::new(tail), Box::new(DropOldestPolicy::new())];
        assert_conforms(&recommended());
        assert_conforms(&rolling());
        assert_conforms(&PolicyChain::new(chain).unwrap());
        assert_conforms(&ProtectedTailPolicy::new(masking(), 100));
        assert_conforms(&MinimumGainPolicy::new(Box::new(DropOldestPolicy::new()), 50));
    }

    #[test]
    fn what_covers_or_drops_at_last_meets_every_budget_above_the_locked_floor() {
        let rolls: Vec<BoxedPolicy> = vec![Box::new(rolling()), Box::new(CoverPolicy::new())];
        let policies: [BoxedPolicy; 4] = [
            Box::new(recommended()),
            Box::new(ProtectedTailPolicy::new(Box::new(DropOldestPolicy::new()), 100)),
            Box::new(MinimumGainPolicy::new(Box::new(CoverPolicy::new()), 1_000)),
            Box::new(PolicyChain::new(rolls).unwrap()),
        ];
        for policy in &policies {
            Conformance::of(policy.as_ref()).only(Law::MeetsBudget).with_cases(512).check().unwrap();
        }
    }

    fn after(policy: &dyn CompactionPolicy, transcript: &Transcript, budget: &CompactionBudget) -> u64 {
        policy.decide(transcript, budget).unwrap().tokens_after_estimate()
    }

    #[test]
    fn without_a_target_it_goes_down_to_a_share_of_the_maximum() {
        let transcript = stories(100);
        let budget = CompactionBudget::new(9_000);
        for (share, most) in
            [(TargetShare::Careful, 6_300), (TargetShare::Normal, 4_500), (TargetShare::Cheap, 3_150)]
        {
            let mut settings = Recommended::new();
            settings.target = share;
            let after = after(&settings.build(), &transcript, &budget);
            assert!(after <= most && after > most * 9 / 10, "{share:?}: {after}");
        }
        let own = budget.with_target(8_000).unwrap();
        let kept = after(&recommended(), &transcript, &own);
        assert!(kept <= 8_000 && kept > 7_500, "{kept}");
        assert_eq!(after(&recommended(), &transcript, &CompactionBudget::new(10_000)), 10_000, "it fits");
    }

    #[test]
    fn what_is_nearly_free_goes_first_and_alone_where_it_is_enough() {
        let result = "the same long answer ".repeat(30);
        let thought = vec![Part::new(PartKind::OpaqueReasoning, 0, 500), Part::new(PartKind::Text, 4, 1)];
        let turns = vec![
            turn("a", Role::Assistant, "done", 501).with_parts(thought).unwrap(),
            turn("b", Role::Tool, &result, 160),
            turn("c", Role::Tool, &result, 160),
            turn("d", Role::User, "a word or two", 4),
            turn("e", Role::Assistant, "yes", 1),
        ];
        let transcript = Transcript::new(turns).unwrap();
        let budget =
            |max: u64| CompactionBudget::new(max).with_target(max).unwrap().with_protected_recent_turns(1);
        let kinds = |max: u64| -> String {
            let plan = recommended().decide(&transcript, &budget(max)).unwrap();
            let letter = |action: &Action| match action {
                Action::Keep => 'k',
                Action::Mask(_) => 'm',
                Action::Trim(_) => 't',
                Action::Drop => 'd',
                Action::Summarize { .. } => 's',
            };
            plan.actions().iter().map(|action| letter(&action.action)).collect()
        };
        assert_eq!(kinds(400), "tkkkk", "reasoning alone");
        assert_eq!(kinds(250), "tmkkk", "then the older of two equal results");
        assert!(kinds(60).contains('d'), "then what is worth least: {}", kinds(60));
    }

    fn apply(plan: &CompactionPlan) -> Vec<TranscriptTurn> {
        let summary = |tokens: u64| "gist".repeat(usize::try_from(tokens).unwrap());
        let requests = plan.summarization_requests().iter();
        let summaries: Summaries =
            requests.map(|request| (request.group_id().clone(), summary(request.target_tokens()))).collect();
        CompactionExecutor::new().apply(plan.transcript(), plan, &summaries).unwrap().compacted.turns
    }

    /// What happened in a loop: rounds over budget, compactions, and the largest and the number of summaries seen.
    #[derive(Default, Debug)]
    struct Tally {
        over: u64,
        compactions: Vec<u64>,
        floor_did_not_fit: bool,
        largest_summary: u64,
        most_summaries: usize,
    }

    fn run(policy: &dyn CompactionPolicy, habits: Habits, budget: &CompactionBudget, seed: u64) -> Tally {
        let mut agent = Agent::new(habits, seed);
        let mut turns = vec![agent.opening()];
        let mut tally = Tally::default();
        for round in 1..=60 {
            turns.extend(agent.round());
            let transcript = Transcript::new(turns).unwrap();
            let plan = match policy.decide(&transcript, budget) {
                Ok(plan) => plan,
                Err(PolicyError::Unsatisfiable(error)) => {
                    assert!(error.floor.total() > budget.max_tokens());
                    tally.floor_did_not_fit = true;
                    return tally;
                }
                Err(error) => panic!("{error}"),
            };
            turns = apply(&plan);
            let after: u64 = turns.iter().map(TranscriptTurn::token_estimate).sum();
            assert!(after <= plan.tokens_before(), "it grew");
            tally.over += u64::from(after > budget.max_tokens());
            if after < plan.tokens_before() {
                tally.compactions.push(round);
            }
            let summaries = turns.iter().filter(|turn| turn.turn_id().starts_with(SUMMARY_PREFIX));
            let costs: Vec<u64> = summaries.map(TranscriptTurn::token_estimate).collect();
            tally.largest_summary = costs.iter().copied().max().unwrap_or(0).max(tally.largest_summary);
            tally.most_summaries = tally.most_summaries.max(costs.len());
        }
        tally
    }

    #[test]
    fn a_loop_with_it_is_within_budget_in_every_round() {
        for habits in [Habits::Plain, Habits::Wild] {
            for max in [1_500, 3_000] {
                for seed in 0..25 {
                    let tally = run(&recommended(), habits, &CompactionBudget::new(max), seed);
                    assert_eq!(tally.over, 0, "{habits:?} {max} {seed}: {tally:?}");
                    assert!(habits == Habits::Wild || !tally.floor_did_not_fit, "{max} {seed}");
                }
            }
        }
    }

    /// A compaction to half of the budget is followed by as many rounds as the freed half has room for.
    #[test]
    fn a_loop_with_it_does_not_thrash() {
        for seed in 0..25 {
            let max = 6_000;
            let tally = run(&recommended(), Habits::Plain, &CompactionBudget::new(max), seed);
            // A round has at most 60 + 60 + 360 + 100 tokens.
            let least = (max / 2) / 580;
            let gaps = tally.compactions.windows(2).map(|pair| pair[1] - pair[0]);
            assert!(gaps.clone().all(|gap| gap >= least), "{seed}: {:?}", tally.compactions);
        }
    }

    #[test]
    fn a_rolling_summary_never_grows_and_is_one() {
        let policy = RollingSummaryPolicy::new("p").unwrap().with_summary_tokens(200).unwrap();
        for seed in 0..25 {
            let budget = CompactionBudget::new(3_000).with_target(1_500).unwrap();
            let tally = run(&policy, Habits::Plain, &budget, seed);
            assert_eq!((tally.over, tally.most_summaries), (0, 1), "{seed}: {tally:?}");
            assert!(tally.largest_summary <= 200 && tally.compactions.len() > 3, "{seed}: {tally:?}");
        }
    }

    #[test]
    fn a_rolling_summary_takes_in_the_earlier_one() {
        let budget = CompactionBudget::new(1_000).with_target(600).unwrap();
        let policy = RollingSummaryPolicy::new("p").unwrap().with_summary_tokens(50).unwrap();
        let mut turns = apply(&policy.decide(&stories(20), &budget).unwrap());
        let first = turns[0].turn_id().clone();
        turns.extend((20..30).map(|number| turn(&format!("t{number}"), Role::User, "more", 100)));
        let plan = policy.decide(&Transcript::new(turns).unwrap(), &budget).unwrap();
        assert_eq!(plan.summarization_requests().len(), 1);
        assert_eq!(plan.summarization_requests()[0].turn_ids()[0], first);
        assert!(plan.tokens_after_estimate() <= 600);
    }

    #[test]
    fn a_summary_that_would_save_nothing_is_not_asked_for() {
        let policy = RollingSummaryPolicy::new("p").unwrap().with_min_span_turns(1).unwrap();
        let transcript =
            Transcript::new(vec![turn("a", Role::User, "x", 1), turn("b", Role::User, "y", 9)]).unwrap();
        let plan =
            policy.decide(&transcript, &CompactionBudget::new(9).with_protected_recent_turns(1)).unwrap();
        assert!(plan.summarization_requests().is_empty());
    }

    fn logs(count: u64) -> Transcript {
        let log = |number| turn(&format!("t{number}"), Role::Tool, &"log line\n".repeat(50), 100);
        Transcript::new((0..count).map(log).collect()).unwrap()
    }

    #[test]
    fn a_tail_is_protected_by_tokens_as_far_as_the_goal_leaves_room() {
        let kept = |tail: u64, max: u64| {
            let budget = CompactionBudget::new(max).with_protected_recent_turns(0);
            let budget = budget.with_target(max / 2).unwrap();
            let policy = ProtectedTailPolicy::new(Box::new(CoverPolicy::whole_items()), tail);
            let plan = policy.decide(&logs(20), &budget).unwrap();
            assert!(plan.tokens_after_estimate() <= max / 2);
            let kept = plan.actions().iter().rev().take_while(|action| action.action == Action::Keep);
            kept.count()
        };
        assert!(kept(350, 1_900) >= 3);
        assert!(kept(800, 1_900) >= 8);
        assert!(kept(1_000_000, 1_900) >= 9);
    }

    #[test]
    fn an_edit_that_frees_too_little_is_left_to_the_next_member() {
        let mut turns = logs(2).turns().to_vec();
        turns.extend(stories(18).turns().iter().map(|turn| {
            TranscriptTurn::new(format!("s{}", turn.turn_id()), Role::User, turn.content().clone(), 100)
                .unwrap()
        }));
        let transcript = Transcript::new(turns).unwrap();
        let budget = CompactionBudget::new(1_500).with_target(1_000).unwrap();
        let plan = |gain: u64| {
            let members: Vec<BoxedPolicy> =
                vec![Box::new(MinimumGainPolicy::new(masking(), gain)), Box::new(DropOldestPolicy::new())];
            PolicyChain::new(members).unwrap().decide(&transcript, &budget).unwrap()
        };
        let masked = |plan: &CompactionPlan| {
            plan.actions().iter().any(|action| matches!(action.action, Action::Mask(_)))
        };
        assert!(plan(500).tokens_after_estimate() <= 1_000 && !masked(&plan(500)));
        let alone = MinimumGainPolicy::new(masking(), 500).decide(&transcript, &budget).unwrap();
        assert!(alone.budget_unmet() && alone.actions().iter().all(|action| action.action == Action::Keep));
        let share = MinimumGainPolicy::new(masking(), 0).with_share(500).unwrap();
        assert!(share.decide(&transcript, &budget).unwrap().budget_unmet());
        assert!(MinimumGainPolicy::new(masking(), 0).with_share(1_001).is_err());
    }

    #[test]
    fn the_floor_of_a_huge_last_turn_is_told() {
        let mut turns = stories(5).turns().to_vec();
        turns.push(turn("huge", Role::User, "huge", 5_000));
        let transcript = Transcript::new(turns).unwrap();
        let budget = CompactionBudget::new(1_000).with_protected_recent_turns(1);
        let error = recommended().decide(&transcript, &budget).unwrap_err();
        assert!(matches!(error, PolicyError::Unsatisfiable(error) if error.floor.tail == 5_000));
        assert!(Survey::new(&transcript, &budget).is_err());
    }

    #[test]
    fn specifications_of_all_of_them_are_read_and_written() {
        for json in [
            r#"{"kind":"recommended","target":"cheap","whole_items":true,"excluded_tools":["memory"]}"#,
            r#"{"kind":"cover","whole_items":true,"chunk_lines":4,"chunk_chars":100,"context_lines":0}"#,
            r#"{"kind":"rolling_summary","prompt_id":"p","summary_tokens":100,"min_span_turns":2}"#,
            r#"{"kind":"protected_tail","members":[{"kind":"cover"}],"tail_tokens":100}"#,
            r#"{"kind":"minimum_gain","members":[{"kind":"masking"},{"kind":"cover"}],"gain_tokens":5,"gain_share":100,"window_tokens":9}"#,
        ] {
            let spec: PolicySpec = serde_json::from_str(json).unwrap();
            spec.build().unwrap();
            assert_eq!(
                serde_json::from_str::<PolicySpec>(&serde_json::to_string(&spec).unwrap()).unwrap(),
                spec
            );
        }
        for json in [
            r#"{"kind":"recommended","target":"1.0"}"#,
            r#"{"kind":"recommended","version":"1.0.0"}"#,
            r#"{"kind":"cover","chunk_lines":0}"#,
            r#"{"kind":"cover","context_lines":-1}"#,
            r#"{"kind":"rolling_summary","summary_tokens":0}"#,
            r#"{"kind":"rolling_summary","prompt_id":" "}"#,
            r#"{"kind":"protected_tail","members":[{"kind":"cover"}],"tail_tokens":-1}"#,
            r#"{"kind":"minimum_gain","members":[{"kind":"masking"}],"gain_share":1001}"#,
            r#"{"kind":"minimum_gain","members":[]}"#,
        ] {
            let spec: PolicySpec = serde_json::from_str(json).unwrap();
            assert!(spec.build().is_err(), "{json}");
        }
        assert!(serde_json::from_str::<PolicySpec>(r#"{"kind":"cover","members":[]}"#).is_err());
    }
}
