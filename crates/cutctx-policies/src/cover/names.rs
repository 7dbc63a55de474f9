//! What counts as a name in a text.
//!
//! A text falls into *runs* at white space, quotes, brackets and most punctuation; `/ . - : @ ~ + # % & ? $`
//! join the *atoms* of a run, which are letters, digits and `_`. Names are
//!
//! * a run with a `/` between its atoms: a path or an address, without a line number behind it; and its last
//!   segment where that has a dot, as file names have;
//! * another run of several atoms, of five characters or more: a dotted or a qualified name, a version;
//! * an atom that is made like an identifier: with `_` inside, with a capital behind a small letter, with
//!   letters and digits (four or more), or in capitals (four or more);
//! * an atom of four digits or more;
//! * an atom of three letters or more that is called, that is, followed by `(`;
//! * a phrase of 3 to 80 characters with a space, in quotes on one line.
//!
//! An atom of six letters or more that is nothing of all that is a *plain word*, and so is a run of words
//! joined by hyphens. A backslash with `n`, `r` or `t` is the line break or tab that JSON makes of it.
//!
//! Names are told apart by 64 bits of a hash that does not look at the case of ASCII letters. Two names that
//! clash are taken for one, which makes a choice a little worse and nothing else.

mod class;
#[cfg(test)]
mod oracle;

use class::Class;

/// The fewest letters of a plain word.
const PLAIN_LETTERS: usize = 6;

/// The fewest digits of a number that is a name.
const DIGITS: usize = 4;

/// The longest phrase in quotes, in characters.
const PHRASE: usize = 80;

/// A name that was seen in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    /// A hash of its spelling.
    pub(super) hash: u64,
    /// Whether it is only a long word.
    pub(super) is_plain: bool,
}

/// Tells every name of a text, in no particular order and as often as it is there.
pub(super) fn each_name(text: &str, mut found: impl FnMut(Name)) {
    let mut at = behind_breaks(text, 0);
    while let Some(byte) = text.as_bytes().get(at) {
        let end = match Class::of(*byte) {
            Class::Break => at.saturating_add(1),
            Class::Quote => {
                phrase(text, at, &mut found);
                at.saturating_add(1)
            }
            Class::Backslash => at.saturating_add(escape_length(text, at)),
            Class::Joint | Class::Small | Class::Other => run(text, at, &mut found),
            Class::Long => match atom_character(text, at) {
                Ok(_) => run(text, at, &mut found),
                Err(length) => at.saturating_add(length),
            },
        };
        at = behind_breaks(text, end);
    }
}

/// The first place from this one on that does not end a run: what stands there is then easy to foresee, a run mostly.
fn behind_breaks(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default().iter();
    at.saturating_add(rest.take_while(|byte| Class::of(**byte) == Class::Break).count())
}

/// How long an escape is, in bytes: `\n`, `\r` and `\t` as JSON writes them, else the backslash alone.
fn escape_length(text: &str, at: usize) -> usize {
    let next = text.as_bytes().get(at.saturating_add(1));
    if next.is_some_and(|next| matches!(next, b'n' | b'r' | b't')) { 2 } else { 1 }
}

/// The length in bytes of the longer character that begins here: as part of an atom, or as what ends a run.
fn atom_character(text: &str, at: usize) -> Result<usize, usize> {
    let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) else { return Err(1) };
    let length = character.len_utf8();
    if character.is_alphanumeric() { Ok(length) } else { Err(length) }
}

/// Tells the names of the run that begins at a place, and where it ends.
fn run(text: &str, start: usize, found: &mut impl FnMut(Name)) -> usize {
    let (mut first, mut last, mut count) = (start, start, 0_usize);
    let mut at = start;
    loop {
        let (end, is_small) = atom(text, at);
        let next = text.as_bytes().get(end);
        if end > at {
            name_of_atom(text.get(at..end).unwrap_or_default(), is_small, next == Some(&b'('), found);
            first = if count == 0 { at } else { first };
            (last, count) = (end, count.saturating_add(1));
        }
        if !next.is_some_and(|byte| Class::of(*byte) == Class::Joint) {
            at = end;
            break;
        }
        at = end.saturating_add(1);
    }
    if count > 1 {
        let before = text.get(start..first).unwrap_or_default();
        let run = first.saturating_sub(joints_of_run(before))..last;
        name_of_whole(text.get(run).unwrap_or_default(), found);
    }
    at
}

/// Where the atom that begins here ends, and whether it is of nothing but small letters of ASCII.
fn atom(text: &str, start: usize) -> (usize, bool) {
    let small = text.as_bytes().get(start..).unwrap_or_default().iter();
    let (mut at, mut is_small) =
        (start.saturating_add(small.take_while(|byte| byte.is_ascii_lowercase()).count()), true);
    let class_at = |at: usize| text.as_bytes().get(at).map(|byte| Class::of(*byte));
    while let Some(class) = class_at(at).filter(|class| class.is_in_atoms()) {
        let length = if class == Class::Long { atom_character(text, at) } else { Ok(1) };
        let Ok(length) = length else { break };
        (at, is_small) = (at.saturating_add(length), is_small && class == Class::Small);
    }
    (at, is_small)
}

/// How many of the joints before the first atom belong to a run: from the first `/`, `.` or `~` on.
fn joints_of_run(before: &str) -> usize {
    before.len().saturating_sub(before.find(['/', '.', '~']).unwrap_or(before.len()))
}

fn name_of_atom(atom: &str, is_small: bool, is_called: bool, found: &mut impl FnMut(Name)) {
    let (is_made_up, letters) = if is_small {
        (false, atom.len())
    } else {
        let shape = Shape::of(atom);
        (shape.is_identifier() || shape.is_number(), shape.letters)
    };
    let is_name = is_made_up || (is_called && letters > 2);
    if is_name || letters >= PLAIN_LETTERS {
        found(Name { hash: hash(atom), is_plain: !is_name });
    }
}

/// What an atom is made of.
#[derive(Default)]
struct Shape {
    letters: usize,
    capitals: usize,
    digits: usize,
    /// Letters and digits on both sides of a `_`.
    is_underscored: bool,
    /// A capital behind a small letter.
    is_camel: bool,
}

impl Shape {
    fn of(atom: &str) -> Self {
        let mut shape = Self { is_underscored: is_underscored(atom), ..Self::default() };
        let mut after_small = false;
        for character in atom.chars() {
            let is_capital = character.is_uppercase();
            if character.is_numeric() {
                shape.digits = shape.digits.saturating_add(1);
            } else if character != '_' {
                shape.letters = shape.letters.saturating_add(1);
            }
            shape.capitals = shape.capitals.saturating_add(usize::from(is_capital));
            shape.is_camel |= is_capital && after_small;
            after_small = character.is_lowercase();
        }
        shape
    }

    const fn is_identifier(&self) -> bool {
        let mixed = self.letters > 0 && self.digits > 0 && self.letters.saturating_add(self.digits) >= 4;
        let capitals = self.capitals >= 4 && self.capitals == self.letters;
        self.is_underscored || self.is_camel || mixed || capitals
    }

    const fn is_number(&self) -> bool {
        self.letters == 0 && self.digits >= DIGITS
    }
}

fn is_underscored(atom: &str) -> bool {
    let inner = atom.trim_matches('_');
    inner.len() > 2 && inner.contains('_')
}

/// Tells a run of several atoms: a path, a dotted name, a version; or words with hyphens.
fn name_of_whole(run: &str, found: &mut impl FnMut(Name)) {
    let has_path = run.trim_start_matches('/').contains('/');
    let run = if has_path { without_line_number(run) } else { run };
    if run.len() < 5 {
        return;
    }
    let is_plain = run.chars().all(|character| character == '-' || character.is_alphabetic());
    found(Name { hash: hash(run), is_plain });
    let file = run.rsplit_once('/').map(|(_, file)| file);
    if let Some(file) = file.filter(|file| has_path && file.len() >= 5 && file.contains('.')) {
        found(Name { hash: hash(file), is_plain: false });
    }
}

/// A path without the `:12` or `:12:3` that compilers put behind it.
fn without_line_number(path: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let shorten = |path| match str::rsplit_once(path, ':') {
        Some((shorter, line)) if is_number(line) => shorter,
        _ => path,
    };
    shorten(shorten(path))
}

/// Tells the phrase that begins with the quote at a place, if there is one.
fn phrase(text: &str, at: usize, found: &mut impl FnMut(Name)) {
    let (before, quoted) = text.split_at_checked(at).unwrap_or_default();
    let is_alphanumeric = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
    if is_alphanumeric(before.chars().next_back()) {
        return;
    }
    let Some(inner) = quoted.split_at_checked(1).and_then(|(quote, rest)| inside(rest, quote)) else {
        return;
    };
    let after = quoted.get(inner.len().saturating_add(2)..).unwrap_or_default();
    let is_closed = !is_alphanumeric(after.chars().next());
    if is_closed && inner.len() > 2 && inner.trim().contains(' ') {
        found(Name { hash: hash(inner.trim()), is_plain: false });
    }
}

/// What stands before the closing quote, if that is on the same line and near enough.
fn inside<'t>(text: &'t str, quote: &str) -> Option<&'t str> {
    let mut characters = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        let begins_character = byte & 0b1100_0000 != 0b1000_0000;
        if quote.as_bytes() == [byte] {
            return text.get(..at);
        }
        characters = characters.saturating_add(usize::from(begins_character));
        if byte == b'\n' || characters > PHRASE {
            return None;
        }
    }
    None
}

/// A hash that does not look at the case of ASCII letters: eight bytes at a time, each time multiplied and stirred.
fn hash(text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0_u8; 8];
    last.iter_mut().zip(rest).for_each(|(slot, byte)| *slot = *byte);
    let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let words = words.iter().chain(core::iter::once(&last)).map(|word| in_small_letters(*word));
    let sum = words.fold(length, |hash, word| stirred(hash ^ word));
    sum.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

const fn stirred(hash: u64) -> u64 {
    let hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// Eight bytes as a number, ASCII capitals made small: in the byte of each capital one bit is set.
const fn in_small_letters(bytes: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(bytes);
    let low = word & !HIGH_BITS;
    let from_a = low.wrapping_add(UP_TO_HIGH_BIT_FROM_A);
    let beyond_z = low.wrapping_add(UP_TO_HIGH_BIT_BEYOND_Z);
    let is_capital = from_a & !beyond_z & !word & HIGH_BITS;
    word | (is_capital >> 2)
}

/// The highest bit of each byte.
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// What sets the highest bit of each byte that is `A` (41 in hexadecimal) or more.
const UP_TO_HIGH_BIT_FROM_A: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// What sets the highest bit of each byte that is more than `Z` (5a).
const UP_TO_HIGH_BIT_BEYOND_Z: u64 = 0x2525_2525_2525_2525;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(text: &str) -> Vec<Name> {
        let mut names = Vec::new();
        each_name(text, |name| names.push(name));
        names
    }

    fn name(text: &str) -> Name {
        Name { hash: hash(text), is_plain: false }
    }

    fn plain(text: &str) -> Name {
        Name { hash: hash(text), is_plain: true }
    }

    #[track_caller]
    fn check(text: &str, expected: &[Name]) {
        let key = |name: &Name| (name.hash, name.is_plain);
        let (mut found, mut expected) = (names(text), expected.to_vec());
        found.sort_by_key(key);
        found.dedup();
        expected.sort_by_key(key);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn short_words_and_numbers_are_no_names() {
        check("it is 12 of the 345 (see e.g. there)", &[]);
    }

    #[test]
    fn long_words_are_plain_and_case_does_not_matter() {
        check("Budget budget", &[plain("budget")]);
        check("well-known", &[plain("well-known")]);
    }

    #[test]
    fn identifiers_numbers_and_calls_are_names() {
        check("max_len maxLen x86_64 MUST", &[name("max_len"), name("maxlen"), name("x86_64"), name("must")]);
        check("4711 and run(1) and budget()", &[name("4711"), name("run"), name("budget")]);
        check("__init__ _x", &[]);
    }

    #[test]
    fn paths_are_names_with_their_last_segment_and_without_line_numbers() {
        let both = [name("src/ab/main.rs"), name("main.rs")];
        check("src/ab/main.rs:12:3,", &both);
        check("(src/ab/main.rs)", &both);
        check("https://ex.org/a/b.", &[name("https://ex.org/a/b")]);
        check("/tmp", &[]);
        check("/etc/fstab", &[name("/etc/fstab")]);
    }

    #[test]
    fn dotted_and_qualified_names_are_names() {
        check("os.path", &[name("os.path")]);
        check("a::bc::d", &[name("a::bc::d")]);
        check("1.88.0", &[name("1.88.0")]);
    }

    #[test]
    fn phrases_stand_in_quotes_on_one_line() {
        check("say 'no way' or \"not\nyet\"", &[name("no way")]);
        check("don't say it isn't", &[]);
    }

    #[test]
    fn escapes_of_json_end_a_name() {
        check(r"one\nbudget\tmax_len", &[plain("budget"), name("max_len")]);
    }

    #[test]
    fn only_capitals_of_ascii_are_made_small() {
        for byte in 0..=u8::MAX {
            let expected =
                u64::from_le_bytes([byte.to_ascii_lowercase(), b'@', 0, 0xff, b'[', b'a', b'z', 0x80]);
            assert_eq!(in_small_letters([byte, b'@', 0, 0xff, b'[', b'A', b'Z', 0x80]), expected, "{byte}");
        }
    }

    #[test]
    fn spellings_of_all_lengths_differ() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        let mut hashes: Vec<u64> = (0..=long.len()).map(|end| hash(long.get(..end).unwrap())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), long.len().saturating_add(1));
    }

    proptest! {
        #[test]
        fn names_are_those_of_the_oracle(
            pieces in proptest::collection::vec(
                "\\PC|[a-zA-Z]{1,7}|[0-9]{1,5}|[_/.:@~+#%&?$-]|[\"'`\\\\()\n ]|[éÉß№ⅧЖж中]|\\\\[nrt]",
                0..60,
            ),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(names(&text), oracle::names(&text), "{}", text);
        }

        #[test]
        fn any_text_has_an_end(text in "(\\PC|[a-z_/.\"'\\\\\n ]){0,200}") {
            let count = names(&text).len();
            prop_assert!(count / 2 <= text.len());
        }
    }
}
