//! The recommended policy.

mod asking;
mod estimating;
mod files;
mod ledger;
mod machine;
mod memory;
mod outcome;
mod over_messages;
mod over_turns;
mod planner;
mod planning;
mod protection;
mod scale;
mod settings;
mod shorten;
mod stored;

use alloc::sync::Arc;

use cutctx_invariants::CompactionPolicy;
use cutctx_messages::{DurableObject, MessageEstimator};
use cutctx_policies::ClipActivePolicy;
use cutctx_types::{CharRatioEstimator, Role};

use crate::compaction::{ContextCompactor, ExtractiveCompactor};
use crate::policy::{ContextPolicy, RuntimeManagedContextPolicy, StepResult};
use crate::request::ContextRequest;
use crate::setting::SettingError;
use ledger::Summary;
use planner::{LoopPlanner, Planner, last_resort};

pub use outcome::{ContextOutcome, DegradedReason, InvalidatedReason};
pub use over_messages::{LiveContext, LiveRequest, LiveResult, LiveStep};
pub use over_turns::{
    PendingTurnCompaction, TurnContextRequest, TurnContextResult, TurnStep, TurnStepResult, TurnUsage,
    build_turn_context_locally,
};
pub use settings::BudgetedContextSettings;

/// Keeps a context between two marks: nothing happens below the high one, and above it the context is brought down to
/// the low one.
///
/// What is done is what a [`CompactionPolicy`] over turns plans: by itself
/// [`recommended()`](cutctx_policies::recommended), which needs no model; with a [compactor](Self::with) the savings that
/// cost nearly nothing, then one summary that stands for the oldest; or [any other](Self::planning_with). All fates are
/// honoured: turns are kept, trimmed, masked, summarized or dropped. Where that is not enough:
///
/// 1. where a summary is not to be had, `recommended()` plans in its place;
/// 2. where the context still does not fit, what is new is shortened, too, and long results in it are cut to their
///    beginning and their end ([`ClipActivePolicy`]); what a person said is, where [it may be](BudgetedContextSettings::clip_active).
///
/// The system's messages, the user's first words (where they are short) and what other participants said always stay;
/// the last messages and what the user asked last as long as the context fits otherwise.
///
/// Between two compactions the context only grows at its end, so that a provider's cache holds. What a provider
/// counted is used for whatever was really sent ([`ContextUsageState::input_coverage`]), and estimates are scaled by it.
/// What is remembered is bound to the messages that it was made of. A summary that fails never fails the build:
/// [`ContextOutcome`] says what came of it.
///
/// There are three ways in: [one build](RuntimeManagedContextPolicy::begin_with_checkpoint) over all messages,
/// [`LiveContext`] for a session in memory, and [one build over turns](Self::begin_over_turns) for session files.
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
/// let Some(ContextOutcome::Compacted { tokens_before, tokens_after, .. }) = built.outcome else { panic!() };
/// assert!(tokens_after < tokens_before / 3);
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
    choice: Planner,
    /// Who plans, and who plans where no summary is to be had.
    planner: LoopPlanner,
    fallback: Arc<dyn CompactionPolicy + Send + Sync>,
    /// Who plans where nothing else fits.
    last_resort: Arc<ClipActivePolicy>,
    /// What stands around a summary takes.
    summary_frame: u64,
}

impl core::fmt::Debug for Config {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Config")
            .field("settings", &self.settings)
            .field("compactor", &self.compactor)
            .field("estimator", &self.estimator.label())
            .field("planner", &self.planner.at_compaction(0).name())
            .finish_non_exhaustive()
    }
}

impl Config {
    fn new(
        settings: BudgetedContextSettings,
        compactor: Arc<dyn ContextCompactor>,
        estimator: Arc<dyn MessageEstimator>,
        choice: Planner,
    ) -> Self {
        let planner = choice.in_a_loop(&settings, &estimator);
        let fallback = Planner::Recommended.policy(&settings, &estimator);
        let last_resort = Arc::new(last_resort(&estimator));
        // The prefix and a line's end stand before a summary, and it is a message of the user.
        let prefix = estimator.text(settings.summary_prefix.as_str()).saturating_add(1);
        let summary_frame = prefix.saturating_add(estimator.framing(Role::User));
        Self { settings, compactor, estimator, choice, planner, fallback, last_resort, summary_frame }
    }

    /// A summary of this text.
    fn summary(&self, text: Arc<str>) -> Summary {
        let tokens = self.estimator.text(&text).saturating_add(self.summary_frame);
        Summary::new(text, tokens)
    }
}

impl BudgetedContextPolicy {
    /// A policy that plans with [`recommended()`](cutctx_policies::recommended), asks nobody, and counts four characters
    /// a token until a provider has counted. At two of three compactions the beginning is left alone, so that a provider's
    /// cache finds it ([`FrozenHeadPolicy`](cutctx_policies::FrozenHeadPolicy)).
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn new(settings: BudgetedContextSettings) -> Result<Self, SettingError> {
        settings.check()?;
        let compactor = Arc::new(ExtractiveCompactor::default());
        let estimator = Arc::new(CharRatioEstimator::default());
        Ok(Self::of(Config::new(settings, compactor, estimator, Planner::Recommended)))
    }

    /// A policy that has this compactor summarize the oldest when the savings that cost nearly nothing are not enough,
    /// and counts with this estimator. There is one summary at any time: the next one takes it in.
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
        Ok(Self::of(Config::new(settings, compactor, estimator, Planner::RollingSummary)))
    }

    /// With another estimator.
    #[must_use]
    pub fn counting_with(self, estimator: Arc<dyn MessageEstimator>) -> Self {
        let Config { settings, compactor, choice, .. } = Config::clone(&self.config);
        Self::of(Config::new(settings, compactor, estimator, choice))
    }

    /// With another policy that plans. All that it decides is done; the summaries that it asks for are made by the
    /// compactor. It should count as this policy's estimator does.
    #[must_use]
    pub fn planning_with(self, planner: Arc<dyn CompactionPolicy + Send + Sync>) -> Self {
        let Config { settings, compactor, estimator, .. } = Config::clone(&self.config);
        Self::of(Config::new(settings, compactor, estimator, Planner::Given(planner)))
    }

    fn of(config: Config) -> Self {
        Self { config: Arc::new(config) }
    }

    /// What the policy was made with.
    #[must_use]
    pub fn settings(&self) -> &BudgetedContextSettings {
        &self.config.settings
    }

    /// Begins to build the context of a session that is held as turns.
    ///
    /// The settings speak of messages: a turn is one, and so are all results of one calling turn together. Formats say
    /// themselves what a summary is, so that [`BudgetedContextSettings::summary_prefix`] is not used.
    ///
    /// # Errors
    ///
    /// [`ContextBuildError`](crate::ContextBuildError) when a checkpoint cannot be stored. No turns are an empty context.
    pub fn begin_over_turns(
        &self,
        request: TurnContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> TurnStepResult {
        let config = Config { summary_frame: 0, ..Config::clone(&self.config) };
        over_turns::begin(Arc::new(config), request, checkpoint)
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
        over_messages::begin(Arc::clone(&self.config), &request, checkpoint)
    }
}
