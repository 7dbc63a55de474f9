//! Repair: what is mended, what is left, and that nothing else changes.

extern crate alloc;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod laws;
#[cfg(test)]
#[path = "../rules/spell.rs"]
#[expect(dead_code, reason = "the rules' tests use more of it")]
mod spell;
