//! The built command, run as a user runs it.

extern crate alloc;

#[cfg(test)]
mod batch;
#[cfg(test)]
mod clip_active;
#[cfg(test)]
mod compact;
#[cfg(test)]
mod context;
#[cfg(test)]
mod convert;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod counting;
#[cfg(test)]
mod documented;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod eval;
#[cfg(test)]
mod in_place;
#[cfg(test)]
mod inspect;
#[cfg(test)]
mod large;
#[cfg(test)]
mod lint;
#[cfg(test)]
mod looks;
#[cfg(test)]
mod outputs;
#[cfg(test)]
mod pins;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod provider_counts;
#[cfg(test)]
mod readme;
#[cfg(test)]
mod repair;
#[cfg(test)]
mod replay;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod schema;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod streams;
#[cfg(test)]
mod summarizers;
#[cfg(test)]
mod vectors;
