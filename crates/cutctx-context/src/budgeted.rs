//! The recommended policy.

mod cost;
mod edits;
mod memory;
mod outcome;
mod plan;
mod run;
mod scale;
mod settings;
mod shorten;

use alloc::sync::Arc;

use cutctx_invariants::CompactionPolicy;
use cutctx_messages::{DurableObject, MessageEstimator, check_context};
use cutctx_types::CharRatioEstimator;

use crate::compaction::{ContextCompactor, ExtractiveCompactor};
use crate::policy::{ContextPolicy, RuntimeManagedContextPolicy, StepResult};
use crate::request::ContextRequest;
use crate::setting::SettingError;
use run::Run;

pub use outcome::{ContextOutcome, DegradedReason, InvalidatedReason};
pub use settings::BudgetedContextSettings;

/// Keeps a context between two marks: nothing happens below the high one, and above it the context is brought down to
/// the low one.
///
/// What is done, the least harmful first:
///
/// 1. files that were answered are named only;
/// 2. results of tools are shortened by a policy over turns, where there is [one](Self::planning_with), and old ones are
///    replaced by a stub;
/// 3. the oldest messages are summarized, with a budget that is set aside for the summary beforehand;
/// 4. where no summary is to be had and the context does not fit, the [`ExtractiveCompactor`] makes one;
/// 5. where it still does not fit, what is new is shortened, too.
///
/// Between two compactions the context only grows at its end, so that a provider's cache holds. What a provider
/// counted is used for whatever was really sent ([`ContextUsageState::input_coverage`]), and estimates are scaled by it.
/// What is remembered is bound to the messages that it was made of. A summary that fails never fails the build:
/// [`ContextOutcome`] says what came of it.
///
/// [`ContextUsageState::input_coverage`]: crate::ContextUsageState::input_coverage
///
/// ```
/// use cutctx_context::{BudgetedContextPolicy, BudgetedContextSettings, ContextOutcome, ContextRequest, Session};
/// use cutctx_context::build_context_locally;
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_types::Role;
///
/// let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(2_000))?;
/// let say = |role, text: &str| Message::new(role, vec![TextPart::new(text)?.into()]);
/// let mut messages = vec![say(Role::User, "paint the fence")?];
/// for plank in 0..100 {
///     messages.push(say(Role::Assistant, &format!("plank {plank} is painted. {}", "It looks fine. ".repeat(10)))?);
///     messages.push(say(Role::User, "go on")?);
/// }
/// let request = ContextRequest::new(Session::new("s1", "painter")?, messages);
/// let built = build_context_locally(&policy, request, None)?;
/// assert!(matches!(built.outcome, Some(ContextOutcome::Compacted { .. })));
/// assert!(built.messages.len() < 100);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BudgetedContextPolicy {
    config: Arc<Config>,
}

/// What a policy was made with.
#[derive(Clone)]
struct Config {
    settings: BudgetedContextSettings,
    compactor: Arc<dyn ContextCompactor>,
    estimator: Arc<dyn MessageEstimator>,
    planner: Option<Arc<dyn CompactionPolicy + Send + Sync>>,
}

impl core::fmt::Debug for Config {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Config")
            .field("settings", &self.settings)
            .field("compactor", &self.compactor)
            .field("estimator", &self.estimator.label())
            .field("planner", &self.planner.as_ref().map(|planner| planner.name()))
            .finish()
    }
}

impl BudgetedContextPolicy {
    /// A policy that needs no model, and counts four characters a token until a provider has counted.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn new(settings: BudgetedContextSettings) -> Result<Self, SettingError> {
        Self::with(
            settings,
            Arc::new(ExtractiveCompactor::default()),
            Arc::new(CharRatioEstimator::default()),
        )
    }

    /// A policy with this compactor and this estimator.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn with(
        settings: BudgetedContextSettings,
        compactor: Arc<dyn ContextCompactor>,
        estimator: Arc<dyn MessageEstimator>,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Self { config: Arc::new(Config { settings, compactor, estimator, planner: None }) })
    }

    /// With a policy over turns that shortens results of tools before anything else is done: one that knows which of
    /// them are stale, repeated or of use no more. Only its masks and trims of results are taken.
    #[must_use]
    pub fn planning_with(self, planner: Arc<dyn CompactionPolicy + Send + Sync>) -> Self {
        let config = Config { planner: Some(planner), ..Config::clone(&self.config) };
        Self { config: Arc::new(config) }
    }

    /// What the policy was made with.
    #[must_use]
    pub fn settings(&self) -> &BudgetedContextSettings {
        &self.config.settings
    }
}

impl ContextPolicy for BudgetedContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        self.begin_with_checkpoint(request, None)
    }

    fn as_runtime_managed(&self) -> Option<&dyn RuntimeManagedContextPolicy> {
        Some(self)
    }
}

impl RuntimeManagedContextPolicy for BudgetedContextPolicy {
    fn begin_with_checkpoint(
        &self,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult {
        check_context(&request.messages)?;
        Run::begin(Arc::clone(&self.config), request, checkpoint)
    }
}
