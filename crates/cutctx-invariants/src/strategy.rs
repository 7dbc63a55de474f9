//! Strategies for transcripts, budgets and drafts, over proptest 1 (feature `proptest1`).
//!
//! What they make is small and nasty: parallel and interleaved calls, results without a call, call ids
//! that are the empty string, pins, system turns in the middle, turns that cost nothing, summaries of
//! earlier rounds, parts of every kind, and NUL, emoji and CJK in ids and texts. Budgets crowd around
//! the floors. Everything shrinks towards few, plain turns.
//!
//! ```
//! use cutctx_invariants::{CompactionPlan, strategy};
//! use proptest::{strategy::Strategy, strategy::ValueTree, test_runner::TestRunner};
//!
//! let mut runner = TestRunner::deterministic();
//! let attempt = strategy::legal_attempts().new_tree(&mut runner).map_err(|reason| reason.to_string())?.current();
//! let survey = attempt.scenario.survey()?;
//! assert!(CompactionPlan::check(attempt.draft, &survey).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budgets;
mod drafts;
mod garbage;
mod mischief;
#[cfg(test)]
mod tests;
mod texts;
mod transcripts;
mod trims;

pub use budgets::budgets_for;
pub use mischief::Mischief;
pub use texts::{contents, ids};
pub use transcripts::transcripts;

use crate::floor::BudgetUnsatisfiable;
use crate::plan::CompactionPlan;
use crate::survey::Survey;
use budgets::{BudgetSeed, budget_seeds};
use cutctx_types::{CompactionBudget, PlanDraft, Transcript};
use drafts::{draft_seeds, legal_draft};
use garbage::{garbage_draft, garbage_seeds};
use mischief::mischiefs;
use proptest::prelude::*;

/// A transcript under a budget: what a policy has to decide about.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Scenario {
    /// The transcript.
    pub transcript: Transcript,
    /// The budget.
    pub budget: CompactionBudget,
}

impl Scenario {
    /// A transcript under a budget.
    #[must_use]
    pub const fn new(transcript: Transcript, budget: CompactionBudget) -> Self {
        Self { transcript, budget }
    }

    /// Surveys it.
    ///
    /// # Errors
    ///
    /// [`BudgetUnsatisfiable`] when the untouchable turns are above the budget.
    pub fn survey(&self) -> Result<Survey<'_>, BudgetUnsatisfiable> {
        Survey::new(&self.transcript, &self.budget)
    }

    /// Whether a draft for it is accepted.
    fn accepts(&self, draft: &PlanDraft) -> bool {
        self.survey().is_ok_and(|survey| CompactionPlan::check(draft.clone(), &survey).is_ok())
    }
}

/// A draft for a scenario, sound or not.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Attempt {
    /// What it is a draft for.
    pub scenario: Scenario,
    /// The draft.
    pub draft: PlanDraft,
}

/// Transcripts under budgets around and above their floors; some budgets are below.
pub fn scenarios() -> impl Strategy<Value = Scenario> {
    (transcripts(), budget_seeds()).prop_map(|(transcript, seed)| scenario(transcript, &seed))
}

/// Transcripts under budgets that are never below the untouchable turns.
pub fn satisfiable_scenarios() -> impl Strategy<Value = Scenario> {
    (transcripts(), budget_seeds()).prop_map(|(transcript, seed)| scenario(transcript, &seed.satisfiable()))
}

/// Drafts that the rules accept: keeping, masking, trimming, dropping and folding, some with honest
/// claims about their figures.
pub fn legal_attempts() -> impl Strategy<Value = Attempt> {
    let parts = (satisfiable_scenarios(), draft_seeds());
    parts.prop_map(|(scenario, seed)| Attempt { draft: legal_draft(&scenario, &seed), scenario })
}

/// Drafts that were sound until one thing was broken on purpose. The rules reject each of them, or the
/// budget was made unsatisfiable.
pub fn broken_attempts() -> impl Strategy<Value = Attempt> {
    mischievous_attempts()
        .prop_map(|(_, attempt)| attempt)
        .prop_filter("the mischief did no harm", |attempt| !attempt.scenario.accepts(&attempt.draft))
}

/// Sound drafts to which one [`Mischief`] was done, whether or not it found something to harm.
pub fn mischievous_attempts() -> impl Strategy<Value = (Mischief, Attempt)> {
    (legal_attempts(), mischiefs(), any::<u16>()).prop_map(|(mut attempt, mischief, knob)| {
        mischief.harm(&mut attempt, usize::from(knob));
        (mischief, attempt)
    })
}

/// Drafts without rhyme or reason over the ids of the scenario and a few others.
pub fn garbage_attempts() -> impl Strategy<Value = Attempt> {
    let parts = (scenarios(), garbage_seeds());
    parts.prop_map(|(scenario, seed)| Attempt { draft: garbage_draft(&scenario, &seed), scenario })
}

/// Drafts of all three kinds: legal, broken and garbage.
pub fn attempts() -> impl Strategy<Value = Attempt> {
    prop_oneof![
        2 => legal_attempts(),
        4 => mischievous_attempts().prop_map(|(_, attempt)| attempt),
        1 => garbage_attempts(),
    ]
}

fn scenario(transcript: Transcript, seed: &BudgetSeed) -> Scenario {
    let budget = seed.budget(&transcript);
    Scenario { transcript, budget }
}
