//! The forms that serde's data model has, and what canonical JSON makes of each.

use alloc::collections::BTreeMap;
use cutctx_types::{CanonicalError, Coded, canonical_json};
use serde::ser::{Error, Serialize, Serializer};

#[derive(serde::Serialize)]
struct Unit;

#[derive(serde::Serialize)]
struct Newtype(u8);

#[derive(serde::Serialize)]
struct Pair(u8, char);

#[derive(serde::Serialize)]
struct Fields {
    b: Option<bool>,
    a: f32,
}

#[derive(serde::Serialize, PartialEq, Eq, PartialOrd, Ord)]
enum Case {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct { y: u8, x: u8 },
}

fn json<T: Serialize>(value: T) -> String {
    canonical_json(&value).unwrap()
}

#[test]
fn structs_and_tuples_are_written_as_serde_json_writes_them() {
    assert_eq!(json(Unit), "null");
    assert_eq!(json(()), "null");
    assert_eq!(json(Newtype(1)), "1");
    assert_eq!(json(Pair(1, '"')), r#"[1,"\""]"#);
    assert_eq!(json((1, "a", [true])), r#"[1,"a",[true]]"#);
    assert_eq!(json(Fields { b: Some(true), a: 0.5 }), r#"{"a":0.5,"b":true}"#);
    assert_eq!(json(Fields { b: None, a: 16_777_216.0 }), r#"{"a":16777216.0,"b":null}"#);
}

#[test]
fn cases_of_an_enum_are_written_as_serde_json_writes_them() {
    assert_eq!(json(Case::Unit), r#""Unit""#);
    assert_eq!(json(Case::Newtype(1)), r#"{"Newtype":1}"#);
    assert_eq!(json(Case::Tuple(1, 2)), r#"{"Tuple":[1,2]}"#);
    assert_eq!(json(Case::Struct { y: 1, x: 2 }), r#"{"Struct":{"x":2,"y":1}}"#);
    let list = [Case::Unit, Case::Struct { y: 1, x: 2 }, Case::Tuple(3, 4)];
    assert_eq!(json(list), r#"["Unit",{"Struct":{"x":2,"y":1}},{"Tuple":[3,4]}]"#);
}

#[test]
fn whole_numbers_of_every_width_are_written_in_decimal() {
    assert_eq!(
        json((i8::MIN, i16::MIN, i32::MIN, i64::MIN)),
        "[-128,-32768,-2147483648,-9223372036854775808]"
    );
    assert_eq!(json((u8::MAX, u16::MAX, u32::MAX, u64::MAX)), "[255,65535,4294967295,18446744073709551615]");
    assert_eq!(json(i128::MIN), i128::MIN.to_string());
    assert_eq!(json(u128::MAX), u128::MAX.to_string());
}

#[test]
fn keys_may_be_texts_characters_and_names_of_cases() {
    assert_eq!(json(BTreeMap::from([("b", 1), ("a", 2)])), r#"{"a":2,"b":1}"#);
    assert_eq!(json(BTreeMap::from([('z', 1), ('\n', 2)])), r#"{"\n":2,"z":1}"#);
    assert_eq!(json(BTreeMap::from([(Case::Unit, 1)])), r#"{"Unit":1}"#);
    assert_eq!(json(BTreeMap::from([(Some("a"), 1)])), r#"{"a":1}"#);
}

fn refused<T: Serialize>(value: T) -> CanonicalError {
    canonical_json(&value).unwrap_err()
}

#[test]
fn keys_that_are_no_text_are_refused() {
    let no_text = CanonicalError::Unsupported { kind: "a key that is no text" };
    assert_eq!(refused(BTreeMap::from([(1_u8, 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(1_i128, 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(true, 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([((), 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(None::<&str>, 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(["a"], 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(vec!["a"], 1)])), no_text);
    assert_eq!(refused(BTreeMap::from([(BTreeMap::from([("a", 1)]), 1)])), no_text);
    for case in [Case::Newtype(1), Case::Tuple(1, 2), Case::Struct { y: 1, x: 2 }] {
        assert_eq!(refused(BTreeMap::from([(case, 1)])), no_text);
    }
    assert_eq!(no_text.code().as_str(), "VALIDATION_ERROR");
}

/// Something that serializes as bytes, and something that refuses to be serialized.
struct Bytes;

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(b"ab")
    }
}

struct Stubborn;

impl Serialize for Stubborn {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom("not today"))
    }
}

#[test]
fn bytes_are_refused() {
    let error = refused(Bytes);
    assert_eq!(serde_json::to_string(&error.details()).unwrap(), r#"{"type":"bytes"}"#);
}

#[test]
fn what_refuses_to_be_serialized_is_an_error_with_its_reason() {
    let error = refused([Stubborn]);
    assert_eq!(error, CanonicalError::Custom { reason: "not today".into() });
    assert_eq!(error.to_string(), "a value could not be serialized: not today");
    assert_eq!(error.code().as_str(), "NOT_CANONICAL");
}
