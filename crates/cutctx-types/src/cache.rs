//! What a change of a prompt does to the provider's prompt cache, and when that pays back.
//!
//! Providers bill the longest prefix that a request shares with an earlier one at a fraction of the price. An edit
//! in the middle of a transcript keeps the prefix before it and makes the rest be read anew, once; from then on every
//! request is shorter. Whether that is worth it is arithmetic, and this is all of it.
//!
//! With `P` tokens before the first change, `V` tokens before the edit, `A` after it, a cached token at `r` and one
//! that is written to the cache at `w`, a request costs
//!
//! ```text
//! unedited, each step:   r V
//! edited, first step:    r P + w (A - P)
//! edited, later steps:   r A
//! ```
//!
//! so that after `n` steps the edit has cost less where `n r (V - A) >= (w - r)(A - P)`. The left side is what the freed
//! tokens save, the right side what reading the rest anew costs more than finding it in the cache. A prefix shorter
//! than what the provider caches is not found there, and a whole prompt shorter than that is billed as plain input.

mod account;
mod edit;
mod prices;

pub use account::{CacheAccount, CacheVerdict};
pub use edit::CacheEdit;
pub use prices::{CachePreset, CachePrices, CachePricesError};
