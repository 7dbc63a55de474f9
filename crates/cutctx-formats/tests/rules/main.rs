//! The rules of the providers: a failing and a passing document for each, in every format that can express it.

extern crate alloc;

#[cfg(test)]
mod cases;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod page;
#[cfg(test)]
mod pairing;
#[cfg(test)]
mod spell;
