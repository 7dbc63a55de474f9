//! Any value that JSON has a form for, with a serialization that keeps the order of its members.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::ser::{Serialize, SerializeMap, Serializer};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text(String),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i128(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(members) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Texts where escapes stand anywhere in, before and after blocks of plain characters, with keys whose
/// order by code point differs from other orders.
pub(crate) fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "b",
        "\0",
        "\u{1}",
        "\u{8}",
        "\t",
        "\n",
        "\u{b}",
        "\u{c}",
        "\r",
        "\u{1f}",
        " ",
        "\"",
        "\\",
        "/",
        "~",
        "\u{7f}",
        "\u{80}",
        "é",
        "\u{2028}",
        "\u{e000}",
        "\u{ffff}",
        "\u{10000}",
        "\u{1F600}",
        "fifteen plain b",
        "sixteen plain by",
        "seventeen plain b",
    ];
    vec(select(pieces.to_vec()), 0..6).prop_map(|pieces| pieces.concat())
}

pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        any::<i128>().prop_map(Tree::Int),
        (-20_i128..20).prop_map(Tree::Int),
        any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Tree::Float),
        texts().prop_map(Tree::Text),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Tree::List),
            vec((texts(), inner), 0..6).prop_map(Tree::Map),
        ]
    })
}
