//! Token estimates for the parts of messages.

use alloc::borrow::Cow;

use cutctx_types::{Role, TokenEstimator};

use crate::media::Media;
use crate::view::CallView;

/// Estimates tokens of messages, part by part.
///
/// Every [`TokenEstimator`] is one by its text estimate and the defaults below. An estimator that knows a provider's
/// framing, or how it bills images, overrides them.
pub trait MessageEstimator: Send + Sync {
    /// The estimate for a text, in tokens.
    fn text(&self, text: &str) -> u64;

    /// A short name for outputs, such as `chars/4`.
    fn label(&self) -> Cow<'_, str>;

    /// The estimate for a tool call, in tokens: its name and its arguments.
    fn call(&self, call: &CallView<'_>) -> u64 {
        self.text(&call.name).saturating_add(self.text(&call.arguments))
    }

    /// The estimate for a medium, in tokens.
    fn media(&self, media: &Media<'_>) -> u64 {
        media.default_tokens()
    }

    /// The estimate for encrypted reasoning of this many bytes of base64, in tokens: a token for about four bytes of
    /// what it decodes to.
    fn hidden(&self, bytes: u64) -> u64 {
        bytes.saturating_mul(3).div_ceil(16)
    }

    /// What a turn of this role costs beside its parts, in tokens.
    fn framing(&self, role: Role) -> u64 {
        let _ = role;
        0
    }

    /// The characters per token that the text estimate stands on, where it is a plain ratio.
    fn chars_per_token(&self) -> Option<f64> {
        None
    }
}

impl<T: TokenEstimator + ?Sized> MessageEstimator for T {
    fn text(&self, text: &str) -> u64 {
        self.estimate(text)
    }

    fn label(&self) -> Cow<'_, str> {
        self.name()
    }

    fn chars_per_token(&self) -> Option<f64> {
        self.ratio()
    }
}
