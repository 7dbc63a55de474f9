//! Turns that must stay and are larger than the budget: refused, and clipped where that is permitted.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;
    use cutctx_exec::{CompactionExecutor, Summaries};
    use cutctx_invariants::conformance::assert_conforms;
    use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
    use cutctx_policies::{
        BoxedPolicy, ClipActivePolicy, DropOldestPolicy, Exemptions, PolicySpec, PolicyVersion, recommended,
    };
    use cutctx_types::{
        Action, CharRatioEstimator, Coded, CompactionBudget, Part, PartKind, Role, TokenEstimator,
        Transcript, TranscriptTurn,
    };
    use proptest::prelude::*;

    fn turn(id: &str, role: Role, content: impl Into<Arc<str>>) -> TranscriptTurn {
        let content = content.into();
        let tokens = CharRatioEstimator::default().estimate(&content);
        TranscriptTurn::new(id, role, content, tokens).unwrap()
    }

    fn log(lines: usize) -> String {
        let lines: Vec<String> =
            (0..lines).map(|line| format!("line {line} of what a tool said\n")).collect();
        lines.concat()
    }

    fn policy() -> ClipActivePolicy {
        ClipActivePolicy::new(Box::new(recommended()))
    }

    fn decide(turns: &[TranscriptTurn], budget: CompactionBudget) -> Result<CompactionPlan, PolicyError> {
        policy().decide(&Transcript::new(turns.to_vec()).unwrap(), &budget)
    }

    fn clipping(max: u64) -> CompactionBudget {
        CompactionBudget::new(max).with_clip_active(true)
    }

    /// What a plan makes of the turn at a position.
    fn left(plan: &CompactionPlan, position: usize) -> TranscriptTurn {
        let turn = &plan.transcript().turns()[position];
        match &plan.actions()[position].action {
            Action::Keep => turn.clone(),
            Action::Trim(trim) => trim.applied_to(turn),
            other @ (Action::Mask(_) | Action::Summarize { .. } | Action::Drop) => {
                panic!("{:?}", other.kind())
            }
        }
    }

    /// A short question, an older exchange, and a result that is larger than any budget here.
    fn session() -> Vec<TranscriptTurn> {
        vec![
            turn("s", Role::System, "be brief"),
            turn("u", Role::User, "why does it fail?"),
            turn("a", Role::Assistant, "I look at it first.").with_tool_call_id("c"),
            turn("b", Role::Tool, log(100)).with_tool_call_id("c"),
            turn("d", Role::Assistant, "Now I run it.").with_tool_call_id("e"),
            turn("e", Role::Tool, log(20_000)).with_tool_call_id("e"),
        ]
    }

    #[test]
    fn it_is_refused_with_its_floor_until_clipping_is_permitted() {
        let budget = CompactionBudget::new(10_000).with_protected_recent_turns(2);
        let PolicyError::Unsatisfiable(error) = decide(&session(), budget).unwrap_err() else { panic!() };
        assert_eq!(error.code().as_str(), "COMPACTION_BUDGET_UNSATISFIABLE");
        let tail = session()[4].token_estimate() + session()[5].token_estimate();
        assert_eq!((error.floor.tail, error.floor.pinned), (tail, 0));

        let plan = decide(&session(), budget.with_clip_active(true)).unwrap();
        assert!(plan.tokens_after_estimate() <= 10_000 && !plan.budget_unmet());
        let kinds: Vec<&str> = plan.actions().iter().map(|action| action.action.kind().as_str()).collect();
        assert_eq!(kinds, ["keep", "keep", "keep", "keep", "keep", "trim"]);
        let shown = left(&plan, 5);
        assert!(
            shown.content().starts_with("line 0 of")
                && shown.content().ends_with("line 19999 of what a tool said\n")
        );
        assert!(shown.content().lines().any(|line| line.starts_with('…') && line.contains("lines")));
    }

    #[test]
    fn the_other_policy_cannot_clip_by_itself() {
        let transcript = Transcript::new(session()).unwrap();
        for version in [PolicyVersion::V1, PolicyVersion::V2] {
            let error = DropOldestPolicy::at(version).decide(&transcript, &clipping(10_000)).unwrap_err();
            assert!(matches!(error, PolicyError::Unsatisfiable(_)));
        }
        let clips = ClipActivePolicy::new(Box::new(DropOldestPolicy::v1()));
        let plan = clips.decide(&transcript, &clipping(10_000).with_protected_recent_turns(2)).unwrap();
        assert!(!plan.budget_unmet());
    }

    #[test]
    fn what_fits_without_is_not_clipped() {
        let turns = session();
        let total = Transcript::new(turns.clone()).unwrap().token_estimate();
        for max in [total, total - 1, total - 500] {
            let budget = clipping(max).with_protected_recent_turns(2);
            let plan = decide(&turns, budget).unwrap();
            assert_eq!(left(&plan, 5).content(), turns[5].content());
            let alone = recommended().decide(&Transcript::new(turns.clone()).unwrap(), &budget).unwrap();
            assert_eq!(plan.actions(), alone.actions());
        }
    }

    #[test]
    fn turns_before_the_tail_keep_half_of_the_room_and_the_tail_takes_what_they_do_not_need() {
        let mut turns = session();
        let budget = clipping(10_000).with_protected_recent_turns(2).with_target(8_000).unwrap();
        let alone = left(&decide(&turns, budget).unwrap(), 5).token_estimate();
        assert!((6_500..7_300).contains(&alone), "{alone}");
        turns.splice(
            1..1,
            (0..300).map(|n| turn(&format!("h{n}"), Role::User, format!("story {n} {}", "x".repeat(200)))),
        );
        let plan = decide(&turns, budget).unwrap();
        let shared = left(&plan, turns.len() - 1).token_estimate();
        assert!((3_500..4_050).contains(&shared), "{shared}");
        assert!((7_000..=8_000).contains(&plan.tokens_after_estimate()), "{}", plan.tokens_after_estimate());
    }

    #[test]
    fn what_people_say_is_cut_only_where_that_of_tools_is_not_enough() {
        let asked = "do this and that. ".repeat(400);
        let turns =
            |result: usize| vec![turn("u", Role::User, asked.clone()), turn("t", Role::Tool, log(result))];
        let plan = decide(&turns(10_000), clipping(5_000)).unwrap();
        assert_eq!(&**left(&plan, 0).content(), asked);
        assert!(left(&plan, 1).content().len() < 10_000);

        let plan = decide(&turns(10_000), clipping(2_000)).unwrap();
        let (said, told) = (left(&plan, 0), left(&plan, 1));
        assert!(said.content().len() < asked.len() && said.content().starts_with("do this and that."));
        assert!(said.content().contains('…') && told.content().chars().count() <= 2_100);
    }

    #[test]
    fn system_turns_pins_and_exempt_turns_stay_whole_and_pins_in_their_place_do_not() {
        let huge = || turn("t", Role::Tool, log(10_000)).with_tool_name("Bash");
        let refused = |turns: &[TranscriptTurn]| {
            matches!(decide(turns, clipping(5_000)), Err(PolicyError::Unsatisfiable(_)))
        };
        assert!(refused(&[huge().with_pinned(true)]));
        assert!(refused(&[turn("s", Role::System, log(10_000)), turn("u", Role::User, "hello")]));
        assert!(!refused(&[huge().with_pinned_in_place()]));
        let before = [huge().with_pinned_in_place(), turn("u", Role::User, "a"), turn("v", Role::User, "b")];
        let budget = clipping(5_000).with_protected_recent_turns(1);
        assert!(matches!(decide(&before, budget).unwrap().actions()[0].action, Action::Trim(_)));
        assert!(decide(&before, budget.with_clip_active(false)).is_err());
        let sparing = policy().with_exemptions(Exemptions::none().with_tools(["Bash"]));
        let transcript = Transcript::new(vec![huge()]).unwrap();
        assert!(matches!(sparing.decide(&transcript, &clipping(5_000)), Err(PolicyError::Unsatisfiable(_))));
    }

    #[test]
    fn arguments_are_cut_and_stay_json() {
        let call = format!(r#"[call Write {{"path":"a.txt","content":"{}"}}]"#, "word \\n ".repeat(20_000));
        let tokens = CharRatioEstimator::default().estimate(&call);
        let parts = vec![Part::new(PartKind::CallArguments, call.len(), tokens)];
        let turns = [
            turn("a", Role::Assistant, call).with_tool_call_id("c").with_parts(parts).unwrap(),
            turn("t", Role::Tool, "written").with_tool_call_id("c"),
        ];
        let plan = decide(&turns, clipping(3_000)).unwrap();
        let shown = left(&plan, 0);
        let json = shown.content().strip_prefix("[call Write ").unwrap().strip_suffix(']').unwrap();
        let arguments: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(arguments["path"], "a.txt");
        assert!(arguments["content"].as_str().unwrap().len() < 12_000);
    }

    #[test]
    fn no_budget_that_is_too_small_for_what_clipping_leaves_is_admitted() {
        let turns = session();
        let mut admitted = None;
        for max in (0..150).rev().step_by(3) {
            match decide(&turns, clipping(max).with_protected_recent_turns(2)) {
                Ok(plan) => {
                    assert!(plan.tokens_after_estimate() <= max);
                    admitted = Some(max);
                }
                Err(PolicyError::Unsatisfiable(error)) => {
                    assert!(error.floor.total() > max && error.max_tokens == max, "{max}");
                    let enough = clipping(error.floor.total()).with_protected_recent_turns(2);
                    assert!(decide(&turns, enough).is_ok(), "{max}: {}", error.floor.total());
                    assert!(admitted.is_none_or(|least| error.floor.total() <= least), "{max}");
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(admitted.is_some_and(|least| (30..100).contains(&least)), "{admitted:?}");
    }

    #[test]
    fn what_was_cut_before_does_not_tell_how_much_is_gone() {
        let turns = session();
        let budget = clipping(8_000).with_protected_recent_turns(2);
        let once = view(&decide(&turns, budget).unwrap());
        let mark = |transcript: &Transcript| {
            let shown = transcript.turns().last().unwrap().content().clone();
            shown.lines().find(|line| line.starts_with('…')).map(str::to_owned)
        };
        assert!(mark(&once).unwrap().ends_with("lines …"));
        let plan = decide(once.turns(), clipping(1_500).with_protected_recent_turns(2)).unwrap();
        assert_eq!(mark(&view(&plan)).as_deref(), Some("…"));
    }

    #[test]
    fn the_laws_hold_around_any_policy() {
        assert_conforms(&policy());
        assert_conforms(&ClipActivePolicy::new(Box::new(DropOldestPolicy::new())));
    }

    #[test]
    fn a_policy_file_says_it_with_all_it_may_say() {
        let json = serde_json::json!({
            "kind": "clip_active",
            "members": [{"kind": "masking"}, {"kind": "drop_oldest"}],
            "estimator": {"kind": "char_ratio", "chars_per_token": 4.0},
            "excluded_tools": ["TodoWrite"],
            "protected_turn_ids": ["u"],
        });
        let spec: PolicySpec = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&spec).unwrap(), json);
        let name = "clip_active(chain(observation_masking@2.0.0+drop_oldest@2.0.0)@2.0.0)";
        assert_eq!(spec.build().unwrap().name(), name);
        assert_eq!(
            PolicySpec::clip_active(PolicySpec::recommended()).build().unwrap().name(),
            "clip_active(recommended@2.0.0)"
        );
        for (member, told) in [("max_chars", "no member"), ("tail_tokens", "no member")] {
            let text = format!(r#"{{"kind":"clip_active","members":[],"{member}":1}}"#);
            assert!(serde_json::from_str::<PolicySpec>(&text).unwrap_err().to_string().contains(told));
        }
        assert!(serde_json::from_str::<PolicySpec>(r#"{"kind":"clip_active"}"#).unwrap().build().is_err());
    }

    /// A text of one kind or another, of any length up to forty thousand characters.
    fn texts() -> impl Strategy<Value = String> {
        let words = prop::sample::select(vec![
            "word ",
            "a line\n",
            "漢字",
            "\u{1f600}\u{200d}",
            "```\n",
            "\u{1b}[31m",
            "…\n",
        ]);
        (prop::collection::vec(words, 0..40), 0_usize..200)
            .prop_map(|(words, times)| words.concat().repeat(times))
    }

    fn turns() -> impl Strategy<Value = Vec<TranscriptTurn>> {
        let role = prop::sample::select(vec![Role::User, Role::Assistant, Role::Tool, Role::Tool]);
        let one = (role, texts(), prop::bool::weighted(0.1), prop::bool::weighted(0.2));
        prop::collection::vec(one, 1..9).prop_map(|turns| {
            let made = turns.into_iter().enumerate().map(|(at, (role, text, whole, in_place))| {
                let turn = turn(&format!("t{at}"), role, text).with_pinned(whole);
                if in_place && !whole { turn.with_pinned_in_place() } else { turn }
            });
            made.collect()
        })
    }

    fn view(plan: &CompactionPlan) -> Transcript {
        let applied =
            CompactionExecutor::reference().apply(plan.transcript(), plan, &Summaries::none()).unwrap();
        Transcript::new(applied.compacted.turns).unwrap()
    }

    proptest! {
        #[test]
        fn whatever_is_admitted_is_met_and_the_tail_is_kept_or_trimmed(
            turns in turns(), max in 0_u64..12_000, protected in 0_u64..6, target in prop::option::of(0_u64..1_000),
            drops in any::<bool>(),
        ) {
            let inner: BoxedPolicy = if drops { Box::new(DropOldestPolicy::new()) } else { Box::new(recommended()) };
            let policy = ClipActivePolicy::new(inner);
            let budget = clipping(max).with_protected_recent_turns(protected);
            let budget = target.map_or(budget, |share| budget.with_target(max.saturating_mul(share) / 1_000).unwrap());
            let transcript = Transcript::new(turns).unwrap();
            let plan = match policy.decide(&transcript, &budget) {
                Err(PolicyError::Unsatisfiable(error)) => {
                    prop_assert!(error.floor.total() > max);
                    let enough = clipping(error.floor.total()).with_protected_recent_turns(protected);
                    prop_assert!(policy.decide(&transcript, &enough).is_ok(), "what is told is not enough");
                    return Ok(());
                }
                decided => decided.unwrap(),
            };
            prop_assert!(!plan.budget_unmet(), "{} of {max}", plan.tokens_after_estimate());
            let survey = Survey::new(&transcript, &budget).unwrap();
            for (position, action) in plan.actions().iter().enumerate() {
                let is_in_tail = position >= budget.first_protected(transcript.len());
                if is_in_tail {
                    prop_assert!(matches!(action.action, Action::Keep | Action::Trim(_)));
                }
                if survey.is_untouchable(position) && !survey.is_clippable(position) {
                    prop_assert_eq!(&action.action, &Action::Keep);
                }
            }
            let again = policy.decide(&view(&plan), &budget).unwrap();
            prop_assert!(again.first_changed_position().is_none(), "a second pass changes more");
        }
    }
}
