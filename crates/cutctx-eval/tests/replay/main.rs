//! The loop of an agent, replayed.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

#[cfg(test)]
mod laws;
#[cfg(test)]
mod loops;
#[cfg(test)]
mod measures;
#[cfg(test)]
mod pains;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod stability;
#[cfg(test)]
mod watched;
