//! Lengths of runs of characters, in bytes.

use super::class::Class;

/// How long the text goes on with characters of these kinds.
pub(super) fn run(text: &str, of: Class) -> usize {
    let is_in = |byte: &&u8| of.has(Class::of_byte(**byte));
    let plain = text.as_bytes().iter().take_while(is_in).count();
    match text.as_bytes().get(plain) {
        Some(byte) if !byte.is_ascii() => plain.saturating_add(wide_run(behind(text, plain), of)),
        _ => plain,
    }
}

/// The same for a text that begins with a character outside of ASCII.
fn wide_run(text: &str, of: Class) -> usize {
    text.char_indices().find(|(_, character)| !of.has(Class::of(*character))).map_or(text.len(), |(at, _)| at)
}

/// How long the text goes on with characters of these kinds, over so many characters at most.
pub(super) fn run_of_at_most(text: &str, of: Class, most: usize) -> usize {
    let characters = text.chars().take(most).take_while(|character| of.has(Class::of(*character)));
    characters.map(char::len_utf8).fold(0, usize::saturating_add)
}

/// The length of the first character, if it is of these kinds; else nothing.
pub(super) fn first(text: &str, of: Class) -> usize {
    run_of_at_most(text, of, 1)
}

/// What is left of a text behind its first so many bytes.
pub(super) fn behind(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}
