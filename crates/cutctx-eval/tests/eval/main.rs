//! What policies keep, by hand, against a slow oracle, and on real sessions.

extern crate alloc;

#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod split;
#[cfg(test)]
mod wish;
