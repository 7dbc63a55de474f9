//! The kernel judged from outside: by a slow oracle, by laws, by hostile records, and by bad policies.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod bad_policies;
#[cfg(test)]
mod metamorphic;
#[cfg(test)]
#[expect(
    clippy::arithmetic_side_effects,
    reason = "sums in 128 bits of a few numbers of 64, and small positions"
)]
mod oracle;
#[cfg(test)]
mod records;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod surveys;
#[cfg(test)]
mod texts;
#[cfg(test)]
mod trims;
