//! An estimator of messages for those who ask about texts.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_messages::MessageEstimator;
use cutctx_types::{Role, TokenEstimator};

use crate::estimate::ContextPressureOverhead;

/// What an estimator of messages says of texts.
pub(super) struct TextEstimates {
    estimator: Arc<dyn MessageEstimator>,
    /// What stands around each text.
    around: u64,
}

impl TextEstimates {
    /// Of texts within turns.
    pub(super) fn of(estimator: &Arc<dyn MessageEstimator>) -> Self {
        Self { estimator: Arc::clone(estimator), around: 0 }
    }

    /// Of texts that take the place of results.
    pub(super) fn of_stubs(estimator: &Arc<dyn MessageEstimator>) -> Self {
        Self { around: estimator.framing(Role::Tool), ..Self::of(estimator) }
    }
}

impl TokenEstimator for TextEstimates {
    fn estimate(&self, text: &str) -> u64 {
        let around = if text.is_empty() { 0 } else { self.around };
        self.estimator.text(text).saturating_add(around)
    }

    fn name(&self) -> Cow<'_, str> {
        self.estimator.label()
    }

    fn ratio(&self) -> Option<f64> {
        self.estimator.chars_per_token()
    }
}

/// What a request takes besides its messages, in tokens of an estimator.
pub(super) fn overhead(estimator: &dyn MessageEstimator, overhead: &ContextPressureOverhead) -> u64 {
    let tools = overhead.tools.iter().filter(|tool| !tool.is_empty());
    let tools = tools.map(|tool| estimator.text(&tool.to_json())).fold(0, u64::saturating_add);
    let form = overhead.structured_output_instruction.as_deref().map_or(0, |text| estimator.text(text));
    tools.saturating_add(form)
}
