//! An estimator of messages for those who ask about texts.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_messages::MessageEstimator;
use cutctx_types::TokenEstimator;

use crate::estimate::ContextPressureOverhead;

/// What an estimator of messages says of texts.
pub(super) struct TextEstimates(Arc<dyn MessageEstimator>);

impl TextEstimates {
    pub(super) fn of(estimator: &Arc<dyn MessageEstimator>) -> Self {
        Self(Arc::clone(estimator))
    }
}

impl TokenEstimator for TextEstimates {
    fn estimate(&self, text: &str) -> u64 {
        self.0.text(text)
    }

    fn name(&self) -> Cow<'_, str> {
        self.0.label()
    }

    fn ratio(&self) -> Option<f64> {
        self.0.chars_per_token()
    }
}

/// What a request takes besides its messages, in tokens of an estimator.
pub(super) fn overhead(estimator: &dyn MessageEstimator, overhead: &ContextPressureOverhead) -> u64 {
    let tools = overhead.tools.iter().filter(|tool| !tool.is_empty());
    let tools = tools.map(|tool| estimator.text(&tool.to_json())).fold(0, u64::saturating_add);
    let form = overhead.structured_output_instruction.as_deref().map_or(0, |text| estimator.text(text));
    tools.saturating_add(form)
}
