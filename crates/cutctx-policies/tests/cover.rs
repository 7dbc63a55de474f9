//! Choosing by value: the laws, and what is chosen.

#[cfg(test)]
mod tests {
    use cutctx_exec::{CompactionExecutor, Summaries};
    use cutctx_invariants::conformance::{Conformance, Law, assert_conforms};
    use cutctx_invariants::{CompactionPlan, CompactionPolicy};
    use cutctx_policies::{
        BoxedPolicy, CoverPolicy, DropOldestPolicy, Exemptions, OpaqueReasoningPolicy, PolicyChain,
        SummarizingPolicy,
    };
    use cutctx_types::{
        Action, CharRatioEstimator, CompactionBudget, Part, PartKind, Role, TokenEstimator, Transcript,
        TranscriptTurn,
    };

    fn tokens(text: &str) -> u64 {
        CharRatioEstimator::default().estimate(text)
    }

    fn turn(id: &str, role: Role, text: &str) -> TranscriptTurn {
        TranscriptTurn::new(id, role, text, tokens(text)).unwrap()
    }

    fn call(id: &str, call: &str, text: &str) -> TranscriptTurn {
        let part = Part::new(PartKind::CallArguments, text.len(), tokens(text));
        turn(id, Role::Assistant, text).with_parts(vec![part]).unwrap().with_tool_call_id(call)
    }

    fn result(id: &str, call: &str, text: &str) -> TranscriptTurn {
        turn(id, Role::Tool, text).with_tool_call_id(call)
    }

    fn plan(policy: &CoverPolicy, turns: Vec<TranscriptTurn>, max: u64, protected: u64) -> CompactionPlan {
        let budget = CompactionBudget::new(max).with_protected_recent_turns(protected);
        policy.decide(&Transcript::new(turns).unwrap(), &budget).unwrap()
    }

    fn view(plan: &CompactionPlan) -> Vec<TranscriptTurn> {
        let applied = CompactionExecutor::new().apply(plan.transcript(), plan, &Summaries::none());
        applied.unwrap().compacted.turns
    }

    /// Both kinds, and other pieces.
    fn contestants() -> Vec<CoverPolicy> {
        vec![
            CoverPolicy::new(),
            CoverPolicy::whole_items(),
            CoverPolicy::new().with_chunks(1, 5).unwrap().with_context_lines(0),
        ]
    }

    #[test]
    fn it_keeps_the_laws() {
        for policy in contestants() {
            assert_conforms(&policy);
        }
    }

    #[test]
    fn the_mark_of_an_earlier_cut_is_not_chosen_in_place_of_what_it_stands_beside() {
        let spoken = "x".repeat(48) + "[call todo " + &"water the plants\n".repeat(12) + "]";
        let parts = vec![
            Part::new(PartKind::OpaqueReasoning, 48, 12),
            Part::new(PartKind::CallArguments, spoken.len(), tokens(&spoken) - 12),
        ];
        let caller = turn("a", Role::Assistant, &spoken).with_parts(parts).unwrap().with_tool_call_id("c");
        let turns = vec![caller, result("r", "c", "done").with_pinned(true), turn("u", Role::User, "go on")];
        let transcript = Transcript::new(turns).unwrap();
        let members: Vec<BoxedPolicy> =
            vec![Box::new(OpaqueReasoningPolicy::new()), Box::new(CoverPolicy::new())];
        let chain = PolicyChain::new(members).unwrap();
        for max in 12..60 {
            let budget = CompactionBudget::new(max).with_protected_recent_turns(0);
            let Ok(plan) = chain.decide(&transcript, &budget) else { continue };
            assert!(plan.tokens_after_estimate() <= max, "{max}: {}", plan.tokens_after_estimate());
            assert!(view(&plan)[0].content().contains("todo"), "{max}");
        }
    }

    #[test]
    fn it_meets_every_budget_above_the_locked_floor() {
        for policy in contestants() {
            Conformance::of(&policy).only(Law::MeetsBudget).with_cases(1024).check().unwrap();
        }
    }

    #[test]
    fn chains_with_it_keep_the_laws() {
        let summarizing = SummarizingPolicy::new("p").unwrap().with_min_span_turns(1).unwrap();
        let chains: [Vec<BoxedPolicy>; 3] = [
            vec![Box::new(CoverPolicy::new()), Box::new(DropOldestPolicy::new())],
            vec![Box::new(summarizing), Box::new(CoverPolicy::new())],
            vec![Box::new(CoverPolicy::whole_items()), Box::new(CoverPolicy::new())],
        ];
        for members in chains {
            let chain = PolicyChain::new(members).unwrap();
            assert_conforms(&chain);
            Conformance::of(&chain).only(Law::MeetsBudget).check().unwrap();
        }
    }

    fn log() -> String {
        let line = |number: usize| match number {
            150 => "failure in crates/parser/src/lexer.rs at token_stream\n".to_owned(),
            _ => format!("step {} is fine\n", number % 10),
        };
        (0..300).map(line).collect()
    }

    #[test]
    fn of_a_long_result_the_line_that_names_something_stays_with_its_neighbours() {
        let turns = vec![
            turn("u", Role::User, "please look at it"),
            call("a", "c", "[call run {\"command\":\"make\"}]"),
            result("t", "c", &log()),
            turn("z", Role::User, "well?"),
        ];
        let plan = plan(&CoverPolicy::new(), turns, 90, 1);
        assert!(plan.tokens_after_estimate() <= 90, "{}", plan.tokens_after_estimate());
        let view = view(&plan);
        let text = view[2].content();
        assert!(text.contains("lexer.rs at token_stream") && text.contains('…'), "{text}");
        assert!(
            text.contains("step 9 is fine\nfailure in") && text.contains("token_stream\nstep 1 is fine"),
            "{text}"
        );
    }

    #[test]
    fn talk_is_kept_whole_where_it_needs_no_more_than_seventy_percent() {
        let turns = vec![
            turn("u", Role::User, "please look at it, with nothing that has a name at all"),
            call("a", "c", "[call run {\"command\":\"make\"}]"),
            result("t", "c", &"src/module/file.rs:12 says other_name\n".repeat(100)),
            turn("z", Role::User, "well?"),
        ];
        let plan = plan(&CoverPolicy::new(), turns, 60, 1);
        let kinds: Vec<bool> = plan.actions().iter().map(|action| action.action == Action::Keep).collect();
        assert_eq!(kinds, [true, true, false, true]);
    }

    #[test]
    fn a_name_counts_once_so_repeated_results_become_stubs() {
        let report = "the file src/module/file.rs has other_name and third_name in it\n";
        let other = "we found fourth_name and fifth_name in lib/other/place.rs\n";
        let mut turns = vec![turn("u", Role::User, "go")];
        for number in 0..6 {
            let id = format!("c{number}");
            let text = if number == 0 { other } else { report };
            turns.push(call(&format!("a{number}"), &id, "[call look {\"at\":\"it\"}]"));
            turns.push(result(&format!("t{number}"), &id, text));
        }
        turns.push(turn("z", Role::User, "well?"));
        let plan = plan(&CoverPolicy::whole_items(), turns, 92, 1);
        let kept = plan.transcript().turns().iter().zip(plan.actions());
        let kept = kept.filter(|(turn, action)| turn.role() == Role::Tool && action.action == Action::Keep);
        let kept: Vec<&str> = kept.map(|(turn, _)| turn.turn_id().as_ref()).collect();
        assert_eq!(kept, ["t0", "t5"]);
    }

    #[test]
    fn exempt_turns_stay() {
        let exemptions = Exemptions::none().with_turn_ids(["t"]);
        let turns = vec![
            call("a", "c", "[call run {\"command\":\"make all_the_things\"}]"),
            result("t", "c", &"fine\n".repeat(20)),
            turn("u", Role::User, &"long talk about nothing ".repeat(30)),
        ];
        let plan = plan(&CoverPolicy::new().with_exemptions(exemptions), turns, 45, 0);
        assert_eq!(plan.actions()[1].action, Action::Keep);
        assert!(plan.tokens_after_estimate() <= 45);
    }

    #[test]
    fn reasoning_that_the_provider_insists_on_stays_with_its_turn() {
        let parts = |text: &str| {
            vec![
                Part::new(PartKind::OpaqueReasoning, 0, 30),
                Part::new(PartKind::Text, text.len(), tokens(text)),
            ]
        };
        let text = "we change src/module/file.rs and then other_name";
        let speaks = |id: &str| {
            TranscriptTurn::new(id, Role::Assistant, text, tokens(text) + 30)
                .unwrap()
                .with_parts(parts(text))
                .unwrap()
        };
        let turns = vec![
            speaks("a"),
            turn("u", Role::User, &"long talk about nothing ".repeat(30)),
            speaks("b").with_reasoning_held(true),
        ];
        let plan = plan(&CoverPolicy::new(), turns, 120, 0);
        assert!(
            matches!(&plan.actions()[0].action, Action::Trim(trim) if trim.kept.len() == 1),
            "{:?}",
            plan.actions()
        );
        assert_eq!(plan.actions()[2].action, Action::Keep);
    }

    /// Compacting again and again never piles up marks or stubs, and never grows.
    #[test]
    fn its_own_marks_are_not_marked_again() {
        let mut turns = vec![turn("u", Role::User, "please look at it")];
        for number in 0..5 {
            let id = format!("c{number}");
            turns.push(call(&format!("a{number}"), &id, "[call run {\"command\":\"make\"}]"));
            turns.push(result(
                &format!("t{number}"),
                &id,
                &log().replace("lexer", &format!("lexer{number}")),
            ));
        }
        turns.push(turn("z", Role::User, "well?"));
        let mut before = u64::MAX;
        for max in [900, 500, 300, 200, 120] {
            let plan = plan(&CoverPolicy::new(), turns, max, 1);
            turns = view(&plan);
            let total: u64 = turns.iter().map(TranscriptTurn::token_estimate).sum();
            assert!(total <= max && total <= before, "{total}");
            before = total;
            for turn in &turns {
                assert!(
                    !turn.content().contains("…\n…") && !turn.content().contains("…\n\n…"),
                    "{}",
                    turn.content()
                );
                assert!(!turn.content().contains("[cut") || turn.content().len() < 20, "{}", turn.content());
            }
        }
    }

    /// Of a long text among the arguments pieces stay, cut at its lines, and the arguments stay JSON.
    #[test]
    fn arguments_that_are_cut_stay_json() {
        let line = |number: usize| {
            format!("let value_{number} = \\\"{}\\\";\\n", "\\u00e9x\\\\ ".repeat(number % 5))
        };
        let text: String = (0..200).map(line).collect();
        let written =
            format!("[call write {{\"path\":\"src/a/b.rs\",\"text\":\"{text}\",\"mode\":[1,\"w\"]}}]");
        for max in [16, 60, 200, 700, 1_500] {
            let turns =
                vec![call("a", "c", &written), result("t", "c", "done"), turn("z", Role::User, "well?")];
            let plan = plan(&CoverPolicy::new(), turns, max, 2);
            assert!(plan.tokens_after_estimate() <= max);
            let view = view(&plan);
            let text = view[0].content();
            let arguments = text.strip_prefix("[call write ").unwrap().strip_suffix(']').unwrap();
            if max < 60 {
                assert_eq!(arguments, "{…}", "{max}");
                continue;
            }
            let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap();
            assert_eq!((&arguments["path"], &arguments["mode"][1]), (&"src/a/b.rs".into(), &"w".into()));
            assert!(arguments["text"].as_str().unwrap().contains('…') && text.len() < written.len());
        }
    }

    #[test]
    fn settings_that_contradict_themselves_are_refused() {
        assert!(CoverPolicy::new().with_chunks(0, 900).is_err());
        assert!(CoverPolicy::new().with_chunks(12, 0).is_err());
    }
}
