//! Refusing edits that free too little.

use crate::around::{name_around, taken_where};
use crate::chain::BoxedPolicy;
use crate::proposal::in_name_of;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{DetailValue, InvalidValue, PlanDraft};

/// A whole, in thousandths.
const WHOLE: u64 = 1_000;

/// Takes the plan of another policy only where it frees enough; else it keeps every turn.
///
/// An edit that frees little costs the prompt cache as much as one that frees much, and the next one is near. *Enough*
/// is a number of tokens, a share of what the transcript costs, or both. As a member of a chain this lets small savings
/// be and leaves the work to the members behind it.
///
/// What must be done is done: a plan that brings the transcript from above its maximum to within it is taken however
/// little it frees, unless the maximum is only the point at which to begin and the window is larger
/// ([`MinimumGainPolicy::with_window`]). To free much each time, give the budget a target.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{DropOldestPolicy, MinimumGainPolicy};
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |n: u64| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", 100);
/// let transcript = Transcript::new((0..20).map(turn).collect::<Result<_, _>>()?)?;
/// let budget = CompactionBudget::new(1_900);
/// let policy = MinimumGainPolicy::new(Box::new(DropOldestPolicy::new()), 500);
/// assert_eq!(policy.decide(&transcript, &budget)?.tokens_after_estimate(), 1_900, "it must");
/// let policy = policy.with_window(4_000);
/// assert_eq!(policy.decide(&transcript, &budget)?.tokens_after_estimate(), 2_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MinimumGainPolicy {
    name: String,
    inner: BoxedPolicy,
    tokens: u64,
    share: u64,
    window_tokens: Option<u64>,
}

impl MinimumGainPolicy {
    /// The plans of a policy that free at least so many tokens.
    #[must_use]
    pub fn new(inner: BoxedPolicy, tokens: u64) -> Self {
        let name = name_around("minimum_gain", inner.as_ref());
        Self { name, inner, tokens, share: 0, window_tokens: None }
    }

    /// The policy asking that at least this share of what the transcript costs is freed too, in thousandths.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for more than 1,000, which nothing can free.
    pub fn with_share(mut self, thousandths: u64) -> Result<Self, InvalidValue> {
        if thousandths > WHOLE {
            let value = Some(DetailValue::from(thousandths));
            let reason = "is more than all there is";
            return Err(InvalidValue::Setting { setting: "gain_share", value, reason });
        }
        self.share = thousandths;
        Ok(self)
    }

    /// The policy where the window is this large, in tokens, and the budget's maximum only the point at which to begin.
    #[must_use]
    pub const fn with_window(mut self, window_tokens: u64) -> Self {
        self.window_tokens = Some(window_tokens);
        self
    }

    fn is_enough(&self, plan: &CompactionPlan) -> bool {
        let gain = plan.tokens_before().saturating_sub(plan.tokens_after_estimate());
        let gained = u128::from(gain).saturating_mul(u128::from(WHOLE));
        let asked = u128::from(plan.tokens_before()).saturating_mul(u128::from(self.share));
        gain >= self.tokens && gained >= asked
    }

    /// Whether the transcript cannot be sent without the plan, and can be with it.
    fn is_needed(&self, plan: &CompactionPlan) -> bool {
        let window = self.window_tokens.unwrap_or_else(|| plan.budget().max_tokens());
        plan.tokens_before() > window && plan.tokens_after_estimate() <= window
    }
}

impl CompactionPolicy for MinimumGainPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let draft = self.inner.propose(survey)?;
        if survey.goal().is_none() {
            return Ok(in_name_of(self, draft));
        }
        taken_where(self, draft, survey, |plan| self.is_enough(plan) || self.is_needed(plan))
    }

    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        Some(self.inner.as_ref())
    }
}

impl fmt::Debug for MinimumGainPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinimumGainPolicy")
            .field("name", &self.name)
            .field("tokens", &self.tokens)
            .field("share", &self.share)
            .field("window_tokens", &self.window_tokens)
            .finish_non_exhaustive()
    }
}
