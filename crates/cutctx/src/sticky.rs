//! The view that an agent loop sends: it only grows, until it has to be compacted.

use crate::compact::Outcome;
use crate::error::Error;
use alloc::sync::Arc;
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy};
use cutctx_policies::{BoxedPolicy, FrozenHeadPolicy};
use cutctx_types::{CompactionBudget, InvalidValue, TokenEstimator, Transcript, TranscriptTurn};

/// What an agent sends, request after request, so that the provider's prompt cache is of use.
///
/// A view is *sticky*: what it once showed in one form keeps that form until the next compaction. Turns are appended at
/// its end; nothing before them changes while the view fits the budget's maximum. Once it does not, the policy brings it
/// down to the budget's target in one step. So the prefix of a request breaks when a compaction happens, and at no other
/// time; with a target well below the maximum (half of it is a good choice) that is seldom.
///
/// Turns that an earlier compaction masked, trimmed or summarized are ordinary turns at the next one.
///
/// ```
/// use cutctx::{CompactionBudget, DropOldestPolicy, Role, StickyStep, StickyView, TranscriptTurn};
///
/// let budget = CompactionBudget::new(1_000).with_target(500)?;
/// let mut view = StickyView::new(Box::new(DropOldestPolicy::new()), budget);
/// let mut compactions = 0;
/// for step in 0..100 {
///     view.append(TranscriptTurn::new(format!("t{step}"), Role::User, "a story", 50)?);
///     match view.settle()? {
///         StickyStep::Fits => {}
///         StickyStep::Compacted(_) => compactions += 1,
///         StickyStep::SummariesNeeded(plan) => {
///             // Have a model answer `plan.summarization_requests()`, then `view.fulfil(*plan, &summaries)`.
///             let _ = plan;
///         }
///         StickyStep::Unmet(plan) => panic!("nothing left to take: {}", plan.tokens_before()),
///     }
///     // Send `view.turns()`.
///     assert!(view.tokens() <= 1_000);
/// }
/// assert_eq!(compactions, 8, "one every eleven steps, the first after twenty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct StickyView {
    policy: Decider,
    budget: CompactionBudget,
    executor: CompactionExecutor,
    turns: Vec<TranscriptTurn>,
    tokens: u64,
    compactions: u64,
}

/// Who decides.
enum Decider {
    /// The same policy each time.
    Plain(BoxedPolicy),
    /// Two of three times with the beginning left alone.
    Freezing(FrozenHeadPolicy),
}

/// What became of a view.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "an agent has to do something about each of these")]
pub enum StickyStep {
    /// It fits: all that was sent before still stands where it stood.
    Fits,
    /// It did not fit, and was compacted.
    Compacted(Box<Outcome>),
    /// It does not fit, and this plan needs summaries: [`StickyView::fulfil`] takes them. The view is as it was.
    SummariesNeeded(Box<CompactionPlan>),
    /// It does not fit, and the policy takes nothing away. Asking again without further turns gives the same answer.
    Unmet(Box<CompactionPlan>),
}

impl StickyView {
    /// An empty view under a budget. Give the budget a target: without one each step above the maximum is a compaction.
    #[must_use]
    pub fn new(policy: BoxedPolicy, budget: CompactionBudget) -> Self {
        Self {
            policy: Decider::Plain(policy),
            budget,
            executor: CompactionExecutor::new(),
            turns: Vec::new(),
            tokens: 0,
            compactions: 0,
        }
    }

    /// The view that at two of three compactions leaves its beginning alone, up to this share of the goal in thousandths
    /// (600 is a good choice): the prompt cache finds it again. Every third one decides over all, so that the beginning does
    /// not stay for ever. See [`FrozenHeadPolicy`].
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for 1,000 and more.
    pub fn with_frozen_head(mut self, thousandths: u64) -> Result<Self, InvalidValue> {
        let freezing = match self.policy {
            Decider::Plain(policy) => FrozenHeadPolicy::new(policy),
            Decider::Freezing(policy) => policy,
        };
        self.policy = Decider::Freezing(freezing.with_head_share(thousandths)?);
        Ok(self)
    }

    /// The view whose summaries are measured by this estimator.
    #[must_use]
    pub fn with_estimator(mut self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.executor = self.executor.with_estimator(estimator);
        self
    }

    /// Puts a turn at the end. What stands there already is not looked at.
    pub fn append(&mut self, turn: TranscriptTurn) {
        self.tokens = self.tokens.saturating_add(turn.token_estimate());
        self.turns.push(turn);
    }

    /// Compacts the view if it does not fit.
    ///
    /// # Errors
    ///
    /// [`Error::Policy`] when no plan comes about, above all because what must be kept is above the maximum;
    /// [`Error::Invalid`] when two turns have one id. The view stays as it was.
    pub fn settle(&mut self) -> Result<StickyStep, Error> {
        if self.tokens <= self.budget.max_tokens() {
            return Ok(StickyStep::Fits);
        }
        let transcript = Transcript::new(self.turns.clone()).map_err(InvalidValue::from)?;
        let plan = self.decider().decide(&transcript, &self.budget)?;
        if plan.first_changed_position().is_none() {
            return Ok(StickyStep::Unmet(Box::new(plan)));
        }
        if !plan.summarization_requests().is_empty() {
            return Ok(StickyStep::SummariesNeeded(Box::new(plan)));
        }
        let outcome = self.apply(&transcript, plan, &Summaries::none())?;
        Ok(StickyStep::Compacted(Box::new(outcome)))
    }

    /// Compacts the view by a plan of [`StickyView::settle`], with the summaries that it asks for. Turns appended
    /// meanwhile stay.
    ///
    /// # Errors
    ///
    /// [`Error::Apply`] when a summary is missing, when the view does not begin with the turns that were planned over, and
    /// when it would be no smaller with these summaries. It stays as it was then, and does not count as compacted.
    pub fn fulfil(&mut self, plan: CompactionPlan, summaries: &Summaries) -> Result<Outcome, Error> {
        let transcript = Transcript::new(self.turns.clone()).map_err(InvalidValue::from)?;
        self.apply(&transcript, plan, summaries)
    }

    fn apply(
        &mut self,
        transcript: &Transcript,
        plan: CompactionPlan,
        summaries: &Summaries,
    ) -> Result<Outcome, Error> {
        let applied = self.executor.apply(transcript, &plan, summaries)?;
        self.turns.clone_from(&applied.compacted.turns);
        self.tokens = applied.account.tokens_after_measured;
        self.compactions = self.compactions.saturating_add(1);
        Ok(Outcome { plan, applied })
    }

    /// Who decides at the next compaction.
    fn decider(&self) -> &dyn CompactionPolicy {
        match &self.policy {
            Decider::Plain(policy) => policy.as_ref(),
            Decider::Freezing(policy) => policy.at_compaction(self.compactions),
        }
    }

    /// The turns to send.
    #[must_use]
    pub fn turns(&self) -> &[TranscriptTurn] {
        &self.turns
    }

    /// What they cost, in tokens.
    #[must_use]
    pub const fn tokens(&self) -> u64 {
        self.tokens
    }

    /// How often the view was compacted.
    #[must_use]
    pub const fn compactions(&self) -> u64 {
        self.compactions
    }

    /// The budget.
    #[must_use]
    pub const fn budget(&self) -> &CompactionBudget {
        &self.budget
    }
}

impl core::fmt::Debug for Decider {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Plain(policy) => f.debug_tuple("Plain").field(&policy.name()).finish(),
            Self::Freezing(policy) => f.debug_tuple("Freezing").field(policy).finish(),
        }
    }
}
