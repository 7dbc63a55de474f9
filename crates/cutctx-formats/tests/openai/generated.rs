//! Conversations made up at random, and files that were damaged.

use cutctx_formats::{Fate, ReadRequest, Session};
use cutctx_types::CharRatioEstimator;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws::{Dice, check_laws, read, render};
use crate::oracle::{bold_decisions, check_bonds, items};

/// One response and the answers to its calls, as a valid conversation may hold them.
fn response(number: usize, dice: &mut Dice, items: &mut Vec<Value>) {
    let stored = dice.roll(2) == 0;
    let id =
        |kind: &str, nth: usize| if stored { json!(format!("{kind}_{number}_{nth}")) } else { Value::Null };
    let reasons = dice.roll(3);
    if reasons == 0
        && items.last().is_some_and(|last| last["role"] == "assistant" || last["type"] == "web_search_call")
    {
        // Where nothing parts two responses, nothing tells whose an item is.
        items.push(json!({"role": "user", "content": "goes on"}));
    }
    for nth in 0..reasons {
        let summary = json!([{"type": "summary_text", "text": format!("why {number}")}]);
        items.push(json!({"type": "reasoning", "id": id("rs", nth), "summary": summary, "encrypted_content": "AAAA"}));
    }
    if dice.roll(3) == 0 {
        items.push(json!({"type": "web_search_call", "id": id("ws", 0), "action": {"query": "q"}}));
    }
    let calls = dice.roll(4);
    if dice.roll(2) == 0 || (calls == 0 && reasons > 0) {
        let parts: Vec<Value> = (0..=dice.roll(2))
            .map(|nth| json!({"type": "output_text", "text": format!("says {number} {nth}"), "annotations": []}))
            .collect();
        items.push(json!({"type": "message", "role": "assistant", "id": id("msg", 0), "content": parts}));
    }
    let mut open = Vec::new();
    for nth in 0..calls {
        let call = format!("call_{}_{nth}", number % 3);
        let (kind, key) =
            if dice.roll(2) == 0 { ("function_call", "arguments") } else { ("custom_tool_call", "input") };
        items.push(
            json!({"type": kind, "id": id("fc", nth), "call_id": call, "name": "f", key: "{\"k\": 1}"}),
        );
        open.push((format!("{kind}_output"), call));
    }
    if dice.roll(2) == 0 {
        open.reverse();
    }
    for (kind, call) in open {
        let parts = json!([{"type": "input_text", "text": "got"}, {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}]);
        let output = if dice.roll(2) == 0 { parts } else { json!(format!("result of {number}")) };
        items.push(json!({"type": kind, "call_id": call, "output": output}));
    }
}

fn conversation(seed: u64) -> Vec<Value> {
    let mut dice = Dice::new(seed);
    let mut items = vec![json!({"role": "user", "content": "task"})];
    for number in 0..2 + dice.roll(9) {
        response(number, &mut dice, &mut items);
        if dice.roll(3) == 0 {
            items.push(json!({"role": "user", "content": [{"type": "input_text", "text": format!("asks {number}")}]}));
        }
    }
    items
}

fn as_rollout(items: &[Value]) -> String {
    let line = |item: &Value| {
        let mut item = item.clone();
        let role = item["role"].as_str().map(str::to_owned);
        if let Some(role) = role {
            item["type"] = json!("message");
            if item["content"].is_string() {
                let kind = if role == "assistant" { "output_text" } else { "input_text" };
                item["content"] = json!([{"type": kind, "text": item["content"]}]);
            }
        }
        let event =
            json!({"timestamp": "t", "type": "event_msg", "payload": {"type": "token_count", "info": null}});
        format!("{}\n{event}\n", json!({"timestamp": "t", "type": "response_item", "payload": item}))
    };
    items.iter().map(line).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn conversations_keep_the_laws_and_the_bonds(seed in any::<u64>()) {
        let before = conversation(seed);
        let session = read(json!({"model": "m", "input": before}).to_string());
        check_laws(&session, 0..6, "generated");
        for seed in 0..6 {
            let decisions = bold_decisions(&session, seed);
            check_bonds(&before, &items(&render(&session, &decisions)), &format!("{decisions:?}"));
        }
    }

    #[test]
    fn rollouts_keep_the_laws(seed in any::<u64>()) {
        let session = read(as_rollout(&conversation(seed)));
        prop_assert_eq!(session.format().name(), "codex-rollout");
        check_laws(&session, 0..6, "generated");
    }

    #[test]
    fn items_in_any_order_are_read_and_written(seed in any::<u64>()) {
        let mut items = conversation(seed);
        let mut dice = Dice::new(seed ^ 1);
        for last in (1..items.len()).rev() {
            items.swap(last, dice.roll(last + 1));
        }
        for text in [json!({"model": "m", "input": items}).to_string(), as_rollout(&items)] {
            let session = read(text);
            for seed in 0..4 {
                let written = render(&session, &bold_decisions(&session, seed));
                read(written);
            }
        }
    }

    #[test]
    fn damaged_files_never_panic(which in 0..3_usize, seed in any::<u64>()) {
        let examples = [crate::responses::EXAMPLE, crate::codex::EXAMPLE, crate::chat::TAU2];
        let mut bytes = examples[which].as_bytes().to_vec();
        let mut dice = Dice::new(seed);
        for _ in 0..=dice.roll(4) {
            let at = dice.roll(bytes.len());
            match dice.roll(4) {
                0 => bytes.truncate(at),
                1 => { bytes.remove(at); }
                2 => bytes[at] = b"{}[]\",:0n\\\n"[dice.roll(11)],
                _ => bytes.insert(at, b"{}[]\",:0n\\\n"[dice.roll(11)]),
            }
            if bytes.is_empty() {
                bytes.push(b'[');
            }
        }
        let estimator = CharRatioEstimator::default();
        for conversation in [None, Some(0)] {
            let mut request = ReadRequest::new(&estimator);
            request.conversation = conversation;
            for format in ["openai-responses", "codex-rollout", "tau2", "openai-chat"] {
                let format = cutctx_formats::format_named(format);
                let Ok(session) = Session::read_with(format, bytes.clone(), &request) else { continue };
                let stay = |turn: &cutctx_types::TranscriptTurn| {
                    turn.pinned() || turn.role() == cutctx_types::Role::System
                };
                let turns = session.transcript().turns();
                let fates: Vec<Fate<'_>> =
                    turns.iter().map(|turn| if stay(turn) { Fate::Kept } else { Fate::Masked("[gone]") }).collect();
                let rendered = session.render(&fates, &[]);
                assert!(rendered.is_ok() || session.format().name() == "tau2", "{rendered:?}");
                assert!(session.violations().len() <= bytes.len() * 4);
            }
        }
    }
}
