//! The versions of the shipped policies' behaviour.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, LockedCosts, Survey};
use cutctx_types::InvalidValue;

/// The version of a policy's behaviour. Plans record it; a change of behaviour is a new version.
///
/// ```
/// use cutctx_policies::PolicyVersion;
/// assert_eq!("1.0.0".parse(), Ok(PolicyVersion::V1));
/// assert_eq!(PolicyVersion::default().as_str(), "2.0.0");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum PolicyVersion {
    /// `1.0.0`: byte for byte what the Python package `cutctx` 0.1.0 decides, its oddities included.
    V1,
    /// `2.0.0`: without those oddities, and towards the budget's target. The default.
    #[default]
    V2,
}

impl PolicyVersion {
    /// The version as plans record it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V1 => "1.0.0",
            Self::V2 => "2.0.0",
        }
    }

    /// Admits a budget for a policy of this version: version 1 by the reference's floor, version 2 by the locked one.
    /// Neither clips the protected turns.
    pub(crate) fn admit(
        self,
        policy: &dyn CompactionPolicy,
        survey: &Survey<'_>,
    ) -> Result<(), BudgetUnsatisfiable> {
        match self {
            Self::V1 => survey.admit(&LockedCosts::none()),
            Self::V2 => {
                let mut costs = survey.locked_costs();
                policy.lower_locked(survey, &mut costs);
                survey.admit(&costs)
            }
        }
    }
}

impl fmt::Display for PolicyVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for PolicyVersion {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        match text {
            "1.0.0" => Ok(Self::V1),
            "2.0.0" => Ok(Self::V2),
            _ => Err(InvalidValue::Setting {
                setting: "version",
                value: Some(String::from(text).into()),
                reason: "is unknown: the versions are 1.0.0 and 2.0.0",
            }),
        }
    }
}
