//! `ModelCompactor`.

use cutctx_context::{
    CompactionInstructions, CompactionRequest, ContextCompactor, ModelRequest, Session, SettingError,
};
use cutctx_messages::{CleanText, SpokenText};
use cutctx_models::{ModelCompactor, RetryPolicy};
use cutctx_types::{Role, Sha256Digest};
use serde_json::Value;

use crate::script::{check_result, code_of, object, run, said};
use crate::shared::cases;

fn compactor(config: &Value) -> Result<ModelCompactor, SettingError> {
    let clean = |text: &str| CleanText::new(text).unwrap();
    let mut compactor = ModelCompactor::new(clean("fake"), clean("sum-model"))
        .with_retry_policy(RetryPolicy::default().without_delay())
        .with_retry_empty_summaries(config["retry_empty_summaries"] == true);
    if let Some(most) = config.get("max_input_chars") {
        let most = most.as_u64().map(|most| usize::try_from(most).unwrap());
        compactor = compactor.with_max_input_chars(most)?;
    }
    if let Some(most) = config["max_hierarchy_calls"].as_u64() {
        compactor = compactor.with_max_hierarchy_calls(u32::try_from(most).unwrap())?;
    }
    if let Some(options) = config.get("options") {
        compactor = compactor.with_options(object(options));
    }
    Ok(compactor)
}

fn request(input: &Value) -> CompactionRequest {
    let text = |name: &str| input[name].as_str().unwrap();
    let session = Session::new(text("session_id"), text("agent_name")).unwrap();
    let messages: Vec<cutctx_messages::Message> = serde_json::from_value(input["messages"].clone()).unwrap();
    let mut request = CompactionRequest::new(session, messages);
    if let Some(existing) = input["existing_summary"].as_str() {
        request = request.with_existing_summary(SpokenText::new(existing).unwrap());
    }
    if let Some(instructions) = input["instructions"].as_str() {
        request = request.with_instructions(CompactionInstructions::new(instructions).unwrap());
    }
    request
}

/// Texts that show objects of tool calls differ: the reference writes them as Python does.
fn shows_objects(input: &Value) -> bool {
    let text = input["messages"].to_string();
    text.contains("\"tool_call\"") || text.contains("\"file\"")
}

fn check_calls(name: &str, calls: &[ModelRequest], expected: &Value, portable: bool) {
    assert_eq!(calls.len(), expected.as_array().unwrap().len(), "{name}: calls");
    for (call, expected) in calls.iter().zip(expected.as_array().unwrap()) {
        assert_eq!(call.model.as_deref(), expected["model"].as_str(), "{name}: model");
        assert_eq!(call.tools.len() as u64, expected["tools"].as_u64().unwrap(), "{name}: tools");
        assert_eq!(serde_json::to_value(&call.options).unwrap(), expected["options"], "{name}: options");
        let system = said(call, Role::System).chars().count() as u64;
        assert_eq!(Some(system), expected["system_chars"].as_u64(), "{name}: system prompt");
        if portable {
            check_prompt(name, &said(call, Role::User), expected);
        }
    }
}

fn check_prompt(name: &str, prompt: &str, expected: &Value) {
    assert_eq!(Some(prompt.chars().count() as u64), expected["chars"].as_u64(), "{name}: length of a prompt");
    let fixed = usize::try_from(expected["fixed_prefix_chars"].as_u64().unwrap()).unwrap();
    let rest: String = prompt.chars().skip(fixed).collect();
    match expected["rest_sha256"].as_str() {
        Some(digest) => {
            assert_eq!(Sha256Digest::of_bytes(rest.as_bytes()).to_hex(), digest, "{name}: {rest}");
        }
        None => assert_eq!(Some(rest.as_str()), expected["rest"].as_str(), "{name}: prompt"),
    }
}

fn check(case: &Value) -> bool {
    let (name, input, output) = (case["name"].as_str().unwrap(), &case["input"], &case["output"]);
    let portable = !shows_objects(input);
    let compactor = match compactor(&input["config"]) {
        Ok(compactor) => compactor,
        Err(error) => {
            assert_eq!(output["error"]["code"], "min_2", "{name}: {error}");
            return true;
        }
    };
    let (outcome, calls) = run(compactor.begin(&request(input)), &input["script"], "a fine summary");
    check_calls(name, &calls, &output["calls"], portable);
    match outcome {
        Err(failure) => assert_eq!(output["error"]["code"], code_of(&failure), "{name}: {failure}"),
        Ok(result) => {
            check_result(name, &result, output);
            let mut keys: Vec<&str> = result.metadata.iter().map(|(key, _)| &**key).collect();
            keys.sort_unstable();
            assert_eq!(serde_json::to_value(keys).unwrap(), output["metadata_keys"], "{name}");
            let metadata = serde_json::to_value(&result.metadata).unwrap();
            assert_eq!(metadata["hierarchy_dispatch_count"], output["hierarchy_dispatch_count"], "{name}");
            let payloads = output["completion_payloads"].as_array().unwrap();
            assert_eq!(result.model_completed_payloads.len(), payloads.len(), "{name}: payloads");
            for (payload, expected) in result.model_completed_payloads.iter().zip(payloads) {
                let payload = serde_json::to_value(payload).unwrap();
                for (key, value) in expected.as_object().unwrap() {
                    assert_eq!(&payload[key], value, "{name}: {key}");
                }
                assert_eq!(payload.get("compaction_outcome"), expected.get("compaction_outcome"), "{name}");
            }
        }
    }
    portable
}

#[test]
fn every_case_agrees() {
    let Some(cases) = cases("ModelCompactor.compact.json") else { return };
    let portable = cases.iter().filter(|case| check(case)).count();
    eprintln!("ModelCompactor: {} cases agree, {} of them with their prompts", cases.len(), portable);
    assert!(portable >= 30);
}
