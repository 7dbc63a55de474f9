//! How a text is split before its pieces are encoded.
//!
//! OpenAI publishes the splits as regular expressions. They are written out here as what they mean, because a
//! backtracking engine runs out of stack on a megabyte of spaces, and because this is faster. Every step reads a
//! stretch of text at most twice, so splitting is linear. The expressions stand above each pattern; tests compare with
//! an implementation that uses them.

use super::class::Class;
use super::run::{behind, first, run, run_of_at_most};

/// The way to split that belongs to a vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pattern {
    /// Of `o200k_base` and `o200k_harmony`:
    ///
    /// ```text
    /// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
    /// [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
    /// \p{N}{1,3}    ?[^\s\p{L}\p{N}]+[\r\n/]*    \s*[\r\n]+    \s+(?!\S)    \s+
    /// ```
    O200k,
    /// Of `cl100k_base`:
    ///
    /// ```text
    /// '(?i:[sdmt]|ll|ve|re)    [^\r\n\p{L}\p{N}]?\p{L}+    \p{N}{1,3}    ?[^\s\p{L}\p{N}]+[\r\n]*
    /// \s+$    \s*[\r\n]    \s+(?!\S)    \s
    /// ```
    Cl100k,
    /// Of `p50k_base` and `r50k_base`:
    ///
    /// ```text
    /// '(?:[sdmt]|ll|ve|re)    ?\p{L}+    ?\p{N}+    ?[^\s\p{L}\p{N}]+    \s+$    \s+(?!\S)    \s
    /// ```
    #[cfg(feature = "openai-legacy")]
    Gpt2,
}

impl Pattern {
    /// The pieces of a text in order; they tile it.
    pub(super) const fn pieces(self, text: &str) -> Pieces<'_> {
        Pieces { pattern: self, rest: text }
    }

    /// The length of the first piece, above zero unless the text is empty.
    fn first_piece(self, text: &str) -> usize {
        match self {
            Self::O200k => o200k::first_piece(text),
            Self::Cl100k => cl100k::first_piece(text),
            #[cfg(feature = "openai-legacy")]
            Self::Gpt2 => gpt2::first_piece(text),
        }
    }
}

/// The pieces of a text.
pub(super) struct Pieces<'t> {
    pattern: Pattern,
    rest: &'t str,
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        if self.rest.is_empty() {
            return None;
        }
        let (piece, rest) = self.rest.split_at_checked(self.pattern.first_piece(self.rest))?;
        self.rest = rest;
        Some(piece)
    }
}

const SYMBOL: Class = Class::OTHER.or(Class::MARK);

mod o200k {
    use super::{
        Breaks, Class, SYMBOL, behind, blanks, contraction, first, optional_space, run, run_of_at_most,
    };

    /// What may stand in the first half of a word.
    const HEAD: Class = Class::UPPER.or(Class::CASELESS).or(Class::MARK);
    /// What may stand in its second half.
    const TAIL: Class = Class::LOWER.or(Class::CASELESS).or(Class::MARK);
    /// What may stand in both.
    const BOTH: Class = Class::CASELESS.or(Class::MARK);
    /// What a word may begin with besides letters.
    const PREFIX: Class = Class::SPACE.or(Class::MARK).or(Class::OTHER);

    pub(super) fn first_piece(text: &str) -> usize {
        word(text)
            .or_else(|| Some(run_of_at_most(text, Class::NUMBER, 3)).filter(|length| *length > 0))
            .or_else(|| symbols(text))
            .unwrap_or_else(|| blanks(text, Breaks::Always))
    }

    /// A word with what stands before it and a contraction behind it. The order of attempts is that of the expression.
    fn word(text: &str) -> Option<usize> {
        let prefix = first(text, PREFIX);
        let with_prefix = |part: fn(&str) -> Option<usize>| {
            let length = part(behind(text, prefix))?;
            Some(prefix.saturating_add(length))
        };
        let length = with_prefix(ending_in_tail)
            .or_else(|| if prefix > 0 { ending_in_tail(text) } else { None })
            .or_else(|| with_prefix(all_head))?;
        Some(length.saturating_add(contraction(behind(text, length), true)))
    }

    /// `HEAD*TAIL+`: where the tail does not follow, the head gives back up to its last character that fits both.
    fn ending_in_tail(text: &str) -> Option<usize> {
        let head = run(text, HEAD);
        let tail = run(behind(text, head), TAIL);
        if tail > 0 {
            return Some(head.saturating_add(tail));
        }
        let (head, _) = text.split_at_checked(head)?;
        let (start, last) =
            head.char_indices().rev().find(|(_, character)| BOTH.has(Class::of(*character)))?;
        Some(start.saturating_add(last.len_utf8()))
    }

    /// `HEAD+TAIL*`, where no tail can follow.
    fn all_head(text: &str) -> Option<usize> {
        Some(run(text, HEAD)).filter(|length| *length > 0)
    }

    fn symbols(text: &str) -> Option<usize> {
        let space = optional_space(text);
        let symbols = run(behind(text, space), SYMBOL);
        if symbols == 0 {
            return None;
        }
        let length = space.saturating_add(symbols);
        let breaks =
            behind(text, length).bytes().take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count();
        Some(length.saturating_add(breaks))
    }
}

mod cl100k {
    use super::{
        Breaks, Class, SYMBOL, behind, blanks, contraction, first, optional_space, run, run_of_at_most,
    };

    const PREFIX: Class = Class::LETTER.or(Class::NUMBER).or(Class::NEWLINE).not();

    pub(super) fn first_piece(text: &str) -> usize {
        Some(contraction(text, true))
            .filter(|length| *length > 0)
            .or_else(|| word(text))
            .or_else(|| Some(run_of_at_most(text, Class::NUMBER, 3)).filter(|length| *length > 0))
            .or_else(|| symbols(text))
            .unwrap_or_else(|| blanks(text, Breaks::BeforeTheEnd))
    }

    fn word(text: &str) -> Option<usize> {
        let prefix = first(text, PREFIX);
        let letters = run(behind(text, prefix), Class::LETTER);
        Some(prefix.saturating_add(letters)).filter(|_| letters > 0)
    }

    fn symbols(text: &str) -> Option<usize> {
        let space = optional_space(text);
        let symbols = run(behind(text, space), SYMBOL);
        if symbols == 0 {
            return None;
        }
        let length = space.saturating_add(symbols);
        Some(length.saturating_add(run(behind(text, length), Class::NEWLINE)))
    }
}

#[cfg(feature = "openai-legacy")]
mod gpt2 {
    use super::{Breaks, Class, SYMBOL, behind, blanks, contraction, optional_space, run};

    pub(super) fn first_piece(text: &str) -> usize {
        let space = optional_space(text);
        let spaced = |class: Class| {
            let length = run(behind(text, space), class);
            Some(space.saturating_add(length)).filter(|_| length > 0)
        };
        Some(contraction(text, false))
            .filter(|length| *length > 0)
            .or_else(|| spaced(Class::LETTER))
            .or_else(|| spaced(Class::NUMBER))
            .or_else(|| spaced(SYMBOL))
            .unwrap_or_else(|| blanks(text, Breaks::Never))
    }
}

fn optional_space(text: &str) -> usize {
    usize::from(text.starts_with(' '))
}

/// The length of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d` at the start of a text, else zero.
fn contraction(text: &str, any_case: bool) -> usize {
    let Some(rest) = text.strip_prefix('\'') else { return 0 };
    let mut rest = rest.chars().map(|character| folded(character, any_case));
    match (rest.next(), rest.next()) {
        (Some('s' | 't' | 'm' | 'd'), _) => text.chars().take(2).map(char::len_utf8).sum(),
        (Some('r' | 'v'), Some('e')) | (Some('l'), Some('l')) => 3,
        _ => 0,
    }
}

/// Upper case folds to lower case, and so does the long s.
const fn folded(character: char, any_case: bool) -> char {
    match character {
        'ſ' if any_case => 's',
        _ if any_case => character.to_ascii_lowercase(),
        _ => character,
    }
}

/// Where a run of white space ends at its last line break.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Breaks {
    Always,
    /// Unless the run ends the text.
    BeforeTheEnd,
    #[cfg(feature = "openai-legacy")]
    Never,
}

impl Breaks {
    const fn count(self, ends_text: bool) -> bool {
        match self {
            Self::Always => true,
            Self::BeforeTheEnd => !ends_text,
            #[cfg(feature = "openai-legacy")]
            Self::Never => false,
        }
    }
}

/// The length of the first piece of a run of white space: up to its last line break where breaks count; else all of
/// it at the end of the text, and all but its last character before anything else, which that character belongs to.
fn blanks(text: &str, breaks: Breaks) -> usize {
    let length = run(text, Class::BLANK);
    let Some((blanks, rest)) = text.split_at_checked(length) else { return text.len() };
    if breaks.count(rest.is_empty())
        && let Some(last) = blanks.rfind(['\r', '\n'])
    {
        return last.saturating_add(1);
    }
    match blanks.chars().next_back() {
        Some(last) if !rest.is_empty() && last.len_utf8() < length => length.saturating_sub(last.len_utf8()),
        Some(_) => length,
        // Not reached: every other kind of character is taken before.
        None => text.chars().next().map_or(0, char::len_utf8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(pattern: Pattern, text: &str) -> Vec<&str> {
        pattern.pieces(text).collect()
    }

    #[test]
    fn contractions_stay_with_their_word_in_one_and_are_pieces_in_the_other() {
        let text = "she'll 'Tis x'\u{17F}a";
        assert_eq!(split(Pattern::O200k, text), ["she'll", " '", "Tis", " x'\u{17F}", "a"]);
        assert_eq!(split(Pattern::Cl100k, text), ["she", "'ll", " '", "Tis", " x", "'\u{17F}", "a"]);
    }

    #[test]
    fn a_hump_and_a_mark_end_a_word() {
        let text = "parseHTTPBody \u{301}ABC ªBC";
        let expected = ["parse", "HTTPBody", " \u{301}", "ABC", " ª", "BC"];
        assert_eq!(split(Pattern::O200k, text), expected);
    }

    #[test]
    fn white_space_gives_its_last_character_to_what_follows() {
        assert_eq!(split(Pattern::O200k, "a \n  b  "), ["a", " \n", " ", " b", "  "]);
        assert_eq!(split(Pattern::Cl100k, "a \n  "), ["a", " \n  "]);
        assert_eq!(split(Pattern::O200k, "a \n  "), ["a", " \n", "  "]);
    }

    #[test]
    fn the_pieces_tile_the_text() {
        let text = "don't — 12345 x/\n/y\r\n\u{3000}界\u{0}";
        assert_eq!(split(Pattern::O200k, text).concat(), text);
        assert_eq!(split(Pattern::Cl100k, text).concat(), text);
    }
}
