//! Words of a command line that can be copied into a shell.

use super::printable::visible;

/// A word as a POSIX shell takes it: as it is where nothing in it means something to a shell, quoted elsewhere.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "_./:=@%+,-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", visible(word).replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        for (word, shown) in
            [("a/b-1.jsonl", "a/b-1.jsonl"), ("my file", "'my file'"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(shell_word(word), shown);
        }
    }
}
