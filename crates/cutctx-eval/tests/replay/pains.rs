//! What went wrong for users of other compactors: loops that thrash, single turns that are too large, prompt caches that
//! break. Each name begins with the number of the report.

use crate::sessions::{agent, assistant, session, user};
use cutctx::policies::{ClipPolicy, MinimumGainPolicy};
use cutctx::{
    CacheAccount, CachePrices, CompactionBudget, CompactionPolicy, DropOldestPolicy, Error,
    ObservationMaskingPolicy, PaysBackPolicy, PolicyChain, PolicyError, PolicySpec, Role, StickyStep,
    StickyView, Summaries, SummarizingPolicy, Transcript, TranscriptTurn,
};
use cutctx_eval::{Contender, Limit, ReplayOptions, Share, replay};

fn budget(max: u64, target: u64) -> CompactionBudget {
    CompactionBudget::new(max).with_target(target).unwrap()
}

fn dropping(max: u64, target: u64) -> StickyView {
    StickyView::new(Box::new(DropOldestPolicy::new()), budget(max, target))
}

fn unsatisfiable(view: &mut StickyView) -> cutctx::BudgetUnsatisfiable {
    match view.settle() {
        Err(Error::Policy(PolicyError::Unsatisfiable(error))) => error,
        other => panic!("{other:?}"),
    }
}

// C: loops without progress.

#[test]
fn pain_35_a_floor_above_the_trigger_is_told_with_its_items_every_time() {
    let mut view = dropping(1_000, 500);
    view.append(TranscriptTurn::new("s", Role::System, "rules", 900).unwrap());
    (0..6).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    for _ in 0..3 {
        let error = unsatisfiable(&mut view);
        assert_eq!((error.floor.system, error.floor.tail, error.floor.total()), (900, 400, 1_300));
    }
    assert_eq!((view.compactions(), view.turns().len()), (0, 7));
}

#[test]
fn pain_37_a_pass_that_reclaims_nothing_is_no_success_and_a_chain_goes_on() {
    let fill =
        |view: &mut StickyView| (0..30).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    let mut masking = StickyView::new(Box::new(ObservationMaskingPolicy::new()), budget(1_000, 500));
    fill(&mut masking);
    for _ in 0..3 {
        assert!(matches!(masking.settle(), Ok(StickyStep::Unmet(_))), "there are no results to mask");
    }
    assert_eq!(masking.compactions(), 0);
    let chain = PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()]).build().unwrap();
    let mut chain = StickyView::new(chain, budget(1_000, 500));
    fill(&mut chain);
    assert!(matches!(chain.settle(), Ok(StickyStep::Compacted(_))));
    assert!(chain.tokens() <= 500);
}

#[test]
fn pain_38_a_single_turn_above_the_limit_is_told_and_not_compacted_around() {
    let mut view = dropping(1_000, 500);
    view.append(user("u", "a whole book", 5_000));
    let error = unsatisfiable(&mut view);
    assert_eq!((error.floor.tail, error.max_tokens), (5_000, 1_000));
}

#[test]
fn pain_40_41_the_size_is_that_of_the_view_and_not_of_what_was_sent_before() {
    let mut view = dropping(1_000, 500);
    (0..11).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    assert!(matches!(view.settle(), Ok(StickyStep::Compacted(_))));
    assert_eq!(view.tokens(), 500);
    view.append(user("next", "and now", 100));
    assert!(matches!(view.settle(), Ok(StickyStep::Fits)), "nothing from before counts any more");
}

#[test]
fn pain_43_46_a_failed_compaction_leaves_the_state_and_the_trigger() {
    let mut view = StickyView::new(Box::new(SummarizingPolicy::new("p").unwrap()), budget(1_000, 500));
    (0..11).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    for attempt in 0..5 {
        let Ok(StickyStep::SummariesNeeded(plan)) = view.settle() else { panic!("attempt {attempt}") };
        assert!(view.fulfil(*plan, &Summaries::none()).is_err());
        assert_eq!((view.tokens(), view.compactions()), (1_100, 0), "one plan a call, and nothing else");
    }
}

#[test]
fn pain_44_a_longer_loop_has_more_compactions_and_no_larger_context() {
    for spec in [PolicySpec::default_chain(), PolicySpec::recommended()] {
        let policies = [Contender::spec("any", spec)];
        let options = ReplayOptions::default()
            .with_limit(Limit::Tokens(3_000))
            .with_target(Limit::Share(Share::percent(50)));
        let [short, long] = [150, 900]
            .map(|steps| replay(&[agent(steps, 4)], &policies, &options, &|| {}).unwrap().replayed.remove(0));
        assert!(short.compactions > 5, "{}", short.compactions);
        assert!(long.compactions <= 7 * short.compactions, "{} {}", long.compactions, short.compactions);
        assert_eq!((short.over_limit, long.over_limit), (0, 0));
        let mean = |tokens: &[u64]| tokens.iter().sum::<u64>() / u64::try_from(tokens.len()).unwrap();
        let quarters: Vec<u64> = long.context_tokens.chunks(225).map(mean).take(4).collect();
        assert!(quarters[3] <= quarters[1] * 11 / 10, "what compactions leave grows: {quarters:?}");
    }
}

#[test]
fn pain_47_compacting_again_and_again_gives_the_same_and_counts_what_is_there() {
    let mut view = dropping(1_000, 500);
    (0..11).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    view.settle().unwrap();
    let once = view.turns().to_vec();
    for _ in 0..5 {
        assert!(matches!(view.settle(), Ok(StickyStep::Fits)));
    }
    assert_eq!((view.turns(), view.compactions()), (once.as_slice(), 1));
}

// G: single turns that are too large.

fn with_huge_result(tokens: u64) -> Transcript {
    let text = "a line of a very long listing\n".repeat(usize::try_from(tokens / 8).unwrap());
    let call = assistant("a", "list", 5).with_tool_call_id("c");
    let result = TranscriptTurn::new("t", Role::Tool, text, tokens).unwrap().with_tool_call_id("c");
    Transcript::new(vec![user("u", "look", 5), call, result]).unwrap()
}

#[test]
fn pain_91_92_a_result_too_large_in_the_tail_is_reported_and_a_clip_is_asked_for_only_outside_of_it() {
    let (transcript, policy) = (with_huge_result(8_000), ClipPolicy::new());
    let protected = CompactionBudget::new(1_500);
    let error = policy.decide(&transcript, &protected).unwrap_err();
    assert!(matches!(error, PolicyError::Unsatisfiable(error) if error.floor.tail == 8_010));
    let asked = protected.with_protected_recent_turns(0);
    let plan = policy.decide(&transcript, &asked).unwrap();
    assert!(!plan.budget_unmet() && plan.tokens_after_estimate() < 1_500);
}

#[test]
fn pain_94_what_a_compaction_left_is_compacted_like_anything_else() {
    let mut view = StickyView::new(Box::new(DropOldestPolicy::new()), budget(1_000, 500));
    view.append(assistant("summary:old", "an archive", 900));
    (0..5).for_each(|n| view.append(user(&format!("u{n}"), "go on", 50)));
    assert!(matches!(view.settle(), Ok(StickyStep::Compacted(_))));
    assert!(view.turns().iter().all(|turn| turn.turn_id().as_ref() != "summary:old"));
}

#[test]
fn pain_95_a_long_message_does_not_empty_the_history() {
    let turns = vec![
        user("u0", "a question", 50),
        assistant("a0", "an answer", 50),
        user("u1", "a long story", 700),
        assistant("a1", "I see", 50),
        user("u2", "and?", 300),
    ];
    let mut view = dropping(1_000, 800);
    for turn in turns {
        view.append(turn);
    }
    assert!(matches!(view.settle(), Err(Error::Policy(_))), "the last four turns alone are above the limit");
    assert_eq!(view.turns().len(), 5, "nothing is lost for it");
}

// I: the prompt cache.

#[test]
fn pain_97_a_low_water_mark_keeps_compactions_apart() {
    let run = |percent| {
        let options = ReplayOptions::default()
            .with_limit(Limit::Tokens(6_000))
            .with_target(Limit::Share(Share::percent(percent)));
        let policies =
            [Contender::spec("mask", PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()]))];
        replay(&[agent(200, 6)], &policies, &options, &|| {}).unwrap().replayed.remove(0)
    };
    let (at_the_limit, half) = (run(100), run(50));
    assert!(
        at_the_limit.compactions > 4 * half.compactions,
        "{} {}",
        at_the_limit.compactions,
        half.compactions
    );
    assert!(half.shortest_respite >= Some(6_000 / 2 / 432), "{:?}", half.shortest_respite);
}

/// What each compaction of a loop frees, in tokens, where its policy goes no further down than 6,000; it never has more
/// than `most`.
fn freed(policy: impl CompactionPolicy + Send + Sync + 'static, most: u64) -> Vec<u64> {
    let mut view = StickyView::new(Box::new(policy), CompactionBudget::new(6_000));
    let mut freed = Vec::new();
    for turn in agent(200, 6).transcript.turns() {
        view.append(turn.clone());
        let before = view.tokens();
        if matches!(view.settle(), Ok(StickyStep::Compacted(_))) {
            freed.push(before - view.tokens());
        }
        assert!(view.tokens() <= most, "{}", view.tokens());
    }
    freed
}

#[test]
fn pain_97_a_pass_that_would_clear_too_little_waits_until_there_is_more_to_clear() {
    let chain = || {
        let masking = ObservationMaskingPolicy::new();
        PolicyChain::new(vec![Box::new(masking), Box::new(DropOldestPolicy::new())]).unwrap()
    };
    let plain = freed(chain(), 6_000);
    assert!(plain.iter().any(|freed| *freed < 600), "{plain:?}");
    let gaining = freed(MinimumGainPolicy::new(Box::new(chain()), 1_500).with_window(8_000), 8_000);
    assert!(gaining.iter().all(|freed| *freed >= 1_500), "{gaining:?}");
    assert!(!gaining.is_empty() && gaining.len() * 3 < plain.len(), "{} {}", gaining.len(), plain.len());
}

#[test]
fn pain_98_a_loop_whose_results_are_masked_as_they_age_breaks_its_prefix_and_one_that_is_sticky_does_not() {
    let session = agent(100, 9);
    let turns = session.transcript.turns();
    // Every result is cleared once five others came after it, whatever there is room for.
    let ageing = |upto: usize| -> Vec<TranscriptTurn> {
        let results = turns[..upto].iter().rev().filter(|turn| turn.role() == Role::Tool);
        let fresh: Vec<&str> = results.take(5).map(|turn| turn.turn_id().as_ref()).collect();
        let aged =
            |turn: &TranscriptTurn| turn.role() == Role::Tool && !fresh.contains(&turn.turn_id().as_ref());
        let cleared = |turn: &TranscriptTurn| {
            TranscriptTurn::new(turn.turn_id().clone(), Role::Tool, "[old]", 2).unwrap()
        };
        turns[..upto].iter().map(|turn| if aged(turn) { cleared(turn) } else { turn.clone() }).collect()
    };
    let limit = session.transcript.token_estimate();
    let mut sticky = dropping(limit / 2, limit / 4);
    let (mut breaks, mut sent) = ([0, 0], [Vec::new(), Vec::new()]);
    let mut requests = 0;
    for upto in 1..=turns.len() {
        sticky.append(turns[upto - 1].clone());
        if turns.get(upto).is_none_or(|next| next.role() != Role::Assistant) {
            continue;
        }
        requests += 1;
        let compacted = matches!(sticky.settle().unwrap(), StickyStep::Compacted(_));
        for (way, now) in [ageing(upto), sticky.turns().to_vec()].into_iter().enumerate() {
            let is_broken = !now.starts_with(&sent[way]);
            breaks[way] += usize::from(is_broken);
            assert!(way == 0 || is_broken == compacted, "request {requests}");
            sent[way] = now;
        }
    }
    assert!(breaks[0] * 10 > requests * 8, "{} of {requests}", breaks[0]);
    assert!(breaks[1] > 0 && breaks[1] * 20 < requests, "{} of {requests}", breaks[1]);
}

#[test]
fn pain_98_an_edit_that_costs_more_than_it_saves_can_be_left_alone() {
    let turn = |n| user(&format!("u{n}"), "go on", 100);
    let transcript = Transcript::new((0..100).map(turn).collect()).unwrap();
    let trigger = CompactionBudget::new(9_900);
    let plan = DropOldestPolicy::new().decide(&transcript, &trigger).unwrap();
    let account = CacheAccount::of(&plan.cache_edit(), CachePrices::ANTHROPIC);
    assert_eq!((account.tokens_freed, account.tokens_reread), (100, 9_900));
    assert!(account.pays_back_after_steps > Some(1_000));
    let veto = PaysBackPolicy::new(Box::new(DropOldestPolicy::new()), CachePrices::ANTHROPIC, 50);
    let plan = veto.with_window(200_000).decide(&transcript, &trigger).unwrap();
    assert_eq!(plan.first_changed_position(), None);
}

#[test]
fn pain_100_101_what_was_sent_in_one_form_changes_at_compactions_only() {
    for spec in
        [PolicySpec::default_chain(), PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()])]
    {
        let policies = [Contender::spec("any", spec)];
        let options = ReplayOptions::default().with_limit(Limit::Tokens(4_000));
        let replayed = replay(&[agent(150, 8)], &policies, &options, &|| {}).unwrap().replayed.remove(0);
        assert!(replayed.compactions > 2 && replayed.prefix_breaks <= replayed.compactions);
    }
}

#[test]
fn pain_103_a_request_for_a_summary_names_turns_that_were_sent_as_they_stand() {
    let mut view = StickyView::new(Box::new(SummarizingPolicy::new("p").unwrap()), budget(1_000, 500));
    (0..11).for_each(|n| view.append(user(&format!("u{n}"), "go on", 100)));
    let before = view.turns().to_vec();
    let Ok(StickyStep::SummariesNeeded(plan)) = view.settle() else { panic!("no summary is asked for") };
    assert_eq!(view.turns(), before, "the model may be asked behind the very prefix that it has seen");
    let sent: Vec<&str> = before.iter().map(|turn| turn.turn_id().as_ref()).collect();
    assert!(plan.summarization_requests()[0].turn_ids().iter().all(|id| sent.contains(&id.as_ref())));
}

#[test]
fn a_session_without_an_answer_is_no_loop() {
    let none = [session(vec![user("u", "hello", 1)])];
    let replayed = replay(&none, &[Contender::random()], &ReplayOptions::default(), &|| {}).unwrap();
    assert_eq!((replayed.replayed.len(), replayed.too_short), (0, 1));
}
