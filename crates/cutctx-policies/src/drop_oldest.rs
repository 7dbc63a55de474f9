//! Dropping the oldest exchanges.

mod v1;
mod v2;

use crate::exemptions::Exemptions;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{InvalidValue, PlanDraft};

/// Drops whole exchanges, oldest first, until the transcript fits.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::DropOldestPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turns = vec![
///     TranscriptTurn::new("u1", Role::User, "hello", 2)?,
///     TranscriptTurn::new("u2", Role::User, "and now?", 2)?,
/// ];
/// let budget = CompactionBudget::new(3).with_protected_recent_turns(1);
/// let plan = DropOldestPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert_eq!(plan.tokens_after_estimate(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DropOldestPolicy {
    version: PolicyVersion,
    exemptions: Exemptions,
}

impl DropOldestPolicy {
    /// The policy at version 2.0.0.
    #[must_use]
    pub const fn new() -> Self {
        Self::at(PolicyVersion::V2)
    }

    /// The policy at version 1.0.0.
    #[must_use]
    pub const fn v1() -> Self {
        Self::at(PolicyVersion::V1)
    }

    /// The policy at a version.
    #[must_use]
    pub const fn at(version: PolicyVersion) -> Self {
        Self { version, exemptions: Exemptions::none() }
    }

    /// The policy leaving some exchanges alone; at version 2.0.0.
    pub(crate) fn leaving(mut self, exemptions: Exemptions) -> Self {
        self.exemptions = exemptions;
        self
    }

    /// The policy leaving some exchanges alone.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] at version 1.0.0, which knows no exemptions.
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Result<Self, InvalidValue> {
        self.exemptions = exemptions.at(self.version)?;
        Ok(self)
    }
}

impl CompactionPolicy for DropOldestPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("drop_oldest")
    }

    fn version(&self) -> &str {
        self.version.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let proposal = match self.version {
            PolicyVersion::V1 => v1::propose(survey),
            PolicyVersion::V2 => v2::propose(survey, &self.exemptions),
        };
        Ok(proposal.into_draft(self))
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.version.admit(self, survey)
    }
}
