//! Drafts that claim wrong figures.

use crate::strategy::drafts::honest_figures;
use crate::survey::Survey;
use cutctx_types::{DeclaredFigures, PlanDraft};

/// A negative number of tokens.
pub(super) fn before(draft: &mut PlanDraft, survey: &Survey<'_>) {
    claim(draft, survey, |honest| {
        honest.tokens_before = honest.tokens_before.saturating_neg().saturating_sub(1);
    });
}

/// One token less than there will be.
pub(super) fn after(draft: &mut PlanDraft, survey: &Survey<'_>) {
    claim(draft, survey, |honest| {
        honest.tokens_after_estimate = honest.tokens_after_estimate.saturating_sub(1);
    });
}

/// The contrary about the budget.
pub(super) fn unmet(draft: &mut PlanDraft, survey: &Survey<'_>) {
    claim(draft, survey, |honest| honest.budget_unmet = !honest.budget_unmet);
}

fn claim(draft: &mut PlanDraft, survey: &Survey<'_>, lie: impl FnOnce(&mut DeclaredFigures)) {
    let mut figures = honest_figures(draft, survey);
    if let Some(figures) = &mut figures {
        lie(figures);
    }
    draft.declared = figures;
}
