//! Ids and contents, plain and nasty.

use alloc::string::{String, ToString};
use proptest::prelude::*;
use proptest::sample::select;

/// Ids of turns, groups and calls: short, not empty, some with NUL, emoji or CJK, some like the ids of
/// summaries.
pub fn ids() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-f]",
        2 => "summary:[a-d]",
        1 => select(&["a\0b", "\0", "\u{1F600}", "漢字", "é", "summary:", "summary:span-\0", "\u{FEFF}x"][..])
            .prop_map(ToString::to_string),
    ]
}

/// What turns say: mostly short, some empty, some with NUL, emoji, CJK or a line break.
pub fn contents() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z ]{0,24}",
        1 => Just(String::new()),
        3 => proptest::collection::vec(select(&["\0", "\u{1F600}", "漢", "é", "\n", "\"", "\\", "word "][..]), 0..8)
            .prop_map(|pieces| pieces.concat()),
    ]
}
