//! Durable messages: their JSON, limits and digests, tool rounds, normalization, call states.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod build;
#[cfg(test)]
mod call_states;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod normalize;
#[cfg(test)]
mod normalize_laws;
#[cfg(test)]
mod parts;
#[cfg(test)]
mod rounds;
#[cfg(test)]
mod vectors;
#[cfg(test)]
mod views;
