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
    let mut rest = text;
    let mut before = ' ';
    while let Some(next) = rest.chars().next() {
        let length = match Class::of(next) {
            Class::Atom | Class::Joint => {
                let length = run_length(rest);
                let (run, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
                names_of_run(run, after.starts_with('('), &mut found);
                length
            }
            Class::Quote => {
                phrase(rest, next, before, &mut found);
                next.len_utf8()
            }
            Class::Backslash => escape_length(rest),
            Class::Break => next.len_utf8(),
        };
        let (passed, left) = rest.split_at_checked(length.max(1)).unwrap_or((rest, ""));
        before = passed.chars().next_back().unwrap_or(' ');
        rest = left;
    }
}

/// What a character is to names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Atom,
    Joint,
    Quote,
    Backslash,
    Break,
}

impl Class {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Self::Atom,
            '/' | '.' | '-' | ':' | '@' | '~' | '+' | '#' | '%' | '&' | '?' | '$' => Self::Joint,
            '"' | '\'' | '`' => Self::Quote,
            '\\' => Self::Backslash,
            _ if character.is_ascii() || !character.is_alphanumeric() => Self::Break,
            _ => Self::Atom,
        }
    }

    const fn is_in_runs(self) -> bool {
        matches!(self, Self::Atom | Self::Joint)
    }
}

/// How long the run is that a text begins with, in bytes.
fn run_length(text: &str) -> usize {
    text.find(|character| !Class::of(character).is_in_runs()).unwrap_or(text.len())
}

/// How long the escape is that a text begins with, in bytes: `\n`, `\r` and `\t` as JSON writes them.
fn escape_length(text: &str) -> usize {
    let is_space = text.as_bytes().get(1).is_some_and(|next| matches!(next, b'n' | b'r' | b't'));
    if is_space { 2 } else { 1 }
}

/// Tells the names of a run.
fn names_of_run(run: &str, is_called: bool, found: &mut impl FnMut(Name)) {
    let is_joint = |character: char| Class::of(character) == Class::Joint;
    let ends_with_atom = !run.ends_with(is_joint);
    let run = run.trim_end_matches(is_joint);
    let run = run
        .trim_start_matches(|character: char| is_joint(character) && !matches!(character, '/' | '.' | '~'));
    let mut atoms = run.split(is_joint).filter(|atom| !atom.is_empty()).peekable();
    let mut count = 0_usize;
    while let Some(atom) = atoms.next() {
        let is_last = atoms.peek().is_none();
        name_of_atom(atom, is_called && is_last && ends_with_atom, found);
        count = count.saturating_add(1);
    }
    if count > 1 {
        name_of_whole(run, found);
    }
}

fn name_of_atom(atom: &str, is_called: bool, found: &mut impl FnMut(Name)) {
    let shape = Shape::of(atom);
    let is_name = shape.is_identifier() || shape.is_number() || (is_called && shape.letters > 2);
    if is_name || shape.letters >= PLAIN_LETTERS {
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

/// Tells the phrase that begins with a quote, if there is one.
fn phrase(text: &str, quote: char, before: char, found: &mut impl FnMut(Name)) {
    if before.is_alphanumeric() {
        return;
    }
    let inner = text.get(quote.len_utf8()..).unwrap_or_default();
    let end =
        inner.char_indices().take(PHRASE.saturating_add(1)).find(|(_, next)| *next == quote || *next == '\n');
    let Some((end, _)) = end.filter(|(_, next)| *next == quote) else { return };
    let (inner, after) = inner.split_at_checked(end).unwrap_or_default();
    let is_closed = !after.chars().nth(1).is_some_and(char::is_alphanumeric);
    if is_closed && inner.len() > 2 && inner.trim().contains(' ') {
        found(Name { hash: hash(inner.trim()), is_plain: false });
    }
}

/// A hash that does not look at the case of ASCII letters (FNV-1a, with its bits stirred).
fn hash(text: &str) -> u64 {
    let bytes = text.bytes().map(|byte| u64::from(byte.to_ascii_lowercase()));
    let sum =
        bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ byte).wrapping_mul(0x0000_0100_0000_01b3));
    (sum ^ (sum >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

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

    proptest! {
        #[test]
        fn any_text_has_an_end(text in "(\\PC|[a-z_/.\"'\\\\\n ]){0,200}") {
            let count = names(&text).len();
            prop_assert!(count / 2 <= text.len());
        }
    }
}
