//! What the policies do that shorten turns one by one.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::std_instead_of_alloc,
    reason = "a test may be short about what cannot happen, and has std"
)]

#[cfg(test)]
#[path = "shortening/session.rs"]
mod session;

#[cfg(test)]
#[path = "shortening/calls.rs"]
mod calls;
#[cfg(test)]
#[path = "shortening/composition.rs"]
mod composition;
#[cfg(test)]
#[path = "shortening/laws.rs"]
mod laws;
#[cfg(test)]
#[path = "shortening/promises.rs"]
mod promises;
#[cfg(test)]
#[path = "shortening/results.rs"]
mod results;
#[cfg(test)]
#[path = "shortening/steps.rs"]
mod steps;
