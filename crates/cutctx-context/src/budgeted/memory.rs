//! What is remembered from one step to the next beside the fates of turns.

use alloc::sync::Arc;

use super::scale::Ratio;

/// What is remembered beside the fates.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Memory {
    /// What the provider counted in place of what was estimated.
    pub(super) ratio: Ratio,
    /// What the context took, in tokens, when little could be freed.
    pub(super) stalled_at: Option<u64>,
    /// Under which key the compactor was exhausted.
    pub(super) exhausted: Option<Arc<str>>,
    /// How often the context was rewritten, which costs a provider's cache.
    pub(super) rewrites: u64,
    /// How often a compactor was asked.
    pub(super) calls: u64,
    /// How many turns the source had when the context was rewritten last.
    pub(super) seen: usize,
}
