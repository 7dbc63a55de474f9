//! Texts measured and cut in characters, that is in Unicode code points.

/// How many characters a text has.
pub(super) fn count(text: &str) -> usize {
    text.chars().count()
}

/// The pieces of a text, each of so many characters but the last. One piece where the size is zero or the text is
/// empty.
pub(super) fn pieces(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((end, _)) = rest.char_indices().nth(size).filter(|_| size > 0) {
        let Some((piece, after)) = rest.split_at_checked(end) else { break };
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_cut_between_characters() {
        assert_eq!(pieces("añb🙂c", 2), ["añ", "b🙂", "c"]);
        assert_eq!(pieces("abcd", 2), ["ab", "cd"]);
        assert_eq!(pieces("", 3), [""]);
        assert_eq!(pieces("abc", 0), ["abc"]);
    }
}
