//! The steps of the pass at ASCII, worked out beforehand: nearly all text is ASCII, and looking into a table is faster than
//! asking at every letter what stands there and what stood before.

use alloc::vec::Vec;
use std::sync::LazyLock;

use super::{Before, Scan, repeated};
use crate::heuristic::kind::Kind;

/// What the previous character can have been, where the table goes on from it.
const PLAIN: [Before; 8] = [
    Before::Start,
    Before::Space,
    Before::Tab,
    Before::Lower,
    Before::Upper,
    Before::Digit,
    Before::Mark,
    Before::Other,
];

/// How many lengths of a run the pass tells apart, from none on; a longer one is like the last.
const RUNS: u32 = 10;

/// How many lengths of a run of consonants it tells apart.
const CONSONANTS: u32 = 5;

/// How many numbers there are for what is remembered.
const STATES: u16 = 400;

/// A byte of each class that it tells apart, in the order of [`class`]. The last one stands there more than once: a row of
/// sixteen is found by a shift.
const CLASSES: [u8; 16] = *b"ebjEB0 \n\t!\0\0\0\0\0\0";

/// The step at a character.
#[derive(Clone, Copy)]
struct Step {
    kind: Kind,
    /// The number of what is remembered behind it.
    next: u16,
}

/// What the pass does at ASCII.
struct Steps {
    /// The classes of ASCII.
    classes: Vec<u8>,
    /// By the number of what is remembered, and by class.
    steps: Vec<[Step; CLASSES.len()]>,
}

static STEPS: LazyLock<Steps> = LazyLock::new(|| Steps {
    classes: (0..128).map(class).collect(),
    steps: (0..STATES).map(|number| CLASSES.map(|byte| Step::from(number, byte))).collect(),
});

impl Step {
    /// The step of the pass itself.
    fn from(number: u16, byte: u8) -> Self {
        let mut scan = Scan::new();
        scan.remember(number);
        let kind = scan.ascii(byte);
        Self { kind, next: scan.number().unwrap_or_default() }
    }
}

impl Steps {
    /// The step at a byte; none at one of a longer character.
    fn step(&self, number: u16, byte: u8) -> Option<Step> {
        let class = self.classes.get(usize::from(byte))?;
        self.steps.get(usize::from(number))?.get(usize::from(*class)).copied()
    }
}

/// The class of a byte of ASCII.
const fn class(byte: u8) -> u8 {
    match byte {
        b'a' | b'e' | b'i' | b'o' | b'u' | b'y' => 0,
        b'j' | b'q' | b'x' | b'z' => 2,
        b'a'..=b'z' => 1,
        b'A' | b'E' | b'I' | b'O' | b'U' | b'Y' => 3,
        b'A'..=b'Z' => 4,
        b'0'..=b'9' => 5,
        b' ' => 6,
        b'\n' | b'\r' => 7,
        b'\t' => 8,
        0x21..=0x7E => 9,
        _ => 10,
    }
}

impl Scan {
    /// Gives the kinds of the characters of ASCII that a text begins with to `take`, and says what follows them.
    pub(super) fn plain<'t>(&mut self, text: &'t str, mut take: impl FnMut(Kind)) -> &'t str {
        let Some(mut number) = self.number() else { return text };
        let steps = &*STEPS;
        let mut length = 0_usize;
        for byte in text.bytes() {
            let Some(step) = steps.step(number, byte) else { break };
            let character = char::from(byte);
            self.see(character);
            take(if self.same > 2 { repeated(character, step.kind, self.same) } else { step.kind });
            number = step.next;
            length = length.saturating_add(1);
        }
        self.remember(number);
        text.get(length..).unwrap_or_default()
    }

    /// The number of what is remembered, as far as it matters at ASCII; none behind a letter of another script.
    fn number(&self) -> Option<u16> {
        let before = PLAIN.iter().position(|before| *before == self.before)?;
        let run = if self.before == Before::Digit {
            // Only whether another group of three begins.
            (self.run.saturating_sub(1) % 3).saturating_add(1)
        } else {
            self.run.min(RUNS.saturating_sub(1))
        };
        let consonants = self.consonants.min(CONSONANTS.saturating_sub(1));
        let lengths = u32::try_from(before).ok()?.saturating_mul(RUNS).saturating_add(run);
        u16::try_from(lengths.saturating_mul(CONSONANTS).saturating_add(consonants)).ok()
    }

    /// Remembers what has a number.
    fn remember(&mut self, number: u16) {
        let number = u32::from(number);
        let before = usize::try_from(number / CONSONANTS / RUNS).ok().and_then(|before| PLAIN.get(before));
        self.before = before.copied().unwrap_or(Before::Other);
        self.run = number / CONSONANTS % RUNS;
        self.consonants = number % CONSONANTS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The kinds, one character after the other.
    fn one_by_one(text: &str) -> Vec<Kind> {
        let mut scan = Scan::new();
        text.chars().map(|character| scan.next(character)).collect()
    }

    fn at_once(text: &str) -> Vec<Kind> {
        let mut kinds = Vec::new();
        super::super::each_kind(text, |kind| kinds.push(kind));
        kinds
    }

    #[test]
    fn what_is_remembered_has_a_number() {
        let lengths = RUNS * CONSONANTS;
        assert_eq!(Ok(u32::from(STATES)), u32::try_from(PLAIN.len()).map(|plain| plain * lengths));
        for number in 0..STATES {
            let mut scan = Scan::new();
            scan.remember(number);
            if scan.before != Before::Digit {
                assert_eq!(scan.number(), Some(number));
            }
        }
    }

    #[test]
    fn every_byte_has_the_class_of_its_example() {
        for (number, example) in (0..).zip(CLASSES).take(11) {
            assert_eq!(class(example), number);
        }
        for byte in 0..128 {
            for before in ["", "a", "bcd", "A", "7", " ", "\t", "!", "\0", "\n"] {
                let text = alloc::format!("{before}{}bcdfg", char::from(byte));
                assert_eq!(at_once(&text), one_by_one(&text), "{text:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_048))]

        #[test]
        fn the_table_says_what_the_pass_says(
            text in "([a-z]{1,12}|[A-Z]{1,5}|[0-9]{1,8}|[ \n\t\r]{1,4}|[ -~]{1,6}|\\PC|[а-яё]{1,8}|[à-ÿ]{1,2}|-{1,20}|\0){0,30}",
        ) {
            prop_assert_eq!(at_once(&text), one_by_one(&text));
        }
    }
}
