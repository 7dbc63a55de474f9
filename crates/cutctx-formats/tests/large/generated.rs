//! Sessions made at random, with members that nobody reads everywhere and texts of all lengths.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::same::check;

/// A string as it stands in JSON, quotes included.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => r"[a-z ]{1,40}".prop_map(String::from),
        1 => Just(String::from("\\n")),
        1 => Just(String::from("é€")),
        1 => Just(String::from("\\ud83d\\ude00\\\"\\\\")),
        1 => Just(String::from("\\u00e9")),
        1 => prop::sample::select(&["<system-reminder>", "</system-reminder>", "\\n\\u003cbash-input>", "</bash-input>"][..])
            .prop_map(String::from),
        1 => Just(String::from("\\ud83d ")),
    ];
    let tagged =
        (prop::collection::vec(r"[a-z ]{200,400}", 2..4), any::<bool>()).prop_map(|(texts, open)| {
            let joint = if open {
                "</system-reminder> <system-reminder>"
            } else {
                "</system-reminder> and <system-reminder>"
            };
            format!("\"<system-reminder>{}</system-reminder>\"", texts.join(joint))
        });
    let plain =
        (prop::collection::vec(piece, 0..12), prop_oneof![3 => Just(1_usize), 1 => Just(7), 1 => Just(60)])
            .prop_map(|(pieces, times)| format!("\"{}\"", pieces.concat().repeat(times)));
    prop_oneof![9 => plain, 1 => tagged]
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A member that no format reads.
fn ballast() -> impl Strategy<Value = String> {
    (prop::sample::select(&["cwd", "data", "toolUseResult", "version", "requestId"][..]), text()).prop_map(
        |(key, text)| format!("\"{key}\" : {{\"type\":\"user\",\"uuid\":{text},\"content\":[{text},{{}}]}}"),
    )
}

/// One line of the session: who says it, what it says, and where ballast stands.
#[derive(Debug, Clone)]
struct Said {
    kind: u8,
    texts: Vec<String>,
    ballast: Vec<(usize, String)>,
    gap: &'static str,
    /// Repeats what the line before says.
    again: bool,
}

fn said() -> impl Strategy<Value = Said> {
    let ballast = prop::collection::vec((0..6_usize, ballast()), 0..4);
    let gap = prop::sample::select(&["", "", " "][..]);
    (0..5_u8, prop::collection::vec(text(), 1..3), ballast, gap, prop::bool::weighted(0.15))
        .prop_map(|(kind, texts, ballast, gap, again)| Said { kind, texts, ballast, gap, again })
}

impl Said {
    fn content(&self, number: usize) -> String {
        let texts = |before: &str, after: &str| {
            let blocks: Vec<String> =
                self.texts.iter().map(|text| format!("{before}{text}{after}")).collect();
            blocks.join(if self.gap.is_empty() { "," } else { " , " })
        };
        let call = |number: usize| quoted(&format!("call-{number}"));
        match self.kind {
            0 => self.texts[0].clone(),
            1 => format!("[{}]", texts(r#"{"type":"text","text":"#, "}")),
            2 => format!("[{}]", texts(r#"{"type":"thinking","thinking":"#, r#","signature":"c2ln"}"#)),
            3 => format!(
                r#"[{{"type":"tool_use","id":{},"name":"Run","input":{{"all":[{}],"more":{{ "x" : 1.50 }}}}}}]"#,
                call(number),
                texts("", "")
            ),
            _ => format!(
                r#"[{{"tool_use_id":{},"type":"tool_result","content":[{},{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}}]}}]"#,
                call(number.saturating_sub(1)),
                texts(r#"{"type":"text","text":"#, "}"),
                "QUJD".repeat(200)
            ),
        }
    }

    fn line(&self, number: usize, content: &str) -> String {
        let assistant = self.kind == 2 || self.kind == 3;
        let parent = number.checked_sub(1).map_or(Value::Null, |parent| json!(format!("line-{parent}")));
        let kind = if assistant { "assistant" } else { "user" };
        let message = format!(
            r#"{{"model":"m","usage":{{"a":[1,2]}},"id":"msg-{}","content":{content},"stop":null}}"#,
            number / 2
        );
        let mut members = vec![
            format!(r#""parentUuid":{parent}"#),
            format!(r#""type":"{kind}""#),
            format!(r#""message":{}{message}"#, self.gap),
            format!(r#""uuid":"line-{number}""#),
        ];
        for (place, ballast) in &self.ballast {
            members.insert((*place).min(members.len()), ballast.clone());
        }
        format!("{{{}}}", members.join([",", " , "][usize::from(!self.gap.is_empty())]))
    }
}

fn session(said: &[Said]) -> String {
    let mut file = String::new();
    let mut content = String::new();
    for (number, said) in said.iter().enumerate() {
        if !said.again || content.is_empty() {
            content = said.content(number);
        }
        file.push_str(&said.line(number, &content));
        file.push_str(if number % 7 == 6 { "\r\n" } else { "\n" });
        if number % 5 == 4 {
            file.push_str("{\"type\":\"progress\",\"data\":{\"type\":\"user\"},\"uuid\":null}\n\n");
        }
    }
    file
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_session_is_the_same_both_ways(
        said in prop::collection::vec(said(), 3..24),
        marked in any::<bool>(),
        open_end in any::<bool>(),
        seeds in prop::array::uniform3(any::<u64>()),
    ) {
        let mut file = session(&said);
        let first_two: usize = file.split_inclusive('\n').take(2).map(str::len).sum();
        if marked {
            file.insert(0, '\u{feff}');
        }
        if open_end {
            file.truncate(file.trim_end().len());
        }
        let small = first_two + 3;
        let in_part = check(file.as_bytes(), small, &seeds);
        prop_assert_eq!(in_part, file.len() > small);
    }
}
