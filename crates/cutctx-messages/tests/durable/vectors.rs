//! The reference's vectors, where the folder of test data is there.

use cutctx_messages::{Message, MessagePart, WireMessage, check_context, messages_digest};
use cutctx_types::Coded;
use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("vectors/context");
    let found = folder.is_dir();
    if !found {
        println!("SKIPPED: no vectors in {}; set CUTCTX_SHARED to the folder of test data", folder.display());
    }
    found.then_some(folder)
}

fn cases(folder: &Path, function: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(function).with_extension("json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn messages_of(case: &Value) -> Vec<Message> {
    case["input"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| {
            let wire: WireMessage = serde_json::from_value(message.clone()).unwrap();
            Message::try_from(wire).unwrap_or_else(|error| panic!("{}: {error}", case["name"]))
        })
        .collect()
}

#[test]
fn digests_are_those_of_the_reference() {
    let Some(folder) = folder() else { return };
    let cases = cases(&folder, "context_input_coverage");
    assert!(cases.len() > 60);
    for case in cases {
        let messages = messages_of(&case);
        let digest = messages_digest(&messages).to_hex();
        assert_eq!(case["output"]["messages_sha256"], digest, "{}", case["name"]);
        assert_eq!(case["output"]["message_count"], messages.len());
    }
}

/// Turns are trimmed after the whole input was checked, so those errors are about the input.
#[test]
fn lists_are_refused_as_the_reference_refuses_them() {
    let Some(folder) = folder() else { return };
    let mut refused = 0_usize;
    for function in ["trim_context_turns", "strip_old_file_attachments"] {
        for case in cases(&folder, function) {
            let code = case["output"]["error"]["code"].as_str();
            if matches!(code, Some("must_be_positive" | "other")) {
                continue;
            }
            let messages = messages_of(&case);
            if code == Some("empty_context") && !messages.is_empty() {
                // What is empty is what would be left of it.
                continue;
            }
            let found = check_context(&messages).err();
            let found = found.map(|error| error.code().as_str().to_lowercase());
            assert_eq!(found.as_deref(), code, "{function}: {}", case["name"]);
            refused = refused.saturating_add(usize::from(code.is_some()));
        }
    }
    assert!(refused > 30);
}

#[test]
fn an_artifact_that_says_it_is_a_file_and_is_none_is_an_error_when_it_is_used() {
    let Some(folder) = folder() else { return };
    let mut invalid = 0_usize;
    for case in cases(&folder, "strip_old_file_attachments") {
        if case["output"]["error"]["code"] != "other" {
            continue;
        }
        let messages = messages_of(&case);
        let results = messages
            .iter()
            .flat_map(Message::content)
            .filter_map(|part| if let MessagePart::ToolResult(result) = part { Some(result) } else { None });
        let files: Vec<_> = results.flat_map(|result| result.artifacts.attachments()).collect();
        invalid = invalid.saturating_add(usize::from(files.iter().any(Result::is_err)));
    }
    assert!(invalid > 0);
}

/// Every message of every vector, as a list of JSON values.
fn all_messages(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(object) => {
            if object.len() == 2 && object.contains_key("role") && object["content"].is_array() {
                found.push(value.clone());
            }
            object.values().for_each(|inner| all_messages(inner, found));
        }
        Value::Array(items) => items.iter().for_each(|inner| all_messages(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_message_is_read_and_written_as_it_was() {
    let Some(folder) = folder() else { return };
    let mut messages = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let value: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
            all_messages(&value, &mut messages);
        }
    }
    assert!(messages.len() > 1_000);
    for value in messages {
        // A placeholder of the vectors stands for text of the reference.
        let message: Message = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&message).unwrap(), value);
    }
}
