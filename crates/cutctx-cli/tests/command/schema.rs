//! The JSON Schemas of `docs/schema` and the command agree: what they name is what is read and written.

use crate::sandbox::Sandbox;
use alloc::collections::BTreeSet;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

fn schema(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema").join(name);
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn keys(object: &Value) -> BTreeSet<String> {
    object.as_object().unwrap().keys().cloned().collect()
}

fn answer(job: &Value) -> Value {
    let ran = Sandbox::new().run_with("batch --quiet", job.to_string().as_bytes()).exits(0);
    serde_json::from_str(&ran.out).unwrap()
}

/// The fault of a line that is no job; null where it is one.
fn fault(job: &Value) -> Value {
    answer(job)["error"]["details"]["fault"].clone()
}

fn job_with(policy: &Value) -> Value {
    json!({"transcript": {"turns": []}, "budget": {"max_tokens": 9}, "policy": policy})
}

#[test]
fn every_example_of_a_job_is_a_job() {
    for example in schema("job.schema.json")["examples"].as_array().unwrap() {
        assert!(answer(example).get("error").is_none(), "{example}");
    }
}

#[test]
fn every_example_of_a_policy_is_a_policy() {
    for example in schema("policy.schema.json")["examples"].as_array().unwrap() {
        let answer = answer(&job_with(example));
        assert!(answer.get("error").is_none(), "{example}: {answer}");
    }
}

#[test]
fn required_keys_of_a_job_are_required_and_the_others_are_not() {
    let schema = schema("job.schema.json");
    let required = schema["required"].as_array().unwrap();
    let full = json!({"id": 1, "transcript": {"turns": []}, "budget": {"max_tokens": 9},
        "policy": {"kind": "drop_oldest"}, "pins": [], "summaries": {}, "apply_transcript": {"turns": []}});
    assert_eq!(keys(&full), keys(&schema["properties"]));
    for key in keys(&full) {
        let mut job = full.clone();
        job.as_object_mut().unwrap().remove(&key);
        let expected = if required.contains(&json!(key)) { json!("missing_key") } else { Value::Null };
        assert_eq!(fault(&job), expected, "{key}");
    }
}

/// A reader that does not know a kind lists those that it knows.
#[test]
fn every_kind_of_policy_that_is_read_has_a_schema() {
    let refused =
        serde_json::from_str::<cutctx::PolicySpec>(r#"{"kind":"none of them"}"#).unwrap_err().to_string();
    let (_, listed) = refused.split_once("expected one of ").unwrap();
    let known: Vec<&str> = listed.split('`').skip(1).step_by(2).collect();
    assert!(known.len() > 20, "{refused}");
    let schema = schema("policy.schema.json");
    let choices = schema["oneOf"].as_array().unwrap();
    for kind in known {
        assert!(choices.contains(&json!({ "$ref": format!("#/$defs/{kind}") })), "{kind}");
        assert_eq!(schema["$defs"][kind]["properties"]["kind"]["const"], kind);
    }
}

#[test]
fn a_policy_has_the_keys_that_its_schema_names_and_no_others() {
    let schema = schema("policy.schema.json");
    let kinds: Vec<&str> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind["$ref"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    let all: BTreeSet<String> =
        kinds.iter().flat_map(|kind| keys(&schema["$defs"][kind]["properties"])).collect();
    for kind in kinds {
        let own = keys(&schema["$defs"][kind]["properties"]);
        for key in all.iter().filter(|key| *key != "kind") {
            let mut policy = Map::from_iter([("kind".to_owned(), json!(kind)), (key.clone(), Value::Null)]);
            if schema["$defs"][kind]["required"].as_array().unwrap().contains(&json!("members")) {
                policy.insert("members".to_owned(), json!([{"kind": "masking"}]));
            }
            let expected = if own.contains(key) { Value::Null } else { json!("unknown_key") };
            assert_eq!(fault(&job_with(&Value::Object(policy))), expected, "{kind}: {key}");
        }
    }
}

#[test]
fn answers_have_the_keys_that_their_schema_names() {
    let schema = schema("answer.schema.json");
    let mut job = job_with(&json!({"kind": "drop_oldest"}));
    job["summaries"] = json!({});
    let good = answer(&job);
    assert_eq!(
        keys(&good),
        schema["required"].as_array().unwrap().iter().map(|key| key.as_str().unwrap().to_owned()).collect()
    );
    assert_eq!(keys(&good["report"]), keys(&schema["properties"]["report"]["properties"]));
    let mut job = job_with(&json!({"kind": "manual", "actions": [{"turn_id": "x", "action": "keep"}]}));
    let orphan =
        json!({"turn_id": "r", "role": "tool", "content": "r", "token_estimate": 1, "tool_call_id": "c"});
    job["transcript"] = json!({"turns": [orphan]});
    job["pins"] = json!(["r"]);
    let bad = answer(&job);
    assert_eq!(keys(&bad), keys(&schema["properties"]));
    assert_eq!(keys(&bad["error"]), keys(&schema["properties"]["error"]["properties"]));
}

#[test]
fn the_policy_files_of_the_examples_are_policies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/policies");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 3);
    for file in files {
        let policy: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert!(answer(&job_with(&policy)).get("error").is_none(), "{}", file.display());
        let sandbox = Sandbox::with_chat();
        let line = format!("plan chat.json --max-tokens 700 --policy @{} --json", file.display());
        assert!(sandbox.run(&line).exits(0).json()["plan"].is_string());
    }
}
