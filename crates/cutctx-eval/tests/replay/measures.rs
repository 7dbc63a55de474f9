//! What is measured, against values known by hand and against a slow way.

use crate::sessions::{agent, assistant, session, user};
use cutctx::{CachePrices, CompactionBudget, DropOldestPolicy, PolicySpec, Role, StickyView, TranscriptTurn};
use cutctx_eval::{
    Contender, EvalSession, Limit, Reference, ReplayError, ReplayOptions, Replayed, Share, TurnReferences,
    replay,
};

fn prices() -> CachePrices {
    CachePrices::new(100, 1_250).unwrap()
}

fn options(limit: u64, target: u64) -> ReplayOptions {
    ReplayOptions::default()
        .with_limit(Limit::Tokens(limit))
        .with_target(Limit::Tokens(target))
        .with_protected_turns(1)
        .with_prices(prices())
}

fn drop_oldest() -> Contender {
    Contender::spec("drop-oldest", PolicySpec::drop_oldest())
}

fn one(session: &EvalSession, policy: &Contender, options: &ReplayOptions) -> Replayed {
    let replay = replay(core::slice::from_ref(session), core::slice::from_ref(policy), options, &|| {});
    replay.unwrap().replayed.remove(0)
}

#[test]
fn a_small_loop_has_the_figures_that_one_can_add_up() {
    let turns = vec![
        user("u0", "look at src/pump/valve.rs", 40),
        assistant("a0", "yes", 10),
        user("u1", "and then", 50),
        assistant("a1", "open src/pump/valve.rs", 10),
        user("u2", "and then", 10),
        assistant("a2", "no", 10),
    ];
    // The second request has 100 tokens; above the limit of 90 the first turn goes.
    let replayed = one(&session(turns), &drop_oldest(), &options(90, 60));
    assert_eq!(replayed.context_tokens, [40, 60, 80]);
    assert_eq!((replayed.requests, replayed.compactions, replayed.prefix_breaks), (3, 1, 1));
    assert_eq!((replayed.over_limit, replayed.mean_tokens, replayed.shortest_respite), (0, 60, None));
    assert_eq!(replayed.misses, 1, "the path was in the turn that is gone");
    let compacted = 40 * 1_250 + 60 * 1_250 + (60 * 100 + 20 * 1_250);
    let uncompacted = 40 * 1_250 + (40 * 100 + 60 * 1_250) + (100 * 100 + 20 * 1_250);
    assert_eq!(replayed.cost, Share::of_tokens(compacted, uncompacted));
}

#[test]
fn without_a_compaction_the_cost_is_that_of_none() {
    let replayed = one(&agent(60, 1), &drop_oldest(), &options(u64::MAX, u64::MAX));
    assert_eq!((replayed.cost, replayed.misses), (Some(Share::WHOLE), 0));
    assert_eq!((replayed.compactions, replayed.prefix_breaks, replayed.over_limit), (0, 0, 0));
    assert_eq!(replayed.requests, 61);
}

#[test]
fn turns_of_the_model_that_follow_each_other_are_one_answer() {
    let turns = vec![
        assistant("a", "hello", 1),
        user("u", "go", 1),
        assistant("b", "I think", 1),
        assistant("c", "so", 1),
        user("v", "on", 1),
    ];
    let replayed = one(&session(turns), &drop_oldest(), &options(100, 50));
    assert_eq!(replayed.context_tokens, [2], "nothing is asked before the first turn");
}

#[test]
fn what_must_be_kept_above_the_limit_is_told_and_not_tried_for_ever() {
    let turns = vec![user("u", "a long story", 500), assistant("a", "ah", 1), user("v", "well", 1)];
    let mut turns = turns;
    turns.push(assistant("b", "oh", 1));
    let pinned: Vec<TranscriptTurn> = turns.into_iter().map(|turn| turn.with_pinned(true)).collect();
    let replayed = one(&session(pinned), &drop_oldest(), &options(90, 60));
    assert_eq!((replayed.over_limit, replayed.compactions, replayed.prefix_breaks), (2, 0, 0));
}

/// Misses the slow way: every text is read again at every request.
fn slow_misses(session: &EvalSession, options: &ReplayOptions) -> usize {
    let turns = session.transcript.turns();
    let limit = options.limit.of(session.transcript.token_estimate());
    let budget = CompactionBudget::new(limit).with_protected_recent_turns(options.protected_turns);
    let budget = budget.with_target(options.target.of(limit)).unwrap();
    let mut view = StickyView::new(Box::new(DropOldestPolicy::new()), budget);
    let mut misses = 0;
    for (position, turn) in turns.iter().enumerate() {
        if turn.role() == Role::Assistant {
            view.settle().unwrap();
            let shows = |all: &[TranscriptTurn], reference: &Reference| {
                all.iter().any(|turn| TurnReferences::of(turn).shown.contains(reference))
            };
            let made = TurnReferences::of(turn).made;
            let is_gone = |reference: &&Reference| {
                shows(&turns[..position], reference) && !shows(view.turns(), reference)
            };
            misses = made.iter().filter(is_gone).count().saturating_add(misses);
        }
        view.append(turn.clone());
    }
    misses
}

#[test]
fn misses_are_those_that_reading_everything_again_finds() {
    for seed in 0..4 {
        let session = agent(50, seed);
        let options = options(3_000, 1_200);
        let replayed = one(&session, &drop_oldest(), &options);
        assert!(replayed.misses > 0, "the session asks for nothing");
        assert_eq!(replayed.misses, slow_misses(&session, &options), "seed {seed}");
    }
}

#[test]
fn a_table_has_the_means_of_the_sessions_and_chance_can_be_replayed() {
    let sessions = [agent(40, 1), agent(60, 2)];
    let policies = [drop_oldest(), Contender::random()];
    let replay = replay(&sessions, &policies, &options(3_000, 1_500), &|| {}).unwrap();
    let rows = replay.rows();
    assert_eq!(rows.iter().map(|row| row.policy.as_str()).collect::<Vec<_>>(), ["drop-oldest", "random"]);
    let costs: Vec<Share> = replay.replayed.iter().step_by(2).filter_map(|one| one.cost).collect();
    assert_eq!(rows[0].cost.map(|cost| cost.mean), Share::mean(&costs));
    assert_eq!((rows[0].sessions, rows[0].requests), (2, 41 + 61));
}

#[test]
fn short_sessions_are_left_out_and_the_oracle_is_refused() {
    let sessions = [agent(5, 1), agent(40, 1)];
    let options = options(3_000, 1_500).with_min_calls(30);
    let left = replay(&sessions, &[drop_oldest()], &options, &|| {}).unwrap();
    assert_eq!((left.replayed.len(), left.too_short), (1, 1));
    let refused = replay(&sessions, &[Contender::oracle()], &options, &|| {}).unwrap_err();
    assert_eq!(refused, ReplayError::NoLoop { policy: "oracle".to_owned() });
    let above = options.with_target(Limit::Tokens(4_000));
    assert!(matches!(replay(&sessions, &[drop_oldest()], &above, &|| {}), Err(ReplayError::Refused { .. })));
}
