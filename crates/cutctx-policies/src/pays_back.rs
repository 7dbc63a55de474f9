//! Refusing edits that cost the prompt cache more than they save.

use crate::around::{name_around, taken_where};
use crate::chain::BoxedPolicy;
use crate::proposal::in_name_of;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_types::{CacheAccount, CachePrices, PlanDraft};

/// After how many steps an edit must have paid back when nobody says otherwise.
pub(crate) const DEFAULT_WITHIN_STEPS: u64 = 20;

/// Takes the plan of another policy only where it pays back in the prompt cache within some steps; else it keeps every
/// turn.
///
/// An edit makes everything behind its first change be read anew. [`CacheAccount`] reckons after how many requests the
/// freed tokens have paid for that. What does not pay back in time is left alone, unless it must be done:
///
/// * Where the budget's maximum *is* the window, a transcript above it cannot be sent, so the plan is taken whatever it
///   costs. Only work that goes on below the maximum, towards a target, can be vetoed then.
/// * Where the maximum is only the point at which to begin, say how large the window is
///   ([`PaysBackPolicy::with_window`]): up to there a plan that does not pay back is vetoed, and the plan says that it
///   stays over its budget; beyond it the plan is taken.
///
/// Wrap a whole chain rather than its members: a member sees what earlier members left as if it had been cached so, and
/// vetoes too readily.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{DropOldestPolicy, PaysBackPolicy};
/// use cutctx_types::{CachePrices, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |n: u64| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", 100);
/// let transcript = Transcript::new((0..20).map(turn).collect::<Result<_, _>>()?)?;
/// // 100 of 2,000 tokens would go, and 1,900 would have to be read anew for it.
/// let budget = CompactionBudget::new(1_900);
/// let policy = PaysBackPolicy::new(Box::new(DropOldestPolicy::new()), CachePrices::ANTHROPIC, 20);
///
/// let plan = policy.with_window(4_000).decide(&transcript, &budget)?;
/// assert_eq!((plan.first_changed_position(), plan.budget_unmet()), (None, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PaysBackPolicy {
    name: String,
    inner: BoxedPolicy,
    prices: CachePrices,
    within_steps: u64,
    window_tokens: Option<u64>,
}

impl PaysBackPolicy {
    /// The plans of a policy that pay back within this many requests at these prices.
    #[must_use]
    pub fn new(inner: BoxedPolicy, prices: CachePrices, within_steps: u64) -> Self {
        let name = name_around("pays_back", inner.as_ref());
        Self { name, inner, prices, within_steps, window_tokens: None }
    }

    /// The policy where the window is this large, in tokens, and the budget's maximum only the point at which to begin.
    #[must_use]
    pub fn with_window(mut self, window_tokens: u64) -> Self {
        self.window_tokens = Some(window_tokens);
        self
    }

    /// Whether the transcript cannot be sent as it is.
    fn must_shrink(&self, survey: &Survey<'_>) -> bool {
        let window = self.window_tokens.unwrap_or_else(|| survey.budget().max_tokens());
        survey.transcript().token_estimate() > window
    }
}

impl CompactionPolicy for PaysBackPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let draft = self.inner.propose(survey)?;
        if survey.goal().is_none() || self.must_shrink(survey) {
            return Ok(in_name_of(self, draft));
        }
        taken_where(self, draft, survey, |plan| {
            CacheAccount::of(&plan.cache_edit(), self.prices).pays_back_within(self.within_steps)
        })
    }

    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        Some(self.inner.as_ref())
    }
}

impl fmt::Debug for PaysBackPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PaysBackPolicy")
            .field("name", &self.name)
            .field("prices", &self.prices)
            .field("within_steps", &self.within_steps)
            .field("window_tokens", &self.window_tokens)
            .finish_non_exhaustive()
    }
}
