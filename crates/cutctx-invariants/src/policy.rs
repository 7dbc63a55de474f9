//! What a policy is.

use crate::floor::{BudgetUnsatisfiable, LockedCosts};
use crate::plan::CompactionPlan;
use crate::rejected::Rejected;
use crate::survey::Survey;
use alloc::borrow::Cow;
use cutctx_types::{Code, Coded, CompactionBudget, Details, InvalidValue, PlanDraft, Transcript};

/// A way to decide what happens to each turn of a transcript that is over its budget.
///
/// A policy is pure: the same survey gives the same draft. It chooses *which* legal plan; it never
/// chooses what is legal, since only [`CompactionPlan::check`] makes plans. The trait is open and
/// object-safe; the laws that a good policy keeps are in the `conformance` module (feature
/// `proptest1`).
///
/// ```
/// use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
/// use cutctx_types::{Action, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction};
/// use std::borrow::Cow;
///
/// /// Drops everything that may be dropped.
/// struct Forget;
///
/// impl CompactionPolicy for Forget {
///     fn name(&self) -> Cow<'_, str> {
///         "forget".into()
///     }
///
///     fn version(&self) -> &str {
///         "1.0.0"
///     }
///
///     fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
///         let over = survey.goal().is_some();
///         let actions = survey.turns().iter().enumerate().map(|(position, turn)| {
///             let drop = over && survey.is_removable(position);
///             TurnAction::new(turn.turn_id().clone(), if drop { Action::Drop } else { Action::Keep })
///         });
///         Ok(PlanDraft::new(self.name(), self.version(), actions.collect()))
///     }
/// }
///
/// let turns = vec![TranscriptTurn::new("u", Role::User, "a long story", 3)?];
/// let budget = CompactionBudget::new(2).with_protected_recent_turns(0);
/// let plan = Forget.decide(&Transcript::new(turns)?, &budget)?;
/// assert_eq!(plan.tokens_after_estimate(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait CompactionPolicy {
    /// The name that plans record.
    fn name(&self) -> Cow<'_, str>;

    /// The version of the behaviour that plans record: a change of behaviour is a new version.
    fn version(&self) -> &str;

    /// Proposes what to do. Where [`Survey::goal`] is `None` nothing is to be done.
    ///
    /// # Errors
    ///
    /// [`PolicyError`] when the policy cannot propose anything for this survey.
    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError>;

    /// The policy that does the work of this one, where this one only chooses when and over what: what may be promised
    /// of locked turns and of budgets is then what that policy promises.
    fn wrapped(&self) -> Option<&dyn CompactionPolicy> {
        None
    }

    /// Lowers the costs of the locked turns that this policy can shorten. By default those that the wrapped policy can,
    /// and none where there is no such policy.
    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        if let Some(wrapped) = self.wrapped() {
            wrapped.lower_locked(survey, costs);
        }
    }

    /// Whether this policy can meet the budget at all; asked before [`CompactionPolicy::propose`].
    ///
    /// # Errors
    ///
    /// [`BudgetUnsatisfiable`] when what must be kept is above the budget.
    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        if let Some(wrapped) = self.wrapped() {
            return wrapped.admit(survey);
        }
        let mut costs = survey.locked_costs();
        self.lower_locked(survey, &mut costs);
        survey.admit(&costs)
    }

    /// Decides: survey, admit, propose, check.
    ///
    /// # Errors
    ///
    /// [`PolicyError`], handed through unchanged from each step.
    fn decide(
        &self,
        transcript: &Transcript,
        budget: &CompactionBudget,
    ) -> Result<CompactionPlan, PolicyError> {
        let survey = Survey::new(transcript, budget)?;
        self.admit(&survey)?;
        let draft = self.propose(&survey)?;
        Ok(CompactionPlan::check(draft, &survey)?)
    }
}

/// Why no plan came about.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[expect(clippy::exhaustive_enums, reason = "a decision fails in one of these three ways, by design")]
pub enum PolicyError {
    /// The budget is below the floor.
    #[error(transparent)]
    Unsatisfiable(#[from] BudgetUnsatisfiable),
    /// The draft breaks a rule.
    #[error(transparent)]
    Rejected(#[from] Rejected),
    /// A value is refused.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
}

impl Coded for PolicyError {
    fn code(&self) -> Code {
        match self {
            Self::Unsatisfiable(error) => error.code(),
            Self::Rejected(error) => error.code(),
            Self::Invalid(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Unsatisfiable(error) => error.details(),
            Self::Rejected(error) => error.details(),
            Self::Invalid(error) => error.details(),
        }
    }
}
