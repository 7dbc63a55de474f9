//! Chat messages as evaluations write them: several conversations in one file, parallel calls in a row.

use cutctx_formats::{Fate, FormatError, ReadRequest, Session, SummaryText};
use cutctx_types::{CharRatioEstimator, TranscriptTurn};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read};

pub(crate) const TAU2: &str = include_str!("../../../../examples/tau2.json");

fn nth(text: &str, conversation: usize) -> Result<Session, FormatError> {
    let estimator = CharRatioEstimator::default();
    Session::read_with(None, text, &ReadRequest::new(&estimator).of_conversation(conversation))
}

fn conversation(name: &str) -> Value {
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    json!([
        {"role": "user", "content": format!("{name} asks")},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": format!("{name} gets")},
        {"role": "assistant", "content": format!("{name} is told")},
    ])
}

#[test]
fn one_of_several_conversations_is_read_and_the_others_stay() {
    let record = |key: &str, name: &str| json!({"task_id": 7, key: conversation(name), "reward": 1.0});
    for key in ["messages", "traj"] {
        let (one, two) = (record(key, "one").to_string(), record(key, "two").to_string());
        for text in [format!("[{one},\n {two}]"), format!("{one}\n\n{two}\n")] {
            let error = Session::read(text.clone(), &CharRatioEstimator::default()).unwrap_err();
            assert_eq!(
                error,
                FormatError::SeveralConversations { at: error.place().unwrap(), conversations: 2 }
            );
            let session = nth(&text, 1).unwrap();
            assert_eq!((session.format().name(), session.conversations()), ("openai-chat", 2));
            assert_eq!(contents(&session), ["two asks", "", "two gets", "two is told"]);
            let fates = [Fate::Kept, Fate::SummarizedInto("g"), Fate::SummarizedInto("g"), Fate::Kept];
            let written = session.render(&fates, &[SummaryText { group: "g", text: "s" }]).unwrap().to_text();
            assert!(written.contains(&one), "{written}");
            assert_eq!(contents(&nth(&written, 0).unwrap()), contents(&nth(&text, 0).unwrap()));
            assert_eq!(contents(&nth(&written, 1).unwrap()), ["two asks", "s", "two is told"]);
            assert!(matches!(
                nth(&text, 2),
                Err(FormatError::NoSuchConversation { wanted: 2, conversations: 2, .. })
            ));
        }
    }
}

#[test]
fn a_record_without_messages_is_an_error_with_its_number() {
    let text = format!("[{},{{\"task_id\":8}}]", json!({"traj": conversation("one")}));
    let error = nth(&text, 1).unwrap_err();
    assert!(error.to_string().starts_with("line 1: record 1 cannot be read as openai-chat"), "{error}");
    let single = read(format!("[{}]", json!({"traj": conversation("one")})));
    assert_eq!((single.conversations(), contents(&single).len()), (1, 4));
    check_laws(&single, 0..40, "one record");
}

#[test]
fn parallel_calls_in_a_row_meet_their_own_results() {
    let call = |id: &str| {
        let call =
            json!({"id": id, "type": "function", "function": {"name": "patch", "arguments": "{\"k\":1}"}});
        let copy = json!({"type": "tool_call", "tool_call_id": id, "arguments": {"k": 1}});
        json!({"role": "assistant", "content": [{"type": "text", "text": id}, copy], "tool_calls": [call]})
    };
    let result = |id: &str| {
        let copy = json!({"type": "tool_output", "output": "r"});
        json!({"role": "tool", "tool_call_id": id, "content": [{"type": "text", "text": "r"}, copy]})
    };
    let user = |text: &str| json!({"role": "user", "content": text});
    let messages = json!([
        user("u"),
        call("a"),
        call("b"),
        call("c"),
        result("a"),
        result("b"),
        result("c"),
        user("v"),
        call("d"),
        user("stop"),
        call("e")
    ]);
    let session = read(messages.to_string());
    let turns = session.transcript().turns();
    let exchanges: Vec<Option<&str>> = turns.iter().map(TranscriptTurn::tool_call_id).collect();
    let (a, b, c) = (Some("m1"), Some("m2"), Some("m3"));
    assert_eq!(exchanges, [None, a, b, c, a, b, c, None, Some("m8"), None, Some("m10")]);
    let pinned: Vec<usize> = (0..turns.len()).filter(|turn| turns[*turn].pinned()).collect();
    assert_eq!(pinned, [0, 9, 10], "a call that was left behind is not waited for");
    let mut fates = vec![Fate::Kept; turns.len()];
    (fates[2], fates[5]) = (Fate::Dropped, Fate::Dropped);
    (fates[3], fates[6]) = (Fate::Masked("[stub]"), Fate::Masked("[gone]"));
    let written: Value = serde_json::from_str(&session.render(&fates, &[]).unwrap().to_text()).unwrap();
    let ids = |message: &Value| {
        message["tool_call_id"].as_str().or(message["tool_calls"][0]["id"].as_str()).unwrap_or("").to_owned()
    };
    let ids: Vec<String> = written.as_array().unwrap().iter().take(5).map(ids).collect();
    assert_eq!(ids, ["", "a", "c", "a", "c"]);
    assert_eq!(
        written[2]["content"],
        json!([{"type": "text", "text": "[stub]"}]),
        "the copy of the call goes, too"
    );
    assert_eq!(written[4]["content"], "[gone]");
}

#[test]
fn simulations_are_conversations_and_users_may_call() {
    let error = Session::read(TAU2, &CharRatioEstimator::default()).unwrap_err();
    assert_eq!(error.to_string(), "line 1: the file holds 2 conversations; choose one of them");
    let session = nth(TAU2, 0).unwrap();
    assert_eq!((session.format().name(), session.conversations()), ("tau2", 2));
    let turns = session.transcript().turns();
    let called = turns.iter().filter(|turn| turn.tool_call_id().is_some()).count();
    let by_user =
        turns.iter().filter(|turn| turn.role() == cutctx_types::Role::User && turn.tool_call_id().is_some());
    assert_eq!((called, by_user.count()), (7, 1));
    assert!(
        !turns.iter().rev().skip(1).any(|turn| turn.role() == cutctx_types::Role::Assistant && turn.pinned())
    );
    let other = nth(TAU2, 1).unwrap();
    let one = TAU2.replace(r#""simulations": ["#, r#""left_out": ["#);
    assert!(Session::read(one, &CharRatioEstimator::default()).is_err());
    let fates = vec![Fate::Kept; other.transcript().turns().len()];
    assert_eq!(other.render(&fates, &[]).unwrap().to_text(), TAU2);
}

#[test]
fn a_single_simulation_keeps_the_laws() {
    let mut results: Value = serde_json::from_str(TAU2).unwrap();
    results["simulations"].as_array_mut().unwrap().truncate(1);
    let session = read(results.to_string());
    assert!(session.transcript().turns().iter().any(TranscriptTurn::pinned));
    check_laws(&session, 0..200, "tau2");
}
