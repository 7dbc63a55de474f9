//! Codex rollouts: which lines are context, and what is written.

use core::cell::RefCell;

use cutctx_formats::{Fate, Observer, ReadRequest, Seen, Session, SummaryText};
use cutctx_messages::{CallState, PartView};
use cutctx_types::{Role, TranscriptTurn};
use serde_json::{Value, json};

use crate::laws::{check_laws, contents, read, render};
use crate::oracle::bold_decisions;

pub(crate) const EXAMPLE: &str = include_str!("../../../../examples/codex-rollout.jsonl");

fn line(kind: &str, payload: &Value) -> String {
    json!({"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}).to_string() + "\n"
}

fn item(item: &Value) -> String {
    line("response_item", item)
}

fn said(role: &str, text: &str) -> Value {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
}

fn call(id: &str) -> String {
    item(&json!({"type": "function_call", "name": "shell", "arguments": "{\"c\":1}", "call_id": id}))
}

fn output(id: &str) -> String {
    item(&json!({"type": "function_call_output", "call_id": id, "output": "r"}))
}

fn session(lines: &[String]) -> Session {
    let session = read(lines.concat());
    assert_eq!(session.format().name(), "codex-rollout");
    session
}

fn pins(session: &Session) -> Vec<bool> {
    session.transcript().turns().iter().map(TranscriptTurn::pinned).collect()
}

/// The context lines that a slow reader finds: the items of the lines from the last compaction on.
fn context(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut items = Vec::new();
    for line in lines {
        match line["type"].as_str() {
            Some("response_item") => items.push(line["payload"].clone()),
            Some("compacted") => {
                items = line["payload"]["replacement_history"].as_array().cloned().unwrap_or_default();
            }
            _ => {}
        }
    }
    items
}

#[test]
fn the_example_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!(session.format().name(), "codex-rollout");
    check_laws(&session, 0..200, "example");
    let ballast = |text: &str| {
        let is_context = |line: &&str| {
            line.contains(r#""type":"response_item""#)
                || line.contains(r#""type": "response_item""#)
                || line.contains("replacement_history")
        };
        text.lines().filter(|line| !is_context(line)).map(str::to_owned).collect::<Vec<_>>()
    };
    for seed in 0..400 {
        let decisions = bold_decisions(&session, seed);
        let written = render(&session, &decisions);
        assert_eq!(ballast(&written), ballast(EXAMPLE), "{seed}");
        let open = |items: &[Value]| {
            let count = |end: &str| {
                items
                    .iter()
                    .filter(|item| {
                        item["call_id"].is_string() && item["type"].as_str().unwrap().ends_with(end)
                    })
                    .count()
            };
            (count("_call"), count("_output"))
        };
        let ((calls, outputs), (old_calls, old_outputs)) =
            (open(&context(&written)), open(&context(EXAMPLE)));
        assert!(calls - outputs <= old_calls - old_outputs, "{seed}: {decisions:?}");
    }
}

#[test]
fn the_example_is_read_from_its_compaction_on_without_what_was_rolled_back() {
    let session = read(EXAMPLE);
    let texts = contents(&session);
    let begins = [
        "You are a coding agent",
        "<permissions",
        "<environment",
        "Tell me first",
        "Another model",
        "Gate two",
    ];
    for (text, begin) in texts.iter().zip(begins) {
        assert!(text.starts_with(begin), "{text}");
    }
    assert!(!texts.iter().any(|text| text.contains("Reading the pumps") || text.contains("Make it quicker")));
    assert_eq!(texts.last().map(String::as_str).map(|text| text.contains("run.py")), Some(true));
    let turns = session.transcript().turns();
    let pinned: Vec<bool> = turns.iter().take(6).map(TranscriptTurn::pinned).collect();
    assert_eq!(pinned, [false, false, true, false, false, false]);
    assert_eq!((turns[0].role(), turns[1].role()), (Role::System, Role::System));
    let newest = turns.iter().position(|turn| turn.content().as_ref() == "Then start the gates.").unwrap();
    assert!(turns[newest].pinned() && turns[newest + 1].pinned(), "the last call is open");
    let aborted = turns.iter().position(|turn| turn.content().contains("watch.py")).unwrap();
    assert!(!turns[aborted].pinned() && turns[aborted].tool_call_id().is_some());
}

#[test]
fn only_items_are_context_and_everything_else_stays() {
    let lines = [
        line("session_meta", &json!({"id": "x", "cwd": "/", "instructions": "not sent from here"})),
        item(&said("user", "u")),
        line("event_msg", &json!({"type": "user_message", "message": "u"})),
        line("turn_context", &json!({"cwd": "/", "model": "m"})),
        line("event_msg", &json!({"type": "token_count", "info": null})),
        item(&json!({"type": "ghost_snapshot", "ghost_commit": {}})),
        item(&json!({"type": "some_new_kind", "value": 1})),
        item(&json!({"type": "message", "role": "user"})),
        "\n".to_owned(),
        item(&said("assistant", "a")),
        line("world_state", &json!({})),
        "17\n".to_owned(),
    ];
    let session = session(&lines);
    assert_eq!(contents(&session), ["u", "a"]);
    let written = session.render(&[Fate::Kept, Fate::Dropped], &[]).unwrap().to_text();
    assert_eq!(written, [&lines[..9], &lines[10..]].concat().concat());
}

#[test]
fn a_summary_is_a_line_of_its_own_with_the_time_of_the_line_it_stands_before() {
    let session = session(&[
        item(&said("user", "u")),
        item(&said("assistant", "a")),
        item(&said("user", "v")),
        item(&said("assistant", "b")),
    ]);
    let fates = [Fate::Kept, Fate::SummarizedInto("g\"1"), Fate::Kept, Fate::Kept];
    let written = session.render(&fates, &[SummaryText { group: "g\"1", text: "s" }]).unwrap().to_text();
    let new: Value = serde_json::from_str(written.lines().nth(1).unwrap()).unwrap();
    let payload = json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "s"}], "summary_of": "g\"1"});
    assert_eq!(
        new,
        json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload})
    );
    let again = read(written);
    assert_eq!(
        (contents(&again), pins(&again)),
        (["u", "s", "v", "b"].map(str::to_owned).to_vec(), vec![true, false, true, false])
    );
}

#[test]
fn a_replacement_history_is_edited_in_its_place() {
    let history: Vec<Value> = ["h1", "h2", "h3"].map(|text| said("user", text)).to_vec();
    let session = session(&[
        item(&said("user", "old")),
        line("compacted", &json!({"message": "h3", "replacement_history": history})),
        item(&said("user", "u")),
        item(&said("assistant", "a")),
    ]);
    assert_eq!(
        (contents(&session), pins(&session)),
        (["h1", "h2", "h3", "u", "a"].map(str::to_owned).to_vec(), vec![false, false, false, true, false])
    );
    let summaries = [SummaryText { group: "g", text: "s" }];
    let (fold, drop, keep) = (Fate::SummarizedInto("g"), Fate::Dropped, Fate::Kept);
    let cases: [([Fate<'_>; 5], &[&str], usize); 5] = [
        ([keep, fold, keep, keep, keep], &["h1", "s", "h3", "u", "a"], 3),
        ([fold, keep, fold, keep, keep], &["s", "h2", "u", "a"], 2),
        ([fold, fold, fold, keep, fold], &["s", "u"], 1),
        ([drop, drop, drop, keep, keep], &["u", "a"], 0),
        ([keep, drop, drop, keep, fold], &["h1", "u", "s"], 1),
    ];
    for (fates, wanted, left) in cases {
        let written = session.render(&fates, &summaries).unwrap().to_text();
        assert_eq!(contents(&read(written.clone())), wanted, "{fates:?}");
        let marker: Value = serde_json::from_str(written.lines().nth(1).unwrap()).unwrap();
        assert_eq!(marker["payload"]["replacement_history"].as_array().unwrap().len(), left, "{fates:?}");
    }
}

#[test]
fn a_history_that_ends_the_file_takes_a_summary_and_a_stub() {
    let reasoning = json!({"type": "reasoning", "id": "rs", "summary": []});
    let call =
        json!({"type": "function_call", "id": "fc", "name": "n", "arguments": "{\"k\":1}", "call_id": "c"});
    let output = json!({"type": "function_call_output", "call_id": "c", "output": "r"});
    let history = json!([said("user", "h1"), said("user", "h2"), reasoning, call, output]);
    let text = line("compacted", &json!({"message": "", "replacement_history": history}));
    let session = read(text.trim_end());
    let fates = [Fate::SummarizedInto("g"), Fate::Kept, Fate::Masked("[stub]"), Fate::Masked("[gone]")];
    let written = session.render(&fates, &[SummaryText { group: "g", text: "s" }]).unwrap().to_text();
    assert_eq!(contents(&read(written)), ["s", "h2", "[stub]", "[gone]"]);
}

#[test]
fn an_old_compaction_is_a_summary_that_can_go_but_its_line_cannot() {
    let lines = [
        item(&said("user", "old")),
        line("compacted", &json!({"message": "what was"})),
        line("event_msg", &json!({"type": "context_compacted"})),
        item(&said("user", "u")),
    ];
    let session = session(&lines);
    assert_eq!(
        (contents(&session), pins(&session)),
        (["what was", "u"].map(str::to_owned).to_vec(), vec![false, true])
    );
    let dropped = session.render(&[Fate::Dropped, Fate::Kept], &[]).unwrap().to_text();
    assert_eq!(dropped, lines.concat().replace("what was", ""));
    assert_eq!(contents(&read(dropped)), ["u"]);
    let summary = [SummaryText { group: "g", text: "s" }];
    let folded = session.render(&[Fate::SummarizedInto("g"), Fate::Kept], &summary).unwrap().to_text();
    assert_eq!(contents(&read(folded)), ["s", "u"]);
    let empty =
        read([lines[0].clone(), line("compacted", &json!({"message": ""})), lines[3].clone()].concat());
    assert_eq!(contents(&empty), ["u"]);
}

/// The states that the file tells of calls.
#[derive(Default)]
struct States(RefCell<Vec<Option<CallState>>>);

impl Observer for States {
    fn message(&self, seen: &Seen<'_>) {
        let calls = seen
            .message
            .parts
            .iter()
            .filter_map(|part| if let PartView::ToolCall(call) = part { Some(call.state) } else { None });
        self.0.borrow_mut().extend(calls);
    }
}

#[test]
fn an_abort_ends_the_calls_of_its_turn_only() {
    let aborted = line("event_msg", &json!({"type": "turn_aborted", "reason": "interrupted"}));
    let lines = [item(&said("user", "u")), call("a"), call("b"), output("a"), aborted];
    assert_eq!(pins(&session(&lines)), [true, false, false], "an aborted call is not waited for");
    assert_eq!(pins(&session(&[&lines[..4]].concat())), [true, true, false], "an open one is");
    let states = States::default();
    let estimator = cutctx_types::CharRatioEstimator::default();
    let turns = [call("x"), item(&said("user", "u")), call("a"), lines[4].clone(), call("b")];
    let request = ReadRequest::new(&estimator).observed_by(&states);
    Session::read_with(None, turns.concat(), &request).unwrap();
    assert_eq!(states.0.into_inner(), [None, Some(CallState::Aborted), None]);
    let later = [&lines[..], &[item(&said("user", "v")), call("c")]].concat();
    assert_eq!(pins(&session(&later)), [true, false, false, true, true]);
}

#[test]
fn requests_that_were_rolled_back_are_no_context() {
    let back = |turns: usize| line("event_msg", &json!({"type": "thread_rolled_back", "num_turns": turns}));
    let lines = [
        item(&said("user", "<environment_context>")),
        item(&said("user", "u")),
        item(&said("assistant", "a")),
        item(&said("user", "v")),
        item(&said("user", "<turn_aborted>")),
        item(&said("assistant", "b")),
    ];
    let after = |turns| contents(&session(&[&lines[..], &[back(turns), item(&said("user", "w"))]].concat()));
    assert_eq!(after(1), ["<environment_context>", "u", "a", "w"]);
    assert_eq!(after(2), ["<environment_context>", "w"]);
    assert_eq!(after(0).len(), 7);
    assert_eq!(after(9), ["w"]);
}

#[test]
fn the_oldest_files_are_items_line_by_line() {
    let lines = [
        json!({"id": "x", "timestamp": "t", "instructions": null}).to_string() + "\n",
        json!({"record_type": "state"}).to_string() + "\n",
        said("user", "u").to_string() + "\n",
        json!({"type": "local_shell_call", "call_id": "c", "status": "completed", "action": {"type": "exec", "command": ["ls"]}}).to_string() + "\n",
        json!({"type": "function_call_output", "call_id": "c", "output": "r"}).to_string() + "\n",
        said("assistant", "a").to_string(),
    ];
    let session = session(&lines);
    assert_eq!(contents(&session), ["u", "[call local_shell [\"ls\"]]", "r", "a"]);
    let fates = [Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::SummarizedInto("g")];
    let written = session.render(&fates, &[SummaryText { group: "g", text: "s" }]).unwrap().to_text();
    let new: Value = serde_json::from_str(written.lines().last().unwrap()).unwrap();
    assert_eq!((new["summary_of"].as_str(), &new["payload"]), (Some("g"), &Value::Null));
    assert_eq!(contents(&read(written)), ["u", "s"]);
}

#[test]
fn an_output_without_its_call_is_an_exchange_of_its_own() {
    let orphan = item(&json!({"type": "custom_tool_call_output", "call_id": "c", "output": "r"}));
    let session = session(&[item(&said("user", "u")), orphan, item(&said("assistant", "a"))]);
    assert_eq!(session.transcript().turns()[1].tool_call_id(), None);
    assert_eq!(session.violations(), [], "Codex leaves it out by itself");
}

#[test]
fn a_line_that_is_no_json_is_an_error_with_its_place() {
    let text = item(&said("user", "u")) + "{\"timestamp\":\"t\",\n" + &item(&said("assistant", "a"));
    let error = Session::read(text, &cutctx_types::CharRatioEstimator::default()).unwrap_err();
    assert!(error.to_string().starts_with("line 2: "), "{error}");
}
