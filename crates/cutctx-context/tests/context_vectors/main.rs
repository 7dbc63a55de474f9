//! The reference's vectors: every case, or why it is not replayed.
//!
//! A part of them is committed beside this test; the whole set is read where it is at hand (`CUTCTX_VECTORS`, or
//! `vectors/context` in the optional folder of test data `CUTCTX_SHARED`).

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod built;
#[cfg(test)]
mod case;
#[cfg(test)]
mod digests;
#[cfg(test)]
mod estimates;
#[cfg(test)]
mod fake;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod projections;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod sequences;
#[cfg(test)]
mod tally;
