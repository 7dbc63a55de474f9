//! The compactors against the reference's vectors, in an optional folder of test data.

#[cfg(test)]
extern crate alloc;

#[cfg(test)]
mod model_compactor;
#[cfg(test)]
mod prompt_cache_compactor;
#[cfg(test)]
mod script;
#[cfg(test)]
mod shared;
