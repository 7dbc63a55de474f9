//! Summaries without a model.

use alloc::sync::Arc;

use cutctx::fulfil::{extract, tasks};
use cutctx::{CharRatioEstimator, CompactionExecutor, Role, TokenEstimator, Transcript, TranscriptTurn};

use crate::plans::{plan, transcript};

fn estimator() -> Arc<dyn TokenEstimator> {
    Arc::new(CharRatioEstimator::default())
}

#[test]
fn an_extract_keeps_to_what_the_plan_counts_on() {
    let (transcript, estimator) = (transcript(), estimator());
    let plan = plan(&transcript);
    let summaries = extract(&plan, &estimator).unwrap();
    for task in tasks(&plan) {
        let (_, text) = summaries.iter().find(|(group, _)| *group == task.request.group_id()).unwrap();
        assert!(estimator.estimate(text) <= task.request.target_tokens(), "{text}");
        assert!(text.contains("question") && text.contains("read_file"), "{text}");
    }
    let applied = CompactionExecutor::new().apply(&transcript, &plan, &summaries).unwrap();
    assert_eq!(applied.account.overruns, []);
    assert!(!applied.account.over_budget);
}

#[test]
fn the_same_plan_gives_the_same_extract() {
    let transcript = transcript();
    let plan = plan(&transcript);
    let estimator = estimator();
    assert_eq!(extract(&plan, &estimator).unwrap(), extract(&plan, &estimator).unwrap());
}

#[test]
fn turns_of_any_sort_can_be_told() {
    let odd = ["", " ", "\0", "\u{feff}", "{\"a\":", "🙂\u{301}", "\u{1b}[31m"];
    let mut turns = Vec::new();
    for (number, text) in odd.iter().enumerate() {
        for role in [Role::User, Role::Assistant, Role::Tool] {
            let turn = TranscriptTurn::new(format!("{role}{number}"), role, *text, 100).unwrap();
            turns.push(turn.with_tool_name(*text));
        }
    }
    let transcript = Transcript::new(turns).unwrap();
    let policy = cutctx::SummarizingPolicy::new("p").unwrap();
    let plan =
        cutctx::CompactionPolicy::decide(&policy, &transcript, &cutctx::CompactionBudget::new(1200)).unwrap();
    assert_eq!(plan.summarization_requests().len(), 1);
    let summaries = extract(&plan, &estimator()).unwrap();
    CompactionExecutor::new().apply(&transcript, &plan, &summaries).unwrap();
}

#[test]
fn the_record_names_every_turn() {
    let transcript = transcript();
    let plan = plan(&transcript);
    let tasks = tasks(&plan);
    let named: usize = tasks.iter().map(|task| task.record().matches("----- turn ").count()).sum();
    assert_eq!(
        named,
        plan.summarization_requests().iter().map(|request| request.turn_ids().len()).sum::<usize>()
    );
    assert!(tasks[0].names_our_prompt());
    let target = format!("at most {} tokens", tasks[0].request.target_tokens());
    assert!(tasks[0].instructions().contains(&target));
}
