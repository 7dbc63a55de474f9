//! Several policies, one after the other.

mod v1;
mod v2;

pub(crate) use v2::continued;

use crate::around::named;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_types::{InvalidValue, PlanDraft};

/// A policy of any kind, owned.
pub type BoxedPolicy = Box<dyn CompactionPolicy + Send + Sync>;

/// Runs policies one after the other until the transcript fits, and makes one plan of what they did.
///
/// Each member sees the transcript as the members before it would leave it, with a stand-in of the
/// target's size for every summary that is still to be written.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy, PolicyChain};
///
/// let chain = PolicyChain::new(vec![
///     Box::new(ObservationMaskingPolicy::new()),
///     Box::new(DropOldestPolicy::new()),
/// ])?;
/// assert_eq!(chain.name(), "chain(observation_masking@2.0.0+drop_oldest@2.0.0)");
/// # Ok::<(), cutctx_types::InvalidValue>(())
/// ```
pub struct PolicyChain {
    version: PolicyVersion,
    name: String,
    members: Vec<BoxedPolicy>,
}

impl PolicyChain {
    /// A chain at version 2.0.0. Its members may have other versions.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when there is no member.
    pub fn new(members: Vec<BoxedPolicy>) -> Result<Self, InvalidValue> {
        Self::at(PolicyVersion::V2, members)
    }

    /// A chain at version 1.0.0.
    ///
    /// # Errors
    ///
    /// As [`PolicyChain::new`].
    pub fn v1(members: Vec<BoxedPolicy>) -> Result<Self, InvalidValue> {
        Self::at(PolicyVersion::V1, members)
    }

    /// A chain at a version.
    ///
    /// # Errors
    ///
    /// As [`PolicyChain::new`].
    pub fn at(version: PolicyVersion, members: Vec<BoxedPolicy>) -> Result<Self, InvalidValue> {
        if members.is_empty() {
            return Err(InvalidValue::Setting { setting: "members", value: None, reason: "is empty" });
        }
        Ok(Self { version, name: name_of(&members), members })
    }

    /// A chain at version 2.0.0 of members that are there.
    pub(crate) fn of(members: Vec<BoxedPolicy>) -> Self {
        Self { version: PolicyVersion::V2, name: name_of(&members), members }
    }

    /// The members in order.
    pub fn members(&self) -> impl Iterator<Item = &(dyn CompactionPolicy + Send + Sync)> {
        self.members.iter().map(AsRef::as_ref)
    }
}

fn name_of(members: &[BoxedPolicy]) -> String {
    let members: Vec<String> = members.iter().map(|member| named(member.as_ref())).collect();
    format!("chain({})", members.join("+"))
}

impl fmt::Debug for PolicyChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyChain")
            .field("version", &self.version)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl CompactionPolicy for PolicyChain {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        self.version.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        match self.version {
            PolicyVersion::V1 => v1::propose(self, survey),
            PolicyVersion::V2 => v2::propose(self, survey),
        }
    }

    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        self.members.iter().for_each(|member| member.lower_locked(survey, costs));
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.version.admit(self, survey)
    }
}
