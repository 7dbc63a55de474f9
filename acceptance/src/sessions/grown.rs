//! Examples made long by saying them again.
//!
//! Each further copy has ids of its own, and its first record follows the last one of the copy before it, so that the
//! whole is one session as its format sees it.

use serde_json::{Map, Value};

/// A session of at least so many bytes: the records of `example`, again and again. `None` where there is no list of
/// records in it.
#[must_use]
pub fn grown(example: &str, bytes: usize) -> Option<String> {
    let copies = bytes.checked_div(example.len()).unwrap_or(0).saturating_add(1);
    if let Some(lines) = lines(example) {
        let lines: Vec<String> = repeated(&lines, copies).iter().map(Value::to_string).collect();
        return Some(lines.join("\n") + "\n");
    }
    let mut document: Value = serde_json::from_str(example).ok()?;
    let whole = document.to_string().len();
    let list = list_of_records(&mut document, whole / 2)?;
    *list = repeated(list, copies);
    Some(document.to_string())
}

/// The records of a file with more than one line, all of them objects.
fn lines(text: &str) -> Option<Vec<Value>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let records: Result<Vec<Value>, _> = lines.map(serde_json::from_str).collect();
    records.ok().filter(|records| records.len() > 1 && records.iter().all(Value::is_object))
}

/// The innermost list of objects that holds at least so many bytes.
fn list_of_records(value: &mut Value, least: usize) -> Option<&mut Vec<Value>> {
    if value.to_string().len() < least {
        return None;
    }
    let inner = children(value).position(|child| has_list(child, least));
    if let Some(inner) = inner {
        return list_of_records(children_mut(value).nth(inner)?, least);
    }
    value.as_array_mut().filter(|list| list.iter().all(Value::is_object))
}

fn has_list(value: &Value, least: usize) -> bool {
    value.to_string().len() >= least
        && (children(value).any(|child| has_list(child, least))
            || value.as_array().is_some_and(|list| list.iter().all(Value::is_object)))
}

fn children(value: &Value) -> impl Iterator<Item = &Value> {
    let members = value.as_object().into_iter().flat_map(Map::values);
    members.chain(value.as_array().into_iter().flatten())
}

fn children_mut(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Object(members) => Box::new(members.values_mut()),
        Value::Array(elements) => Box::new(elements.iter_mut()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Box::new(core::iter::empty()),
    }
}

/// The first record, which may be a head or a system prompt, comes once.
fn repeated(records: &[Value], copies: usize) -> Vec<Value> {
    let mut all = records.to_vec();
    for copy in 1..copies {
        let mut last = all.last().and_then(own_id).cloned();
        for record in records.iter().skip(1) {
            let mut record = renamed(record, copy);
            follow(&mut record, &mut last);
            all.push(record);
        }
    }
    all
}

fn own_id(record: &Value) -> Option<&Value> {
    record.get("uuid").or_else(|| record.get("id"))
}

/// The first record of a copy that has a parent, or would have one, follows the copy before it.
fn follow(record: &mut Value, last: &mut Option<Value>) {
    let parent = ["parentUuid", "parentId"].into_iter().find(|key| record.get(key).is_some());
    if let (Some(parent), Some(last)) = (parent.and_then(|key| record.get_mut(key)), last.take()) {
        *parent = last;
    }
}

/// With other ids.
fn renamed(value: &Value, copy: usize) -> Value {
    match value {
        Value::Object(members) => {
            let renamed = members.iter().map(|(key, value)| {
                let id = value.as_str().filter(|_| is_id(key));
                let new = id.map_or_else(|| renamed(value, copy), |id| Value::from(format!("{id}-{copy}")));
                (key.clone(), new)
            });
            Value::Object(renamed.collect())
        }
        Value::Array(elements) => elements.iter().map(|element| renamed(element, copy)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// Whether a field names a message or a call, and not the session and what it is about.
fn is_id(key: &str) -> bool {
    let key = key.to_lowercase();
    let others = ["session", "model", "project", "provider", "trace"];
    (key.ends_with("id") || key == "$rewindto") && !others.iter().any(|other| key.contains(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_again_with_ids_of_their_own_and_one_behind_the_other() {
        let example = "{\"id\":\"h\"}\n{\"id\":\"a\",\"parentId\":null}\n{\"id\":\"b\",\"parentId\":\"a\"}\n";
        let grown = grown(example, example.len() + 1).unwrap();
        let ids = ["h", "a", "b", "a-1", "b-1"];
        let found: Vec<Value> = grown.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(found.iter().map(|line| &line["id"]).eq(ids));
        assert_eq!((&found[3]["parentId"], &found[4]["parentId"]), (&Value::from("b"), &Value::from("a-1")));
    }

    #[test]
    fn the_list_that_holds_most_comes_again() {
        let example = r#"{"tools":[{"name":"f"}],"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]}"#;
        let grown: Value = serde_json::from_str(&grown(example, 1_000).unwrap()).unwrap();
        assert_eq!(grown["tools"].as_array().unwrap().len(), 1);
        assert!(grown["messages"].as_array().unwrap().len() > 5);
        let systems =
            grown["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "system");
        assert_eq!(systems.count(), 1);
    }
}
