//! The laws on generated requests: valid ones, and wild ones.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws::{Dice, check_laws, read};
use crate::shaken::shaken;

/// Texts with what escaping and cutting can get wrong.
const TEXTS: [&str; 5] = [
    "plain words, and then some more of them so that there is something to cut",
    "zwei Zeilen\nmit äöü ß und einem langen Ende",
    "quotes \" and \\ backslashes, tabs \t and { braces ] }",
    "日本語🦀👩‍🚀 with symbols",
    "x",
];

fn text(dice: &mut Dice) -> &'static str {
    TEXTS[dice.roll(TEXTS.len())]
}

fn printed(value: &Value, dice: &mut Dice) -> String {
    if dice.roll(2) == 0 { value.to_string() } else { serde_json::to_string_pretty(value).unwrap() }
}

/// What a family of requests calls its parts.
struct Words {
    model: &'static str,
    list: &'static str,
    call: fn(usize, usize, &mut Dice) -> Value,
    answer: fn(usize, usize, &mut Dice) -> Value,
    reasoning: fn(&mut Dice) -> Value,
    medium: fn() -> Value,
}

fn message(role: &str, list: &str, parts: &[Value], dice: &mut Dice) -> Value {
    // The order of fields differs among clients.
    let (role, list) =
        (json!(role).to_string(), [json!(list).to_string(), ":".into(), json!(parts).to_string()].concat());
    let fields = if dice.roll(2) == 0 {
        format!("{{\"role\":{role},{list}}}")
    } else {
        format!("{{{list},\"role\":{role}}}")
    };
    serde_json::from_str(&fields).unwrap()
}

fn conversation(words: &Words, dice: &mut Dice) -> Vec<Value> {
    let said = |dice: &mut Dice| json!({"text": text(dice)});
    let first = [said(dice)];
    let mut messages = vec![message("user", words.list, &first, dice)];
    for round in 0..dice.roll(12) {
        let calls = [0, 1, 1, 3][dice.roll(4)];
        let mut parts = Vec::new();
        if dice.roll(3) == 0 {
            parts.push((words.reasoning)(dice));
        }
        if calls == 0 || dice.roll(2) == 0 {
            parts.push(said(dice));
        }
        parts.extend((0..calls).map(|call| (words.call)(round, call, dice)));
        messages.push(message(words.model, words.list, &parts, dice));
        let mut answers: Vec<Value> = (0..calls).map(|call| (words.answer)(round, call, dice)).collect();
        if calls == 0 || dice.roll(4) == 0 {
            answers.push(said(dice));
            if dice.roll(3) == 0 {
                answers.push((words.medium)());
            }
        }
        messages.push(message("user", words.list, &answers, dice));
    }
    messages
}

const BEDROCK: Words = Words {
    model: "assistant",
    list: "content",
    call: |round, call, _| json!({"toolUse": {"toolUseId": format!("t{round}_{call}"), "name": "f", "input": {"n": call}}}),
    answer: |round, call, dice| {
        let content = match dice.roll(3) {
            0 => json!([{"text": text(dice)}, {"image": {"format": "png", "source": {"bytes": "AAAA"}}}]),
            1 => json!([{"json": {"n": 1.50}}]),
            _ => json!([{"text": text(dice)}]),
        };
        json!({"toolResult": {"toolUseId": format!("t{round}_{call}"), "content": content}})
    },
    reasoning: |dice| json!({"reasoningContent": {"reasoningText": {"text": text(dice), "signature": "c2ln"}}}),
    medium: || json!({"cachePoint": {"type": "default"}}),
};

const GEMINI: Words = Words {
    model: "model",
    list: "parts",
    call: |round, call, _| {
        let mut part = json!({"functionCall": {"name": format!("f{call}"), "args": {"n": round}}});
        if call == 0 {
            part["thoughtSignature"] = json!("c2ln");
        }
        part
    },
    answer: |_, call, dice| {
        let response = match dice.roll(3) {
            0 => json!({"rows": [1.50, 2], "text": text(dice)}),
            1 => json!({"error": text(dice)}),
            _ => json!({"output": text(dice)}),
        };
        let mut answer = json!({"functionResponse": {"name": format!("f{call}"), "response": response}});
        if dice.roll(4) == 0 {
            answer["functionResponse"]["parts"] =
                json!([{"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]);
        }
        answer
    },
    reasoning: |dice| json!({"text": text(dice), "thought": true}),
    medium: || json!({"inlineData": {"mimeType": "image/png", "data": "AAAA"}}),
};

/// No more than four cache points.
fn keep_four_points(messages: &mut [Value]) {
    let mut points = 0;
    for message in messages {
        message["content"].as_array_mut().unwrap().retain(|block| {
            points += usize::from(block.get("cachePoint").is_some());
            block.get("cachePoint").is_none() || points <= 4
        });
    }
}

fn bedrock(dice: &mut Dice) -> Vec<Value> {
    let mut messages = conversation(&BEDROCK, dice);
    keep_four_points(&mut messages);
    messages
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_bedrock_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = bedrock(&mut dice);
        let session = read(printed(&json!({"messages": messages, "inferenceConfig": {}, "toolConfig": {}}), &mut dice));
        prop_assert_eq!(session.format().name(), "bedrock-converse");
        prop_assert_eq!(session.violations(), []);
        check_laws(&session, seed..seed.saturating_add(4), "generated request");
    }

    #[test]
    fn wild_bedrock_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = bedrock(&mut dice);
        let messages = shaken(messages, &mut dice);
        let session = read(printed(&json!({"messages": messages, "inferenceConfig": {}, "toolConfig": {}}), &mut dice));
        check_laws(&session, seed..seed.saturating_add(4), "wild request");
    }

    #[test]
    fn valid_gemini_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let contents = conversation(&GEMINI, &mut dice);
        let session = read(printed(&json!({"contents": contents}), &mut dice));
        prop_assert_eq!(session.format().name(), "gemini-contents");
        prop_assert_eq!(session.violations(), []);
        check_laws(&session, seed..seed.saturating_add(4), "generated request");
    }

    #[test]
    fn wild_gemini_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let contents = conversation(&GEMINI, &mut dice);
        let contents = shaken(contents, &mut dice);
        let session = read(printed(&json!({"contents": contents}), &mut dice));
        check_laws(&session, seed..seed.saturating_add(4), "wild request");
    }
}
