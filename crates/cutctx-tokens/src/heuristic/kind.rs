//! The kinds of characters that the heuristic tells apart.

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What a character is to the heuristic, given what stands before it. Every character of a text is of one kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All kinds in order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Its name in tables.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}

kinds! {
    /// The first ASCII letter behind a space, a line break or at the start.
    WordFirst,
    /// The first ASCII letter behind anything else that is no letter.
    InnerFirst,
    /// An ASCII letter behind a digit.
    BehindDigit,
    /// An upper-case letter behind a lower-case one.
    Hump,
    /// An upper-case letter behind another one.
    Upper,
    /// A letter that is second to fourth in its word.
    Early,
    /// A letter that is fifth to eighth in its word.
    Middle,
    /// A letter further back in its word.
    Late,
    /// A letter of a kind that words rarely have: j, q, x or z, not first in its word.
    Rare,
    /// A consonant behind three others.
    Cluster,
    /// A Latin letter outside of ASCII.
    LatinMarked,
    /// A mark that rulers are drawn with, for the third to sixteenth time.
    Ruler,
    /// The same for more times than that.
    RulerFar,
    /// Another mark or letter for the third time or more.
    Repeat,
    /// A digit that opens a group of three behind a space.
    DigitSpaced,
    /// A digit that opens a group of three.
    DigitGroup,
    /// A digit that opens a group of three behind a letter.
    DigitInWord,
    /// Another digit.
    Digit,
    /// The first ASCII punctuation mark behind anything else.
    Mark,
    /// Another one behind it.
    MarkNext,
    /// The first space of a run.
    Space,
    /// The second space of a run.
    SpaceSecond,
    /// A further one.
    SpaceNext,
    /// The first line break of a run.
    Break,
    /// A further one.
    BreakNext,
    /// A tab.
    Tab,
    /// A control character.
    Control,
    /// The first letter of a word in Cyrillic.
    CyrillicFirst,
    /// A further one, up to the fifth.
    Cyrillic,
    /// One further back.
    CyrillicLate,
    /// A Cyrillic letter that Russian does not have.
    CyrillicRare,
    /// The first letter of a word in Greek.
    GreekFirst,
    /// A further one.
    Greek,
    /// The first letter of a word in Arabic script.
    ArabicFirst,
    /// A further one.
    Arabic,
    /// An Arabic letter or sign that Arabic itself does not have.
    ArabicRare,
    /// The first letter of a word in Hebrew.
    HebrewFirst,
    /// A further one.
    Hebrew,
    /// Armenian.
    Armenian,
    /// Georgian.
    Georgian,
    /// Devanagari.
    Devanagari,
    /// Bengali.
    Bengali,
    /// Gurmukhi.
    Gurmukhi,
    /// Gujarati.
    Gujarati,
    /// Odia.
    Odia,
    /// Tamil.
    Tamil,
    /// Telugu.
    Telugu,
    /// Kannada.
    Kannada,
    /// Malayalam.
    Malayalam,
    /// Sinhala.
    Sinhala,
    /// Thai.
    Thai,
    /// Lao.
    Lao,
    /// Tibetan.
    Tibetan,
    /// Burmese.
    Myanmar,
    /// Ethiopic.
    Ethiopic,
    /// Khmer.
    Khmer,
    /// Han characters of the common block.
    Han,
    /// Hiragana.
    Hiragana,
    /// Katakana.
    Katakana,
    /// Hangul syllables.
    Hangul,
    /// Full stops, brackets and full-width forms of East Asia.
    EastAsianMark,
    /// Typographic marks: dashes, quotes, ellipses, bullets.
    Typographic,
    /// Latin-1 signs, such as the degree and the pound.
    LatinSign,
    /// Lines and blocks of box drawing.
    Box,
    /// Arrows, mathematics, technical signs, dingbats.
    Symbol,
    /// Emoji.
    Emoji,
    /// What joins emoji or changes their looks.
    Joiner,
    /// Combining marks.
    Combining,
    /// Anything else of two bytes.
    TwoBytes,
    /// Anything else of three bytes.
    ThreeBytes,
    /// Anything else of four bytes.
    FourBytes,
}

impl Kind {
    /// The kind of a character outside of ASCII; letters with words of their own get the kind of a further letter.
    pub(super) const fn of_wide(character: char) -> Self {
        let code = character as u32;
        match code {
            0..=0x07FF => of_two_bytes(code),
            0x0800..=0xFFFF => of_three_bytes(code),
            0x1_F000..=0x1_FAFF | 0xE_0020..=0xE_007F => Self::Emoji,
            _ => Self::FourBytes,
        }
    }

    /// The kind for the first letter of a word of this script; none where there is no such difference.
    pub(super) const fn opening(self) -> Option<Self> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "four scripts have words of their own")]
        match self {
            Self::Cyrillic => Some(Self::CyrillicFirst),
            Self::Greek => Some(Self::GreekFirst),
            Self::Arabic => Some(Self::ArabicFirst),
            Self::Hebrew => Some(Self::HebrewFirst),
            _ => None,
        }
    }

    /// Its place in a table of weights.
    pub(super) const fn index(self) -> usize {
        self as usize
    }
}

const fn of_two_bytes(code: u32) -> Kind {
    match code {
        0x80..=0x9F => Kind::Control,
        0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x24F => Kind::LatinMarked,
        0xA0..=0xFF => Kind::LatinSign,
        0x0300..=0x036F => Kind::Combining,
        0x0370..=0x03FF => Kind::Greek,
        0x0410..=0x044F | 0x0401 | 0x0451 => Kind::Cyrillic,
        0x0400..=0x052F => Kind::CyrillicRare,
        0x0530..=0x058F => Kind::Armenian,
        0x0590..=0x05FF => Kind::Hebrew,
        0x0621..=0x063A | 0x0641..=0x064A | 0x060C | 0x061B | 0x061F => Kind::Arabic,
        0x0600..=0x06FF => Kind::ArabicRare,
        _ => Kind::TwoBytes,
    }
}

const fn of_three_bytes(code: u32) -> Kind {
    match code {
        0x0900..=0x0DFF => of_indic(code),
        0x0E00..=0x0E7F => Kind::Thai,
        0x0E80..=0x0EFF => Kind::Lao,
        0x0F00..=0x0FFF => Kind::Tibetan,
        0x1000..=0x109F => Kind::Myanmar,
        0x10A0..=0x10FF => Kind::Georgian,
        0x1200..=0x137F => Kind::Ethiopic,
        0x1780..=0x17FF => Kind::Khmer,
        0x1E00..=0x1EFF => Kind::LatinMarked,
        0x1F00..=0x1FFF => Kind::Greek,
        0x200D | 0xFE0F | 0x20E3 => Kind::Joiner,
        0x2010..=0x2027 | 0x2030..=0x205E => Kind::Typographic,
        0x2190..=0x24FF | 0x25A0..=0x27FF | 0x2900..=0x2BFF | 0x2070..=0x218F => Kind::Symbol,
        0x2500..=0x259F | 0x2800..=0x28FF => Kind::Box,
        0x3000..=0x303F | 0xFF00..=0xFFEF => Kind::EastAsianMark,
        0x3040..=0x309F => Kind::Hiragana,
        0x30A0..=0x30FF => Kind::Katakana,
        0x4E00..=0x9FFF => Kind::Han,
        0xAC00..=0xD7A3 => Kind::Hangul,
        _ => Kind::ThreeBytes,
    }
}

/// The blocks of the Indic scripts have one size and follow each other.
const fn of_indic(code: u32) -> Kind {
    match code & 0xFF80 {
        0x0900 => Kind::Devanagari,
        0x0980 => Kind::Bengali,
        0x0A00 => Kind::Gurmukhi,
        0x0A80 => Kind::Gujarati,
        0x0B00 => Kind::Odia,
        0x0B80 => Kind::Tamil,
        0x0C00 => Kind::Telugu,
        0x0C80 => Kind::Kannada,
        0x0D00 => Kind::Malayalam,
        _ => Kind::Sinhala,
    }
}
