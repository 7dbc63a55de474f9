//! The reference's vectors as jobs: `batch` gives the reference's bytes.
//!
//! The vectors that are committed under `acceptance/vectors` always run; those of an optional folder of test data
//! (`CUTCTX_SHARED`, by default `../shared` beside the checkout) run when it is there.

use crate::sandbox::Sandbox;
use core::fmt::Write;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Cases in which an implementation with typed values may differ, by tag.
const FREE_TAGS: [&str; 4] = ["python_only", "bigint", "custom_policy", "raw_python_error"];
/// Non-finite ratios, which may be refused before the hash.
const FREE_NAMES: [&str; 3] = ["inv-ratio-nan", "inv-ratio-inf", "inv-ratio--inf"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn batch_gives_the_bytes_of_the_committed_vectors() {
    let file = workspace().join("acceptance/vectors/plans.jsonl");
    let lines = fs::read_to_string(&file).unwrap();
    assert!(compare(&lines) > 50);
}

#[test]
fn batch_gives_the_bytes_of_the_shared_vectors() {
    let shared =
        std::env::var_os("CUTCTX_SHARED").map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let file = shared.join("vectors/cutctx/plans.jsonl");
    let Ok(lines) = fs::read_to_string(&file) else {
        eprintln!("SKIPPED: no vectors at {}; set CUTCTX_SHARED to a folder of test data", file.display());
        return;
    };
    let compared = compare(&lines);
    eprintln!("{compared} vectors compared through the batch command");
    assert!(compared > 500);
}

/// Runs the vectors as one batch and compares each answer; gives how many were compared.
fn compare(lines: &str) -> usize {
    // Numbers beyond a double are for the reference's language alone, and no reader of ours takes them.
    let all = lines.lines().filter(|line| !line.is_empty() && !line.contains("\"python_only\""));
    let vectors: Vec<Value> = all.map(|line| serde_json::from_str(line).unwrap()).collect();
    let vectors: Vec<&Value> = vectors.iter().filter(|vector| !is_free(vector)).collect();
    let mut jobs = String::new();
    for vector in &vectors {
        writeln!(jobs, "{}", job_of(vector)).unwrap();
    }
    let ran = Sandbox::new().run_with("batch --quiet", jobs.as_bytes()).exits(0);
    let answers: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), vectors.len());
    for (vector, answer) in vectors.iter().zip(&answers) {
        compare_one(vector, answer);
    }
    vectors.len()
}

fn is_free(vector: &Value) -> bool {
    let has = |tag: &&str| vector["tags"].as_array().unwrap().contains(&json!(tag));
    let name = vector["name"].as_str().unwrap();
    let is_custom = vector["policy"].to_string().contains("\"kind\":\"custom\"");
    FREE_TAGS.iter().any(has) || FREE_NAMES.contains(&name) || is_custom
}

/// The vector without what is expected of it, at version 1.0.0.
fn job_of(vector: &Value) -> Value {
    let mut job = vector.as_object().unwrap().clone();
    job.retain(|key, _| !matches!(key.as_str(), "name" | "tags" | "expect" | "expect_error"));
    job.insert("id".to_owned(), vector["name"].clone());
    if vector["policy"]["kind"] != "manual" {
        job["policy"]["version"] = json!("1.0.0");
    }
    Value::Object(job)
}

fn compare_one(vector: &Value, answer: &Value) {
    let name = &vector["name"];
    assert_eq!(&answer["id"], name);
    for key in ["plan", "plan_hash", "view", "report"] {
        let expected = vector.get("expect").map_or(&Value::Null, |expect| &expect[key]);
        assert_eq!(&answer[key], expected, "{name}: {key}");
    }
    match vector.get("expect_error") {
        None => assert!(answer.get("error").is_none(), "{name}: {answer}"),
        Some(expected) => {
            for key in ["stage", "code", "details"] {
                assert_eq!(answer["error"][key], expected[key], "{name}: {key}");
            }
        }
    }
}
