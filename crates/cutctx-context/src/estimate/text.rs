//! Tokens of a text from the density of its characters, as the reference counts them.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Below so many characters nothing is said about a text's kind.
const SHORT: u64 = 200;

/// Tokens of a text, where ordinary text has so many characters a token.
pub(super) fn tokens(text: &str, chars_per_token: u64) -> u64 {
    if text.is_empty() {
        return 0;
    }
    let census = Census::of(text);
    let density = if census.is_like_json() { JSON } else { census.density(chars_per_token) };
    density.tokens(census.chars)
}

/// Characters of a text.
pub(crate) fn chars(text: &str) -> u64 {
    u64::try_from(text.chars().count()).unwrap_or(u64::MAX)
}

/// So many characters make so many tokens.
#[derive(Debug, Clone, Copy)]
struct Density {
    chars: u64,
    tokens: u64,
}

/// Of what looks like JSON.
const JSON: Density = Density { chars: 3, tokens: 1 };
/// 2.5 characters a token.
const DENSE: Density = Density { chars: 5, tokens: 2 };
/// 2.75 characters a token.
const DIGITS: Density = Density { chars: 11, tokens: 4 };
/// 3 characters a token.
const PACKED: Density = Density { chars: 3, tokens: 1 };
/// 3.75 characters a token.
const MARKED: Density = Density { chars: 15, tokens: 4 };

impl Density {
    const fn tokens(self, chars: u64) -> u64 {
        chars.saturating_mul(self.tokens).div_ceil(self.chars)
    }

    /// This density, or the ordinary one where that has fewer characters a token.
    const fn at_most(self, chars_per_token: u64) -> Self {
        if chars_per_token.saturating_mul(self.tokens) < self.chars {
            return Self { chars: chars_per_token, tokens: 1 };
        }
        self
    }
}

/// What sorts of characters a text has.
#[derive(Debug, Default)]
struct Census {
    chars: u64,
    /// Characters without the white space around.
    trimmed: u64,
    begins_like_json: bool,
    spaces: u64,
    letters: u64,
    digits: u64,
    quotes: u64,
    colons: u64,
    commas: u64,
}

impl Census {
    fn of(text: &str) -> Self {
        let chars = chars(text);
        if chars < SHORT {
            return Self { chars, ..Self::default() };
        }
        let trimmed = text.trim_matches(is_space);
        let mut census = Self {
            chars,
            trimmed: self::chars(trimmed),
            begins_like_json: trimmed.starts_with(['[', '{']),
            ..Self::default()
        };
        text.chars().for_each(|character| census.count(character));
        census
    }

    fn count(&mut self, character: char) {
        let sort = Sort::of(character);
        add(&mut self.spaces, sort.space);
        add(&mut self.letters, sort.letter);
        add(&mut self.digits, sort.digit);
        add(&mut self.quotes, character == '"');
        add(&mut self.colons, character == ':');
        add(&mut self.commas, character == ',');
    }

    const fn is_like_json(&self) -> bool {
        self.begins_like_json
            && self.trimmed >= SHORT
            && at_least(self.quotes, 5, self.trimmed)
            && at_least(self.colons, 2, self.trimmed)
    }

    fn density(&self, ordinary: u64) -> Density {
        let marks = self.chars.saturating_sub(self.spaces).saturating_sub(self.letters);
        let is = |count: u64, percent: u64| at_least(count, percent, self.chars);
        if self.chars < SHORT {
            Density { chars: ordinary, tokens: 1 }
        } else if at_most(self.spaces, 3, self.chars) || is(marks, 30) {
            let dense = is(self.commas, 5) || is(self.digits, 12) || !is(marks, 10);
            if dense { DENSE.at_most(ordinary) } else { PACKED.at_most(ordinary) }
        } else if is(marks, 25) || is(self.quotes, 8) {
            DENSE.at_most(ordinary)
        } else if is(self.digits, 15) && is(marks, 10) {
            DIGITS.at_most(ordinary)
        } else if is(marks, 12) {
            MARKED.at_most(ordinary)
        } else {
            Density { chars: ordinary, tokens: 1 }
        }
    }
}

fn add(count: &mut u64, is: bool) {
    *count = count.saturating_add(u64::from(is));
}

/// Whether a count is at least so many percent of all.
const fn at_least(count: u64, percent: u64, all: u64) -> bool {
    count.saturating_mul(100) >= percent.saturating_mul(all)
}

/// Whether a count is at most so many percent of all.
const fn at_most(count: u64, percent: u64, all: u64) -> bool {
    count.saturating_mul(100) <= percent.saturating_mul(all)
}

/// What Python's `isspace`, `isalnum` and `isdigit` say of a character.
#[derive(Debug, Clone, Copy)]
struct Sort {
    space: bool,
    letter: bool,
    digit: bool,
}

impl Sort {
    fn of(character: char) -> Self {
        if character.is_ascii() {
            let (letter, digit) = (character.is_ascii_alphanumeric(), character.is_ascii_digit());
            return Self { space: is_space(character), letter, digit };
        }
        let category = get_general_category(character);
        let number = matches!(category, GeneralCategory::LetterNumber | GeneralCategory::OtherNumber);
        let decimal = category == GeneralCategory::DecimalNumber;
        Self {
            space: is_space(character),
            letter: number || decimal || is_letter(category),
            digit: decimal || (number && is_digit_of_another_form(character)),
        }
    }
}

const fn is_letter(category: GeneralCategory) -> bool {
    matches!(
        category,
        GeneralCategory::UppercaseLetter
            | GeneralCategory::LowercaseLetter
            | GeneralCategory::TitlecaseLetter
            | GeneralCategory::ModifierLetter
            | GeneralCategory::OtherLetter
    )
}

/// White space as Python sees it: Unicode's, and the four separators of ASCII.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

/// Digits that are no decimal numbers: raised, lowered, in circles, and those of a few scripts (`Numeric_Type=Digit`).
fn is_digit_of_another_form(character: char) -> bool {
    const RANGES: [(u32, u32); 20] = [
        (0xB2, 0xB3),
        (0xB9, 0xB9),
        (0x1369, 0x1371),
        (0x19DA, 0x19DA),
        (0x2070, 0x2070),
        (0x2074, 0x2079),
        (0x2080, 0x2089),
        (0x2460, 0x2468),
        (0x2474, 0x247C),
        (0x2488, 0x2490),
        (0x24EA, 0x24EA),
        (0x24F5, 0x24FD),
        (0x24FF, 0x24FF),
        (0x2776, 0x277E),
        (0x2780, 0x2788),
        (0x278A, 0x2792),
        (0x1_0A40, 0x1_0A43),
        (0x1_0E60, 0x1_0E68),
        (0x1_1052, 0x1_105A),
        (0x1_F100, 0x1_F10A),
    ];
    RANGES.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(character)))
}
