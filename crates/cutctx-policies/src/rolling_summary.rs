//! One summary that takes in what is new and never grows.

use crate::exemptions::Exemptions;
use crate::free_ids::FreeIds;
use crate::proposal::{Proposal, tokens_of};
use crate::summarizing::{DEFAULT_MIN_SPAN_TURNS, SpanIds, checked_prompt_id};
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, SUMMARY_PREFIX, SummarizationRequest};

/// How long the summary may be when nobody says otherwise, in tokens.
pub(crate) const DEFAULT_SUMMARY_TOKENS: u64 = 2_000;

/// Asks for one summary of the oldest exchanges, as many as it takes, with the same cap each time.
///
/// The earlier summary is the oldest turn there is to fold, so it goes into the next one together with what is new since.
/// A session then holds one summary at any time, and that never costs more than its cap, nor more than half of what it
/// replaces. Turns that cannot go stay where they are; the summary takes the place of the first turn that it replaces.
///
/// It calls no model: the plan carries the request, the application fulfils it.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::RollingSummaryPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |n: u64| TranscriptTurn::new(format!("t{n}"), Role::User, "a story", 100);
/// let transcript = Transcript::new((0..20).map(turn).collect::<Result<_, _>>()?)?;
/// let policy = RollingSummaryPolicy::new("my/prompt")?.with_summary_tokens(150)?;
/// let plan = policy.decide(&transcript, &CompactionBudget::new(1_000))?;
/// assert_eq!(plan.summarization_requests().len(), 1);
/// assert_eq!(plan.summarization_requests()[0].target_tokens(), 150);
/// assert_eq!(plan.tokens_after_estimate(), 950);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollingSummaryPolicy {
    prompt_id: Arc<str>,
    summary_tokens: u64,
    min_span_turns: u64,
    exemptions: Exemptions,
}

impl RollingSummaryPolicy {
    /// The policy with a prompt for the application to use, a cap of 2,000 tokens, and at least four turns to fold.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when the prompt's id is blank.
    pub fn new(prompt_id: impl Into<Arc<str>>) -> Result<Self, InvalidValue> {
        Ok(Self {
            prompt_id: checked_prompt_id(prompt_id.into())?,
            summary_tokens: DEFAULT_SUMMARY_TOKENS,
            min_span_turns: DEFAULT_MIN_SPAN_TURNS,
            exemptions: Exemptions::none(),
        })
    }

    /// The policy with a summary of at most so many tokens.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when that is none.
    pub fn with_summary_tokens(mut self, tokens: u64) -> Result<Self, InvalidValue> {
        self.summary_tokens = at_least_one("summary_tokens", tokens)?;
        Ok(self)
    }

    /// The policy folding at least this many turns at a time.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when that is none.
    pub fn with_min_span_turns(mut self, turns: u64) -> Result<Self, InvalidValue> {
        self.min_span_turns = at_least_one("min_span_turns", turns)?;
        Ok(self)
    }

    /// The policy leaving some exchanges alone.
    #[must_use]
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Self {
        self.exemptions = exemptions;
        self
    }

    /// The positions of the turns to fold, and what their summary may cost, in tokens; `None` where nothing is saved.
    fn fold(&self, survey: &Survey<'_>, goal: u64) -> Option<(Vec<usize>, u64)> {
        let total = survey.transcript().token_estimate();
        let (mut folded, mut tokens) = (Vec::new(), 0_u64);
        for members in self.foldable(survey) {
            let left = total.saturating_sub(tokens).saturating_add(self.target(tokens));
            if tokens > 0 && left <= goal && self.is_long_enough(folded.len()) {
                break;
            }
            tokens = tokens.saturating_add(tokens_of(survey, members));
            folded.extend_from_slice(members);
        }
        folded.sort_unstable();
        let target = self.target(tokens);
        (self.is_long_enough(folded.len()) && target < tokens).then_some((folded, target))
    }

    /// The exchanges that may go into the summary, the oldest first.
    fn foldable<'s>(&self, survey: &'s Survey<'_>) -> impl Iterator<Item = &'s [usize]> {
        let exempt = self.exemptions.exempt_exchanges(survey);
        let exchanges = survey.exchanges().iter().enumerate();
        let may_go = move |exchange: usize, members: &[usize]| {
            survey.is_removable_exchange(exchange)
                && !exempt.get(exchange).copied().unwrap_or(false)
                && !members.iter().any(|member| survey.is_stand_in(*member))
        };
        exchanges.filter(move |(exchange, members)| may_go(*exchange, members)).map(|(_, members)| members)
    }

    fn is_long_enough(&self, turns: usize) -> bool {
        u64::try_from(turns).unwrap_or(u64::MAX) >= self.min_span_turns
    }

    /// What a summary of so many tokens may cost.
    fn target(&self, tokens: u64) -> u64 {
        self.summary_tokens.min((tokens / 2).max(1))
    }

    fn request(
        &self,
        survey: &Survey<'_>,
        folded: &[usize],
        target: u64,
    ) -> Result<SummarizationRequest, InvalidValue> {
        let turns = folded.iter().filter_map(|position| survey.turns().get(*position));
        let turn_ids: Vec<Arc<str>> = turns.map(|turn| Arc::clone(turn.turn_id())).collect();
        let names = SpanIds::of_turns(&turn_ids);
        let mut ids = FreeIds::after(SUMMARY_PREFIX, survey);
        let group = ids.give_out(|attempt| names.nth(attempt).into());
        Ok(SummarizationRequest::new(group, turn_ids, target, Arc::clone(&self.prompt_id))?)
    }
}

fn at_least_one(setting: &'static str, value: u64) -> Result<u64, InvalidValue> {
    if value == 0 {
        return Err(InvalidValue::Setting { setting, value: Some(value.into()), reason: "is too small" });
    }
    Ok(value)
}

impl CompactionPolicy for RollingSummaryPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("rolling_summary")
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let mut proposal = Proposal::keeping(survey);
        let fold = survey.goal().and_then(|goal| self.fold(survey, goal));
        let Some((folded, target)) = fold else { return Ok(proposal.into_draft(self)) };
        let request = self.request(survey, &folded, target)?;
        proposal.set_all(&folded, &Action::Summarize { group: Arc::clone(request.group_id()) });
        Ok(proposal.into_draft(self).with_requests(alloc::vec![request]))
    }
}
