//! Which characters the splitting patterns of the vocabularies tell apart.

use unicode_general_category::{GeneralCategory, get_general_category};

/// A set of kinds of characters. Every character is of one kind, or of none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Class(u8);

impl Class {
    /// Upper-case and title-case letters.
    pub(super) const UPPER: Self = Self(1);
    /// Lower-case letters.
    pub(super) const LOWER: Self = Self(2);
    /// Letters without case, and modifiers.
    pub(super) const CASELESS: Self = Self(4);
    /// Combining marks.
    pub(super) const MARK: Self = Self(8);
    /// Digits and other numbers.
    pub(super) const NUMBER: Self = Self(16);
    /// White space within a line.
    pub(super) const SPACE: Self = Self(32);
    /// Carriage return and line feed.
    pub(super) const NEWLINE: Self = Self(64);
    /// Everything else.
    pub(super) const OTHER: Self = Self(128);
    /// No kind at all.
    const NONE: Self = Self(0);

    /// All letters.
    pub(super) const LETTER: Self = Self::UPPER.or(Self::LOWER).or(Self::CASELESS);
    /// All white space.
    pub(super) const BLANK: Self = Self::SPACE.or(Self::NEWLINE);

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn not(self) -> Self {
        Self(!self.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn of(character: char) -> Self {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => Self::of_byte(byte),
            _ => Self::of_wide(character),
        }
    }

    /// The kind of the character that is this byte; none for a byte of a longer character.
    pub(super) fn of_byte(byte: u8) -> Self {
        OF_BYTES.get(usize::from(byte)).copied().unwrap_or(Self::NONE)
    }

    const fn of_ascii(byte: u8) -> Self {
        match byte {
            b'A'..=b'Z' => Self::UPPER,
            b'a'..=b'z' => Self::LOWER,
            b'0'..=b'9' => Self::NUMBER,
            b'\n' | b'\r' => Self::NEWLINE,
            b' ' | b'\t' | 0x0B | 0x0C => Self::SPACE,
            _ => Self::OTHER,
        }
    }

    fn of_wide(character: char) -> Self {
        if character.is_whitespace() {
            return Self::SPACE;
        }
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the patterns name these categories and no others"
        )]
        match get_general_category(character) {
            GeneralCategory::UppercaseLetter | GeneralCategory::TitlecaseLetter => Self::UPPER,
            GeneralCategory::LowercaseLetter => Self::LOWER,
            GeneralCategory::ModifierLetter | GeneralCategory::OtherLetter => Self::CASELESS,
            GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark => Self::MARK,
            GeneralCategory::DecimalNumber | GeneralCategory::LetterNumber | GeneralCategory::OtherNumber => {
                Self::NUMBER
            }
            _ => Self::OTHER,
        }
    }
}

/// [`Class::of_byte`] for all bytes: text is mostly ASCII, and a look into a table needs no branch.
static OF_BYTES: [Class; 256] = of_bytes();

const fn of_bytes() -> [Class; 256] {
    let mut classes = [Class::NONE; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        let (_, rest) = classes.split_at_mut(byte as usize);
        if let Some(class) = rest.first_mut() {
            *class = Class::of_ascii(byte);
        }
        byte = byte.saturating_add(1);
    }
    classes
}
