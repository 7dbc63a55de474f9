//! One pass over a text that gives every character its kind.

mod steps;

use super::kind::Kind;

/// Gives the kind of every character of a text to `take`, in order.
pub(super) fn each_kind(text: &str, mut take: impl FnMut(Kind)) {
    let mut scan = Scan::new();
    let mut rest = text;
    loop {
        rest = scan.plain(rest, &mut take);
        let mut characters = rest.chars();
        let Some(character) = characters.next() else { return };
        take(scan.next(character));
        rest = characters.as_str();
    }
}

/// What the pass remembers between characters. It forgets everything within a few characters, which is why counting
/// two halves differs from counting the whole by so little.
#[derive(Clone, Copy)]
struct Scan {
    /// The previous character.
    previous: char,
    /// What it was.
    before: Before,
    /// How many letters, digits or spaces of its sort stand in a row up to it.
    run: u32,
    /// How many consonants do.
    consonants: u32,
    /// How often it stands in a row.
    same: u32,
}

/// What the previous character was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or a line break.
    Start,
    Space,
    Tab,
    Lower,
    Upper,
    Digit,
    Mark,
    /// A letter of this script.
    Script(Kind),
    Other,
}

impl Scan {
    const fn new() -> Self {
        Self { previous: '\0', before: Before::Start, run: 0, consonants: 0, same: 0 }
    }

    /// The kind of the next character.
    fn next(&mut self, character: char) -> Kind {
        self.see(character);
        let kind = match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => self.ascii(byte),
            _ => self.wide(character),
        };
        if self.same > 2 { repeated(character, kind, self.same) } else { kind }
    }

    /// Counts how often a character stands in a row.
    const fn see(&mut self, character: char) {
        self.same = if character == self.previous { self.same.saturating_add(1) } else { 1 };
        self.previous = character;
    }

    const fn ascii(&mut self, byte: u8) -> Kind {
        match byte {
            b'a'..=b'z' => self.lower(byte),
            b'A'..=b'Z' => self.upper(byte),
            b'0'..=b'9' => self.digit(),
            b' ' => self.space(),
            b'\n' | b'\r' => self.line_break(),
            b'\t' => self.enter(Before::Tab, Kind::Tab),
            0x21..=0x7E => self.mark(),
            _ => self.enter(Before::Other, Kind::Control),
        }
    }

    const fn lower(&mut self, byte: u8) -> Kind {
        let kind = match self.before {
            Before::Lower | Before::Upper => return self.further(byte),
            Before::Start | Before::Space => Kind::WordFirst,
            Before::Digit => Kind::BehindDigit,
            Before::Tab | Before::Mark | Before::Script(_) | Before::Other => Kind::InnerFirst,
        };
        self.open(byte, Before::Lower, kind)
    }

    const fn upper(&mut self, byte: u8) -> Kind {
        match self.before {
            Before::Lower => self.open(byte, Before::Upper, Kind::Hump),
            Before::Upper => {
                self.run = self.run.saturating_add(1);
                Kind::Upper
            }
            Before::Start | Before::Space => self.open(byte, Before::Upper, Kind::WordFirst),
            Before::Digit => self.open(byte, Before::Upper, Kind::BehindDigit),
            Before::Tab | Before::Mark | Before::Script(_) | Before::Other => {
                self.open(byte, Before::Upper, Kind::InnerFirst)
            }
        }
    }

    /// The first letter of a word.
    const fn open(&mut self, byte: u8, before: Before, kind: Kind) -> Kind {
        self.before = before;
        self.run = 1;
        self.consonants = if is_consonant(byte) { 1 } else { 0 };
        kind
    }

    /// A further letter, in lower case.
    const fn further(&mut self, byte: u8) -> Kind {
        self.before = Before::Lower;
        self.run = self.run.saturating_add(1);
        self.consonants = if is_consonant(byte) { self.consonants.saturating_add(1) } else { 0 };
        match (self.consonants, self.run) {
            (4.., _) => Kind::Cluster,
            _ if matches!(byte, b'j' | b'q' | b'x' | b'z') => Kind::Rare,
            (_, ..=4) => Kind::Early,
            (_, ..=8) => Kind::Middle,
            _ => Kind::Late,
        }
    }

    const fn digit(&mut self) -> Kind {
        match self.before {
            Before::Digit => {
                self.run = self.run.saturating_add(1);
                if self.run % 3 == 1 { Kind::DigitGroup } else { Kind::Digit }
            }
            Before::Space => self.enter(Before::Digit, Kind::DigitSpaced),
            Before::Lower | Before::Upper => self.enter(Before::Digit, Kind::DigitInWord),
            Before::Start | Before::Tab | Before::Mark | Before::Script(_) | Before::Other => {
                self.enter(Before::Digit, Kind::DigitGroup)
            }
        }
    }

    const fn space(&mut self) -> Kind {
        match (self.before, self.run) {
            (Before::Space, 1) => self.go_on(Kind::SpaceSecond),
            (Before::Space, _) => self.go_on(Kind::SpaceNext),
            _ => self.enter(Before::Space, Kind::Space),
        }
    }

    const fn line_break(&mut self) -> Kind {
        match (self.before, self.run) {
            (Before::Start, 1..) => self.go_on(Kind::BreakNext),
            _ => self.enter(Before::Start, Kind::Break),
        }
    }

    const fn mark(&mut self) -> Kind {
        if matches!(self.before, Before::Mark) {
            return self.go_on(Kind::MarkNext);
        }
        self.enter(Before::Mark, Kind::Mark)
    }

    fn wide(&mut self, character: char) -> Kind {
        let kind = Kind::of_wide(character);
        if kind == Kind::LatinMarked {
            let inside = matches!(self.before, Before::Lower | Before::Upper);
            return if inside { self.marked(Before::Lower, kind) } else { self.enter(Before::Lower, kind) };
        }
        match (kind.opening(), self.before) {
            (Some(_), Before::Script(script)) if script == kind => {
                let late = kind == Kind::Cyrillic && self.run >= 5;
                self.go_on(if late { Kind::CyrillicLate } else { kind })
            }
            (Some(first), _) => self.enter(Before::Script(kind), first),
            (None, _) => self.enter(Before::Other, kind),
        }
    }

    /// A letter with a mark goes on with the word, as a vowel.
    const fn marked(&mut self, before: Before, kind: Kind) -> Kind {
        self.before = before;
        self.consonants = 0;
        self.go_on(kind)
    }

    const fn enter(&mut self, before: Before, kind: Kind) -> Kind {
        self.before = before;
        self.run = 1;
        self.consonants = 0;
        kind
    }

    const fn go_on(&mut self, kind: Kind) -> Kind {
        self.run = self.run.saturating_add(1);
        kind
    }
}

/// The kind of a mark or letter that stands there for the third time or more: vocabularies have tokens for rows.
const fn repeated(character: char, kind: Kind, times: u32) -> Kind {
    match character {
        '-' | '=' | '*' | '#' | '_' | '.' | '/' | '%' | '+' | '~' if times > 16 => Kind::RulerFar,
        '-' | '=' | '*' | '#' | '_' | '.' | '/' | '%' | '+' | '~' => Kind::Ruler,
        '0'..='9' => kind,
        '!'..='\u{7E}' => Kind::Repeat,
        _ => kind,
    }
}

const fn is_consonant(byte: u8) -> bool {
    !matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}
