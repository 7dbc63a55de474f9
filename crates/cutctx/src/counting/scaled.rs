//! A counter whose estimates are scaled.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_messages::{CallView, Media, MessageEstimator};
use cutctx_types::Role;

use super::counter::Counter;
use super::scale::Scale;

/// Counts messages as a counter does, times a scale: so that new messages are measured as the turns of a scaled
/// transcript are.
///
/// ```
/// use cutctx::counting::{Counter, Scale, Scaled};
/// use cutctx::messages::MessageEstimator;
/// use std::sync::Arc;
///
/// let (counter, _) = Counter::named("chars/4")?;
/// let half_more: Scale = "1.5".parse().unwrap_or(Scale::ONE);
/// assert_eq!(Scaled::new(Arc::new(counter), half_more).text("eight ch"), 3);
/// # Ok::<(), cutctx::counting::CounterError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scaled {
    counter: Arc<Counter>,
    scale: Scale,
}

impl Scaled {
    /// By this counter, times this scale.
    #[must_use]
    pub const fn new(counter: Arc<Counter>, scale: Scale) -> Self {
        Self { counter, scale }
    }
}

impl MessageEstimator for Scaled {
    fn text(&self, text: &str) -> u64 {
        self.scale.tokens(self.counter.text(text))
    }

    fn label(&self) -> Cow<'_, str> {
        Cow::Owned(self.counter.name_scaled_by(self.scale))
    }

    fn call(&self, call: &CallView<'_>) -> u64 {
        self.scale.tokens(self.counter.call(call))
    }

    fn media(&self, media: &Media<'_>) -> u64 {
        self.scale.tokens(self.counter.media(media))
    }

    fn hidden(&self, bytes: u64) -> u64 {
        self.scale.tokens(self.counter.hidden(bytes))
    }

    fn framing(&self, role: Role) -> u64 {
        self.scale.tokens(self.counter.framing(role))
    }

    fn chars_per_token(&self) -> Option<f64> {
        self.counter.chars_per_token().filter(|_| self.scale == Scale::ONE)
    }
}
