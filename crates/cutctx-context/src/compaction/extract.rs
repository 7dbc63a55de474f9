//! The compactor that always makes progress, without a model.

mod entry;
mod ledger;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::SpokenText;
use cutctx_types::{CharRatioEstimator, TokenEstimator};

use super::compactor::{CompactionFacts, CompactionStep, ContextCompactor};
use super::failure::{CompactionFailure, CompactionOutcome};
use super::request::CompactionRequest;
use super::result::CompactionResult;
use crate::payload::Payload;
use crate::setting::{SettingError, SettingFault};
use entry::Entry;
use ledger::Ledger;

/// A compactor that needs no model and always makes progress: it takes heads and tails of what was said.
///
/// It covers every message, whatever their number, and its summary keeps to a budget of tokens. Requests are kept
/// longest, then what the model said, then which tools were called with what; bodies of results go first, and of two
/// things of one sort the older one goes first. The lines of the summary before are treated as the oldest messages, so
/// that a summary of summaries does not grow. What was left out is counted in its first line.
///
/// The same input gives the same summary. The effort is linear in the length of the messages.
#[derive(Debug, Clone)]
pub struct ExtractiveCompactor {
    max_summary_tokens: u64,
    estimator: Arc<dyn Counted>,
}

/// An estimator that can be shown.
trait Counted: core::fmt::Debug + Send + Sync {
    fn tokens(&self, text: &str) -> u64;
    fn label(&self) -> Cow<'_, str>;
}

struct Estimator<E>(E);

impl<E: TokenEstimator> Counted for Estimator<E> {
    fn tokens(&self, text: &str) -> u64 {
        self.0.estimate(text)
    }

    fn label(&self) -> Cow<'_, str> {
        self.0.name()
    }
}

impl<E: TokenEstimator> core::fmt::Debug for Estimator<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0.name())
    }
}

/// The least that a summary may be limited to, in tokens.
const LEAST: u64 = 16;

const NAME: &str = "ExtractiveCompactor";

impl Default for ExtractiveCompactor {
    /// At most 1,200 tokens of four characters.
    fn default() -> Self {
        Self { max_summary_tokens: 1_200, estimator: Arc::new(Estimator(CharRatioEstimator::default())) }
    }
}

impl ExtractiveCompactor {
    /// Summaries of at most so many tokens of four characters.
    ///
    /// # Errors
    ///
    /// [`SettingError`] below 16.
    pub fn new(max_summary_tokens: u64) -> Result<Self, SettingError> {
        if max_summary_tokens < LEAST {
            return Err(SettingFault::TooSmall { least: LEAST }.of("max_summary_tokens"));
        }
        Ok(Self { max_summary_tokens, ..Self::default() })
    }

    /// With tokens as this estimator counts them.
    #[must_use]
    pub fn with_estimator(mut self, estimator: impl TokenEstimator + 'static) -> Self {
        self.estimator = Arc::new(Estimator(estimator));
        self
    }

    /// Summarizes all messages of a request. The request's own budget counts where it is the smaller one.
    ///
    /// # Errors
    ///
    /// [`CompactionFailure`] when there are no messages.
    pub fn compact(&self, request: &CompactionRequest) -> CompactionOutcome {
        if request.messages.is_empty() {
            return Err(CompactionFailure::nothing_to_compact());
        }
        let budget = request.summary_token_budget.unwrap_or(u64::MAX).min(self.max_summary_tokens);
        let existing = request.existing_summary.as_ref();
        let (left_out, mut entries) = existing.map_or((0, Vec::new()), |summary| entry::of_summary(summary));
        entries.extend(request.messages.iter().flat_map(Entry::of_message));
        let tokens = |text: &str| self.estimator.tokens(text);
        let summary = spoken(Ledger::new(&entries, left_out, &tokens).within(budget))?;
        let result = CompactionResult::new(summary, request.messages.len())
            .with_source(1, "extract", false)
            .with_metadata(
                Payload::new()
                    .text("compactor", NAME)
                    .tokens("max_summary_tokens", budget)
                    .text("estimator", &*self.estimator.label())
                    .object(),
            );
        Ok(match existing {
            Some(existing) => result.representing(existing),
            None => result,
        })
    }
}

impl ContextCompactor for ExtractiveCompactor {
    fn name(&self) -> &str {
        NAME
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        CompactionStep::Done(self.compact(request))
    }

    fn bounded_input(&self, _: &CompactionFacts<'_>) -> Option<bool> {
        Some(false)
    }
}

fn spoken(text: String) -> Result<SpokenText, CompactionFailure> {
    SpokenText::new(text).map_err(|_| CompactionFailure::bad_summary())
}
