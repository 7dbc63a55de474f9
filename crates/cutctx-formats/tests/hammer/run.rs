//! The cases.

use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use crate::damage::damage;
use crate::dice::Dice;
use crate::files::{File, corpus, examples};
use crate::subject::{Reached, treat};

/// The seeds for each file, so that more files take no more time.
fn share(cases: u64, files: &[File]) -> u64 {
    cases / u64::try_from(files.len().max(1)).unwrap()
}

/// Every file as it is, and damaged in as many ways as there are seeds.
fn hammer(files: &[File], seeds: u64) -> Reached {
    let mut all = Reached::default();
    for (index, file) in files.iter().enumerate() {
        let other = &files[(index * 7 + 1) % files.len()];
        for seed in (0..=seeds).filter(|seed| is_wanted(&file.name, *seed)) {
            let reached = one(file, other, seed);
            all.read += reached.read;
            all.refused += reached.refused;
            all.rendered += reached.rendered;
            all.salvaged += reached.salvaged;
        }
    }
    all
}

/// Seed 0 is the file as it is.
fn one(file: &File, other: &File, seed: u64) -> Reached {
    let case = || {
        let mut dice = Dice::new(&file.name, seed);
        if seed == 0 {
            return treat(&file.bytes, &mut dice);
        }
        treat(&damage(&file.bytes, &other.bytes, &mut dice), &mut dice)
    };
    catch_unwind(AssertUnwindSafe(case)).unwrap_or_else(|_| {
        panic!("{} with seed {seed} fails; CUTCTX_HAMMER={}:{seed} repeats it", file.name, file.name)
    })
}

/// All cases, or the one that the environment asks for.
fn is_wanted(name: &str, seed: u64) -> bool {
    let Ok(wanted) = std::env::var("CUTCTX_HAMMER") else { return true };
    let (part, number) = wanted.rsplit_once(':').unwrap();
    name.contains(part) && number == seed.to_string()
}

#[test]
fn examples_under_damage() {
    let files = examples();
    let reached = hammer(&files, share(1_500, &files));
    eprintln!("{} files: {reached:?}", files.len());
    if !files.is_empty() && std::env::var_os("CUTCTX_HAMMER").is_none() {
        assert!(reached.read > 300 && reached.refused > 300, "{reached:?}");
        assert!(reached.rendered > 300 && reached.salvaged > 30, "{reached:?}");
    }
}

#[test]
fn other_files_under_damage() {
    let files = corpus(3);
    eprintln!("{} files: {:?}", files.len(), hammer(&files, share(1_500, &files)));
}

#[test]
fn a_case_is_the_same_every_time() {
    let bytes = b"{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"user\",\"content\":\"two\"}\n";
    let once = |seed| damage(bytes, b"other", &mut Dice::new("name", seed));
    let different = (1..100).filter(|seed| once(*seed) != once(seed + 100)).count();
    assert!((1..100).all(|seed| once(seed) == once(seed)) && different > 90);
}
