//! What goes wrong when transcripts are compacted, by the kind of fault: a small transcript for each, in every format that
//! can express it, with its neighbours.
//!
//! All of it goes the whole way: a session is read, a plan is made and applied, the session is written, read again and
//! checked against the rules of its provider.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod cutting;
#[cfg(test)]
mod files;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod markers;
#[cfg(test)]
mod oversized;
#[cfg(test)]
mod pairs;
#[cfg(test)]
mod prompt_cache;
#[cfg(test)]
mod reasoning;
#[cfg(test)]
mod reversing;
#[cfg(test)]
mod roles;
#[cfg(test)]
#[path = "../../../cutctx-formats/tests/rules/spell.rs"]
mod spell;
#[cfg(test)]
mod table;
#[cfg(test)]
mod ways;
