//! Kinds of faults, each with what becomes of it.

use crate::laws::repaired;
use cutctx_formats::repair::{Repair, RepairKind, RepairOptions, Unrepairable};
use cutctx_formats::{Format, Session, format_named};
use cutctx_types::CharRatioEstimator;
use serde_json::{Value, json};

fn format(name: &str) -> &'static dyn Format {
    format_named(name).unwrap()
}

fn mended(name: &str, document: &Value) -> (Value, Vec<RepairKind>) {
    let repair = repaired(format(name), &document.to_string(), &RepairOptions::new());
    assert!(repair.left().is_empty(), "{:?}", repair.left());
    (serde_json::from_str(repair.text()).unwrap(), kinds(&repair))
}

fn kinds(repair: &Repair) -> Vec<RepairKind> {
    repair.changes().iter().map(|change| change.kind).collect()
}

fn call(id: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "look", "arguments": "{}"}})
}

fn calls(ids: &[&str]) -> Value {
    json!({"role": "assistant", "content": null, "tool_calls": ids.iter().map(|id| call(id)).collect::<Vec<_>>()})
}

fn result(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": format!("from {id}")})
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn note(id: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id,
        "content": "This call was not completed: no result was recorded."})
}

#[test]
fn a_call_that_was_left_behind_gets_an_answer() {
    let broken = json!([user("u"), calls(&["a", "b"]), result("b"), user("v")]);
    let (chat, kinds) = mended("openai-chat", &broken);
    assert_eq!(chat, json!([user("u"), calls(&["a", "b"]), result("b"), note("a"), user("v")]));
    assert_eq!(kinds, [RepairKind::AnsweredCall]);
}

#[test]
fn parallel_calls_that_were_split_get_their_results_each() {
    let broken = json!([user("u"), calls(&["a"]), calls(&["b"]), result("a"), result("b"), user("v")]);
    let (chat, kinds) = mended("openai-chat", &broken);
    let sound = json!([user("u"), calls(&["a"]), result("a"), calls(&["b"]), result("b"), user("v")]);
    assert_eq!((chat, kinds), (sound, vec![RepairKind::MovedResult]));
}

#[test]
fn a_result_before_its_call_is_put_behind_it() {
    let broken = json!([user("u"), result("a"), calls(&["a"]), user("v")]);
    let (chat, kinds) = mended("openai-chat", &broken);
    assert_eq!(chat, json!([user("u"), calls(&["a"]), result("a"), user("v")]));
    assert_eq!(kinds, [RepairKind::MovedResult]);
}

#[test]
fn of_two_results_the_first_stays_and_orphans_go() {
    let broken = json!([user("u"), calls(&["a"]), result("a"), result("a"), result("x"), user("v")]);
    let (chat, kinds) = mended("openai-chat", &broken);
    assert_eq!(chat, json!([user("u"), calls(&["a"]), result("a"), user("v")]));
    assert_eq!(kinds, [RepairKind::RemovedDuplicateResult, RepairKind::RemovedOrphanResult]);
}

#[test]
fn a_pinned_orphan_is_a_conflict_and_stays() {
    let document = json!([user("u"), result("x"), user("v")]).to_string();
    let repair = repaired(format("openai-chat"), &document, &RepairOptions::new().pinning([1]));
    assert!(repair.is_unchanged());
    let reasons: Vec<Unrepairable> = repair.left().iter().map(|left| left.reason).collect();
    assert_eq!(reasons, [Unrepairable::Pinned]);
}

#[test]
fn a_pin_holds_while_what_stands_before_it_goes() {
    let document = json!([user("u"), result("x"), user("v"), result("y"), user("w")]).to_string();
    let session = Session::read(document.clone(), &CharRatioEstimator::default()).unwrap();
    let repair = session.repair(&RepairOptions::new().pinning([3])).unwrap();
    assert_eq!(kinds(&repair), [RepairKind::RemovedOrphanResult]);
    assert_eq!(repair.left()[0].violation.call_id.as_deref(), Some("y"));
    assert!(document.split_at(repair.left()[0].violation.offset).1.starts_with(&result("y").to_string()));
}

#[test]
fn an_open_call_stays_open_unless_it_is_closed() {
    let document = json!([user("u"), calls(&["a"])]).to_string();
    let repair = repaired(format("openai-chat"), &document, &RepairOptions::new());
    assert_eq!((repair.is_unchanged(), repair.left()[0].reason), (true, Unrepairable::OpenCall));
    let repair = repaired(format("openai-chat"), &document, &RepairOptions::new().closing_open_calls());
    assert_eq!((kinds(&repair), repair.left().len()), (vec![RepairKind::ClosedCall], 0));
}

#[test]
fn only_the_touched_records_change() {
    let document = "[ {\"role\":\"user\" , \"content\":\"u\", \"n\": 1.50},\n  {\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"\"},\n  {\"role\":\"assistant\",\"content\":\"\\u0061\"} ]\n";
    let repair = repaired(format("openai-chat"), document, &RepairOptions::new());
    let left = "[ {\"role\":\"user\" , \"content\":\"u\", \"n\": 1.50},\n  {\"role\":\"assistant\",\"content\":\"\\u0061\"} ]\n";
    assert_eq!(repair.text(), left);
    assert_eq!((repair.changes()[0].line, repair.changes()[0].call_id.as_deref()), (2, Some("x")));
}

fn uses(ids: &[&str]) -> Value {
    let uses = ids.iter().map(|id| json!({"type": "tool_use", "id": id, "name": "look", "input": {}}));
    json!({"role": "assistant", "content": uses.collect::<Vec<_>>()})
}

fn given(ids: &[&str]) -> Value {
    let given = ids
        .iter()
        .map(|id| json!({"type": "tool_result", "tool_use_id": id, "content": format!("from {id}")}));
    json!({"role": "user", "content": given.collect::<Vec<_>>()})
}

#[test]
fn split_results_are_put_together_and_come_first() {
    let mut late = given(&["b"]);
    late["content"].as_array_mut().unwrap().insert(0, json!({"type": "text", "text": "look here"}));
    let broken = json!([user("u"), uses(&["a", "b"]), given(&["a"]), late, uses(&["c"]), given(&["c"])]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    let first: Vec<&str> = messages[2]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block["tool_use_id"].as_str().unwrap())
        .collect();
    assert_eq!(first.len(), 2);
    assert_eq!(messages[3]["content"], json!([{"type": "text", "text": "look here"}]));
    assert!(kinds.iter().all(|kind| *kind == RepairKind::MovedResult), "{kinds:?}");
}

#[test]
fn a_call_that_a_person_talked_over_is_answered_before_what_was_said() {
    let broken = json!([user("u"), uses(&["a"]), user("stop")]);
    let (messages, _) = mended("anthropic-messages", &broken);
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "a");
    assert_eq!(messages[3], user("stop"));
}

#[test]
fn blank_texts_and_empty_messages_go() {
    let mut blank = uses(&["a"]);
    blank["content"].as_array_mut().unwrap().insert(0, json!({"type": "text", "text": " \n"}));
    let broken = json!([user("u"), blank, given(&["a"]), {"role": "assistant", "content": []}, user("v")]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    assert_eq!(messages, json!([user("u"), uses(&["a"]), given(&["a"]), user("v")]));
    assert_eq!(kinds, [RepairKind::RemovedBlankText, RepairKind::RemovedEmptyMessage]);
}

#[test]
fn reasoning_goes_as_a_whole_with_its_turn() {
    let thinks = |signature: &str| json!({"type": "thinking", "thinking": "hm", "signature": signature});
    let mut one = uses(&["a"]);
    one["content"].as_array_mut().unwrap().insert(0, thinks("sig"));
    let mut two = uses(&["b"]);
    two["content"].as_array_mut().unwrap().insert(0, thinks(""));
    let broken = json!([user("u"), one, given(&["a"]), two, given(&["b"])]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    assert_eq!(messages, json!([user("u"), uses(&["a"]), given(&["a"]), uses(&["b"]), given(&["b"])]));
    assert_eq!(kinds, [RepairKind::RemovedReasoning; 2]);
}

#[test]
fn ids_are_spelled_anew_in_calls_and_results() {
    let broken = json!([
        user("u"),
        uses(&["a.1"]),
        given(&["a.1"]),
        uses(&["b"]),
        given(&["b"]),
        uses(&["b"]),
        given(&["b"])
    ]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    assert_eq!(messages[1]["content"][0]["id"], "a_1");
    assert_eq!(messages[2]["content"][0]["tool_use_id"], "a_1");
    assert_eq!(messages[5]["content"][0]["id"], messages[6]["content"][0]["tool_use_id"]);
    assert_ne!(messages[5]["content"][0]["id"], "b");
    assert_eq!(kinds, [RepairKind::RenamedCall; 2]);
}

#[test]
fn a_lost_beginning_gets_one() {
    let broken = json!([{"role": "assistant", "content": "hello"}, user("v")]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    assert_eq!((messages[0]["role"].as_str(), kinds), (Some("user"), vec![RepairKind::AddedOpening]));
}

#[test]
fn of_too_many_cache_marks_the_last_stay() {
    let marked =
        |n: usize| json!({"type": "text", "text": format!("t{n}"), "cache_control": {"type": "ephemeral"}});
    let broken = json!([{"role": "user", "content": (0..6).map(marked).collect::<Vec<_>>()}]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    let marks: Vec<bool> = messages[0]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| block.get("cache_control").is_some())
        .collect();
    assert_eq!(marks, [false, false, true, true, true, true]);
    assert_eq!(kinds, [RepairKind::RemovedCacheMark; 2]);
}

#[test]
fn responses_lose_orphans_copies_and_stray_reasoning() {
    let broken = json!({"model": "m", "input": [
        {"role": "user", "content": "u"},
        {"type": "function_call_output", "call_id": "x", "output": "o"},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "look", "arguments": "{}"},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "look", "arguments": "{}"},
        {"role": "user", "content": "v"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"role": "user", "content": "w"}]});
    let (request, _) = mended("openai-responses", &broken);
    let kinds: Vec<&str> = request["input"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["type"].as_str().unwrap_or("message"))
        .collect();
    assert_eq!(kinds, ["message", "function_call", "function_call_output", "message", "message"]);
}

#[test]
fn empty_results_and_wrong_arguments_get_what_they_need() {
    let broken = json!([user("u"), calls(&["a"]), {"role": "tool", "tool_call_id": "a"}, user("v")]);
    let (chat, kinds) = mended("openai-chat", &broken);
    assert_eq!((&chat[2]["content"], kinds), (&json!("(no output)"), vec![RepairKind::FilledResult]));
    let mut wrong = uses(&["a", "b"]);
    wrong["content"][0]["input"] = json!("{\"n\": 1}");
    wrong["content"][1]["input"] = json!([1]);
    let mut given = given(&["a", "b"]);
    given["content"][0]["content"] = json!([{"type": "text", "text": ""}, {"type": "text", "text": "x"}]);
    let (messages, kinds) = mended("anthropic-messages", &json!([user("u"), wrong, given]));
    assert_eq!(messages[1]["content"][0]["input"], json!({"n": 1}));
    assert_eq!(messages[1]["content"][1]["input"], json!({"unparsed_arguments": [1]}));
    assert_eq!(messages[2]["content"][0]["content"], json!([{"type": "text", "text": "x"}]));
    let wanted = [RepairKind::WrappedArguments, RepairKind::WrappedArguments, RepairKind::FilledResult];
    assert_eq!(kinds, wanted);
}

#[test]
fn what_the_model_is_to_go_on_with_is_trimmed() {
    let broken = json!([user("u"), {"role": "assistant", "content": "so: \n"}]);
    let (messages, kinds) = mended("anthropic-messages", &broken);
    assert_eq!((&messages[1]["content"], kinds), (&json!("so:"), vec![RepairKind::TrimmedText]));
}

#[test]
fn a_providers_own_tool_goes_when_its_partner_is_gone() {
    let search = |id: &str| json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {}});
    let found = |id: &str| json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []});
    let said = json!({"type": "text", "text": "there"});
    for content in
        [json!([search("s"), said]), json!([found("s"), said]), json!([search("s"), found("t"), said])]
    {
        let broken = json!([user("u"), {"role": "assistant", "content": content}, user("v")]);
        let (messages, kinds) = mended("anthropic-messages", &broken);
        assert_eq!(messages[1]["content"], json!([said]));
        assert!(kinds.iter().all(|kind| *kind == RepairKind::RemovedServerPart), "{kinds:?}");
    }
}

#[test]
fn sides_that_do_not_take_turns_are_joined() {
    let Some(bedrock) = format_named("bedrock-converse") else {
        println!("SKIPPED: there is no format bedrock-converse");
        return;
    };
    let said = |role: &str, text: &str| json!({"role": role, "content": [{"text": text}]});
    let document =
        json!([said("user", "u"), said("user", "v"), said("assistant", "a"), said("assistant", "b")]);
    let repair = repaired(bedrock, &document.to_string(), &RepairOptions::new());
    let joined = json!([{"role": "user", "content": [{"text": "u"}, {"text": "v"}]},
        {"role": "assistant", "content": [{"text": "a"}, {"text": "b"}]}]);
    assert_eq!(serde_json::from_str::<Value>(repair.text()).unwrap(), joined);
    assert_eq!(kinds(&repair), [RepairKind::JoinedMessages; 2]);
}

#[test]
fn a_response_that_is_no_object_becomes_one() {
    let Some(gemini) = format_named("gemini-contents") else {
        println!("SKIPPED: there is no format gemini-contents");
        return;
    };
    let document = json!({"contents": [
        {"role": "user", "parts": [{"text": "u"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "look", "args": {}}}, {"functionCall": {"name": "look", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": "x"}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"output": "y"}}}]}]});
    let repair = repaired(gemini, &document.to_string(), &RepairOptions::new());
    assert!(repair.left().is_empty(), "{:?}", repair.left());
    let mended: Value = serde_json::from_str(repair.text()).unwrap();
    let parts = mended["contents"][2]["parts"].as_array().unwrap();
    let responses: Vec<&Value> =
        parts.iter().map(|part| &part["functionResponse"]["response"]["output"]).collect();
    assert!(responses.contains(&&json!("x")) && responses.contains(&&json!("y")), "{responses:?}");
    assert_eq!(mended["contents"].as_array().unwrap().len(), 3);
}

/// A line of Claude Code.
fn line(uuid: &str, parent: &Value, kind: &str, content: &Value) -> String {
    let message = json!({"id": uuid, "role": kind, "content": content});
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": message})
        .to_string()
}

#[test]
fn a_session_of_claude_code_loses_results_that_answer_nothing() {
    let orphan = json!([{"type": "tool_result", "tool_use_id": "toolu_9", "content": "r"}]);
    let lines = [
        line("a", &Value::Null, "user", &json!("u")),
        line("b", &json!("a"), "assistant", &json!([{"type": "text", "text": "yes"}])),
        line("c", &json!("b"), "user", &orphan),
        line("d", &json!("c"), "assistant", &json!([{"type": "text", "text": "done"}])),
    ];
    let file = lines.map(|line| line + "\n").concat();
    let repair = repaired(format("claude-code"), &file, &RepairOptions::new());
    assert_eq!(kinds(&repair), [RepairKind::RemovedOrphanResult]);
    assert!(repair.left().is_empty() && repair.text().lines().count() == 3, "{}", repair.text());
}

#[test]
fn calls_of_claude_code_are_answered_on_a_line_of_their_own_in_the_branch() {
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "look", "input": {}});
    let lines = [
        line("a", &Value::Null, "user", &json!("u")),
        line("b", &json!("a"), "assistant", &json!([call("toolu_1"), call("toolu_2")])),
        line(
            "c",
            &json!("b"),
            "user",
            &json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}]),
        ),
        line("d", &json!("c"), "user", &json!("never mind")),
        line("e", &json!("d"), "assistant", &json!([call("toolu_3")])),
        line("f", &json!("e"), "user", &json!("stop")),
        line("g", &json!("f"), "assistant", &json!([call("toolu_4")])),
    ];
    let file = lines.map(|line| line + "\n").concat();
    let repair = repaired(format("claude-code"), &file, &RepairOptions::new());
    assert_eq!(kinds(&repair), [RepairKind::AnsweredCall; 2]);
    let reasons: Vec<Unrepairable> = repair.left().iter().map(|left| left.reason).collect();
    assert_eq!(reasons, [Unrepairable::OpenCall]);
    let records: Vec<Value> = repair.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(records.len(), 9);
    for (at, record) in records.iter().enumerate().skip(1) {
        assert_eq!(record["parentUuid"], records[at - 1]["uuid"], "{record}");
    }
    assert_eq!(records[2]["message"]["content"][0]["tool_use_id"], "toolu_2");
    assert_eq!(records[6]["message"]["content"][0]["tool_use_id"], "toolu_3");
    assert_eq!(records[6]["message"]["content"][0]["is_error"], true);

    let closed = repaired(format("claude-code"), &file, &RepairOptions::new().closing_open_calls());
    assert_eq!(kinds(&closed), [RepairKind::AnsweredCall, RepairKind::AnsweredCall, RepairKind::ClosedCall]);
    assert!(closed.left().is_empty() && closed.text().lines().count() == 10);
}

#[test]
fn one_id_for_every_call_is_spelled_anew_in_the_time_of_other_ids() {
    let rounds = 4_000;
    let call = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "one", "name": "look", "input": {}}]});
    let result =
        json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "one", "content": "r"}]});
    let mut messages = vec![user("u")];
    messages.extend((0..rounds).flat_map(|_| [call.clone(), result.clone()]));
    let (mended, kinds) =
        mended("anthropic-messages", &json!({"model": "claude-sonnet-4-5", "messages": messages}));
    assert_eq!(kinds.len(), rounds - 1);
    let ids = |member: &str| -> alloc::collections::BTreeSet<String> {
        let blocks =
            mended["messages"].as_array().unwrap().iter().map(|message| &message["content"][0][member]);
        blocks.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    assert_eq!((ids("id").len(), ids("id")), (rounds, ids("tool_use_id")));
}
