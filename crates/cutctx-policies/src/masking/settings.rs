//! What a placeholder may be.

use crate::blank::refuse_blank;
use crate::version::PolicyVersion;
use alloc::format;
use alloc::sync::Arc;
use cutctx_types::{DetailValue, InvalidValue};

/// The longest placeholder of version 2.0.0, in characters.
pub(super) const LONGEST: usize = 256;

/// Checks a placeholder for a version.
pub(super) fn placeholder(text: Arc<str>, version: PolicyVersion) -> Result<Arc<str>, InvalidValue> {
    refuse_blank("placeholder", &text)?;
    if version == PolicyVersion::V1 {
        return Ok(text);
    }
    let length = text.chars().count();
    if length > LONGEST {
        return Err(refused(DetailValue::from(length), "has more than 256 characters"));
    }
    if text.contains(is_line_break) {
        return Err(refused(DetailValue::from(format!("{text:?}")), "breaks the line"));
    }
    Ok(text)
}

fn refused(value: DetailValue, reason: &'static str) -> InvalidValue {
    InvalidValue::Setting { setting: "placeholder", value: Some(value), reason }
}

/// Whether a character begins a new line, by Unicode's list of mandatory breaks.
pub(super) const fn is_line_break(character: char) -> bool {
    matches!(character, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
