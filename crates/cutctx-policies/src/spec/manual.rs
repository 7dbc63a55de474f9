//! A manual plan as JSON spells it.

use super::number::write_float;
use crate::manual::ManualPolicy;
use cutctx_types::{DeclaredFigures, InvalidValue, PlanDraft, SummarizationRequest, TurnAction};
use serde::ser::Error;
use serde::{Serialize, Serializer};

/// A draft given outright, or why what was given makes none.
#[derive(Debug, Clone, PartialEq)]
pub struct ManualSpec {
    draft: Result<PlanDraft, InvalidValue>,
}

impl ManualSpec {
    /// The specification of a manual plan.
    ///
    /// ```
    /// use cutctx_policies::{ManualSpec, PolicySpec};
    /// use cutctx_types::{Action, PlanDraft, TurnAction};
    ///
    /// let draft = PlanDraft::new("by hand", "1", vec![TurnAction::new("u", Action::Drop)]);
    /// let spec = PolicySpec::Manual(ManualSpec::new(draft));
    /// assert!(serde_json::to_string(&spec)?.starts_with(r#"{"kind":"manual","actions":[{"action":"drop""#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub const fn new(draft: PlanDraft) -> Self {
        Self { draft: Ok(draft) }
    }

    pub(super) const fn read(draft: Result<PlanDraft, InvalidValue>) -> Self {
        Self { draft }
    }

    pub(super) fn build(&self) -> Result<ManualPolicy, InvalidValue> {
        self.draft.clone().map(ManualPolicy::new)
    }
}

impl Serialize for ManualSpec {
    /// Fails for what makes no draft.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let draft = self.draft.as_ref().map_err(S::Error::custom)?;
        DraftForm::of(draft).serialize(serializer)
    }
}

/// A draft in the members of its specification.
#[derive(Serialize)]
struct DraftForm<'d> {
    actions: &'d [TurnAction],
    summarization_requests: &'d [SummarizationRequest],
    policy_name: &'d str,
    policy_version: &'d str,
    #[serde(serialize_with = "write_float")]
    estimator_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_before: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_after_estimate: Option<i128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_unmet: Option<bool>,
}

impl<'d> DraftForm<'d> {
    fn of(draft: &'d PlanDraft) -> Self {
        let figure = |read: fn(DeclaredFigures) -> i128| draft.declared.map(read);
        Self {
            actions: &draft.actions,
            summarization_requests: &draft.summarization_requests,
            policy_name: &draft.policy_name,
            policy_version: &draft.policy_version,
            estimator_ratio: draft.estimator_ratio,
            tokens_before: figure(|declared| declared.tokens_before),
            tokens_after_estimate: figure(|declared| declared.tokens_after_estimate),
            budget_unmet: draft.declared.map(|declared| declared.budget_unmet),
        }
    }
}
