//! The figures follow from the actions; what a stored plan claims must be the same.

use super::Proposal;
use crate::survey::Survey;
use crate::violation::Violation;
use cutctx_types::{Action, PlanDraft, SummarizationRequest};

/// The figures of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Figures {
    /// Tokens of the transcript.
    pub(crate) before: u64,
    /// Tokens after: what is retained, plus each request's target once.
    pub(crate) after: u64,
    /// Whether that is above the budget.
    pub(crate) budget_unmet: bool,
}

impl Figures {
    /// The figures of a draft whose actions cover the turns; `None` where they do not fit 64 bits.
    pub(crate) fn derive(draft: &PlanDraft, survey: &Survey<'_>) -> Option<Self> {
        let retained = survey.turns().iter().zip(&draft.actions).map(|(turn, action)| match &action.action {
            Action::Keep => turn.token_estimate(),
            Action::Mask(replacement) => replacement.token_estimate,
            Action::Trim(trim) => trim.token_estimate,
            Action::Summarize { .. } | Action::Drop => 0,
        });
        let requested = draft.summarization_requests.iter().map(SummarizationRequest::target_tokens);
        let after = retained.chain(requested).try_fold(0_u64, u64::checked_add)?;
        let before = survey.transcript().token_estimate();
        Some(Self { before, after, budget_unmet: after > survey.budget().max_tokens() })
    }
}

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let Some(figures) = proposal.figures else {
        return Some(Violation::FiguresOverflow);
    };
    let declared = proposal.draft.declared?;
    if declared.tokens_before != i128::from(figures.before) {
        let (declared, transcript) = (declared.tokens_before, figures.before);
        return Some(Violation::TokensBefore { declared, transcript });
    }
    if declared.tokens_after_estimate != i128::from(figures.after) {
        let (declared, derived) = (declared.tokens_after_estimate, figures.after);
        return Some(Violation::TokensAfter { declared, derived });
    }
    (declared.budget_unmet != figures.budget_unmet).then(|| Violation::BudgetUnmet {
        declared: declared.budget_unmet,
        tokens_after_estimate: figures.after,
        max_tokens: proposal.survey.budget().max_tokens(),
    })
}
