//! The nouns judged from outside: canonical JSON by a slow oracle, wire forms by what they refuse first,
//! values by what they promise.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod canonical;
#[cfg(test)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::excessive_precision,
    reason = "exponents and bits of doubles are far from any limit; the digits beyond the shortest are the point"
)]
mod floats;
#[cfg(test)]
mod serde_forms;
#[cfg(test)]
mod tree;
#[cfg(test)]
mod values;
#[cfg(test)]
mod wire_order;
