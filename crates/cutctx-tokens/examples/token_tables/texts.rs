//! The texts that are measured.

use alloc::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

#[path = "../../tests/tokens/kinds.rs"]
mod kinds;

/// A text and the kind it stands for.
pub(crate) struct Sample {
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// Our own texts of all kinds.
pub(crate) fn own() -> Vec<Sample> {
    kinds::all().into_iter().map(|sample| Sample { kind: sample.kind, text: sample.text }).collect()
}

/// All different strings of the session files of a folder, by the folder within.
pub(crate) fn of_sessions(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files(folder) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let format =
            file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let into = texts.entry(format).or_default();
        match serde_json::from_str(&text) {
            Ok(document) => strings(document, into),
            Err(_) => text
                .lines()
                .filter_map(|line| serde_json::from_str(line).ok())
                .for_each(|line| strings(line, into)),
        }
    }
    for texts in texts.values_mut() {
        texts.sort_unstable();
        texts.dedup();
    }
    texts
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn strings(value: Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() >= 8 => into.push(text),
        Value::Array(items) => items.into_iter().for_each(|item| strings(item, into)),
        Value::Object(members) => members.into_iter().for_each(|(_, member)| strings(member, into)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
