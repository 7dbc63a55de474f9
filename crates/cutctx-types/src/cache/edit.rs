//! An edit of a prompt, in tokens.

/// What an edit changes: how much of a prompt stays in front of it, and how long the prompt is before and after.
///
/// ```
/// use cutctx_types::CacheEdit;
/// let edit = CacheEdit::new(12, 4_000, 90_000, 50_000);
/// assert_eq!((edit.tokens_invalidated(), edit.tokens_reread(), edit.tokens_freed()), (86_000, 46_000, 40_000));
/// assert_eq!(CacheEdit::unchanged(90_000).tokens_reread(), 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheEdit {
    first_changed_position: Option<usize>,
    tokens_before_change: u64,
    tokens_before: u64,
    tokens_after: u64,
}

impl CacheEdit {
    /// An edit whose first change is at a position, with these tokens before that position, before the edit, and
    /// after it.
    #[must_use]
    pub const fn new(
        first_changed_position: usize,
        tokens_before_change: u64,
        tokens_before: u64,
        tokens_after: u64,
    ) -> Self {
        let first_changed_position = Some(first_changed_position);
        Self { first_changed_position, tokens_before_change, tokens_before, tokens_after }
    }

    /// No edit of a prompt of this many tokens.
    #[must_use]
    pub const fn unchanged(tokens: u64) -> Self {
        Self {
            first_changed_position: None,
            tokens_before_change: tokens,
            tokens_before: tokens,
            tokens_after: tokens,
        }
    }

    /// The position of the first turn that changes.
    #[must_use]
    pub const fn first_changed_position(&self) -> Option<usize> {
        self.first_changed_position
    }

    /// Tokens before that position: what the cache can still be read for.
    #[must_use]
    pub const fn tokens_before_change(&self) -> u64 {
        self.tokens_before_change
    }

    /// Tokens of the prompt before the edit.
    #[must_use]
    pub const fn tokens_before(&self) -> u64 {
        self.tokens_before
    }

    /// Tokens of the prompt after the edit.
    #[must_use]
    pub const fn tokens_after(&self) -> u64 {
        self.tokens_after
    }

    /// Tokens that stood in the cache behind the first change, of no use any more.
    #[must_use]
    pub const fn tokens_invalidated(&self) -> u64 {
        self.tokens_before.saturating_sub(self.tokens_before_change)
    }

    /// Tokens that stay behind the first change and have to be read, and cached, anew.
    #[must_use]
    pub const fn tokens_reread(&self) -> u64 {
        self.tokens_after.saturating_sub(self.tokens_before_change)
    }

    /// Tokens that the prompt is shorter by.
    #[must_use]
    pub const fn tokens_freed(&self) -> u64 {
        self.tokens_before.saturating_sub(self.tokens_after)
    }
}
