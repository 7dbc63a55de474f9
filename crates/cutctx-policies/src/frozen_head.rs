//! Leaving the beginning of a transcript alone, so that the prompt cache keeps it.

use crate::around::{name_around, plan_with_pins};
use crate::chain::BoxedPolicy;
use crate::proposal::in_name_of;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{DetailValue, InvalidValue, PlanDraft};

/// The share of the goal that the head may have when nobody says otherwise, in thousandths.
pub(crate) const DEFAULT_HEAD_SHARE: u64 = 600;
/// In a loop, every compaction of this number decides over all.
const FREE: u64 = 3;
/// A whole, in thousandths.
const WHOLE: u64 = 1_000;

/// Has another policy decide over all but the beginning of the transcript, which stays byte for byte.
///
/// The beginning is as many whole exchanges as fit a share of the goal. What was sent before and stands there is found
/// in the prompt cache again, where a policy that chooses freely would have changed it. Where the rest cannot be
/// brought down to the goal without the beginning, the other policy decides over all.
///
/// In an agent loop this is for two of three compactions ([`at_compaction`](Self::at_compaction)). Used at each of them, the
/// beginning would never be compacted again.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{DropOldestPolicy, FrozenHeadPolicy};
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |n: u64| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", 100);
/// let transcript = Transcript::new((0..20).map(turn).collect::<Result<_, _>>()?)?;
/// let policy = FrozenHeadPolicy::new(Box::new(DropOldestPolicy::new()));
/// let plan = policy.decide(&transcript, &CompactionBudget::new(1_000))?;
/// assert_eq!(plan.first_changed_position(), Some(6), "600 of 1,000 tokens stay at the beginning");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FrozenHeadPolicy {
    name: String,
    inner: BoxedPolicy,
    head_share: u64,
}

impl FrozenHeadPolicy {
    /// The policy with a beginning of at most 600 thousandths of the goal.
    #[must_use]
    pub fn new(inner: BoxedPolicy) -> Self {
        let name = name_around("frozen_head", inner.as_ref());
        Self { name, inner, head_share: DEFAULT_HEAD_SHARE }
    }

    /// The policy with a beginning of at most this share of the goal, in thousandths.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for 1,000 and more, which would leave nothing to decide over.
    pub fn with_head_share(mut self, thousandths: u64) -> Result<Self, InvalidValue> {
        if thousandths >= WHOLE {
            let value = Some(DetailValue::from(thousandths));
            let reason = "leaves nothing of the goal to the rest";
            return Err(InvalidValue::Setting { setting: "head_share", value, reason });
        }
        self.head_share = thousandths;
        Ok(self)
    }

    /// The policy that decides over the rest.
    #[must_use]
    pub fn inner(&self) -> &(dyn CompactionPolicy + Send + Sync) {
        self.inner.as_ref()
    }

    /// Who decides in a loop, by how many compactions there were before: two leave the beginning alone, the third one
    /// decides over all. The rhythm was chosen by what loops over real sessions cost (docs/design/0006).
    #[must_use]
    pub fn at_compaction(&self, before: u64) -> &(dyn CompactionPolicy + Send + Sync) {
        if before.saturating_add(1).is_multiple_of(FREE) { self.inner() } else { self }
    }

    /// What the other policy proposes with the beginning pinned; `None` where that does not reach the goal.
    fn with_frozen_head(&self, survey: &Survey<'_>, goal: u64) -> Result<Option<PlanDraft>, PolicyError> {
        let head = head_length(survey, share_of(goal, self.head_share));
        if head == 0 {
            return Ok(None);
        }
        let plan = plan_with_pins(self.inner.as_ref(), survey, |position| position < head)?;
        let plan = plan.filter(|plan| plan.tokens_after_estimate() <= goal);
        Ok(plan.map(CompactionPlan::into_draft))
    }
}

/// How many turns at the beginning are whole exchanges and fit so many tokens.
fn head_length(survey: &Survey<'_>, most: u64) -> usize {
    let (mut tokens, mut head, mut reach) = (0_u64, 0_usize, 0_usize);
    for (position, turn) in survey.turns().iter().enumerate() {
        tokens = tokens.saturating_add(turn.token_estimate());
        if tokens > most {
            break;
        }
        reach = reach.max(last_of_exchange(survey, position));
        if reach == position {
            head = position.saturating_add(1);
        }
    }
    head
}

fn last_of_exchange(survey: &Survey<'_>, position: usize) -> usize {
    let exchange = survey.exchanges().of(position);
    let members = exchange.map(|exchange| survey.exchanges().members(exchange));
    members.and_then(|members| members.last().copied()).unwrap_or(position)
}

fn share_of(tokens: u64, thousandths: u64) -> u64 {
    let share = u128::from(tokens).saturating_mul(u128::from(thousandths)) / 1_000;
    u64::try_from(share).unwrap_or(u64::MAX)
}

impl CompactionPolicy for FrozenHeadPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let frozen = match survey.goal() {
            Some(goal) => self.with_frozen_head(survey, goal)?,
            None => None,
        };
        let draft = match frozen {
            Some(draft) => draft,
            None => self.inner.propose(survey)?,
        };
        Ok(in_name_of(self, draft))
    }

    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        Some(self.inner.as_ref())
    }
}

impl fmt::Debug for FrozenHeadPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrozenHeadPolicy")
            .field("name", &self.name)
            .field("head_share", &self.head_share)
            .finish_non_exhaustive()
    }
}
