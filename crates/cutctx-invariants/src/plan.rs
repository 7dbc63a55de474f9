//! A plan: a draft that the rules accepted.

use crate::rejected::Rejected;
use crate::rule::{Figures, judge};
use crate::survey::Survey;
use alloc::string::String;
use cutctx_types::{
    Action, CacheEdit, CompactionBudget, PlanDraft, SummarizationRequest, Transcript, TranscriptTurn,
    TurnAction, canonical_json, sha256_of,
};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// A draft that the rules accepted for one transcript and one budget.
///
/// The only way to one is [`CompactionPlan::check`]. It has no public field, no setter, no `Default`
/// and no `Deserialize`. Each claim below is followed by its twin, which differs in that one thing and
/// compiles.
///
/// It cannot be put together from its fields; a draft can be made:
///
/// ```compile_fail,E0451
/// use cutctx_invariants::CompactionPlan;
/// fn forge(plan: CompactionPlan) -> CompactionPlan {
///     CompactionPlan { draft: cutctx_types::PlanDraft::new("mine", "1", vec![]), ..plan }
/// }
/// ```
///
/// ```
/// use cutctx_invariants::CompactionPlan;
/// fn unpack(plan: CompactionPlan) -> cutctx_types::PlanDraft {
///     plan.into_draft()
/// }
/// ```
///
/// It cannot be read from JSON; what is only a claim can be:
///
/// ```compile_fail,E0277
/// let plan = serde_json::from_str::<cutctx_invariants::CompactionPlan>("{}");
/// ```
///
/// ```
/// let plan = serde_json::from_str::<cutctx_types::wire::WirePlan>("{}");
/// ```
///
/// There is none by default; there is a default estimator:
///
/// ```compile_fail,E0277
/// fn by_default<T: Default>() {}
/// by_default::<cutctx_invariants::CompactionPlan>();
/// ```
///
/// ```
/// fn by_default<T: Default>() {}
/// by_default::<cutctx_types::CharRatioEstimator>();
/// ```
///
/// It cannot be changed; it can be read, and a draft can be changed:
///
/// ```compile_fail,E0616
/// fn forge(plan: &mut cutctx_invariants::CompactionPlan) {
///     plan.draft.policy_name.clear();
/// }
/// ```
///
/// ```
/// fn read(plan: &mut cutctx_invariants::CompactionPlan) -> &str {
///     plan.policy_name()
/// }
/// fn change(draft: &mut cutctx_types::PlanDraft) {
///     draft.policy_name.clear();
/// }
/// ```
///
/// Nor does a reference to its actions let anything be changed:
///
/// ```compile_fail,E0594
/// fn forge(plan: &mut cutctx_invariants::CompactionPlan) {
///     plan.actions()[0].action = cutctx_types::Action::Drop;
/// }
/// ```
///
/// ```
/// fn change(draft: &mut cutctx_types::PlanDraft) {
///     draft.actions[0].action = cutctx_types::Action::Drop;
/// }
/// ```
///
/// Its JSON can be read back as a draft, and judged again:
///
/// ```
/// use cutctx_invariants::{CompactionPlan, Survey};
/// use cutctx_types::{CompactionBudget, PlanDraft, Transcript, wire::WirePlan};
///
/// let (transcript, budget) = (Transcript::new(vec![])?, CompactionBudget::new(0));
/// let survey = Survey::new(&transcript, &budget)?;
/// let plan = CompactionPlan::check(PlanDraft::new("drop_oldest", "1.0.0", vec![]), &survey)?;
/// assert_eq!(plan.plan_hash(), "026c77e6cadeb4a88d95d975e3c1e7592b540a99199e074d9fd729e3c262a12e");
///
/// let stored: WirePlan = serde_json::from_str(&plan.canonical_json())?;
/// let again = CompactionPlan::check(PlanDraft::try_from(stored)?, &survey)?;
/// assert_eq!(again.plan_hash(), plan.plan_hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionPlan {
    draft: PlanDraft,
    figures: Figures,
    transcript: Transcript,
    budget: CompactionBudget,
}

impl CompactionPlan {
    /// Judges a draft by the rules for a surveyed transcript and budget.
    ///
    /// # Errors
    ///
    /// [`Rejected`] with the broken rules, in order.
    pub fn check(mut draft: PlanDraft, survey: &Survey<'_>) -> Result<Self, Rejected> {
        let figures = judge(&draft, survey)?;
        draft.declared = None;
        Ok(Self { draft, figures, transcript: survey.transcript().clone(), budget: *survey.budget() })
    }

    /// The survey of the transcript that it was made over, under its budget.
    #[must_use]
    pub fn survey(&self) -> Survey<'_> {
        Survey::of_plan(&self.transcript, self.budget)
    }

    /// One action a turn, in transcript order.
    #[must_use]
    pub fn actions(&self) -> &[TurnAction] {
        &self.draft.actions
    }

    /// The summaries to be supplied, in order of their groups' first turns.
    #[must_use]
    pub fn summarization_requests(&self) -> &[SummarizationRequest] {
        &self.draft.summarization_requests
    }

    /// Tokens of the transcript.
    #[must_use]
    pub const fn tokens_before(&self) -> u64 {
        self.figures.before
    }

    /// Tokens of the view, with summaries at their targets.
    #[must_use]
    pub const fn tokens_after_estimate(&self) -> u64 {
        self.figures.after
    }

    /// Whether the view stays above the budget.
    #[must_use]
    pub const fn budget_unmet(&self) -> bool {
        self.figures.budget_unmet
    }

    /// The policy.
    #[must_use]
    pub fn policy_name(&self) -> &str {
        &self.draft.policy_name
    }

    /// The version of its behaviour.
    #[must_use]
    pub fn policy_version(&self) -> &str {
        &self.draft.policy_version
    }

    /// Characters per token of the plain estimator that measured the masks, if that is known.
    #[must_use]
    pub const fn estimator_ratio(&self) -> Option<f64> {
        self.draft.estimator_ratio
    }

    /// The transcript that it was judged for.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// The budget that it was judged for.
    #[must_use]
    pub const fn budget(&self) -> &CompactionBudget {
        &self.budget
    }

    /// 1, or 2 where a turn is trimmed: the version of the plan's JSON.
    #[must_use]
    pub fn wire_version(&self) -> u64 {
        let trims = self.actions().iter().any(|action| matches!(action.action, Action::Trim(_)));
        if trims { 2 } else { 1 }
    }

    /// The plan's canonical JSON: the reference's eight keys, and `wire_version` where a turn is
    /// trimmed.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        // Nothing in a plan can fail: its only float is finite by rule, its keys are texts, it is flat.
        canonical_json(self).unwrap_or_default()
    }

    /// SHA-256 of the canonical JSON, in lower-case hex.
    #[must_use]
    pub fn plan_hash(&self) -> String {
        // As above: it cannot fail.
        sha256_of(self).map_or_else(|_| String::new(), |digest| digest.to_hex())
    }

    /// The position of the first turn that is not kept as it is; `None` when all are.
    #[must_use]
    pub fn first_changed_position(&self) -> Option<usize> {
        self.actions().iter().position(|action| action.action != Action::Keep)
    }

    /// What the plan changes of the prompt, with summaries at their targets.
    #[must_use]
    pub fn cache_edit(&self) -> CacheEdit {
        let Some(position) = self.first_changed_position() else {
            return CacheEdit::unchanged(self.tokens_before());
        };
        let before = self.transcript.turns().iter().take(position).map(TranscriptTurn::token_estimate);
        let before = before.fold(0, u64::saturating_add);
        CacheEdit::new(position, before, self.tokens_before(), self.tokens_after_estimate())
    }

    /// The draft behind the plan, to be changed and judged anew.
    #[must_use]
    pub fn into_draft(self) -> PlanDraft {
        self.draft
    }
}

impl Serialize for CompactionPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let version = self.wire_version();
        let fields = if version == 1 { 8 } else { 9 };
        let mut object = serializer.serialize_struct("CompactionPlan", fields)?;
        object.serialize_field("actions", self.actions())?;
        object.serialize_field("budget_unmet", &self.budget_unmet())?;
        object.serialize_field("estimator_ratio", &self.estimator_ratio())?;
        object.serialize_field("policy_name", self.policy_name())?;
        object.serialize_field("policy_version", self.policy_version())?;
        object.serialize_field("summarization_requests", self.summarization_requests())?;
        object.serialize_field("tokens_after_estimate", &self.tokens_after_estimate())?;
        object.serialize_field("tokens_before", &self.tokens_before())?;
        if version > 1 {
            object.serialize_field("wire_version", &version)?;
        }
        object.end()
    }
}
