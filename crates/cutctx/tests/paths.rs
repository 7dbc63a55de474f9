//! The one-call paths and the batch against each other, and against the steps done one by one.

use cutctx::batch::{Job, run_line};
use cutctx::documents::JsonFault;
use cutctx::{
    Applied, Coded, CompactionBudget, CompactionExecutor, Error, Outcome, PolicyError, PolicySpec, Summaries,
    Transcript, TranscriptTurn, compact,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What a job says about its turns.
fn turns() -> impl Strategy<Value = Value> {
    let turn = (
        "[a-z ]{0,40}",
        proptest::sample::select(vec!["system", "user", "assistant", "tool"]),
        0_u64..200,
        proptest::option::of(0_u8..4),
        any::<bool>(),
    );
    proptest::collection::vec(turn, 0..20).prop_map(|turns| {
        let each = turns.into_iter().enumerate().map(|(number, (content, role, tokens, call, pinned))| {
            json!({"turn_id": format!("t{number}"), "role": role, "content": content,
                "token_estimate": tokens, "tool_call_id": call.map(|call| format!("c{call}")),
                "pinned": pinned && number % 5 == 0, "metadata": {}})
        });
        each.collect()
    })
}

fn policies() -> impl Strategy<Value = Value> {
    proptest::sample::select(vec![
        json!({"kind": "drop_oldest"}),
        json!({"kind": "masking", "keep_recent_results": 0}),
        json!({"kind": "default_chain", "min_span_turns": 2}),
        json!({"kind": "chain", "members": [{"kind": "masking"}, {"kind": "drop_oldest"}]}),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_job_gives_what_the_steps_give(turns in turns(), max in 0_u64..900, policy in policies()) {
        let job = json!({"transcript": {"turns": turns}, "budget": {"max_tokens": max, "protected_recent_turns": 2},
            "policy": policy, "summaries": {}});
        let answer = run_line(job.to_string().as_bytes(), 1);
        let transcript: Transcript = Transcript::new(serde_json::from_value::<Vec<TranscriptTurn>>(turns).unwrap()).unwrap();
        let budget = CompactionBudget::new(max).with_protected_recent_turns(2);
        let policy = serde_json::from_value::<PolicySpec>(policy).unwrap().build().unwrap();
        let plan = policy.decide(&transcript, &budget);
        let applied = plan.as_ref().ok().map(|plan| CompactionExecutor::new().apply(&transcript, plan, &Summaries::none()));
        match (compact(&transcript, &budget, policy.as_ref(), &Summaries::none()), answer.failure) {
            (Ok(outcome), None) => {
                let Outcome { plan: plan_again, applied: applied_again, .. } = outcome;
                prop_assert_eq!(&plan.unwrap(), &plan_again);
                prop_assert_eq!(&applied.unwrap().unwrap(), &applied_again);
                prop_assert_eq!(answer.plan, Some(plan_again));
                let applied_by_job: Option<Applied> = answer.applied;
                prop_assert_eq!(applied_by_job, Some(applied_again));
            }
            (Err(error), Some(failure)) => {
                let cause = match plan {
                    Err(error) => Error::from(error),
                    Ok(_) => Error::from(applied.unwrap().unwrap_err()),
                };
                prop_assert_eq!(&error, &cause);
                prop_assert_eq!(failure.code, error.code().as_str());
                prop_assert_eq!(failure.details, error.details());
                prop_assert_eq!(failure.message, error.to_string());
            }
            (whole, failure) => prop_assert!(false, "{:?} against {:?}", whole.is_ok(), failure),
        }
    }

    #[test]
    fn no_bytes_make_a_job_panic_and_every_answer_is_one_line_of_json(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let json = run_line(&bytes, 7).to_json();
        let answer: Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(&answer["line"], 7);
        prop_assert!(!json.contains('\n'));
    }

    #[test]
    fn a_job_with_a_piece_cut_out_or_doubled_is_a_job_or_is_refused(start in 0_usize..400, length in 0_usize..60, doubled in any::<bool>()) {
        let job = json!({"id": "x", "transcript": {"turns": [{"turn_id": "a", "role": "user", "content": "h\u{e9}llo", "token_estimate": 5}]},
            "budget": {"max_tokens": 3, "protected_recent_turns": 0, "target_tokens": 1},
            "policy": {"kind": "masking", "keep_recent_results": 1, "placeholder": "p"}, "summaries": {"g": "text"}}).to_string();
        let bytes = job.as_bytes();
        let start = start.min(bytes.len());
        let end = start.saturating_add(length).min(bytes.len());
        let middle = if doubled { [&bytes[start..end], &bytes[start..end]].concat() } else { Vec::new() };
        let changed = [&bytes[..start], &middle, &bytes[end..]].concat();
        let answer = run_line(&changed, 1);
        prop_assert_eq!(answer.plan.is_none(), answer.failure.is_some());
    }
}

#[test]
fn an_error_hands_its_cause_through() {
    let turns = vec![TranscriptTurn::new("s", cutctx::Role::System, "rules", 9).unwrap()];
    let transcript = Transcript::new(turns).unwrap();
    let policy = cutctx::DropOldestPolicy::new();
    let error = compact(&transcript, &CompactionBudget::new(1), &policy, &Summaries::none()).unwrap_err();
    let Error::Policy(PolicyError::Unsatisfiable(cause)) = &error else { panic!("{error:?}") };
    assert_eq!(
        (error.code(), error.details(), error.to_string()),
        (cause.code(), cause.details(), cause.to_string())
    );
}

#[test]
fn a_key_of_ours_is_named_and_a_key_of_the_line_is_not() {
    let missing =
        Job::from_json(r#"{"transcript": {"turns": []}, "policy": {"kind": "masking"}}"#).unwrap_err();
    assert_eq!((missing.fault, missing.key.as_deref()), (JsonFault::MissingKey, Some("budget")));
    let unknown = Job::from_json(r#"{"secret_key": 1}"#).unwrap_err();
    assert_eq!((unknown.fault, unknown.key.as_deref()), (JsonFault::UnknownKey, None));
    let misplaced = r#"{"transcript": {"turns": []}, "budget": {"max_tokens": 1}, "policy": {"kind": "drop_oldest", "placeholder": "x"}}"#;
    let misplaced = Job::from_json(misplaced).unwrap_err();
    assert_eq!((misplaced.fault, misplaced.key.as_deref()), (JsonFault::UnknownKey, Some("placeholder")));
    let twice = r#"{"policy": {"kind": "masking", "kind": "masking"}}"#;
    let twice = Job::from_json(twice).unwrap_err();
    assert_eq!((twice.fault, twice.key.as_deref()), (JsonFault::RepeatedKey, Some("kind")));
}

#[test]
fn what_crosses_threads_is_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Error>();
    check::<Outcome>();
    check::<cutctx::batch::Answer>();
    check::<Job>();
}
