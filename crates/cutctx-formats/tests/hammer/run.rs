//! The cases.

use core::any::Any;
use core::ops::RangeInclusive;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::damage::damage;
use crate::dice::Dice;
use crate::files::{File, corpus, examples};
use crate::subject::{Reached, treat};

/// How many cases there are for all files together, unless `CUTCTX_HAMMER_CASES` says another number.
const CASES: u64 = 1_500;

/// The seeds for each file, so that more files take no more time.
fn share(files: &[File]) -> u64 {
    let wanted = std::env::var("CUTCTX_HAMMER_CASES").map_or(CASES, |cases| cases.parse().unwrap());
    wanted / u64::try_from(files.len().max(1)).unwrap()
}

/// At most so many failing cases are listed.
const LISTED: usize = 40;

/// Every file as it is, and damaged in as many ways as there are seeds. The files that fail are named together, each
/// by its first failing seed.
fn hammer(files: &[File], seeds: u64) -> Reached {
    let mut all = Reached::default();
    let mut failures = Vec::new();
    for (index, file) in files.iter().enumerate() {
        let other = &files[(index * 7 + 1) % files.len()];
        for seed in wanted(&file.name, seeds) {
            match one(file, other, seed) {
                Ok(reached) => all += reached,
                Err(failure) => {
                    failures.push(failure);
                    break;
                }
            }
        }
    }
    let listed = &failures[..failures.len().min(LISTED)];
    assert!(
        failures.is_empty(),
        "{} files fail; CUTCTX_HAMMER=… repeats one:\n{}",
        failures.len(),
        listed.join("\n")
    );
    all
}

/// Seed 0 is the file as it is. A failure is the case and what went wrong.
fn one(file: &File, other: &File, seed: u64) -> Result<Reached, String> {
    let case = || {
        let mut dice = Dice::new(&file.name, seed);
        if seed == 0 {
            return treat(&file.bytes, &mut dice);
        }
        treat(&damage(&file.bytes, &other.bytes, &mut dice), &mut dice)
    };
    catch_unwind(AssertUnwindSafe(case)).map_err(|panic| format!("{}:{seed}  {}", file.name, said(&*panic)))
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// All seeds of a file, or the case that the environment asks for.
fn wanted(name: &str, seeds: u64) -> RangeInclusive<u64> {
    let Ok(wanted) = std::env::var("CUTCTX_HAMMER") else { return 0..=seeds };
    let (part, seed) = wanted.rsplit_once(':').unwrap();
    let seed = seed.parse().unwrap();
    if name.contains(part) { seed..=seed } else { RangeInclusive::new(1, 0) }
}

#[test]
fn examples_under_damage() {
    let files = examples();
    let reached = hammer(&files, share(&files));
    eprintln!("{} files: {reached:?}", files.len());
    if !files.is_empty() && std::env::var_os("CUTCTX_HAMMER").is_none() {
        assert!(reached.read > 300 && reached.refused > 300, "{reached:?}");
        assert!(reached.rendered > 300 && reached.salvaged > 30, "{reached:?}");
    }
}

#[test]
fn other_files_under_damage() {
    let files = corpus(3);
    eprintln!("{} files: {:?}", files.len(), hammer(&files, share(&files)));
}

#[test]
fn a_case_is_the_same_every_time() {
    let bytes = b"{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"user\",\"content\":\"two\"}\n";
    let once = |seed| damage(bytes, b"other", &mut Dice::new("name", seed));
    let different = (1..100).filter(|seed| once(*seed) != once(seed + 100)).count();
    assert!((1..100).all(|seed| once(seed) == once(seed)) && different > 90);
}
