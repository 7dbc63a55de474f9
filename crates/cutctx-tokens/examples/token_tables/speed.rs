//! Megabytes a second.

use core::hint::black_box;

use cutctx_tokens::{Encoding, Family, Heuristic, Tokenizer};
use cutctx_types::{CharRatioEstimator, Sha256Digest, TokenEstimator};

use crate::texts;

/// The fastest of so many rounds is what the machine can do when nothing else is in the way.
const ROUNDS: usize = 15;

/// The table of speeds, over our own texts and over a megabyte of one thing.
pub(crate) fn table() {
    let mixed: String =
        texts::own().into_iter().map(|sample| sample.text).collect::<Vec<_>>().concat().repeat(12);
    let inputs = [
        ("mixed", mixed),
        ("`a`", "a".repeat(1_000_000)),
        ("spaces", " ".repeat(1_000_000)),
        ("emoji", "😀".repeat(250_000)),
    ];
    println!("| MB/s of | {} |", inputs.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" | "));
    println!("| --- |{}", " ---: |".repeat(inputs.len()));
    for (name, count) in counters() {
        let speeds: Vec<String> = inputs.iter().map(|(_, text)| speed(text, &*count)).collect();
        println!("| {name} | {} |", speeds.join(" | "));
    }
}

/// Counts the beginning of our own texts once, after the vocabulary is there.
pub(crate) fn once(tokenizer: &Tokenizer, bytes: usize) {
    let mut text: String =
        texts::own().into_iter().map(|sample| sample.text).collect::<Vec<_>>().concat().repeat(20);
    text.truncate(
        (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default(),
    );
    tokenizer.estimate("a");
    println!("{}", measured_region(tokenizer, &text));
}

/// What is measured, under a name that a profiler can find.
#[inline(never)]
fn measured_region(tokenizer: &Tokenizer, text: &str) -> u64 {
    black_box(tokenizer.estimate(black_box(text)))
}

type Count = Box<dyn Fn(&str) -> u64>;

fn counters() -> Vec<(String, Count)> {
    let mut counters: Vec<(String, Count)> = Vec::new();
    for encoding in [Encoding::O200kBase, Encoding::Cl100kBase] {
        counters
            .push((format!("`{encoding}`"), Box::new(move |text| Tokenizer::from(encoding).estimate(text))));
    }
    counters.push(("`tiktoken-rs`, `o200k_base`".to_owned(), Box::new(other)));
    let heuristic = Heuristic::new(Family::OpenAi);
    counters.push(("`heuristic:openai`".to_owned(), Box::new(move |text| heuristic.estimate(text))));
    counters.push(("`chars/4`".to_owned(), Box::new(|text| CharRatioEstimator::default().estimate(text))));
    counters.push(("a digest, for a count that is remembered".to_owned(), Box::new(digest)));
    counters
}

/// It panics on a megabyte of spaces, so it is not asked for that.
fn other(text: &str) -> u64 {
    if text.starts_with("  ") {
        return 0;
    }
    u64::try_from(tiktoken_rs::o200k_base_singleton().count_ordinary(text)).unwrap_or_default()
}

fn digest(text: &str) -> u64 {
    u64::from(Sha256Digest::of_bytes(text.as_bytes()).as_bytes()[0])
}

fn speed(text: &str, count: &dyn Fn(&str) -> u64) -> String {
    if count(text) == 0 {
        return "panics".to_owned();
    }
    let fastest = (0..ROUNDS).map(|_| timed(text, count)).min().unwrap_or_default();
    format!("{:.0}", text.len() as f64 / fastest.max(1) as f64)
}

fn timed(text: &str, count: &dyn Fn(&str) -> u64) -> u128 {
    let start = clock::now();
    black_box(count(black_box(text)));
    clock::now().saturating_sub(start)
}

/// CPU time of this process, which other work on the machine does not count for.
#[cfg(unix)]
mod clock {
    use rustix::time::{ClockId, clock_gettime};

    /// Microseconds since some moment.
    pub(super) fn now() -> u128 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        let (seconds, nanos) = (u128::try_from(time.tv_sec), u128::try_from(time.tv_nsec));
        seconds.unwrap_or(0) * 1_000_000 + nanos.unwrap_or(0) / 1_000
    }
}

/// Elsewhere the time on the wall has to do.
#[cfg(not(unix))]
mod clock {
    #[expect(clippy::disallowed_types, reason = "measuring time is what this is for")]
    pub(super) fn now() -> u128 {
        use std::sync::LazyLock;
        use std::time::Instant;
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed().as_micros()
    }
}
