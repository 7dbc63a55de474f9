//! Texts of many kinds: written ones from `tests/data/kinds`, and made-up ones.

use core::fmt::Write as _;
use std::path::Path;

/// A text and the kind it stands for.
pub(crate) struct Sample {
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// All of them, in the order of their names.
pub(crate) fn all() -> Vec<Sample> {
    let mut samples = written();
    samples.extend(made_up());
    samples.sort_by(|one, other| one.kind.cmp(&other.kind));
    samples
}

fn written() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/kinds");
    let files = std::fs::read_dir(&folder).expect("the folder is part of the repository");
    let paths = files.map(|file| file.expect("readable").path());
    let named = paths.filter(|path| path.extension().is_some_and(|extension| extension == "txt"));
    let sample = |path: std::path::PathBuf| Sample {
        kind: path.file_stem().expect("it has an extension").to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).expect("text"),
    };
    named.map(sample).collect()
}

fn made_up() -> Vec<Sample> {
    let samples: [(&str, String); 16] = [
        (
            "noise-base64",
            noise(1, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 2_000, 0),
        ),
        (
            "noise-base64-lines",
            noise(2, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 2_000, 76),
        ),
        ("noise-hex", noise(3, b"0123456789abcdef", 1_920, 0)),
        ("noise-hex-digests", noise(4, b"0123456789abcdef", 1_920, 64)),
        ("noise-lower", noise(5, b"abcdefghijklmnopqrstuvwxyz", 1_500, 40)),
        ("noise-letters", noise(6, b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 1_500, 40)),
        ("noise-upper", noise(7, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 1_500, 40)),
        ("noise-base32", noise(8, b"abcdefghijklmnopqrstuvwxyz234567", 1_500, 52)),
        ("noise-digits", noise(9, b"0123456789", 1_500, 50)),
        ("noise-punctuation", noise(10, b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 1_500, 60)),
        ("noise-controls", noise(11, b"\x01\x02\x03\x07\x08\x0E\x1B\x7F", 400, 0)),
        ("data-uuids", uuids()),
        ("data-numbers", numbers()),
        ("data-ansi", ansi()),
        ("blanks-indented", indented()),
        ("blanks-runs", blanks()),
    ];
    samples.into_iter().map(|(kind, text)| Sample { kind: kind.to_owned(), text }).collect()
}

/// Characters of an alphabet without order, broken into lines of this width.
fn noise(seed: u64, alphabet: &[u8], length: usize, width: usize) -> String {
    let mut chance = Chance(seed);
    let mut text = String::new();
    for place in 1..=length {
        text.push(char::from(alphabet[chance.below(alphabet.len())]));
        if place.checked_rem(width) == Some(0) {
            text.push('\n');
        }
    }
    text
}

fn uuids() -> String {
    let mut text = String::new();
    for seed in 100..124 {
        for (place, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
            let end = if place == 4 { '\n' } else { '-' };
            write!(
                text,
                "{}{end}",
                noise(seed * 8 + u64::try_from(place).unwrap(), b"0123456789abcdef", length, 0)
            )
            .unwrap();
        }
    }
    text
}

fn numbers() -> String {
    let mut chance = Chance(12);
    let mut text = String::new();
    for row in 0..60 {
        let (whole, part) = (chance.below(100_000), chance.below(10_000));
        writeln!(
            text,
            "{row}\t{whole}.{part:04} -{part} {:e} {}",
            f64::from(u32::try_from(whole).unwrap()),
            whole * 1_048_576
        )
        .unwrap();
    }
    text
}

fn ansi() -> String {
    let mut text = String::new();
    for row in 0..20 {
        writeln!(text, "\x1b[2K\x1b[1;3{}m step {row}\x1b[0m \x1b[38;5;{row}m==>\x1b[39m ok\r", row % 8)
            .unwrap();
    }
    text
}

fn indented() -> String {
    let mut text = String::new();
    for row in 0..60_usize {
        let depth = [0, 4, 8, 12, 8, 16, 24, 4][row % 8];
        let tabs = [0, 1, 3][row % 3];
        writeln!(text, "{}{}x{row}{}", " ".repeat(depth), "\t".repeat(tabs), " ".repeat(row % 5)).unwrap();
    }
    text
}

fn blanks() -> String {
    let mut text = String::new();
    for row in 0..40_usize {
        let blanks = ["\n", "  ", "\n\n", "     ", "\t", "\r\n", " \n ", "\t\t"][row % 8];
        text.push_str(&blanks.repeat(1 + row / 8));
        text.push('.');
    }
    text
}

/// A sequence without order that is the same in every run.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
