//! The engine against `serde_json::Value` as a slow oracle.

use cutctx_formats::raw::{ArrayEdit, Kind, Line, Lines, Node, Span, Splices, compact, quoted};
use proptest::prelude::*;
use serde_json::Value;

use crate::laws::Dice;

/// A JSON value of any shape, in any spacing.
fn document(dice: &mut Dice, depth: usize) -> String {
    let blank = |dice: &mut Dice| ["", " ", "\n\t", "\r\n  "][dice.roll(4)];
    match dice.roll(if depth == 0 { 4 } else { 6 }) {
        0 => ["null", "true", "false"][dice.roll(3)].to_owned(),
        1 => ["0", "-1.50", "1e3", "12345678901234567890"][dice.roll(4)].to_owned(),
        2 | 3 => {
            [r#""""#, r#""a\"b\\""#, r#""\u00e9\n🦀""#, r#""plain, [text] {here}""#][dice.roll(4)].to_owned()
        }
        4 => {
            let items: Vec<String> =
                (0..dice.roll(4)).map(|_| format!("{}{}", blank(dice), document(dice, depth - 1))).collect();
            format!("[{}{}]", items.join(&format!("{},", blank(dice))), blank(dice))
        }
        _ => {
            let keys = ["a", "b", r"\u0061", "a\u{e9}"];
            let items: Vec<String> = (0..dice.roll(4))
                .map(|_| {
                    format!(
                        "{}\"{}\"{}:{}",
                        blank(dice),
                        keys[dice.roll(4)],
                        blank(dice),
                        document(dice, depth - 1)
                    )
                })
                .collect();
            format!("{{{}{}}}", items.join(","), blank(dice))
        }
    }
}

fn same(node: Node<'_>, value: &Value, text: &str) {
    assert_eq!(node.span().of(text), node.text());
    match value {
        Value::Null => assert!(node.is_null()),
        Value::Bool(truth) => assert_eq!((node.kind(), node.is_true()), (Kind::Bool, *truth)),
        Value::Number(number) => assert_eq!(node.unsigned(), number.as_u64()),
        Value::String(string) => assert_eq!(node.string().as_deref(), Some(string.as_str())),
        Value::Array(values) => {
            let elements = node.array().unwrap().unwrap();
            assert_eq!(elements.len(), values.len());
            elements.into_iter().zip(values).for_each(|(element, value)| same(element, value, text));
        }
        Value::Object(map) => {
            let object = node.object().unwrap().unwrap();
            assert_eq!(object.span(), node.span());
            map.iter().for_each(|(key, value)| same(object.get(key).unwrap(), value, text));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nodes_say_what_a_value_tree_says(seed: u64) {
        let mut dice = Dice::new(seed);
        let text = document(&mut dice, 4);
        let value: Value = serde_json::from_str(&text).unwrap();
        same(Node::parse(&text, 0).unwrap(), &value, &text);
        let small: Value = serde_json::from_str(&compact(&text)).unwrap();
        prop_assert_eq!(small, value);
    }

    #[test]
    fn edited_arrays_hold_what_is_left_and_what_was_added(seed: u64) {
        let mut dice = Dice::new(seed);
        let count = dice.roll(6);
        let gap = ["", " ", "\n  "][dice.roll(3)];
        let items: Vec<String> = (0..count).map(|item| format!("{gap}{item}")).collect();
        let text = format!("{{\"a\": [{}{gap}]}}", items.join(","));
        let array = Node::parse(&text, 0).unwrap().object().unwrap().unwrap().get("a").unwrap();
        let spans: Vec<Span> = array.array().unwrap().unwrap().iter().map(Node::span).collect();
        let mut edit = ArrayEdit::new(&text, array.span(), spans);
        let gone: Vec<bool> = (0..count).map(|_| dice.roll(2) == 0).collect();
        let mut wanted: Vec<(usize, u8, usize)> = Vec::new();
        for (index, gone) in gone.iter().enumerate() {
            if *gone { edit.remove(index) } else { wanted.push((index, 1, index)) }
        }
        for new in 0..dice.roll(4) {
            let place = dice.roll(count + 1);
            edit.insert(place, (100 + new).to_string());
            wanted.push((place, 0, 100 + new));
        }
        wanted.sort_by_key(|(place, rank, _)| (*place, *rank));
        prop_assert_eq!(edit.leaves_nothing(), wanted.is_empty());
        let mut splices = Splices::new();
        edit.finish(&mut splices);
        let edited = splices.apply(&text).unwrap();
        let value: Value = serde_json::from_str(&edited).unwrap_or_else(|error| panic!("{error}: {edited}"));
        let found: Vec<usize> = value["a"].as_array().unwrap().iter().map(|item| usize::try_from(item.as_u64().unwrap()).unwrap()).collect();
        prop_assert_eq!(found, wanted.into_iter().map(|(_, _, item)| item).collect::<Vec<_>>());
    }

    #[test]
    fn quoted_text_reads_back(text: String) {
        let json = quoted(&text);
        prop_assert_eq!(Node::parse(&json, 0).unwrap().string().unwrap(), text);
    }
}

#[test]
fn untouched_arrays_keep_their_bytes() {
    let text = "[ 1 , 2 ]";
    let array = Node::parse(text, 0).unwrap();
    let spans = array.array().unwrap().unwrap().iter().map(Node::span).collect();
    let mut splices = Splices::new();
    ArrayEdit::new(text, array.span(), spans).finish(&mut splices);
    assert!(splices.is_empty());
}

#[test]
fn edits_that_overlap_or_leave_the_text_are_refused() {
    let edit = |spans: &[(usize, usize)]| {
        let mut splices = Splices::new();
        for (start, end) in spans {
            splices.remove(Span { start: *start, end: *end });
        }
        splices.apply("aé")
    };
    assert_eq!(edit(&[(0, 1)]).unwrap(), "é");
    assert!(edit(&[(0, 3), (1, 3)]).is_err());
    assert!(edit(&[(0, 2)]).is_err(), "inside a character");
    assert!(edit(&[(3, 4)]).is_err());
}

#[test]
fn lines_know_their_places() {
    let text = "{\"a\":1}\r\n\n// note\n{\"a\":2}";
    let lines: Vec<_> = Lines::new(text, 10).collect();
    assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(lines.iter().map(Line::is_filler).collect::<Vec<_>>(), [false, true, true, false]);
    assert_eq!(lines[3].span, Span { start: 28, end: 35 });
    assert!(lines[0].is_terminated() && !lines[3].is_terminated());
    assert_eq!(lines[3].object().unwrap().unwrap().get("a").unwrap().start(), 33);
}
