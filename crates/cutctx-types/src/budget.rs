//! How much may be kept.

use crate::code::{Code, Coded, Details};
use crate::wire::WireBudget;
use serde::{Deserialize, Serialize};

/// The turns at the end that are protected when nobody says otherwise.
const DEFAULT_PROTECTED: u64 = 4;

/// How many tokens a transcript may have, how far down to go once it has more, and how many turns at
/// its end are not to be touched.
///
/// The *target* is hysteresis: a transcript within `max_tokens` is left alone, one above it is
/// brought down to `target_tokens`, so that the next compaction is a while away. Version 1.0.0 of the
/// policies ignores the target. Zero is legal everywhere.
///
/// What is protected stays as it is, unless the budget says that it may be *clipped*
/// ([`with_clip_active`](Self::with_clip_active)).
///
/// ```
/// use cutctx_types::CompactionBudget;
/// let budget = CompactionBudget::new(1_000).with_target(700)?.with_protected_recent_turns(6);
/// assert_eq!(budget.goal_tokens(), 700);
/// # Ok::<(), cutctx_types::BudgetError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireBudget")]
pub struct CompactionBudget {
    max_tokens: u64,
    protected_recent_turns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_tokens: Option<u64>,
    #[serde(skip_serializing_if = "is_not_so")]
    clip_active: bool,
}

/// Permissions that were not given are absent from JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a field over by reference")]
const fn is_not_so(permission: &bool) -> bool {
    !*permission
}

impl CompactionBudget {
    /// A budget of this many tokens with the last four turns protected and no target.
    #[must_use]
    pub const fn new(max_tokens: u64) -> Self {
        Self {
            max_tokens,
            protected_recent_turns: DEFAULT_PROTECTED,
            target_tokens: None,
            clip_active: false,
        }
    }

    /// The budget with this many turns protected at the end; more than there are means all.
    #[must_use]
    pub const fn with_protected_recent_turns(mut self, turns: u64) -> Self {
        self.protected_recent_turns = turns;
        self
    }

    /// The budget with a lower target, in tokens, for the moment it is exceeded.
    ///
    /// # Errors
    ///
    /// [`BudgetError::TargetAboveMax`] when the target is above the maximum.
    pub const fn with_target(mut self, target_tokens: u64) -> Result<Self, BudgetError> {
        if target_tokens > self.max_tokens {
            return Err(BudgetError::TargetAboveMax { target_tokens, max_tokens: self.max_tokens });
        }
        self.target_tokens = Some(target_tokens);
        Ok(self)
    }

    /// The budget with the permission to clip turns that must stay, or without it, which is the default.
    ///
    /// A turn that alone is larger than the maximum makes the budget unsatisfiable while it is one of the protected turns
    /// at the end, or pinned. With this permission a plan may trim the protected turns and those that are pinned for
    /// their place alone ([`TranscriptTurn::pinned_in_place`](crate::TranscriptTurn::pinned_in_place)), and still neither
    /// drop one nor mask or summarize it. System turns and those that their owner pinned stay whole.
    #[must_use]
    pub const fn with_clip_active(mut self, clip_active: bool) -> Self {
        self.clip_active = clip_active;
        self
    }

    /// The most that may be kept, in tokens.
    #[must_use]
    pub const fn max_tokens(&self) -> u64 {
        self.max_tokens
    }

    /// How many turns at the end are protected.
    #[must_use]
    pub const fn protected_recent_turns(&self) -> u64 {
        self.protected_recent_turns
    }

    /// The target, in tokens, if one was given.
    #[must_use]
    pub const fn target_tokens(&self) -> Option<u64> {
        self.target_tokens
    }

    /// Whether the protected turns at the end, and turns that are pinned for their place, may be clipped.
    #[must_use]
    pub const fn clip_active(&self) -> bool {
        self.clip_active
    }

    /// What to work towards once the maximum is exceeded: the target, or else the maximum.
    #[must_use]
    pub fn goal_tokens(&self) -> u64 {
        self.target_tokens.unwrap_or(self.max_tokens)
    }

    /// The position of the first protected turn in a transcript of `turns` turns.
    #[must_use]
    pub fn first_protected(&self, turns: usize) -> usize {
        let protected = usize::try_from(self.protected_recent_turns).unwrap_or(usize::MAX);
        turns.saturating_sub(protected)
    }
}

/// Why a budget is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// The maximum is below zero.
    #[error("a budget of {max_tokens} tokens is below zero")]
    NegativeMax {
        /// The maximum as given, in tokens.
        max_tokens: i128,
    },
    /// The number of protected turns is below zero.
    #[error("{protected_recent_turns} protected turns are below zero")]
    NegativeProtected {
        /// The number as given.
        protected_recent_turns: i128,
    },
    /// The target is below zero.
    #[error("a target of {target_tokens} tokens is below zero")]
    NegativeTarget {
        /// The target as given, in tokens.
        target_tokens: i128,
    },
    /// The target is above the maximum.
    #[error("a target of {target_tokens} tokens is above the maximum of {max_tokens}")]
    TargetAboveMax {
        /// The target, in tokens.
        target_tokens: u64,
        /// The maximum, in tokens.
        max_tokens: u64,
    },
    /// A number does not fit 64 bits.
    #[error("the budget's `{field}` is beyond 64 bits")]
    Overflow {
        /// The member's name.
        field: &'static str,
    },
}

impl Coded for BudgetError {
    fn code(&self) -> Code {
        match self {
            Self::Overflow { .. } => Code::TOKEN_OVERFLOW,
            Self::NegativeMax { .. }
            | Self::NegativeProtected { .. }
            | Self::NegativeTarget { .. }
            | Self::TargetAboveMax { .. } => Code::VALIDATION_ERROR,
        }
    }

    fn details(&self) -> Details {
        match *self {
            Self::NegativeMax { max_tokens } => Details::none().with("max_tokens", max_tokens),
            Self::NegativeProtected { protected_recent_turns } => {
                Details::none().with("protected_recent_turns", protected_recent_turns)
            }
            Self::NegativeTarget { target_tokens } => Details::none().with("target_tokens", target_tokens),
            Self::TargetAboveMax { target_tokens, max_tokens } => {
                Details::none().with("target_tokens", target_tokens).with("max_tokens", max_tokens)
            }
            Self::Overflow { field } => Details::none().with("field", field),
        }
    }
}
