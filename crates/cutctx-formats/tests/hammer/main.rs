//! Readers and writers under seeded damage: no panic, no file that cannot be read again, no endless work.
//!
//! Each case is a file and a seed, and the same everywhere. A failure names both;
//! `CUTCTX_HAMMER=<part of the file's name>:<seed>` repeats it alone,
//! and `CUTCTX_HAMMER_CASES=<number>` runs more cases, or fewer.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod damage;
#[cfg(test)]
mod dice;
#[cfg(test)]
mod fates;
#[cfg(test)]
mod files;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod run;
#[cfg(test)]
mod subject;
