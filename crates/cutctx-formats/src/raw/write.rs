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
    let mut in_string = false;
    let mut escaped = false;
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character == '"' {
            in_string = true;
        } else if character.is_ascii_whitespace() {
            continue;
        }
        kept.push(character);
    }
    kept
}
