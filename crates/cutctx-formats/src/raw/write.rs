//! Writing small pieces of JSON.

use alloc::string::{String, ToString};

/// `text` as a JSON string with its quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_string()).to_string()
}

/// A JSON text without the white space between its tokens; what stands inside strings stays.
#[must_use]
pub fn compact(json: &str) -> String {
    let mut kept = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((tokens, string)) = rest.find('"').and_then(|quote| rest.split_at_checked(quote)) {
        push_tokens(&mut kept, tokens);
        let (string, after) = string.split_at_checked(string_length(string)).unwrap_or((string, ""));
        kept.push_str(string);
        rest = after;
    }
    push_tokens(&mut kept, rest);
    kept
}

/// Adds text that stands outside strings, without its white space.
fn push_tokens(kept: &mut String, tokens: &str) {
    tokens.split_ascii_whitespace().for_each(|token| kept.push_str(token));
}

/// The length in bytes, quotes included, of the string that `text` begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = true; // The first quote ends nothing.
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end.saturating_add(1))
}
