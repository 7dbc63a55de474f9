//! A slow reader of session files that shares nothing with the crate: value trees, maps, no spans.
//!
//! It makes API messages of a file: the branch of the last leaf, the lines that share a message with it, the results
//! of their calls; assistant lines grouped by message, user lines in a row merged, results first.

use alloc::collections::{BTreeMap, BTreeSet};
use serde_json::Value;

/// A message as sent: its role and blocks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ApiMessage {
    pub(crate) role: &'static str,
    pub(crate) blocks: Vec<Value>,
}

struct Line {
    value: Value,
    order: usize,
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or("")
}

fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

fn blocks(value: &Value) -> Vec<Value> {
    match value.pointer("/message/content") {
        Some(Value::String(said)) if said.is_empty() => Vec::new(),
        Some(Value::String(said)) => vec![serde_json::json!({"type": "text", "text": said})],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

fn is_message(value: &Value) -> bool {
    let content = value.pointer("/message/content");
    matches!(text(value, "type"), "user" | "assistant")
        && content.is_some_and(|content| match content {
            Value::Array(blocks) => blocks.iter().all(Value::is_object),
            Value::String(_) => true,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
        })
}

fn is_notice(value: &Value) -> bool {
    text(value, "type") == "assistant"
        && (flag(value, "isApiErrorMessage")
            || value.pointer("/message/model").and_then(Value::as_str) == Some("<synthetic>"))
}

fn is_boundary(value: &Value) -> bool {
    text(value, "type") == "system" && text(value, "subtype") == "compact_boundary"
}

/// The records of the live branch by their ids, from the root to the leaf.
pub(crate) fn branch(file: &str) -> Vec<String> {
    let lines = parse(file);
    chain(&lines).iter().map(|line| text(&line.value, "uuid").to_owned()).collect()
}

fn parse(file: &str) -> Vec<Line> {
    let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines
        .enumerate()
        .map(|(order, line)| Line { value: serde_json::from_str(line).unwrap(), order })
        .filter(|line| line.value.is_object())
        .collect()
}

fn side_of(lines: &[Line]) -> bool {
    !lines
        .iter()
        .any(|line| is_message(&line.value) && !is_notice(&line.value) && !flag(&line.value, "isSidechain"))
}

fn chain(lines: &[Line]) -> Vec<&Line> {
    let side = side_of(lines);
    let said = |line: &&Line| {
        (is_message(&line.value) || is_boundary(&line.value)) && flag(&line.value, "isSidechain") == side
    };
    let mut by_id: BTreeMap<&str, &Line> = BTreeMap::new();
    for line in lines.iter().filter(|line| !text(&line.value, "uuid").is_empty()) {
        let id = text(&line.value, "uuid");
        let better = by_id.get(id).is_none_or(|old| said(&line) || !said(old));
        if better {
            by_id.insert(id, line);
        }
    }
    let stands = |line: &Line| {
        let id = text(&line.value, "uuid");
        id.is_empty() || by_id.get(id).is_some_and(|original| original.order == line.order)
    };
    let linked = lines.iter().filter(said).any(|line| by_id.contains_key(text(&line.value, "parentUuid")));
    if !linked {
        let mut all: Vec<&Line> = lines.iter().filter(said).filter(|line| stands(line)).collect();
        if let Some(cut) = all.iter().rposition(|line| is_boundary(&line.value)) {
            all.drain(..cut);
        }
        return all;
    }
    let mut chain = Vec::new();
    let mut passed = BTreeSet::new();
    let leaf = lines.iter().rfind(said);
    let mut next = leaf.map(|leaf| by_id.get(text(&leaf.value, "uuid")).copied().unwrap_or(leaf));
    while let Some(line) = next {
        if !passed.insert(line.order) {
            break;
        }
        chain.push(line);
        if is_boundary(&line.value) {
            break;
        }
        next = by_id.get(text(&line.value, "parentUuid")).copied();
    }
    chain.reverse();
    chain
}

/// The messages that are sent.
pub(crate) fn api_messages(file: &str) -> Vec<ApiMessage> {
    let lines = parse(file);
    let side = side_of(&lines);
    let chain = chain(&lines);
    let in_thread = |line: &&Line| {
        flag(&line.value, "isSidechain") == side && is_message(&line.value) && !is_notice(&line.value)
    };
    let mut messages: Vec<ApiMessage> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for line in chain.iter().copied().filter(in_thread) {
        let id = message_id(&line.value);
        let role = if text(&line.value, "type") == "assistant" { "assistant" } else { "user" };
        let known = ids.iter().position(|known| role == "assistant" && !id.is_empty() && *known == id);
        if let Some(known) = known {
            add_new(&mut messages[known].blocks, blocks(&line.value));
        } else {
            messages.push(ApiMessage { role, blocks: blocks(&line.value) });
            ids.push(if role == "assistant" { id } else { String::new() });
        }
    }
    let start = chain.first().filter(|line| is_boundary(&line.value)).map_or(0, |line| line.order);
    let others: Vec<&Line> = lines.iter().filter(|line| line.order >= start).filter(in_thread).collect();
    for line in others.iter().filter(|line| text(&line.value, "type") == "assistant") {
        let id = message_id(&line.value);
        if let Some(known) = ids.iter().position(|known| !id.is_empty() && *known == id) {
            add_new(&mut messages[known].blocks, blocks(&line.value));
        }
    }
    answer(&mut messages, &others);
    merged(messages)
}

fn message_id(value: &Value) -> String {
    value.pointer("/message/id").and_then(Value::as_str).unwrap_or("").to_owned()
}

fn add_new(known: &mut Vec<Value>, new: Vec<Value>) {
    for block in new {
        if !known.contains(&block) {
            known.push(block);
        }
    }
}

/// Gives open calls the result lines that name them, wherever they stand.
fn answer(messages: &mut Vec<ApiMessage>, lines: &[&Line]) {
    let mut at = 0;
    while at < messages.len() {
        let calls: Vec<String> = ids(&messages[at].blocks, "tool_use", "id");
        let open: Vec<String> = calls
            .into_iter()
            .filter(|id| {
                !messages[at + 1..]
                    .iter()
                    .any(|message| ids(&message.blocks, "tool_result", "tool_use_id").contains(id))
            })
            .collect();
        let mut found = Vec::new();
        for id in open {
            let result = lines
                .iter()
                .flat_map(|line| blocks(&line.value))
                .find(|block| text(block, "type") == "tool_result" && text(block, "tool_use_id") == id);
            found.extend(result);
        }
        if !found.is_empty() {
            messages.insert(at + 1, ApiMessage { role: "user", blocks: found });
        }
        at += 1;
    }
}

pub(crate) fn ids(blocks: &[Value], kind: &str, key: &str) -> Vec<String> {
    blocks
        .iter()
        .filter(|block| text(block, "type") == kind)
        .map(|block| text(block, key).to_owned())
        .collect()
}

fn merged(messages: Vec<ApiMessage>) -> Vec<ApiMessage> {
    let mut merged: Vec<ApiMessage> = Vec::new();
    for message in messages {
        match merged.last_mut() {
            Some(last) if last.role == message.role => last.blocks.extend(message.blocks),
            _ => merged.push(message),
        }
    }
    for message in &mut merged {
        message.blocks.sort_by_key(|block| text(block, "type") != "tool_result");
    }
    merged
}

/// What a provider would refuse: pairs, alternation, emptiness. Sorted names, one for each offence.
pub(crate) fn offences(messages: &[ApiMessage]) -> Vec<&'static str> {
    let mut found = Vec::new();
    if messages.first().is_some_and(|first| first.role != "user") {
        found.push("first_not_user");
    }
    for (at, message) in messages.iter().enumerate() {
        let before = at.checked_sub(1).map_or(&[][..], |before| &messages[before].blocks);
        let after = messages.get(at + 1).map_or(&[][..], |after| &after.blocks);
        let (known, answers) = (ids(before, "tool_use", "id"), ids(after, "tool_result", "tool_use_id"));
        for id in ids(&message.blocks, "tool_result", "tool_use_id") {
            if !known.contains(&id) {
                found.push("orphan_result");
            }
        }
        for id in ids(&message.blocks, "tool_use", "id") {
            if !answers.contains(&id) {
                found.push("unanswered_call");
            }
        }
        let blank = |block: &&Value| text(block, "type") == "text" && text(block, "text").trim().is_empty();
        found.extend(message.blocks.iter().filter(blank).map(|_| "blank_text"));
        if message.blocks.is_empty() {
            found.push("empty_content");
        }
    }
    found.sort_unstable();
    found
}
