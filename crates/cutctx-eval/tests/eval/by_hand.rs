//! Small sessions whose figures can be counted on paper.

use crate::wish::Wish;
use alloc::sync::Arc;
use cutctx::{PolicySpec, Role, Transcript, TranscriptTurn};
use cutctx_eval::{Contender, EvalOptions, EvalSession, Evaluation, Recall, Share, evaluate};

fn transcript(turns: &[(Role, &str)]) -> Transcript {
    let turn = |(n, (role, text)): (usize, &(Role, &str))| {
        TranscriptTurn::new(format!("t{n}"), *role, *text, 10).unwrap()
    };
    Transcript::new(turns.iter().enumerate().map(turn).collect()).unwrap()
}

/// Cuts once, in the middle, keeps up to all, protects one turn.
fn options() -> EvalOptions {
    EvalOptions::default()
        .with_cuts(vec![Share::percent(50)])
        .with_budgets(vec![Share::percent(100)])
        .with_protected_turns(1)
        .with_min_calls(0)
}

fn evaluated(turns: &[(Role, &str)], policy: Wish) -> Evaluation {
    let sessions = [EvalSession::new("s", "p", transcript(turns))];
    evaluate(&sessions, &[Contender::policy("wish", Arc::new(policy))], &options(), &|| {}).unwrap()
}

fn recall(turns: &[(Role, &str)], policy: Wish) -> Recall {
    let evaluation = evaluated(turns, policy);
    assert_eq!(evaluation.cells.len(), 1, "{evaluation:?}");
    evaluation.cells[0].recall
}

fn percent(percent: usize) -> Option<Share> {
    Share::of(percent, 100)
}

const HALVES: [(Role, &str); 8] = [
    (Role::System, "system_prompt says all"),
    (Role::User, "one\nfirst_name here\ntwo"),
    (Role::Assistant, "second_name and third_name and unused_name"),
    (Role::User, "tail_name"),
    // The cut.
    (Role::Assistant, "first_name second_name system_prompt tail_name new_name"),
    (Role::Tool, "third_name is shown again"),
    (Role::Assistant, "third_name"),
    (Role::User, "second_name once more"),
];

#[test]
fn targets_are_first_uses_of_what_may_be_lost_and_is_not_shown_again() {
    // Two targets, first_name and second_name, both of one step. The system turn and the tail may not be lost, the
    // third name is shown again by a result, the new one was never there.
    let nothing_lost = recall(&HALVES, Wish::default());
    assert_eq!([nothing_lost.bare, nothing_lost.ctx3, nothing_lost.step], [percent(100); 3]);
    assert_eq!((nothing_lost.block, nothing_lost.placebo), (None, percent(100)));

    let second_lost = recall(&HALVES, Wish { drops: vec![2], ..Wish::default() });
    assert_eq!(
        [second_lost.bare, second_lost.ctx3, second_lost.step],
        [percent(50), percent(50), percent(0)]
    );
    assert_eq!(second_lost.placebo, percent(0));
    assert_eq!(second_lost.lift(), percent(50));
    assert_eq!(second_lost.q(), Some(Share::millionths(333_333)));
}

#[test]
fn a_name_without_its_neighbours_is_bare() {
    let masked = Wish { masks: vec![(1, "one\nfirst_name here\nthree")], ..Wish::default() };
    let recall = recall(&HALVES, masked);
    assert_eq!([recall.bare, recall.ctx3, recall.step], [percent(100), percent(50), percent(100)]);
}

#[test]
fn half_a_name_is_not_the_name() {
    let masked = Wish { masks: vec![(1, "one\nfirst_nam\ntwo")], ..Wish::default() };
    assert_eq!(recall(&HALVES, masked).bare, percent(50));
}

#[test]
fn passages_count_as_a_whole() {
    let (a, b, c, d) =
        ("turn the red wheel", "open the left valve", "wait for the pressure", "close it again");
    let passage = format!("{a}\n{b}\n{c}\n{d}\n");
    let turns = [
        (Role::User, passage.as_str()),
        (Role::User, "tail"),
        // The cut.
        (Role::Assistant, passage.as_str()),
        (Role::User, passage.as_str()),
    ];
    let whole = recall(&turns, Wish::default());
    assert_eq!((whole.block, whole.bare), (percent(100), None));
    let part: &'static str = "turn the red wheel\nopen the left valve\nwait for the pressure\n";
    let cut = recall(&turns, Wish { masks: vec![(0, part)], ..Wish::default() });
    assert_eq!((cut.block, cut.q()), (percent(0), percent(0)));
    assert_eq!(cut.words, percent(100));
}

#[test]
fn references_of_three_projects_are_no_targets() {
    let session = |project: &str| EvalSession::new(project, project, transcript(&HALVES));
    let sessions = ["a", "b", "c"].map(session);
    let contenders = [Contender::policy("wish", Arc::new(Wish::default()))];
    let evaluation = evaluate(&sessions, &contenders, &options(), &|| {}).unwrap();
    assert_eq!((evaluation.cells.len(), evaluation.asks_nothing.len()), (0, 3));
    let two = evaluate(&sessions[..2], &contenders, &options(), &|| {}).unwrap();
    assert_eq!((two.cells.len(), two.stop_words), (2, 0));
}

#[test]
fn a_floor_above_the_budget_is_left_out_and_counted() {
    let sessions = [EvalSession::new("s", "p", transcript(&HALVES))];
    let options = options().with_budgets(vec![Share::percent(49), Share::percent(50)]);
    let contenders = [Contender::spec("drop", PolicySpec::drop_oldest()), Contender::random()];
    let evaluation = evaluate(&sessions, &contenders, &options, &|| {}).unwrap();
    // System and tail are 20 of 40 tokens.
    assert_eq!(evaluation.floor_above, [(0, 0, 0)]);
    assert_eq!(evaluation.cells.len(), 2);
    assert!(evaluation.cells.iter().all(|cell| cell.tokens == Share::percent(50) && !cell.over_budget));
    assert!(evaluation.cells.iter().all(|cell| cell.recall.bare == percent(0)));
}

#[test]
fn the_oracle_keeps_what_is_used_and_chance_is_in_between() {
    let useless = "nothing of interest here, said at some length, for nobody to read";
    let mut turns = vec![(Role::User, useless); 20];
    turns[3].1 = "first_name";
    turns[11].1 = "second_name";
    turns.extend(vec![(Role::Assistant, "first_name second_name"); 20]);
    let sessions = [EvalSession::new("s", "p", transcript(&turns))];
    let options = options().with_budgets(vec![Share::percent(15)]);
    let contenders =
        [Contender::oracle(), Contender::spec("drop", PolicySpec::drop_oldest()), Contender::random()];
    let evaluation = evaluate(&sessions, &contenders, &options, &|| {}).unwrap();
    let bare: Vec<Option<Share>> = evaluation.cells.iter().map(|cell| cell.recall.bare).collect();
    assert_eq!(bare[..2], [percent(100), percent(0)]);
    assert!(bare[2] < percent(100), "{bare:?}");
    assert_eq!(evaluation.cells[2].tokens, Share::percent(15));
}

#[test]
fn differences_are_paired_and_summaries_are_stood_in_for() {
    let sessions = [EvalSession::new("s", "p", transcript(&HALVES))];
    let contenders = [
        Contender::policy("all", Arc::new(Wish::default())),
        Contender::policy("less", Arc::new(Wish { drops: vec![1, 2], ..Wish::default() })),
        Contender::spec("fold", PolicySpec::default_chain()),
    ];
    let budgets = vec![Share::percent(75)];
    let evaluation = evaluate(&sessions, &contenders, &options().with_budgets(budgets), &|| {}).unwrap();
    let summary = evaluation.summary(Some("all"));
    let against: Vec<Option<Share>> =
        summary.rows.iter().map(|row| row.against.map(|against| against.mean)).collect();
    assert_eq!(against[..2], [None, Some(Share::millionths(-1_000_000))]);
    assert_eq!(evaluation.refused, [0, 0, 0]);
    assert!(evaluation.cells[0].over_budget && !evaluation.cells[2].over_budget, "{:?}", evaluation.cells);
}
