//! URLs, paths, identifiers, called functions, numbers and plain words.

use super::{Kind, Reference};

/// The fewest letters of a plain long word.
const LONG_WORD: usize = 7;
/// The fewest digits of a number.
const LONG_NUMBER: usize = 4;

/// Tells what stands in the runs of a line: stretches without white space, quotes, brackets and the like.
pub(super) fn scan(line: &str, found: &mut impl FnMut(Kind, Reference)) {
    let mut start = None;
    for (place, character) in line.char_indices() {
        match (start, belongs(character)) {
            (None, true) => start = Some(place),
            (Some(from), false) => {
                run(line.get(from..place).unwrap_or_default(), character == '(', found);
                start = None;
            }
            (None, false) | (Some(_), true) => {}
        }
    }
    if let Some(from) = start {
        run(line.get(from..).unwrap_or_default(), false, found);
    }
}

/// Whether a character stands inside of names, paths and addresses.
fn belongs(character: char) -> bool {
    match character {
        '_' | '-' | '.' | '/' | ':' | '~' | '@' | '%' | '#' | '?' | '+' => true,
        _ => character.is_alphanumeric(),
    }
}

/// Tells what one run is: an address or a path as a whole, or else its names.
fn run(run: &str, is_called: bool, found: &mut impl FnMut(Kind, Reference)) {
    if run.len() < 3 {
        return;
    }
    let bare = run.trim_start_matches([':', '-', '?', '#', '+', '%', '@']);
    let bare = bare.trim_end_matches(['.', ':', '-', '?', '#', '+', '%', '@', '/']);
    let whole = without_place(bare);
    if is_address(bare) {
        found(Kind::Name, Reference::spelled(bare));
    } else if is_path(whole) {
        found(Kind::Name, Reference::spelled(whole));
    } else {
        names(bare, is_called && run.len() == bare.len().saturating_add(lead(run, bare)), found);
    }
}

/// How many bytes of the run stand before its bare form.
fn lead(run: &str, bare: &str) -> usize {
    run.find(bare).unwrap_or(0)
}

fn is_address(run: &str) -> bool {
    run.split_once("://").is_some_and(|(scheme, rest)| !scheme.is_empty() && rest.len() > 2)
}

/// A path without the line and the column that a tool has put behind it.
fn without_place(path: &str) -> &str {
    let mut path = path;
    for _ in 0..2 {
        match path.rsplit_once(':') {
            Some((before, place)) if is_number(place) => path = before,
            _ => break,
        }
    }
    path
}

fn is_path(run: &str) -> bool {
    let slashes = run.bytes().filter(|byte| *byte == b'/').count();
    let has_letter = run.chars().any(char::is_alphabetic);
    let from_root = run.starts_with(['/', '~', '.']);
    has_letter
        && match slashes {
            0 => is_file_name(run),
            1 => run.len() > 4 && (from_root || is_file_name(run)),
            _ => run.len() > 4,
        }
}

/// Whether the ending is one that files have.
fn is_file_name(run: &str) -> bool {
    run.rsplit_once('.')
        .is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.binary_search(&ending).is_ok())
}

/// The endings of files that agents speak of, sorted.
const ENDINGS: [&str; 60] = [
    "bat", "bin", "bmp", "c", "cc", "cfg", "conf", "cpp", "cs", "css", "csv", "db", "diff", "env", "gif",
    "go", "gz", "h", "hpp", "htm", "html", "ini", "ipynb", "java", "jpeg", "jpg", "js", "json", "jsonl",
    "jsx", "kt", "lock", "log", "lua", "md", "mjs", "mod", "patch", "pdf", "php", "png", "py", "rb", "rs",
    "rst", "scss", "sh", "sql", "svg", "swift", "tex", "toml", "ts", "tsx", "txt", "vue", "xml", "yaml",
    "yml", "zip",
];

/// Tells the names of a run that is no path: identifiers, numbers, plain words, and the function that is called.
fn names(run: &str, is_called: bool, found: &mut impl FnMut(Kind, Reference)) {
    let mut rest = run.split(|character: char| character != '_' && !character.is_alphanumeric()).peekable();
    while let Some(name) = rest.next() {
        if is_number(name) && name.len() >= LONG_NUMBER || is_identifier(name) {
            found(Kind::Name, Reference::spelled(name));
        } else if is_called && rest.peek().is_none() && is_function(name) {
            found(Kind::Name, Reference::called(name));
        } else if is_long_word(name) {
            found(Kind::Word, Reference::spelled(name));
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_function(name: &str) -> bool {
    name.len() > 2 && !name.starts_with(|character: char| character.is_numeric())
}

fn is_long_word(name: &str) -> bool {
    name.len() >= LONG_WORD
        && name.chars().all(char::is_lowercase)
        && name.chars().nth(LONG_WORD.saturating_sub(1)).is_some()
}

/// Whether a name is one that somebody made up: with an underscore, a hump or a digit inside.
fn is_identifier(name: &str) -> bool {
    if name.len() < 4 || name.starts_with(|character: char| character.is_numeric()) && !is_hexadecimal(name) {
        return false;
    }
    let inner = name.trim_matches('_');
    inner.contains('_') || has_hump(inner) || (name.len() > 4 && has_digit(inner))
}

/// Whether it may be the digest of something: letters and digits, long enough to be no quantity.
fn is_hexadecimal(name: &str) -> bool {
    name.len() >= 7 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn has_digit(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_digit()) && name.chars().any(char::is_alphabetic)
}

/// Whether a capital stands behind a small letter, or starts a word behind two other capitals. The plural of an acronym
/// has none.
fn has_hump(name: &str) -> bool {
    let (mut earlier, mut before, mut capitals) = (' ', ' ', 0_usize);
    name.chars().any(|character| {
        let rises = before.is_lowercase() && character.is_uppercase();
        let starts_word = capitals > 2 && before.is_lowercase() && character.is_lowercase();
        if character.is_uppercase() {
            capitals = capitals.saturating_add(1);
        } else if !earlier.is_uppercase() || !before.is_uppercase() {
            capitals = 0;
        }
        (earlier, before) = (before, character);
        rises || starts_word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endings_are_sorted() {
        assert!(ENDINGS.is_sorted());
    }

    #[test]
    fn plain_words_are_long_and_small() {
        let mut words = Vec::new();
        scan("the Pressure pressure rises quickly in hall_two; Überdruck überdruck", &mut |kind, word| {
            if kind == Kind::Word {
                words.push(word);
            }
        });
        assert_eq!(words, ["pressure", "quickly", "überdruck"].map(Reference::spelled));
    }

    #[test]
    fn names_with_humps_digits_and_underscores_are_told_from_words() {
        for name in ["flow_rate", "PumpValve", "pumpValve", "HTTPServer", "sha256", "3f2a9c1", "a_b_c"] {
            assert!(is_identifier(name), "{name}");
        }
        for name in ["Pump", "README", "__init", "utf8", "12px", "TODOs", "pump"] {
            assert!(!is_identifier(name), "{name}");
        }
    }
}
