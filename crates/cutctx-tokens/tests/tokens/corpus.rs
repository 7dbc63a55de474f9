//! Exact counts and the heuristic on the texts of real sessions, an optional folder of test data.

use std::path::{Path, PathBuf};

use cutctx_tokens::{Encoding, Family, Heuristic};
use cutctx_types::TokenEstimator;
use serde_json::Value;

use crate::exact::reference;

/// Bytes of text that are compared; `cargo xtask tokens` compares all of it.
const ENOUGH: usize = 1_500_000;

#[test]
fn real_sessions_have_the_ids_of_another_implementation() {
    let Some(texts) = texts() else { return };
    for text in &texts {
        for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
            let same = encoding.encode(text) == reference(encoding).encode_ordinary(text);
            assert!(same, "{encoding} differs on a text of {} bytes", text.len());
        }
    }
}

#[test]
fn the_heuristic_is_as_near_as_it_says_on_real_sessions() {
    let Some(texts) = texts() else { return };
    let heuristic = Heuristic::new(Family::OpenAi);
    let counts = texts.iter().map(|text| (Encoding::O200kBase.count(text), heuristic.estimate(text)));
    let mut errors: Vec<u64> = counts
        .filter(|(exact, _)| *exact >= 15)
        .map(|(exact, estimate)| exact.abs_diff(estimate) * 1_000 / exact)
        .collect();
    errors.sort_unstable();
    let p95 = errors[errors.len() * 95 / 100];
    assert!(p95 <= u64::from(heuristic.accuracy().p95) * 12 / 10, "{p95} thousandths");
}

/// Every so many texts of the folder; none, said loudly, where there is no such folder.
fn texts() -> Option<Vec<String>> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CUTCTX_SHARED").map_or(default, PathBuf::from);
    let folder = shared.join("corpus");
    if !folder.is_dir() {
        println!("SKIPPED: there is no folder {}", folder.display());
        return None;
    }
    let mut texts = Vec::new();
    for file in files(&folder) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let values = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        values.for_each(|value| strings(value, &mut texts));
    }
    Some(sampled(texts))
}

fn sampled(texts: Vec<String>) -> Vec<String> {
    let total: usize = texts.iter().map(String::len).sum();
    let step = (total / ENOUGH).max(1);
    texts.into_iter().step_by(step).filter(|text| text.len() < 100_000).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn strings(value: Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.into_iter().for_each(|item| strings(item, into)),
        Value::Object(members) => members.into_iter().for_each(|(_, member)| strings(member, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
