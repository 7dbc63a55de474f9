//! The counter for texts that take the place of turns.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_messages::MessageEstimator;
use cutctx_types::{Role, TokenEstimator};

use super::counter::Counter;
use super::scale::Scale;

/// Measures stubs and summaries as the turns that they become: with what is added around a turn, and scaled.
#[derive(Debug, Clone)]
pub struct Measure {
    counter: Arc<Counter>,
    scale: Scale,
    role: Role,
}

impl Measure {
    /// Of turns of this role.
    #[must_use]
    pub const fn new(counter: Arc<Counter>, scale: Scale, role: Role) -> Self {
        Self { counter, scale, role }
    }
}

impl TokenEstimator for Measure {
    fn estimate(&self, text: &str) -> u64 {
        let around = if text.is_empty() { 0 } else { self.counter.framing(self.role) };
        self.scale.tokens(self.counter.text(text).saturating_add(around))
    }

    fn name(&self) -> Cow<'_, str> {
        Cow::Owned(self.counter.name_scaled_by(self.scale))
    }

    fn ratio(&self) -> Option<f64> {
        self.counter.chars_per_token().filter(|_| self.scale == Scale::ONE)
    }
}
