//! What a reader sees as one character.

/// How many regional indicators in a row are counted back at the most.
const MOST_FLAGS: usize = 128;

/// Whether the characters on both sides of a place are one to the reader.
pub(crate) fn joins(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at..).and_then(|after| after.chars().next());
    let Some((before, after)) = before.zip(after) else { return false };
    before == '\u{200d}'
        || (before, after) == ('\r', '\n')
        || continues(after)
        || continues_syllable(before, after)
        || (is_half_a_flag(before) && is_half_a_flag(after) && is_in_a_flag(text, at))
}

/// Whether a character changes the one before it: marks, selectors, skin tones, joiners.
fn continues(character: char) -> bool {
    is_indic_sign(character)
        || matches!(
            character,
            '\u{300}'..='\u{36f}'
                | '\u{483}'..='\u{489}'
                | '\u{591}'..='\u{5bd}'
                | '\u{5bf}'..='\u{5c7}'
                | '\u{610}'..='\u{61a}'
                | '\u{64b}'..='\u{65f}'
                | '\u{670}'
                | '\u{6d6}'..='\u{6dc}'
                | '\u{e31}'
                | '\u{e33}'..='\u{e3a}'
                | '\u{e47}'..='\u{e4e}'
                | '\u{eb1}'
                | '\u{eb3}'..='\u{ebc}'
                | '\u{ec8}'..='\u{ece}'
                | '\u{f71}'..='\u{f84}'
                | '\u{102b}'..='\u{103e}'
                | '\u{17b4}'..='\u{17d3}'
                | '\u{1ab0}'..='\u{1aff}'
                | '\u{1dc0}'..='\u{1dff}'
                | '\u{200c}'..='\u{200d}'
                | '\u{20d0}'..='\u{20ff}'
                | '\u{3099}'..='\u{309a}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{fe20}'..='\u{fe2f}'
                | '\u{1f3fb}'..='\u{1f3ff}'
                | '\u{e0020}'..='\u{e007f}'
                | '\u{e0100}'..='\u{e01ef}'
        )
}

/// Whether a character is a vowel sign or another mark of an Indian script, whose blocks are laid out alike.
fn is_indic_sign(character: char) -> bool {
    let is_indic = matches!(character, '\u{900}'..='\u{d7f}');
    is_indic && matches!(u32::from(character) & 0x7f, 0..=3 | 0x3c | 0x3e..=0x4d | 0x51..=0x57 | 0x62..=0x63)
}

/// Whether two parts of a Hangul syllable are one: a vowel behind a consonant or a vowel, and what ends it.
const fn continues_syllable(before: char, after: char) -> bool {
    let is_begun = matches!(before, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}');
    is_begun && matches!(after, '\u{1160}'..='\u{11ff}')
}

/// Whether a character is a regional indicator, two of which are a flag.
const fn is_half_a_flag(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Whether a place between two regional indicators is inside of a flag: an odd number of them stands before it.
fn is_in_a_flag(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().chars().rev().take(MOST_FLAGS);
    before.take_while(|character| is_half_a_flag(*character)).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// The text taken apart at every border.
    fn seen(text: &str) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        for (at, character) in text.char_indices() {
            match seen.last_mut().filter(|_| joins(text, at)) {
                Some(last) => last.push(character),
                None => seen.push(String::from(character)),
            }
        }
        seen
    }

    #[test]
    fn what_is_one_character_to_a_reader_is_not_parted() {
        let wholes = [
            "e\u{301}",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{1f44d}\u{1f3fd}",
            "\u{2764}\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "\u{1f1e9}\u{1f1ea}",
            "\r\n",
            "\u{915}\u{93f}",
            "\u{b95}\u{bbf}",
            "\u{1112}\u{1161}\u{11ab}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}",
        ];
        for whole in wholes {
            assert_eq!(seen(&["a", whole, "b"].concat()), ["a", whole, "b"], "{whole}");
        }
        assert_eq!(seen(&"\u{1f1e9}\u{1f1ea}".repeat(3)).len(), 3);
    }

    #[test]
    fn what_is_not_is_parted() {
        assert_eq!(seen("ab\n\n\u{6f22}\u{ac00}\u{1f600}\u{1f600}").len(), 8);
        assert_eq!(seen("\u{915}\u{916}").len(), 2);
    }
}
