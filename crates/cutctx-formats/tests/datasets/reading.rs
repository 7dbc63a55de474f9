//! What of a file is context, and who says it.

use cutctx_formats::Session;
use cutctx_types::{CharRatioEstimator, PartKind, Role};

use crate::examples::{example, outline, read};
use crate::laws::{self, contents};

#[test]
fn a_command_in_a_text_is_a_call_and_the_next_message_its_result() {
    let session = read("swe-agent.traj", 0);
    assert_eq!(outline(&session), "suu!atatata!");
    let turns = session.transcript().turns();
    assert!(turns[1].content().starts_with("Here is how another issue"));
    assert_eq!(turns[4].tool_name(), Some("open"));
    assert_eq!(turns[4].tool_call_id(), turns[3].tool_call_id());
    assert_ne!(turns[4].tool_call_id(), turns[6].tool_call_id());
    assert_eq!(outline(&read("mini-swe-agent.traj.json", 0)), "su!atatatat");
}

#[test]
fn calls_with_ids_are_paired_by_them() {
    let session = read("swe-agent-calls.traj", 0);
    assert_eq!(outline(&session), "su!atatata!");
    let turns = session.transcript().turns();
    let kinds: Vec<_> = turns[2].parts().iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::OpaqueReasoning, PartKind::Text, PartKind::CallArguments]);
    assert_eq!(turns[3].tool_name(), Some("find_file"));
}

#[test]
fn what_openhands_forgot_is_no_context() {
    let session = read("openhands.json", 0);
    // The summary, two calls of one response with their results, an edit, a thought, two messages, an open call.
    assert_eq!(outline(&session), "su!uattatatau!a!");
    let turns = session.transcript().turns();
    assert_eq!(turns[2].content().as_ref(), "The folder gauges has level.py and parse.py.");
    assert_eq!(turns[4].tool_call_id(), turns[3].tool_call_id());
    assert_eq!(turns[5].tool_call_id(), turns[3].tool_call_id());
    assert_eq!(turns[3].content().matches("Both at once.").count(), 1);
    assert_eq!(turns[8].content().matches("One test is older").count(), 1);
    assert!(turns[1].content().contains("[image"));
}

#[test]
fn evaluations_of_openhands_hold_a_conversation_each() {
    assert_eq!(outline(&read("openhands-output.jsonl", 0)), "u!atata");
    assert_eq!(outline(&read("openhands-output.jsonl", 1)), "u!ata");
    let session = read("openhands-output.jsonl", 1);
    let last = session.transcript().turns().last().unwrap();
    assert_eq!(last.content().as_ref(), "It was not there.Nothing to do.");
}

#[test]
fn a_function_call_in_a_value_is_a_call() {
    let session = read("sharegpt.json", 0);
    assert_eq!(outline(&session), "su!atauatau!a!");
    let turns = session.transcript().turns();
    assert_eq!(turns[2].content().as_ref(), r#"[call read_gauge {"gauge":7}]"#);
    assert_eq!(turns[3].tool_name(), Some("read_gauge"));
    assert_eq!(turns[6].parts().len(), 2);
    let parts = r#"[{"messages":[{"role":"user","content":[{"type":"text","value":"Hello."}]}]}]"#;
    let session = laws::read(parts);
    assert_eq!(session.format().name(), "sharegpt");
    assert_eq!(session.transcript().turns()[0].content().as_ref(), "Hello.");
}

#[test]
fn the_last_step_of_a_trae_agent_is_the_conversation() {
    let session = read("trae-agent.json", 0);
    assert_eq!(outline(&session), "su!atta!t!");
}

#[test]
fn only_what_letta_has_in_context_is_read() {
    let session = read("letta.af", 0);
    assert_eq!(outline(&session), "su!ataa!");
    assert!(!session.transcript().turns().iter().any(|turn| turn.content().contains("summarized away")));
}

#[test]
fn samples_and_records_and_spans_are_conversations() {
    assert_eq!(outline(&read("inspect.json", 0)), "su!atta");
    assert_eq!(outline(&read("inspect.json", 1)), "u!a");
    assert_eq!(outline(&read("toolbench.json", 1)), "su!atatu!a!");
    assert_eq!(outline(&read("autogen.json", 0)), "su!attatau!");
    assert_eq!(outline(&read("autogen.json", 1)), "su!");
    assert_eq!(outline(&read("otel-genai.json", 0)), "su!attau!");
    assert_eq!(outline(&read("otel-genai.json", 1)), "su!atau!");
    assert_eq!(outline(&read("otel-genai.json", 2)), "su!atu!");
    assert_eq!(outline(&read("otel-genai-otlp.json", 0)), "u!atau!");
}

#[test]
fn failures_are_told_and_results_stand_alone() {
    let session = read("autogen.json", 0);
    let turns = session.transcript().turns();
    assert_eq!(turns[4].content().as_ref(), "unknown river");
    assert_eq!(turns[4].role(), Role::Tool);
    assert_eq!(turns[2].parts()[0].kind, PartKind::Reasoning);
}

#[test]
fn what_adk_compacted_is_no_context() {
    let session = read("google-adk.session.json", 0);
    assert_eq!(outline(&session), "au!attau!a!");
    assert_eq!(session.transcript().turns()[0].content().as_ref(), "They spoke about an early question.");
}

#[test]
fn dumps_of_langchain_pair_by_id_in_any_form() {
    let session = read("langchain.json", 0);
    assert_eq!(outline(&session), "su!attatau!");
    let call = &session.transcript().turns()[2];
    assert_eq!(call.content().matches("[call levels").count(), 2);
    assert_eq!(outline(&read("langchain.jsonl", 0)), "su!atau!");
    let flat = r#"{"messages":[[{"type":"human","content":"a"}],[{"type":"human","content":"b"},{"type":"ai","content":"c"}]]}"#;
    let error = Session::read(flat, &CharRatioEstimator::default()).unwrap_err();
    assert_eq!(error.to_string(), "line 1: the file holds 2 conversations; choose one of them");
}

#[test]
fn steps_hold_calls_and_results() {
    let session = read("atif.json", 0);
    assert_eq!(outline(&session), "su!attau!ata");
    let turns = session.transcript().turns();
    assert_eq!(turns[8].tool_name(), Some("read"));
    let ironclaw = read("ironclaw.json", 0);
    assert_eq!(outline(&ironclaw), "u!attau!a");
    let exchanges: Vec<_> = ironclaw.transcript().turns().iter().map(|turn| turn.tool_call_id()).collect();
    assert!(exchanges[1].is_some() && exchanges[1] == exchanges[2] && exchanges[1] == exchanges[3]);
}

#[test]
fn a_result_without_an_id_answers_the_oldest_open_call_of_the_tool_that_it_names() {
    let step = |response: serde_json::Value| serde_json::json!({"response": response});
    let call = |id: &str, name: &str| serde_json::json!({"id": id, "name": name, "arguments": {}});
    let input = |text: &str| step(serde_json::json!({"type": "user_input", "content": text}));
    let file = serde_json::json!({"model_name": "m", "steps": [
        input("Which?"),
        step(serde_json::json!({"type": "tool_calls", "tool_calls": [call("c1", "look"), call("c2", "read")]})),
        input("[Tool `read` returned: two]"),
        input("no frame"),
        input("and now a person"),
    ]});
    let session = Session::read(file.to_string(), &CharRatioEstimator::default()).unwrap();
    assert_eq!(outline(&session), "u!attu!");
    assert!(session.violations().is_empty() && session.inventory().unwrap().open_calls.is_empty());
}

#[test]
fn refusals_say_what_is_missing() {
    let cases = [
        (
            r#"{"environment":"e","trajectory":[]}"#,
            "line 1: record 0 cannot be read as swe-agent: its field `history`",
        ),
        (
            r#"{"answer_generation":{}}"#,
            "the ToolBench answer of a search that left no messages to train on, which is no session",
        ),
        (
            r#"{"version":2,"status":"started","eval":{}}"#,
            "the frame of an Inspect log, without its samples, which is no session",
        ),
        (
            r#"[{"name":"a","spanContext":{},"attributes":{"http.url":"x"}}]"#,
            "the spans of a program, without messages of a model, which is no session",
        ),
        (r#"{"llm_interactions":[]}"#, "a trajectory of Trae agent's Python edition"),
        (
            r#"{"agents":[{"agent_type":"x","messages":[]}]}"#,
            "cannot be read as letta: its field `in_context_message_ids`",
        ),
        (
            r#"[{"conversations":[{"from":"ghost","value":"a"}]}]"#,
            "record 0 cannot be read as sharegpt: its role",
        ),
    ];
    for (text, wanted) in cases {
        let error = Session::read(text, &CharRatioEstimator::default()).unwrap_err().to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
}

#[test]
fn secrets_of_an_agent_are_never_shown() {
    let text = example("letta.af").replace(r#""secrets": null"#, r#""secrets": {"KEY": "hush"}"#);
    let session = laws::read(text.clone());
    assert!(!contents(&session).concat().contains("hush"));
    let broken = text.replace("in_context_message_ids", "ids");
    let error = Session::read(broken, &CharRatioEstimator::default()).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("hush"));
}
