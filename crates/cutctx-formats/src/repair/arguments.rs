//! Arguments of a call that are no JSON object, as one.

use alloc::string::String;

use serde::de::IgnoredAny;

use crate::raw::quoted;

/// The key under which arguments stand that are no JSON object.
pub(crate) const UNPARSED: &str = "unparsed_arguments";

/// The arguments as an object, where they are none: what a text holds if that is an object, otherwise an object with
/// the JSON value, or the text, under [`UNPARSED`]. Nothing at all is an empty object.
pub(crate) fn as_object(arguments: &str) -> Option<String> {
    let text = arguments.trim();
    if text.is_empty() || text == "null" || text == r#""""# {
        return Some(String::from("{}"));
    }
    let is_json = is_json(text);
    if is_json && text.starts_with('{') {
        return None;
    }
    let inner: Option<String> = if is_json { serde_json::from_str(text).ok() } else { None };
    if let Some(inner) = inner.filter(|inner| inner.trim_start().starts_with('{') && self::is_json(inner)) {
        return Some(inner);
    }
    let value = if is_json { String::from(text) } else { quoted(arguments) };
    Some(["{", &quoted(UNPARSED), ":", &value, "}"].concat())
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}
