//! What providers really counted, in session files that carry it: how much longer the prompt of one call is than that
//! of the call before, beside what was added in between.

use alloc::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cutctx_tokens::{Encoding, Family, Heuristic};
use cutctx_types::TokenEstimator;
use serde_json::Value;

use crate::texts::files;

/// Tokens of growth from which a step says something on its texts, and not on its framing alone.
const LARGE: f64 = 500.0;

/// The table of a folder of session files.
pub(crate) fn table(folder: &Path) {
    println!(
        "| provider | steps | tokens a token of `o200k_base` | and a step | of them large | mean error | half below | 95 of 100 below | 95 of 100 ratios above |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let steps = steps(folder);
    for (name, family) in [("anthropic", Family::Anthropic), ("google", Family::Google)] {
        let of: Vec<&Step> = steps.iter().filter(|step| step.family == name).collect();
        let exact = points(&of, |text| Encoding::O200kBase.count(text));
        let (slope, step) = line(&exact, None);
        let estimated = points(&of, |text| Heuristic::new(family).estimate(text));
        let (_, around) = line(&estimated, Some(1.0));
        let large = estimated.iter().filter(|(_, grew)| *grew >= LARGE);
        let mut ratios: Vec<f64> = large.map(|(texts, grew)| (texts + around) / grew).collect();
        ratios.sort_by(f64::total_cmp);
        let lowest = ratios.get(ratios.len() * 5 / 100).copied().unwrap_or_default();
        let mut errors: Vec<f64> = ratios.iter().map(|ratio| (ratio - 1.0).abs() * 100.0).collect();
        errors.sort_by(f64::total_cmp);
        let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let below = |part: usize| errors.get(errors.len() * part / 100).copied().unwrap_or_default();
        let cells = format!("{mean:.0} % | {:.0} % | {:.0} % | {lowest:.2}", below(50), below(95));
        println!("| {name} | {} | {slope:.3} | {step:.0} | {} | {cells} |", of.len(), errors.len());
    }
}

/// The counted tokens of each step's texts beside what was billed for it.
fn points(steps: &[&Step], count: impl Fn(&str) -> u64) -> Vec<(f64, f64)> {
    let counted = |step: &&Step| step.texts.iter().map(|text| count(text)).sum::<u64>() as f64;
    steps.iter().map(|step| (counted(step), step.grew as f64)).collect()
}

/// The line through points that does not mind a few that are far off: the median of all slopes, unless it is given,
/// and the median of what is left.
fn line(points: &[(f64, f64)], slope: Option<f64>) -> (f64, f64) {
    let pairs = points
        .iter()
        .enumerate()
        .flat_map(|(at, one)| points[at + 1..].iter().map(move |other| (one, other)));
    let apart = pairs.filter(|(one, other)| (one.0 - other.0).abs() > 100.0);
    let slope = slope
        .unwrap_or_else(|| median(apart.map(|(one, other)| (other.1 - one.1) / (other.0 - one.0)).collect()));
    (slope, median(points.iter().map(|(texts, grew)| grew - slope * texts).collect()))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}

/// What was added between two calls, and how much longer the prompt became.
struct Step {
    family: &'static str,
    texts: Vec<String>,
    grew: u64,
}

/// The steps of all session files of a folder whose every added byte is known: no reasoning, no images.
fn steps(folder: &Path) -> Vec<Step> {
    let mut steps = Vec::new();
    for file in files(folder) {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let records: Vec<Record> = match serde_json::from_str::<Value>(&text) {
            Ok(document) => gemini_records(&document),
            Err(_) => text.lines().filter_map(|line| record(&serde_json::from_str(line).ok()?)).collect(),
        };
        steps.extend(steps_of(&merged(records)));
    }
    steps
}

/// A message: what it adds, and the prompt of the call that made it.
struct Record {
    call: Option<(String, &'static str, u64)>,
    texts: Vec<String>,
    /// Whether all that it adds is readable text.
    plain: bool,
}

fn record(value: &Value) -> Option<Record> {
    let side = value.get("isSidechain").and_then(Value::as_bool).unwrap_or(false);
    let message = value.get("message")?;
    let kind = value.get("type").and_then(Value::as_str).unwrap_or_default();
    if side || !matches!(kind, "user" | "assistant" | "message") {
        return None;
    }
    let mut record = Record { call: call(value, message), texts: Vec::new(), plain: true };
    add(&mut record, message.get("content")?);
    Some(record)
}

fn call(value: &Value, message: &Value) -> Option<(String, &'static str, u64)> {
    let usage = message.get("usage")?;
    let model = message.get("model").and_then(Value::as_str)?;
    let figure = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let names = [
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "input",
        "cacheRead",
        "cacheWrite",
    ];
    let prompt = names.into_iter().map(figure).sum();
    let id = [message.get("id"), value.get("id")].into_iter().flatten().find_map(Value::as_str)?;
    model.starts_with("claude").then(|| (id.to_owned(), "anthropic", prompt))
}

fn add(record: &mut Record, content: &Value) {
    match content {
        Value::String(text) => record.texts.push(text.clone()),
        Value::Array(blocks) => blocks.iter().for_each(|block| add_block(record, block)),
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => record.plain = false,
    }
}

fn add_block(record: &mut Record, block: &Value) {
    let kind = block.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "text" => add(record, block.get("text").unwrap_or(&Value::Null)),
        "tool_result" => add(record, block.get("content").unwrap_or(&Value::Null)),
        "tool_use" | "toolCall" => {
            let arguments = block.get("input").or_else(|| block.get("arguments"));
            record.texts.push(block.get("name").and_then(Value::as_str).unwrap_or_default().to_owned());
            record.texts.push(arguments.map(ToString::to_string).unwrap_or_default());
        }
        _ => record.plain = false,
    }
}

/// One record a call: formats that write a line a block repeat the call's id and usage.
fn merged(records: Vec<Record>) -> Vec<Record> {
    let mut merged: Vec<Record> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for record in records {
        let id = record.call.as_ref().map(|(id, ..)| id.clone());
        let known = id.as_ref().and_then(|id| places.get(id)).and_then(|place| merged.get_mut(*place));
        if let Some(earlier) = known {
            earlier.texts.extend(record.texts);
            earlier.plain &= record.plain;
        } else {
            places.extend(id.map(|id| (id, merged.len())));
            merged.push(record);
        }
    }
    merged
}

fn steps_of(records: &[Record]) -> Vec<Step> {
    let calls: Vec<usize> = (0..records.len()).filter(|place| records[*place].call.is_some()).collect();
    let mut steps = Vec::new();
    for pair in calls.windows(2) {
        let added = &records[pair[0]..pair[1]];
        let (Some((_, family, before)), Some((.., after))) = (&records[pair[0]].call, &records[pair[1]].call)
        else {
            continue;
        };
        if added.iter().all(|record| record.plain) && after > before {
            let texts = added.iter().flat_map(|record| record.texts.clone()).collect();
            steps.push(Step { family, texts, grew: after - before });
        }
    }
    steps
}

/// The messages of a Gemini CLI session: each carries the prompt of its call.
fn gemini_records(document: &Value) -> Vec<Record> {
    let messages = document.get("messages").and_then(Value::as_array);
    messages.into_iter().flatten().map(gemini_record).collect()
}

fn gemini_record(message: &Value) -> Record {
    let text = |name: &str| message.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let prompt = message.pointer("/tokens/input").and_then(Value::as_u64);
    let call = prompt.map(|prompt| (text("id"), "google", prompt));
    let mut texts = vec![text("content")];
    for called in message.get("toolCalls").and_then(Value::as_array).into_iter().flatten() {
        texts.push(called.get("name").and_then(Value::as_str).unwrap_or_default().to_owned());
        texts.push(called.get("args").map(ToString::to_string).unwrap_or_default());
        texts.push(called.get("result").map(ToString::to_string).unwrap_or_default());
    }
    Record { call, texts, plain: true }
}
