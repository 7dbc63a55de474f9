//! What is cut from a line, and what stays.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use proptest::prelude::*;

use super::*;

const BLOCKS: Worth =
    Worth::Blocks(&[("text", Worth::Said), ("content", Worth::Text), ("input", Worth::Json)]);
const LINE: Worth = Worth::Members(&[
    ("id", Worth::Whole),
    ("on", Worth::OneOf(&["true", "\"yes\""])),
    ("message", Worth::Members(&[("role", Worth::Whole), ("content", BLOCKS)])),
]);

fn left(line: &str) -> String {
    let mut left = String::new();
    let mut done = 0;
    for cut in cuts(line, &LINE) {
        assert!(cut.span.start >= done && !cut.span.is_empty(), "{cut:?}");
        left.push_str(Span { start: done, end: cut.span.start }.of(line));
        if cut.kind != CutKind::Ballast {
            left.push_str(if cut.kind == CutKind::Text { "<T>" } else { "<J>" });
        }
        done = cut.span.end;
    }
    left + line.get(done..).unwrap()
}

#[test]
fn members_that_nobody_reads_go_with_their_commas() {
    for (line, expected) in [
        (r#"{"id":1,"a":2}"#, r#"{"id":1}"#),
        (r#"{"a":2,"id":1}"#, r#"{"id":1}"#),
        (r#" { "a" : [1,{"id":3}] , "b":"},\"" , "id" : 1 , "c":{} , "d":-1.5e3 } "#, r#" { "id" : 1 } "#),
        (r#"{"id":1,"a":true,"id":2,"b":null}"#, r#"{"id":1,"id":2}"#),
        (r#"{"a":1,"b":2}"#, "{}"),
        ("{}", "{}"),
        (r#"{"message":"x","a":1}"#, r#"{"message":"x"}"#),
        (
            r#"{"message":{"model":"m","role":"r","usage":{}},"a":0}"#,
            r#"{"message":{"model":"m","role":"r"}}"#,
        ),
        (r#"{"\u0069d":1,"a":1}"#, r#"{"\u0069d":1}"#),
        ("[1]", "[1]"),
        ("", ""),
        (r#"{"on":false,"id":1}"#, r#"{"id":1}"#),
        (
            r#"{"on":true,"id":1,"on" : "yes" ,"on":truest}"#,
            r#"{"on":true,"id":1,"on" : "yes" ,"on":truest}"#,
        ),
        (r#"{"on":false,"on":true}"#, r#"{"on":true}"#),
        (r#"{"on":"yes}","on":"no","id":1}"#, r#"{"id":1}"#),
    ] {
        assert_eq!(left(line), expected, "{line}");
    }
}

#[test]
fn of_long_texts_the_middle_goes_wherever_they_stand() {
    let long = "a long word, ".repeat(60);
    let cut = |ends: (usize, usize), kind: &str| {
        let ((head, _), (_, tail)) = (long.split_at(ends.0), long.split_at(long.len() - ends.1));
        format!("{head}{kind}{tail}")
    };
    let line = |content: &str, text: &str, input: &str| {
        format!(
            r#"{{"message":{{"content":[{{"type":"t","content":"{content}"}},{{"content":[{{"text":"{text}"}}]}},{{"input":{{"a":["{input}"]}}}},{{"data":"{long}"}}]}}}}"#
        )
    };
    let (short, said) = ((64, 32), (192, 192));
    let expected = line(&cut(short, "<T>"), &cut(said, "<T>"), &cut(short, "<J>"));
    assert_eq!(left(&line(&long, &long, &long)), expected);
    let plain = left(&format!(r#"{{"message":{{"content":"{long}"}}}}"#));
    assert_eq!(plain, format!(r#"{{"message":{{"content":"{}"}}}}"#, cut(said, "<T>")));
}

#[test]
fn of_what_begins_with_a_tag_all_stays() {
    let tagged = format!("  \\n<note>{}", "a long word, ".repeat(60));
    let said = format!(
        r#"{{"message":{{"content":[{{"text":"{tagged}"}},{{"content":[{{"text":"{tagged}"}}]}}]}}}}"#
    );
    assert_eq!(left(&said), said);
    let result = format!(r#"{{"message":{{"content":[{{"content":"{tagged}"}}]}}}}"#);
    assert!(left(&result).contains("<T>"));
}

const BY_TYPE: Worth = Worth::ByType(
    &[
        ("call", Worth::Members(&[("type", Worth::Whole), ("args", Worth::Arguments)])),
        ("all", Worth::All(&[("text", Worth::Text), ("data", Worth::Data)])),
        ("list", Worth::Members(&[("of", Worth::List(&Worth::Members(&[("id", Worth::Whole)])))])),
        ("said", Worth::Members(&[("said", Worth::Single(&["output"]))])),
        ("back", Worth::Members(&[("back", Worth::Result(&[("text", Worth::Text)]))])),
    ],
    &Worth::Members(&[("type", Worth::Whole)]),
);

#[test]
fn what_a_line_is_worth_depends_on_its_type() {
    let long = |word: &str| word.repeat(200);
    let word = long("word ");
    let kinds = |line: String| -> Vec<CutKind> { cuts(&line, &BY_TYPE).iter().map(|cut| cut.kind).collect() };
    let [text, json, ballast] = [CutKind::Text, CutKind::Json, CutKind::Ballast];
    for (line, expected) in [
        (format!(r#"{{"args":"{word}","type":"call","id":1}}"#), vec![text, ballast]),
        (format!(r#"{{"args":{{"a":["{word}"]}},"type":"call"}}"#), vec![json]),
        (format!(r#"{{"type":"all","id":1,"text":"{word}","b":"{word}"}}"#), vec![text]),
        (format!(r#"{{"type":"all","data":"data:x,{word}"}}"#), vec![text]),
        (format!(r#"{{"type":"all","data":{{"url":"{word}"}}}}"#), vec![text]),
        (format!(r#"{{"type":"all","data":"data:{word}"}}"#), vec![]),
        (format!(r#"{{"type":"all","data":"{word}\n"}}"#), vec![]),
        (String::from(r#"{"type":"list","of":[{"id":1,"a":2},{"a":2}]}"#), vec![ballast; 3]),
        (format!(r#"{{"said":{{"output":"{word}"}},"type":"said"}}"#), vec![text, ballast]),
        (format!(r#"{{"said":{{"output":"{word}","a":1}},"type":"said"}}"#), vec![json, ballast]),
        (format!(r#"{{"said":{{"outpu\u0074":"{word}"}},"type":"said"}}"#), vec![ballast]),
        (format!(r#"{{"back":{{"text":"{word}"}},"type":"back"}}"#), vec![json, ballast]),
        (format!(r#"{{"back":[{{"text":"{word}"}}],"type":"back"}}"#), vec![text, ballast]),
        (format!(r#"{{"back":"<{word}","type":"back"}}"#), vec![ballast]),
        (format!(r#"{{"type":"other","text":"{word}","modelId":"m"}}"#), vec![ballast]),
        (format!(r#"{{"type":"call","type":"other","args":"{word}"}}"#), vec![ballast]),
        (format!(r#"{{"type":"c\u0061ll","args":"{word}"}}"#), vec![]),
    ] {
        assert_eq!(kinds(line.clone()), expected, "{line}");
    }
    assert_eq!(kinds(String::from(r#"{"type":"other","model":"m"}"#)), []);
}

/// What `serde_json` makes of a line after taking the same members out.
fn slowly(line: &str) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
    if let Some(members) = value.as_object_mut() {
        members.retain(|key, _| ["id", "message"].contains(&key.as_str()));
        if let Some(message) = members.get_mut("message").and_then(serde_json::Value::as_object_mut) {
            message.retain(|key, _| ["role", "content"].contains(&key.as_str()));
        }
    }
    value
}

fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        r"-?[1-9][0-9]{0,3}(\.[0-9]{1,2})?([eE][+-]?[0-9])?".prop_map(String::from),
        Just(String::from("null")),
        Just(String::from("true")),
        r#""([a-z{}\[\]:, é]|\\[n"\\]|\\u00e9){0,8}""#.prop_map(String::from),
    ];
    leaf.prop_recursive(5, 48, 5, |inner| {
        let key = prop::sample::select(&["id", "message", "role", "content", "a", "input"][..]);
        let gap = prop::sample::select(&["", " ", "\t "][..]);
        let member = (key, gap, inner.clone())
            .prop_map(|(key, gap, value)| format!("{gap}\"{key}\"{gap}:{gap}{value}{gap}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|all| format!("[{}]", all.join(" ,"))),
            prop::collection::vec(member, 0..6).prop_map(|all| format!("{{{}}}", all.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn what_is_left_is_what_a_parser_finds(line in json()) {
        let left = left(&line);
        if line.starts_with('{') {
            let left: serde_json::Value = serde_json::from_str(&left).unwrap();
            prop_assert_eq!(left, slowly(&line));
        } else {
            prop_assert_eq!(left, line);
        }
    }

    #[test]
    fn a_walk_over_anything_ends(line in r#"[{}\[\]":,\\a1 ]{0,40}"#) {
        prop_assert!(cuts(&line, &LINE).len() <= line.len());
    }
}
