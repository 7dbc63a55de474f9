//! Conversions: what they say, what they list as lost, and that their target takes them.

extern crate alloc;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod laws;
#[cfg(test)]
#[path = "../rules/spell.rs"]
#[expect(dead_code, reason = "the rules' tests use more of it")]
mod spell;
