//! The laws on generated conversations: valid ones, and wild ones as session files hold them.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws::{Dice, check_laws, read};
use crate::shaken::shaken;

/// Texts with everything that escaping and cutting can get wrong.
const TEXTS: [&str; 8] = [
    "plain words, and then some more of them so that there is something to cut",
    "zwei Zeilen\nmit Umlauten: äöü ß und einem langen Ende",
    "quotes \" and \\ backslashes \\n, tabs \t and { braces ] }",
    "日本語のテキスト🦀🧭 with symbols 👩‍🚀",
    "\u{0}\u{1}\u{7f}\u{2028}controls",
    "x",
    "{\"looks\": \"like JSON\", \"n\": 1e400}",
    "  leading and trailing blanks  .",
];

fn text(dice: &mut Dice) -> &'static str {
    TEXTS[dice.roll(TEXTS.len())]
}

fn style(value: &Value, dice: &mut Dice) -> String {
    let printed =
        if dice.roll(2) == 0 { value.to_string() } else { serde_json::to_string_pretty(value).unwrap() };
    let printed = if dice.roll(4) == 0 { printed.replace('\n', "\r\n") } else { printed };
    format!("{}{printed}{}", ["", "\u{feff}", "\n  "][dice.roll(3)], ["", "\n"][dice.roll(2)])
}

fn lines(messages: &[Value], dice: &mut Dice) -> String {
    let feed = ["\n", "\r\n"][dice.roll(2)];
    let mut text = messages.iter().map(Value::to_string).collect::<Vec<_>>().join(feed);
    if dice.roll(2) == 0 {
        text = format!("// a comment{feed}{feed}{text}");
    }
    if dice.roll(2) == 0 { text + feed } else { text }
}

mod openai {
    use super::*;

    fn content(dice: &mut Dice) -> Value {
        match dice.roll(4) {
            0 => {
                json!([{"type": "text", "text": text(dice)}, {"type": "text", "text": text(dice), "extra": [1.50, {}]}])
            }
            1 => {
                json!([{"type": "text", "text": text(dice)}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}])
            }
            _ => json!(text(dice)),
        }
    }

    fn assistant(dice: &mut Dice, calls: usize) -> (Value, Vec<Value>) {
        let mut message = json!({"role": "assistant", "content": if dice.roll(3) == 0 && calls > 0 { json!(null) } else { content(dice) }});
        if dice.roll(4) == 0 {
            message["reasoning_content"] = json!(text(dice));
        }
        let first = dice.roll(3);
        let ids: Vec<String> = (0..calls).map(|call| format!("call_{}", first + call)).collect();
        let arguments = ["{}", "{\"path\": \"src/lib.rs\", \"n\": 1.0}", "not JSON at all", ""];
        let call = |id: &String, dice: &mut Dice| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments[dice.roll(4)]}});
        if calls > 0 {
            message["tool_calls"] = ids.iter().map(|id| call(id, dice)).collect();
        }
        let results =
            ids.iter().map(|id| json!({"role": "tool", "tool_call_id": id, "content": content(dice)}));
        (message.clone(), results.collect())
    }

    pub(super) fn conversation(dice: &mut Dice) -> Vec<Value> {
        let mut messages = vec![json!({"role": "system", "content": text(dice)})];
        messages.push(json!({"role": "user", "content": content(dice), "name": "kim"}));
        for _ in 0..dice.roll(12) {
            let calls = [0, 1, 1, 3][dice.roll(4)];
            let (message, mut results) = assistant(dice, calls);
            messages.push(message);
            if dice.roll(2) == 0 {
                results.reverse();
            }
            messages.extend(results);
            if calls == 0 || dice.roll(5) == 0 {
                messages.push(json!({"role": "user", "content": content(dice)}));
            }
        }
        messages
    }

    pub(super) fn document(messages: &[Value], dice: &mut Dice) -> String {
        match dice.roll(4) {
            0 => lines(messages, dice),
            1 => style(&json!(messages), dice),
            _ => style(&json!({"model": "m", "temperature": 0.70, "messages": messages, "tools": []}), dice),
        }
    }
}

mod anthropic {
    use super::*;

    fn result(id: &str, dice: &mut Dice) -> Value {
        let image =
            json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
        match dice.roll(5) {
            0 => json!({"type": "tool_result", "tool_use_id": id}),
            1 => {
                json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": text(dice)}, image]})
            }
            2 => {
                json!({"type": "tool_result", "tool_use_id": id, "content": text(dice), "is_error": true, "cache_control": {"type": "ephemeral"}})
            }
            _ => json!({"type": "tool_result", "tool_use_id": id, "content": text(dice)}),
        }
    }

    fn assistant(dice: &mut Dice, calls: usize, round: usize) -> (Value, Vec<Value>) {
        let mut blocks = Vec::new();
        if dice.roll(4) == 0 {
            blocks.push(json!({"type": "thinking", "thinking": text(dice), "signature": "c2lnbmVk"}));
        }
        if calls == 0 || dice.roll(2) == 0 {
            blocks.push(json!({"type": "text", "text": text(dice)}));
        }
        let inputs = [json!({}), json!({"path": "a b", "n": 1.50}), json!({"deep": {"er": [[]]}})];
        let ids: Vec<String> = (0..calls).map(|call| format!("toolu_{round}_{call}")).collect();
        blocks.extend(
            ids.iter().map(
                |id| json!({"type": "tool_use", "id": id, "name": "look", "input": inputs[dice.roll(3)]}),
            ),
        );
        let results = ids.iter().map(|id| result(id, dice)).collect();
        (json!({"role": "assistant", "content": blocks}), results)
    }

    pub(super) fn conversation(dice: &mut Dice) -> Vec<Value> {
        let mut messages = vec![json!({"role": "user", "content": text(dice)})];
        for round in 0..dice.roll(12) {
            let calls = [0, 1, 1, 3][dice.roll(4)];
            let (message, mut blocks) = assistant(dice, calls, round);
            messages.push(message);
            if calls == 0 || dice.roll(4) == 0 {
                blocks.push(json!({"type": "text", "text": text(dice)}));
            }
            messages.push(json!({"role": "user", "content": blocks}));
        }
        keep_four_marks(&mut messages);
        messages
    }

    /// A request may have four cache marks.
    fn keep_four_marks(messages: &mut [Value]) {
        let blocks = messages.iter_mut().filter_map(|message| message["content"].as_array_mut()).flatten();
        let marked = blocks.filter(|block| block.get("cache_control").is_some());
        for block in marked.skip(4) {
            block.as_object_mut().unwrap().remove("cache_control");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_chats_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = openai::conversation(&mut dice);
        let document = openai::document(&messages, &mut dice);
        let session = read(document);
        prop_assert_eq!(session.format().name(), "openai-chat");
        prop_assert_eq!(session.violations(), []);
        check_laws(&session, seed..seed.saturating_add(4), "generated chat");
    }

    #[test]
    fn wild_chats_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = openai::conversation(&mut dice);
        let messages = shaken(messages, &mut dice);
        let document = openai::document(&messages, &mut dice);
        check_laws(&read(document), seed..seed.saturating_add(4), "wild chat");
    }

    #[test]
    fn valid_anthropic_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = anthropic::conversation(&mut dice);
        let request = json!({"model": "claude-x", "system": "be brief", "messages": messages});
        let session = read(style(&request, &mut dice));
        prop_assert_eq!(session.format().name(), "anthropic-messages");
        prop_assert_eq!(session.violations(), []);
        check_laws(&session, seed..seed.saturating_add(4), "generated request");
    }

    #[test]
    fn wild_anthropic_requests_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let messages = anthropic::conversation(&mut dice);
        let messages = shaken(messages, &mut dice);
        let request = json!({"model": "claude-x", "system": "be brief", "messages": messages});
        check_laws(&read(style(&request, &mut dice)), seed..seed.saturating_add(4), "wild request");
    }

    #[test]
    fn native_transcripts_keep_the_laws(seed: u64) {
        let mut dice = Dice::new(seed);
        let turns: Vec<Value> = (0..=dice.roll(12)).map(|turn| {
            let call = if dice.roll(2) == 0 { json!(format!("c{}", dice.roll(3))) } else { json!(null) };
            let role = ["system", "user", "assistant", "tool"][dice.roll(4)];
            json!({"turn_id": format!("t{turn}"), "role": role, "content": text(&mut dice), "token_estimate": dice.roll(50),
                   "tool_call_id": call, "pinned": dice.roll(9) == 0, "metadata": {"k": "v"}, "unknown": 1.0})
        }).collect();
        let document = match dice.roll(3) {
            0 => lines(&turns, &mut dice),
            1 => style(&json!(turns), &mut dice),
            _ => style(&json!({"turns": turns}), &mut dice),
        };
        let session = read(document);
        prop_assert_eq!(session.format().name(), "native");
        check_laws(&session, seed..seed.saturating_add(4), "native");
    }
}
