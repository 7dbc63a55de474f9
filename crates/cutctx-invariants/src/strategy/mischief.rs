//! Ways to break a sound draft, each aimed at one rule.

mod claims;
mod coverage;
mod exchanges;
mod requests;
mod trims;

use super::Attempt;
use crate::survey::Survey;
use cutctx_types::{Action, CompactionBudget, PlanDraft};
use proptest::prelude::*;
use proptest::sample::select;

/// One thing to break in a sound draft.
///
/// Each is named after what is done. Where a draft offers nothing to break (no exchange of two turns
/// to split, say) nothing happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mischief {
    /// Lowers the budget below the untouchable turns.
    LowerBudget,
    /// Forgets an action.
    ForgetAction,
    /// Plans a turn twice.
    RepeatAction,
    /// Plans a turn that does not exist.
    InventAction,
    /// Exchanges two actions.
    SwapActions,
    /// Drops an untouchable turn.
    TouchUntouchable,
    /// Drops one turn of an exchange and keeps the others.
    SplitExchange,
    /// Drops one turn of an exchange and folds the others.
    MixExchange,
    /// Requests a summary twice.
    RepeatRequest,
    /// Forgets a request.
    ForgetRequest,
    /// Requests a summary of nothing.
    InventRequest,
    /// Names other turns in a request than the actions do.
    MisnameRequestTurns,
    /// Folds turns into a group whose summary exists already.
    TakeSummaryId,
    /// Exchanges two requests.
    SwapRequests,
    /// Claims other tokens before.
    ClaimBefore,
    /// Claims other tokens after.
    ClaimAfter,
    /// Claims to fit while being over, or the other way round.
    ClaimUnmet,
    /// Asks for summaries beyond 64 bits of tokens.
    Overflow,
    /// Records a ratio that is no number.
    SpoilRatio,
    /// Trims a turn to parts that it does not have, or has once.
    MisorderParts,
    /// Trims a turn to ranges that are none.
    MisplaceRange,
    /// Cuts a part that must stay whole.
    DividePart,
    /// Trims a turn to nothing.
    TrimToNothing,
    /// Trims nothing away.
    TrimNothingAway,
    /// Trims a turn and makes it dearer.
    TrimDearer,
}

impl Mischief {
    /// Every mischief there is.
    pub const ALL: [Self; 25] = [
        Self::LowerBudget,
        Self::ForgetAction,
        Self::RepeatAction,
        Self::InventAction,
        Self::SwapActions,
        Self::TouchUntouchable,
        Self::SplitExchange,
        Self::MixExchange,
        Self::RepeatRequest,
        Self::ForgetRequest,
        Self::InventRequest,
        Self::MisnameRequestTurns,
        Self::TakeSummaryId,
        Self::SwapRequests,
        Self::ClaimBefore,
        Self::ClaimAfter,
        Self::ClaimUnmet,
        Self::Overflow,
        Self::SpoilRatio,
        Self::MisorderParts,
        Self::MisplaceRange,
        Self::DividePart,
        Self::TrimToNothing,
        Self::TrimNothingAway,
        Self::TrimDearer,
    ];

    /// Does it, if there is something to do it to; the knob says where and in which variety.
    pub fn harm(self, attempt: &mut Attempt, knob: usize) {
        let scenario = attempt.scenario.clone();
        let Ok(survey) = scenario.survey() else { return };
        attempt.draft.declared = None;
        if self == Self::LowerBudget {
            attempt.scenario.budget = lower(&survey);
        } else {
            self.harm_draft(&mut attempt.draft, &survey, knob);
        }
    }

    fn harm_draft(self, draft: &mut PlanDraft, survey: &Survey<'_>, knob: usize) {
        match self {
            Self::LowerBudget => {}
            Self::ForgetAction => coverage::forget(&mut draft.actions, knob),
            Self::RepeatAction => coverage::repeat(&mut draft.actions, knob),
            Self::InventAction => coverage::invent(&mut draft.actions, knob),
            Self::SwapActions => coverage::swap(&mut draft.actions, knob),
            Self::TouchUntouchable => exchanges::touch(draft, survey, knob),
            Self::SplitExchange => exchanges::split(draft, survey, knob),
            Self::MixExchange => exchanges::mix(draft, survey, knob),
            Self::TakeSummaryId => exchanges::take_summary_id(draft, survey, knob),
            Self::RepeatRequest => requests::repeat(&mut draft.summarization_requests, knob),
            Self::ForgetRequest => requests::forget(&mut draft.summarization_requests, knob),
            Self::InventRequest => requests::invent(&mut draft.summarization_requests),
            Self::MisnameRequestTurns => requests::misname(&mut draft.summarization_requests, knob),
            Self::SwapRequests => requests::rotate(&mut draft.summarization_requests),
            Self::Overflow => requests::inflate(&mut draft.summarization_requests),
            Self::ClaimBefore => claims::before(draft, survey),
            Self::ClaimAfter => claims::after(draft, survey),
            Self::ClaimUnmet => claims::unmet(draft, survey),
            Self::SpoilRatio => draft.estimator_ratio = Some(no_number(knob)),
            Self::MisorderParts => trims::spoil(draft, survey, knob, trims::misordered),
            Self::MisplaceRange => trims::spoil(draft, survey, knob, trims::misplaced),
            Self::DividePart => trims::spoil(draft, survey, knob, trims::divided),
            Self::TrimToNothing => trims::spoil(draft, survey, knob, trims::nothing),
            Self::TrimNothingAway => trims::spoil(draft, survey, knob, trims::everything),
            Self::TrimDearer => trims::spoil(draft, survey, knob, trims::dearer),
        }
    }
}

pub(super) fn mischiefs() -> impl Strategy<Value = Mischief> {
    select(&Mischief::ALL[..])
}

fn lower(survey: &Survey<'_>) -> CompactionBudget {
    let max = survey.floor().untouchable().saturating_sub(1);
    CompactionBudget::new(max).with_protected_recent_turns(survey.budget().protected_recent_turns())
}

fn no_number(knob: usize) -> f64 {
    match knob.checked_rem(3) {
        Some(0) => f64::NAN,
        Some(1) => f64::INFINITY,
        _ => f64::NEG_INFINITY,
    }
}

/// The one that the knob points at.
fn pick<T>(choices: &[T], knob: usize) -> Option<&T> {
    knob.checked_rem(choices.len()).and_then(|index| choices.get(index))
}

fn set(draft: &mut PlanDraft, position: usize, action: Action) {
    if let Some(slot) = draft.actions.get_mut(position) {
        slot.action = action;
    }
}
