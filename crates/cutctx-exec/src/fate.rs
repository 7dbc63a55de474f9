//! What a plan makes of each turn, in the form that renderers want.

use alloc::vec::Vec;
use core::{fmt, iter};
use cutctx_invariants::CompactionPlan;
use cutctx_types::{Action, Trim};

/// What becomes of one turn.
///
/// A fate says what to do and leaves the doing to the one who knows the format: JSON arguments and
/// signed blocks stay whole only where somebody knows that they are such. `Debug` prints the length of a
/// stub in bytes, not the stub.
///
/// ```
/// use cutctx_exec::Fate;
/// use cutctx_types::Action;
/// assert_eq!(Fate::of(&Action::Drop), Fate::Dropped);
/// assert!(Fate::of(&Action::Drop).is_gone() && !Fate::Kept.is_gone());
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "it mirrors `Action`, which is closed: every format must render each fate"
)]
pub enum Fate<'p> {
    /// The turn stays as it is.
    Kept,
    /// The turn stays and says this text instead.
    Masked(&'p str),
    /// The turn stays with these of its parts and ranges.
    Trimmed(&'p Trim),
    /// The summary of the group of this id stands for the turn.
    SummarizedInto(&'p str),
    /// The turn goes.
    Dropped,
}

impl<'p> Fate<'p> {
    /// The fate that an action gives.
    #[must_use]
    pub fn of(action: &'p Action) -> Self {
        match action {
            Action::Keep => Self::Kept,
            Action::Mask(replacement) => Self::Masked(&replacement.content),
            Action::Trim(trim) => Self::Trimmed(trim),
            Action::Summarize { group } => Self::SummarizedInto(group),
            Action::Drop => Self::Dropped,
        }
    }

    /// Whether the turn leaves the transcript, dropped or folded into a summary.
    #[must_use]
    pub const fn is_gone(self) -> bool {
        matches!(self, Self::SummarizedInto(_) | Self::Dropped)
    }
}

impl fmt::Debug for Fate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kept => f.write_str("Kept"),
            Self::Masked(stub) => write!(f, "Masked({} bytes)", stub.len()),
            Self::Trimmed(trim) => f.debug_tuple("Trimmed").field(trim).finish(),
            Self::SummarizedInto(group) => f.debug_tuple("SummarizedInto").field(group).finish(),
            Self::Dropped => f.write_str("Dropped"),
        }
    }
}

/// The fates of the turns that a plan was made over, in order.
pub fn fates(plan: &CompactionPlan) -> impl Iterator<Item = Fate<'_>> {
    plan.actions().iter().map(|action| Fate::of(&action.action))
}

/// The fates of a transcript that begins with the planned one and goes on for `appended` turns, which
/// are kept.
///
/// ```
/// use cutctx_exec::{Fate, fates_with_appended};
/// use cutctx_invariants::{CompactionPlan, Survey};
/// use cutctx_types::{Action, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn, TurnAction};
///
/// let transcript = Transcript::new(vec![TranscriptTurn::new("u", Role::User, "a long story", 3)?])?;
/// let budget = CompactionBudget::new(2).with_protected_recent_turns(0);
/// let survey = Survey::new(&transcript, &budget)?;
/// let draft = PlanDraft::new("mine", "1.0.0", vec![TurnAction::new("u", Action::Drop)]);
/// let plan = CompactionPlan::check(draft, &survey)?;
/// assert_eq!(fates_with_appended(&plan, 1), [Fate::Dropped, Fate::Kept]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fates_with_appended(plan: &CompactionPlan, appended: usize) -> Vec<Fate<'_>> {
    fates(plan).chain(iter::repeat_n(Fate::Kept, appended)).collect()
}
