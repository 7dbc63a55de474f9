//! Compactors that call a model.

mod asking;
mod chars;
mod fault;
mod model;
mod payload;
mod prompt_cache;

pub use model::ModelCompactor;
pub use prompt_cache::{CachePrefixBuilder, PromptCacheCompactor};
