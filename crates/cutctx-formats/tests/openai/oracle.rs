//! What the Responses API binds together, checked on the JSON alone: a slow account that knows nothing of the format's
//! code.

use alloc::collections::BTreeMap;

use cutctx_formats::Session;
use cutctx_types::{KeptPart, PartKind, Role, Trim};
use serde_json::Value;

use crate::laws::{Decision, Dice, legal_decisions};

/// The items of a request.
pub(crate) fn items(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap();
    let list = document.get("input").unwrap_or(&document);
    list.as_array().cloned().unwrap_or_default()
}

fn kind(item: &Value) -> &str {
    item["type"].as_str().unwrap_or("message")
}

fn is_call(item: &Value) -> bool {
    kind(item).ends_with("_call") && item["call_id"].is_string()
}

fn is_output(item: &Value) -> bool {
    kind(item).ends_with("_output") && item["call_id"].is_string()
}

/// How often each id is called and answered.
fn pairs(items: &[Value]) -> BTreeMap<String, (usize, usize)> {
    let mut pairs: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for item in items {
        let Some(id) = item["call_id"].as_str() else { continue };
        let pair = pairs.entry(id.to_owned()).or_default();
        if is_call(item) {
            pair.0 += 1;
        } else if is_output(item) {
            assert!(pair.1 < pair.0, "an output without its call: {id}");
            pair.1 += 1;
        }
    }
    pairs
}

/// The item that each stored reasoning leads to, by their ids.
fn led_to(items: &[Value]) -> BTreeMap<String, String> {
    let mut led = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let Some(id) = item["id"].as_str().filter(|_| kind(item) == "reasoning") else { continue };
        let next = items[index + 1..].iter().find(|next| kind(next) != "reasoning");
        let next = next.unwrap_or_else(|| panic!("reasoning {id} leads to nothing"));
        led.insert(id.to_owned(), next["id"].as_str().unwrap_or("").to_owned());
    }
    led
}

/// The stored reasoning that stands before each stored item of the same response.
fn led_by(items: &[Value]) -> BTreeMap<String, String> {
    let mut led = BTreeMap::new();
    let mut reasoning = None;
    for item in items {
        match (kind(item), item["role"].as_str()) {
            ("reasoning", _) => reasoning = item["id"].as_str(),
            ("message", Some("assistant")) if item["id"].is_null() => {}
            _ if is_output(item) || item["role"].is_string() && item["role"] != "assistant" => {
                reasoning = None;
            }
            _ => {
                if let (Some(id), Some(reasoning)) = (item["id"].as_str(), reasoning) {
                    led.insert(id.to_owned(), reasoning.to_owned());
                }
            }
        }
    }
    led
}

/// What was bound together and is still there is bound together still; nothing new is left open.
pub(crate) fn check_bonds(before: &[Value], after: &[Value], note: &str) {
    let (called_before, called) = (pairs(before), pairs(after));
    for (id, (calls, outputs)) in called {
        let (old_calls, old_outputs) = called_before[&id];
        assert!(calls - outputs <= old_calls - old_outputs, "{id} is left open: {note}");
    }
    let (wanted, found) = (led_to(before), led_to(after));
    for (reasoning, next) in &found {
        assert_eq!(Some(next), wanted.get(reasoning), "{note}");
    }
    for (item, reasoning) in led_by(after) {
        assert!(led_by(before).get(&item).is_none_or(|old| *old == reasoning), "{item}: {note}");
    }
    let kept: Vec<&str> = after.iter().filter_map(|item| item["id"].as_str()).collect();
    for (item, reasoning) in led_by(before) {
        if kept.contains(&item.as_str()) {
            assert!(kept.contains(&reasoning.as_str()), "{item} lost its reasoning: {note}");
        }
    }
    for item in after {
        for key in ["arguments", "output", "content"] {
            assert!(item[key] != Value::Array(Vec::new()), "nothing is left in {item}: {note}");
        }
        if let Some(arguments) = item["arguments"].as_str() {
            assert!(serde_json::from_str::<Value>(arguments).is_ok(), "{arguments}: {note}");
        }
    }
}

/// Legal decisions that also mask and trim turns with signed reasoning.
pub(crate) fn bold_decisions(session: &Session, seed: u64) -> Vec<Decision> {
    let mut decisions = legal_decisions(session.transcript(), seed);
    let mut dice = Dice::new(seed ^ 0xB01D);
    let turns = session.transcript().turns();
    for (turn, decision) in turns.iter().zip(&mut decisions) {
        let free = turn.role() == Role::Assistant && !turn.pinned() && *decision == Decision::Keep;
        if !free {
            continue;
        }
        match dice.roll(3) {
            0 => *decision = Decision::Mask(format!("[masked {seed}]")),
            1 => *decision = one_part(turn, &mut dice).map_or(Decision::Keep, Decision::Trim),
            _ => {}
        }
    }
    decisions
}

/// Keeps just one part.
fn one_part(turn: &cutctx_types::TranscriptTurn, dice: &mut Dice) -> Option<Trim> {
    let mut start = 0;
    let mut bounds = Vec::new();
    for part in turn.parts() {
        bounds.push(start..part.end);
        start = part.end;
    }
    let part = dice.roll(bounds.len().max(1));
    let range = bounds.get(part).filter(|range| !range.is_empty())?;
    let whole = turn.parts().iter().filter(|part| part.kind != PartKind::Text).count() + 1 >= bounds.len();
    (bounds.len() > 1 || !whole)
        .then(|| Trim::new(vec![KeptPart::new(part, vec![range.clone()])], turn.token_estimate()))
}
