//! Any session, any view: the figures are those of the slow oracle.

use crate::slow;
use crate::wish::Wish;
use alloc::sync::Arc;
use cutctx::{
    CompactionBudget, CompactionExecutor, CompactionPolicy, Role, Summaries, Transcript, TranscriptTurn,
};
use cutctx_eval::{Contender, EvalOptions, EvalSession, Recall, Share, evaluate};
use proptest::prelude::*;

const WORDS: [&str; 3] = ["pressure", "quickly", "machine"];
const PIECES: [&str; 12] = [
    "flow_rate",
    "PumpValve",
    "src/pump/valve.rs",
    "8080",
    "hall_two",
    "open(it)",
    "pressure",
    "quickly",
    "machine",
    "a",
    "is turned off",
    "",
];
const LINES: [&str; 6] = [
    "turn the red wheel",
    "open the left valve",
    "wait for it to rest",
    "}",
    "close the valve",
    "flow_rate is low",
];

fn line() -> impl Strategy<Value = String> {
    let made = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..4);
    prop_oneof![
        made.prop_map(|pieces| pieces.join(" ")),
        prop::sample::select(LINES.to_vec()).prop_map(str::to_owned),
    ]
}

fn turn() -> impl Strategy<Value = (Role, String)> {
    let role = prop::sample::select(vec![Role::System, Role::User, Role::Assistant, Role::Tool]);
    (role, prop::collection::vec(line(), 1..6).prop_map(|lines| lines.join("\n")))
}

fn session() -> impl Strategy<Value = Transcript> {
    prop::collection::vec(turn(), 4..24).prop_map(|turns| {
        let turn = |(n, (role, text))| TranscriptTurn::new(format!("t{n}"), role, text, 5).unwrap();
        Transcript::new(turns.into_iter().enumerate().map(turn).collect()).unwrap()
    })
}

/// Which of these positions a policy may touch.
fn removable(prefix: &Transcript, tail: usize) -> Vec<usize> {
    let end = prefix.len().saturating_sub(tail);
    let turns = prefix.turns().iter().enumerate().take(end);
    turns.filter(|(_, turn)| turn.role() != Role::System).map(|(position, _)| position).collect()
}

fn all_of(recall: &Recall) -> [Option<Share>; 6] {
    [recall.bare, recall.ctx3, recall.step, recall.block, recall.placebo, recall.words]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_figures_are_those_of_the_definition(
        transcript in session(),
        fates in prop::collection::vec(0_u8..4, 24),
        tail in 0_usize..3,
    ) {
        let position = transcript.len() / 2;
        let prefix = Transcript::new(transcript.turns()[..position].to_vec()).unwrap();
        let touched = |fate: u8| {
            let all = removable(&prefix, tail).into_iter();
            all.filter(|position| fates[*position] == fate).collect::<Vec<_>>()
        };
        let masks: Vec<(usize, &str)> =
            touched(1).into_iter().map(|position| (position, "open the left valve\nflow_rate is low\n8080")).collect();
        let policy = Wish { drops: touched(0), masks };
        let budget = CompactionBudget::new(prefix.token_estimate())
            .with_protected_recent_turns(u64::try_from(tail).unwrap());
        let plan = policy.decide(&prefix, &budget).unwrap();
        let view = CompactionExecutor::new().apply(&prefix, &plan, &Summaries::none()).unwrap().compacted.turns;

        let options = EvalOptions::default()
            .with_cuts(vec![Share::percent(50)])
            .with_budgets(vec![Share::percent(100)])
            .with_protected_turns(u64::try_from(tail).unwrap())
            .with_min_calls(0);
        let sessions = [EvalSession::new("s", "p", transcript.clone())];
        let contenders = [Contender::policy("wish", Arc::new(policy))];
        let evaluation = evaluate(&sessions, &contenders, &options, &|| {}).unwrap();
        let slow = slow::recall(&transcript, position, tail, &view, &WORDS);
        match evaluation.cells.as_slice() {
            [cell] => prop_assert_eq!(all_of(&cell.recall), slow),
            [] => prop_assert_eq!((slow[0], slow[3]), (None, None)),
            more => prop_assert!(false, "{} cells", more.len()),
        }
    }

    #[test]
    fn the_same_sessions_give_the_same_figures_and_never_more_than_the_whole(transcript in session()) {
        let sessions = [EvalSession::new("s", "p", transcript)];
        let contenders = [Contender::random(), Contender::oracle()];
        let options = EvalOptions::default().with_min_calls(0).with_protected_turns(1);
        let once = evaluate(&sessions, &contenders, &options, &|| {}).unwrap();
        let again = evaluate(&sessions, &contenders, &options, &|| {}).unwrap();
        prop_assert_eq!(&once.cells, &again.cells);
        for cell in &once.cells {
            prop_assert!(!cell.over_budget);
            let all = [cell.recall.bare, cell.recall.ctx3, cell.recall.step, cell.recall.block];
            prop_assert!(all.into_iter().flatten().all(|share| share >= Share::default() && share <= Share::WHOLE));
            prop_assert!(cell.recall.ctx3 <= cell.recall.bare && cell.recall.step <= Some(Share::WHOLE));
        }
    }
}
