//! What is written where.

use cutctx_formats::Session;
use serde_json::Value;

use crate::examples::read;
use crate::laws::{Decision, render};

/// The file with one turn changed, as JSON.
fn changed(session: &Session, turns: &[(usize, Decision)]) -> Value {
    let mut decisions = vec![Decision::Keep; session.transcript().turns().len()];
    for (turn, decision) in turns {
        decisions[*turn] = decision.clone();
    }
    serde_json::from_str(&render(session, &decisions)).unwrap()
}

fn masked(text: &str) -> Decision {
    Decision::Mask(text.to_owned())
}

#[test]
fn openhands_copies_follow() {
    let written = changed(&read("openhands.json", 0), &[(3, masked("[gone]"))]);
    for event in [6, 8] {
        let message = &written[event]["tool_call_metadata"]["model_response"]["choices"][0]["message"];
        assert_eq!(message["content"], "[gone]");
        assert_eq!(message["tool_calls"][0]["function"]["arguments"], "{}");
        assert_eq!(message["tool_calls"][1]["function"]["arguments"], "{}");
    }
    assert_eq!(written[6]["args"]["thought"], "[gone]");
    assert_eq!(written[6]["args"]["command"], "cat gauges/level.py");
}

#[test]
fn the_marker_of_a_condensation_stays() {
    let session = read("openhands.json", 0);
    let written = changed(&session, &[(2, Decision::Drop)]);
    assert_eq!(written[5]["action"], "condensation");
    assert_eq!(written[5]["args"]["summary"], "");
}

#[test]
fn an_emptied_call_of_sharegpt_keeps_its_name() {
    let written = changed(&read("sharegpt.json", 0), &[(2, masked("[gone]")), (6, masked("[both]"))]);
    let value = |turn: usize| written[0]["conversations"][turn]["value"].as_str().unwrap().to_owned();
    assert_eq!(value(1), r#"{"name": "read_gauge", "arguments": {}, "content": "[gone]"}"#);
    let both: Value = serde_json::from_str(&value(5)).unwrap();
    assert_eq!(both[0]["content"], "[both]");
    assert_eq!(both[1]["arguments"], Value::Object(serde_json::Map::new()));
    assert_eq!(both[1]["name"], "read_gauge");
}

#[test]
fn a_message_of_letta_leaves_the_context_and_stays_stored() {
    let session = read("letta.af", 0);
    let written = changed(&session, &[(2, Decision::Fold("g1".into())), (3, Decision::Fold("g1".into()))]);
    let agent = &written["agents"][0];
    assert_eq!(agent["messages"].as_array().unwrap().len(), 9);
    let context = agent["in_context_message_ids"].as_array().unwrap();
    assert_eq!(context.len(), 5);
    assert_eq!(context[2], agent["messages"][8]["id"]);
    assert_eq!(agent["messages"][8]["role"], "user");
}

#[test]
fn json_inside_of_a_text_is_changed_inside_of_it() {
    let session = read("otel-genai.json", 0);
    let written = changed(&session, &[(3, masked("[gone]"))]);
    let inner = written[0]["attributes"]["ai.prompt.messages"].as_str().unwrap();
    let messages: Value = serde_json::from_str(inner).unwrap();
    assert_eq!(messages[3]["content"][0]["output"]["value"], "[gone]");
    assert_eq!(messages[3]["content"][1]["output"]["value"], "unknown river");
}

#[test]
fn steps_are_numbered_again() {
    let session = read("atif.json", 0);
    let fold = |turn| (turn, Decision::Fold("g1".into()));
    let written = changed(&session, &[fold(2), fold(3), fold(4), fold(5)]);
    let steps = written["steps"].as_array().unwrap();
    let numbers: Vec<u64> = steps.iter().map(|step| step["step_id"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert_eq!(steps[2]["source"], "user");
}

#[test]
fn a_repeated_call_of_langchain_is_emptied_in_both_places() {
    let written = changed(&read("langchain.json", 0), &[(2, masked("[gone]"))]);
    let kwargs = &written["messages"][2]["kwargs"];
    let empty = Value::Object(serde_json::Map::new());
    assert_eq!(kwargs["tool_calls"][0]["args"], empty);
    assert_eq!(kwargs["tool_calls"][1]["args"], empty);
    let content = kwargs["content"].as_array().unwrap();
    assert_eq!(content.iter().filter(|block| block["input"] == empty).count(), 2);
}

#[test]
fn other_conversations_stay_as_they_are() {
    let session = read("inspect.json", 0);
    let written = changed(&session, &[(3, masked("[gone]"))]);
    let before: Value = serde_json::from_str(session.text()).unwrap();
    assert_eq!(written["samples"][1], before["samples"][1]);
    assert_eq!(written["samples"][0]["messages"][3]["content"], "[gone]");
    assert_eq!(written["samples"][0]["events"], before["samples"][0]["events"]);
}

#[test]
fn calls_of_a_step_go_although_a_result_in_it_stays() {
    let file = r#"{"schema_version":"ATIF-v1.6","session_id":"s","agent":{"name":"a","version":"1"},"steps":[
        {"step_id":1,"source":"user","message":"how high?"},
        {"step_id":2,"source":"agent","message":"I ask.","tool_calls":[{"tool_call_id":"c1","function_name":"f","arguments":{}}],
         "observation":{"results":[{"source_call_id":"other","content":"of nobody's call"}]}},
        {"step_id":3,"source":"user","message":"and?"}]}"#;
    let session = Session::read(file, &cutctx_types::CharRatioEstimator::default()).unwrap();
    assert_eq!(session.transcript().turns().len(), 4);
    let written = changed(&session, &[(1, Decision::Drop)]);
    assert_eq!(written["steps"][1]["tool_calls"], Value::Array(Vec::new()));
    assert_eq!(written["steps"][1]["observation"]["results"][0]["content"], "of nobody's call");
}
