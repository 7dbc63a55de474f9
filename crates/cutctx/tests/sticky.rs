//! The view that an agent sends.

#[cfg(test)]
mod tests {
    use cutctx::{
        CompactionBudget, CompactionExecutor, DropOldestPolicy, Error, ObservationMaskingPolicy, PolicyChain,
        Role, StickyStep, StickyView, Summaries, SummarizingPolicy, Transcript, TranscriptTurn,
    };

    fn turn(n: usize, tokens: u64) -> TranscriptTurn {
        TranscriptTurn::new(format!("t{n}"), Role::User, format!("part {n} of a story"), tokens).unwrap()
    }

    fn budget() -> CompactionBudget {
        CompactionBudget::new(1_000).with_target(500).unwrap()
    }

    fn dropping() -> StickyView {
        StickyView::new(Box::new(DropOldestPolicy::new()), budget())
    }

    #[test]
    fn a_stored_plan_applied_to_the_grown_transcript_gives_the_same_view() {
        let masking = ObservationMaskingPolicy::new().with_keep_recent_results(1);
        let chain = PolicyChain::new(vec![Box::new(masking), Box::new(DropOldestPolicy::new())]).unwrap();
        let mut view = StickyView::new(Box::new(chain), budget());
        let (mut history, mut plan) = (Vec::new(), None);
        for n in 0..40 {
            let result = TranscriptTurn::new(format!("r{n}"), Role::Tool, "a line\n".repeat(40), 60).unwrap();
            for next in [turn(n, 20), result.with_tool_call_id(format!("c{n}"))] {
                history.push(next.clone());
                view.append(next);
            }
            if let StickyStep::Compacted(outcome) = view.settle().unwrap() {
                if plan.is_some() {
                    break;
                }
                plan = Some(outcome.plan);
            }
            if let Some(plan) = &plan {
                let transcript = Transcript::new(history.clone()).unwrap();
                let applied = CompactionExecutor::new().apply(&transcript, plan, &Summaries::none()).unwrap();
                assert_eq!(applied.compacted.turns, view.turns());
                assert_eq!(applied.account.tokens_after_measured, view.tokens());
            }
        }
        assert!(plan.is_some() && view.compactions() == 2);
    }

    #[test]
    fn what_was_shown_once_stays_until_the_next_compaction() {
        let mut view = dropping();
        let mut before: Vec<TranscriptTurn> = Vec::new();
        for n in 0..200 {
            view.append(turn(n, 37));
            let compacted = matches!(view.settle().unwrap(), StickyStep::Compacted(_));
            assert!(compacted || view.turns().starts_with(&before), "step {n}");
            before = view.turns().to_vec();
        }
        assert!(view.compactions() > 5);
    }

    #[test]
    fn a_summary_is_asked_for_and_taken_with_what_came_meanwhile() {
        let policy = SummarizingPolicy::new("p").unwrap();
        let mut view = StickyView::new(Box::new(policy), budget());
        (0..11).for_each(|n| view.append(turn(n, 100)));
        let StickyStep::SummariesNeeded(plan) = view.settle().unwrap() else {
            panic!("no summary is needed")
        };
        assert_eq!((view.tokens(), view.compactions()), (1_100, 0), "nothing has happened yet");
        view.append(turn(11, 100));
        let missing = view.fulfil((*plan).clone(), &Summaries::none()).unwrap_err();
        assert!(matches!(missing, Error::Apply(_)));
        assert_eq!(view.turns().len(), 12);
        let group = plan.summarization_requests()[0].group_id().clone();
        let outcome = view.fulfil(*plan, &Summaries::none().with(group, "they talked")).unwrap();
        assert_eq!(outcome.applied.account.fates.appended, 1);
        assert_eq!(view.turns().last().map(|turn| turn.turn_id().as_ref()), Some("t11"));
        assert_eq!((view.compactions(), view.tokens()), (1, outcome.applied.account.tokens_after_measured));
    }

    #[test]
    fn what_cannot_be_brought_down_is_told_and_left_as_it_is() {
        let mut view = dropping();
        (0..3).for_each(|n| view.append(turn(n, 600)));
        assert!(matches!(view.settle(), Err(Error::Policy(_))), "the protected turns are above the maximum");
        assert_eq!((view.turns().len(), view.compactions()), (3, 0));

        let mut masking = StickyView::new(Box::new(ObservationMaskingPolicy::new()), budget());
        (0..30).for_each(|n| masking.append(turn(n, 100)));
        assert!(matches!(masking.settle().unwrap(), StickyStep::Unmet(plan) if plan.budget_unmet()));
        assert_eq!(masking.turns().len(), 30);
    }

    #[test]
    fn two_of_three_compactions_leave_the_beginning_alone() {
        let mut view = dropping().with_frozen_head(600).unwrap();
        let mut firsts = Vec::new();
        for n in 0..200 {
            view.append(turn(n, 50));
            if let StickyStep::Compacted(outcome) = view.settle().unwrap() {
                firsts.push(outcome.applied.account.first_changed_position.unwrap());
            }
        }
        assert!(firsts.len() > 6);
        let expected = [6, 6, 0].into_iter().cycle();
        assert!(firsts.iter().zip(expected).all(|(first, expected)| *first == expected), "{firsts:?}");
        assert!(dropping().with_frozen_head(1_000).is_err());
    }

    #[test]
    fn an_id_that_comes_twice_is_refused_when_it_matters() {
        let mut view = dropping();
        (0..2).for_each(|_| view.append(turn(7, 600)));
        assert!(matches!(view.settle(), Err(Error::Invalid(_))));
    }
}
