//! What a policy proposes.

use crate::action::TurnAction;
use crate::request::SummarizationRequest;
use alloc::string::String;
use alloc::vec::Vec;

/// A proposed plan: plain data that anyone may write. Only the rules make a plan of it.
///
/// ```
/// use cutctx_types::{Action, PlanDraft, TurnAction};
/// let draft = PlanDraft::new("mine", "1.0.0", vec![TurnAction::new("u1", Action::Drop)]);
/// assert!(draft.summarization_requests.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlanDraft {
    /// One action a turn, in transcript order.
    pub actions: Vec<TurnAction>,
    /// One request a summary group, in order of the groups' first turns.
    pub summarization_requests: Vec<SummarizationRequest>,
    /// The name of the policy that proposes it.
    pub policy_name: String,
    /// The version of the policy's behaviour.
    pub policy_version: String,
    /// Characters per token of the plain estimator that measured the masks, if that is known.
    pub estimator_ratio: Option<f64>,
    /// Figures that a stored plan claims; they are checked against the derived ones.
    pub declared: Option<DeclaredFigures>,
}

impl PlanDraft {
    /// A draft with these actions, without summaries, ratio or claimed figures.
    #[must_use]
    pub fn new(
        policy_name: impl Into<String>,
        policy_version: impl Into<String>,
        actions: Vec<TurnAction>,
    ) -> Self {
        Self {
            actions,
            summarization_requests: Vec::new(),
            policy_name: policy_name.into(),
            policy_version: policy_version.into(),
            estimator_ratio: None,
            declared: None,
        }
    }

    /// The draft with these summarization requests.
    #[must_use]
    pub fn with_requests(mut self, requests: Vec<SummarizationRequest>) -> Self {
        self.summarization_requests = requests;
        self
    }

    /// The draft with this ratio of characters per token.
    #[must_use]
    pub const fn with_estimator_ratio(mut self, ratio: Option<f64>) -> Self {
        self.estimator_ratio = ratio;
        self
    }
}

/// The figures that a stored plan claims about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredFigures {
    /// Tokens of the transcript before.
    pub tokens_before: i128,
    /// Tokens of the view after.
    pub tokens_after_estimate: i128,
    /// Whether the view is said to be over budget.
    pub budget_unmet: bool,
}

impl DeclaredFigures {
    /// These claims.
    #[must_use]
    pub const fn new(tokens_before: i128, tokens_after_estimate: i128, budget_unmet: bool) -> Self {
        Self { tokens_before, tokens_after_estimate, budget_unmet }
    }
}
