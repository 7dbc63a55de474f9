//! `PromptCacheCompactor`.

use alloc::sync::Arc;

use cutctx_context::{CompactionRequest, ContextCompactor, ModelRequest, Session};
use cutctx_messages::{CleanText, Message, SpokenText};
use cutctx_models::{CachePrefixBuilder, PromptCacheCompactor, RetryPolicy};
use serde_json::{Value, json};

use crate::script::{check_result, code_of, object, run};
use crate::shared::cases;

#[derive(Debug)]
struct Sent(Option<ModelRequest>);

impl CachePrefixBuilder for Sent {
    fn build(&self, _: &[Message]) -> Option<ModelRequest> {
        self.0.clone()
    }
}

fn clean(text: &Value) -> CleanText {
    CleanText::new(text.as_str().unwrap()).unwrap()
}

fn messages(value: &Value) -> Vec<Message> {
    serde_json::from_value(value.clone()).unwrap()
}

/// What was sent last. Our tool for forms of answers has another name.
fn sent(value: &Value) -> Option<ModelRequest> {
    let named = value["tools"].to_string().replace("__cayu_", "__cutctx_");
    let tools: Vec<Value> = serde_json::from_str(&named).ok()?;
    Some(
        ModelRequest::new(messages(&value["messages"]))
            .with_model(clean(&value["model"]))
            .with_tools(tools.iter().map(object).collect::<Vec<_>>())
            .with_options(object(&value["options"])),
    )
}

fn compactor(input: &Value) -> PromptCacheCompactor {
    let config = &input["config"];
    let mut compactor = PromptCacheCompactor::new(CleanText::new("fake").unwrap())
        .with_agent_options(object(&input["agent_provider_options"]))
        .with_prefix_builder(Arc::new(Sent(sent(&input["cache_prefix_request"]))))
        .with_retry_policy(RetryPolicy::default().without_delay());
    if let Some(options) = config.get("options") {
        compactor = compactor.with_options(object(options));
    }
    if let Some(model) = config.get("model") {
        compactor = compactor.with_model(clean(model));
    }
    compactor
}

fn request(input: &Value) -> CompactionRequest {
    let session = Session::new("sess-1", "agent").unwrap();
    let session = session.with_model(clean(&input["session_provider"]), clean(&input["session_model"]));
    let mut request = CompactionRequest::new(session, messages(&input["messages"]));
    request.existing_summary = input["existing_summary"].as_str().map(|text| SpokenText::new(text).unwrap());
    request.force_bounded_compaction = input["force_bounded"] == true;
    let prefix = &input["cache_prefix_request"]["messages"];
    request.cache_prefix = (!prefix.is_null()).then(|| messages(prefix).into());
    request
}

fn shape(call: &ModelRequest) -> Value {
    let roles: Vec<&str> = call.messages.iter().map(|message| message.role().as_str()).collect();
    json!({"model": call.model.as_deref(), "message_roles": roles, "tools": call.tools.len(), "options": call.options})
}

fn check(case: &Value) {
    let (name, input, output) = (case["name"].as_str().unwrap(), &case["input"], &case["output"]);
    let (outcome, calls) = run(compactor(input).begin(&request(input)), &input["script"], "cached summary");
    let shapes: Vec<Value> = calls.iter().map(shape).collect();
    assert_eq!(Value::from(shapes), output["calls"], "{name}");
    match outcome {
        Err(failure) => assert_eq!(output["error"]["code"], code_of(&failure), "{name}: {failure}"),
        Ok(result) => {
            check_result(name, &result, output);
            let metadata = serde_json::to_value(&result.metadata).unwrap();
            for key in ["prompt_cache_exact_attempt", "prompt_cache_compaction"] {
                assert_eq!(metadata[key], output[key], "{name}: {key}");
            }
            let outcomes: Vec<Value> = result
                .model_completed_payloads
                .iter()
                .map(|payload| serde_json::to_value(payload).unwrap()["compaction_outcome"].clone())
                .collect();
            assert_eq!(Value::from(outcomes), output["outcomes"], "{name}");
        }
    }
}

#[test]
fn every_case_agrees() {
    let Some(cases) = cases("PromptCacheCompactor.compact.json") else { return };
    cases.iter().for_each(check);
    eprintln!("PromptCacheCompactor: {} cases agree", cases.len());
    assert!(cases.len() >= 13);
}
