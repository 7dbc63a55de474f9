//! The rules, one file each, in the order in which they are applied.
//!
//! A rule is a function of a proposal that gives its first violation. When the actions do not cover
//! the turns, nothing else can be said and the run ends; otherwise every rule is asked.

mod coverage;
mod estimator_ratio;
mod exchange;
mod figures;
mod groups_and_requests;
mod repeated_request;
mod request_order;
mod request_turns;
mod summary_id;
mod trim;
mod untouchable;

pub(crate) use figures::Figures;

use crate::groups::Groups;
use crate::rejected::Rejected;
use crate::survey::Survey;
use crate::violation::Violation;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{PlanDraft, TranscriptTurn, TurnAction};

/// A draft beside the survey that it is judged against.
pub(crate) struct Proposal<'p, 't> {
    pub(crate) draft: &'p PlanDraft,
    pub(crate) survey: &'p Survey<'t>,
    pub(crate) groups: Groups<'p>,
    /// `None` where they do not fit 64 bits; meaningful once coverage holds.
    pub(crate) figures: Option<Figures>,
}

impl<'p, 't> Proposal<'p, 't> {
    pub(crate) fn new(draft: &'p PlanDraft, survey: &'p Survey<'t>) -> Self {
        Self { draft, survey, groups: Groups::of(draft), figures: Figures::derive(draft, survey) }
    }

    /// Position, turn and action of every turn; meaningful once coverage holds.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &'p TranscriptTurn, &'p TurnAction)> {
        let turns = self.survey.turns().iter().zip(&self.draft.actions);
        turns.enumerate().map(|(position, (turn, action))| (position, turn, action))
    }
}

type Rule = fn(&Proposal<'_, '_>) -> Option<Violation>;

/// All rules but coverage, in order: the reference's first, then ours.
const RULES: [Rule; 10] = [
    untouchable::check,
    exchange::check,
    repeated_request::check,
    groups_and_requests::check,
    request_turns::check,
    summary_id::check,
    request_order::check,
    figures::check,
    estimator_ratio::check,
    trim::check,
];

/// Judges a draft and gives its figures.
pub(crate) fn judge(draft: &PlanDraft, survey: &Survey<'_>) -> Result<Figures, Rejected> {
    if let Some(uncovered) = coverage::check(draft, survey) {
        return Err(Rejected::new(uncovered, Vec::new()));
    }
    let proposal = Proposal::new(draft, survey);
    let mut violations = RULES.iter().filter_map(|rule| rule(&proposal));
    if let Some(first) = violations.next() {
        return Err(Rejected::new(first, violations.collect()));
    }
    proposal.figures.ok_or_else(|| Rejected::new(Violation::FiguresOverflow, Vec::new()))
}

/// The first ten ids in the order they come in.
#[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
fn first_ten<'i>(ids: impl IntoIterator<Item = &'i Arc<str>>) -> Vec<Arc<str>> {
    ids.into_iter().take(10).map(Arc::clone).collect()
}
