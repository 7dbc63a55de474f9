//! Canonical JSON against a writer that is slow and plain.

use crate::floats::slow_repr;
use crate::tree::{Tree, texts, trees};
use cutctx_types::{CanonicalError, Coded, canonical_json, sha256_of, sha256_of_text};
use proptest::prelude::*;
use serde_json::Value;

/// The rules of the form, one by one: no spaces, keys by code point, of equal keys the last.
fn slow(tree: &Tree) -> String {
    match tree {
        Tree::Null => String::from("null"),
        Tree::Bool(value) => value.to_string(),
        Tree::Int(value) => value.to_string(),
        Tree::Float(0.0) => String::from("0.0"),
        Tree::Float(value) => slow_repr(*value),
        Tree::Text(text) => slow_text(text),
        Tree::List(items) => format!("[{}]", items.iter().map(slow).collect::<Vec<_>>().join(",")),
        Tree::Map(members) => {
            let mut kept: Vec<&(String, Tree)> = Vec::new();
            for member in members {
                kept.retain(|(key, _)| *key != member.0);
                kept.push(member);
            }
            kept.sort_by(|(left, _), (right, _)| left.chars().cmp(right.chars()));
            let members = kept.iter().map(|(key, value)| format!("{}:{}", slow_text(key), slow(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}

fn slow_text(text: &str) -> String {
    let escape = |character: char| match character {
        '"' => String::from("\\\""),
        '\\' => String::from("\\\\"),
        '\u{8}' => String::from("\\b"),
        '\u{c}' => String::from("\\f"),
        '\n' => String::from("\\n"),
        '\r' => String::from("\\r"),
        '\t' => String::from("\\t"),
        control if control < ' ' => format!("\\u{:04x}", u32::from(control)),
        other => String::from(other),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

proptest! {
    #[test]
    fn it_is_what_the_slow_writer_writes(tree in trees()) {
        prop_assert_eq!(canonical_json(&tree).unwrap(), slow(&tree));
    }

    #[test]
    fn it_is_json_and_stays_the_same_when_read_and_written_again(tree in trees()) {
        let json = canonical_json(&tree).unwrap();
        let read: Value = serde_json::from_str(&json).unwrap();
        // Numbers beyond 64 bits come back as doubles; everything else comes back as it was.
        let big = json.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() > 18);
        if !big {
            prop_assert_eq!(canonical_json(&read).unwrap(), json);
        }
    }

    #[test]
    fn the_order_of_members_does_not_matter(
        (members, shuffled) in prop::collection::btree_map(texts(), -9_i128..9, 0..9).prop_flat_map(|map| {
            let members: Vec<(String, Tree)> =
                map.into_iter().map(|(key, value)| (key, Tree::Int(value))).collect();
            (Just(members.clone()), Just(members).prop_shuffle())
        }),
    ) {
        let (sorted, shuffled) = (Tree::Map(members), Tree::Map(shuffled));
        prop_assert_eq!(canonical_json(&sorted).unwrap(), canonical_json(&shuffled).unwrap());
    }

    #[test]
    fn any_text_is_escaped_as_the_slow_writer_escapes_it(text in any::<String>()) {
        prop_assert_eq!(canonical_json(&text).unwrap(), slow_text(&text));
    }

    #[test]
    fn a_digest_is_of_the_bytes_of_the_form(text in texts()) {
        let digest = sha256_of(&text).unwrap();
        prop_assert_eq!(sha256_of_text(&text), digest);
        let pairs: Vec<String> = digest.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
        prop_assert_eq!(digest.to_string(), pairs.concat());
        let json = canonical_json(&text).unwrap();
        let (head, tail) = json.as_bytes().split_at(json.len() / 2);
        prop_assert_eq!(cutctx_types::Sha256Digest::of_pieces([head, tail]), digest);
        prop_assert_eq!(cutctx_types::Sha256Digest::of_bytes(json.as_bytes()), digest);
    }
}

#[test]
fn every_byte_is_escaped_or_not_wherever_it_stands_in_a_block() {
    for character in (0..0x180).filter_map(char::from_u32) {
        for before in 0..34 {
            let text = format!("{}{character}{}", "x".repeat(before), "y".repeat(33));
            assert_eq!(canonical_json(&text).unwrap(), slow_text(&text));
        }
    }
}

#[test]
fn keys_are_sorted_by_code_point_not_by_their_escapes_nor_by_utf_16() {
    let members = ["\u{10000}", "\u{ffff}", "\u{e000}", "a\"", "a!", "a", "a\u{1}", "a\\", "A", "\u{1f}", ""];
    let tree = Tree::Map(members.iter().map(|key| (String::from(*key), Tree::Null)).collect());
    let expected = concat!(
        "{\"\":null,\"\\u001f\":null,\"A\":null,\"a\":null,\"a\\u0001\":null,\"a!\":null,\"a\\\"\":null,",
        "\"a\\\\\":null,\"\u{e000}\":null,\"\u{ffff}\":null,\"\u{10000}\":null}"
    );
    assert_eq!(canonical_json(&tree).unwrap(), expected);
}

#[test]
fn of_equal_keys_the_last_one_stays_at_every_level() {
    let inner = |value| Tree::Map(vec![("k".into(), Tree::Int(1)), ("k".into(), Tree::Int(value))]);
    let members = vec![("b".into(), inner(2)), ("a".into(), inner(3)), ("b".into(), inner(4))];
    assert_eq!(canonical_json(&Tree::Map(members)).unwrap(), r#"{"a":{"k":3},"b":{"k":4}}"#);
}

fn nested(levels: usize, wrap: fn(Tree) -> Tree) -> Tree {
    (1..levels).fold(wrap(Tree::Null), |inner, _| wrap(inner))
}

#[test]
fn nesting_ends_at_256_levels() {
    let wraps: [fn(Tree) -> Tree; 2] =
        [|inner| Tree::List(vec![inner]), |inner| Tree::Map(vec![("k".into(), inner)])];
    for wrap in wraps {
        assert!(canonical_json(&nested(256, wrap)).is_ok());
        let error = canonical_json(&nested(257, wrap)).unwrap_err();
        assert_eq!(error, CanonicalError::TooDeep);
        assert_eq!(error.code().as_str(), "NOT_CANONICAL");
    }
}

#[test]
fn depth_is_counted_along_a_branch_not_over_all_of_them() {
    let branch = nested(255, |inner| Tree::List(vec![inner]));
    assert!(canonical_json(&Tree::List(vec![branch.clone(), branch.clone(), branch])).is_ok());
}

#[test]
fn numbers_that_are_none_are_refused_with_their_names() {
    for (number, name) in [(f64::NAN, "nan"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
        let error = canonical_json(&[0.5, number]).unwrap_err();
        assert_eq!(error, CanonicalError::NonFinite { value: name });
        assert_eq!(error.code().as_str(), "VALIDATION_ERROR");
        let details = serde_json::to_string(&error.details()).unwrap();
        assert_eq!(details, format!(r#"{{"value":"{name}"}}"#));
    }
}

#[test]
fn the_first_refusal_in_the_order_of_members_is_told() {
    let members = vec![("b".into(), Tree::Float(f64::NAN)), ("a".into(), Tree::Float(f64::INFINITY))];
    let error = canonical_json(&Tree::Map(members)).unwrap_err();
    assert_eq!(error, CanonicalError::NonFinite { value: "nan" });
}

#[test]
fn large_objects_out_of_order_take_no_quadratic_time() {
    let members: Vec<(String, Tree)> =
        (0..200_000).rev().map(|number| (format!("{number:06}"), Tree::Int(number))).collect();
    let json = canonical_json(&Tree::Map(members)).unwrap();
    assert!(json.starts_with(r#"{"000000":0,"000001":1,"#));
}
