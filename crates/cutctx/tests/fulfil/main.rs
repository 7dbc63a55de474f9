//! The summaries between deciding and applying.

#![cfg(feature = "models")]

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod by_model;
#[cfg(test)]
mod extract;
#[cfg(test)]
mod plans;
