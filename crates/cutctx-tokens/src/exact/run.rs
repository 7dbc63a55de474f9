//! Lengths of runs of characters, in bytes.

use super::class::Class;

/// How long the text goes on with characters of these kinds.
pub(super) fn run(text: &str, of: Class) -> usize {
    run_of_at_most(text, of, usize::MAX)
}

/// The same, over so many characters at most.
pub(super) fn run_of_at_most(text: &str, of: Class, most: usize) -> usize {
    let mut length = 0_usize;
    for character in text.chars().take(most) {
        if !of.has(Class::of(character)) {
            break;
        }
        length = length.saturating_add(character.len_utf8());
    }
    length
}

/// The length of the first character, if it is of these kinds; else nothing.
pub(super) fn first(text: &str, of: Class) -> usize {
    run_of_at_most(text, of, 1)
}

/// What is left of a text behind its first so many bytes.
pub(super) fn behind(text: &str, bytes: usize) -> &str {
    text.get(bytes..).unwrap_or_default()
}
