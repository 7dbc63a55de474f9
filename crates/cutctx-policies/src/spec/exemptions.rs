//! What a policy is told to leave alone, as data.

use crate::exemptions::Exemptions;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::Serialize;

/// Tools and turns that a policy leaves alone; whether that spares their exchanges says [`Exemptions`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ExemptionsSpec {
    /// The tools.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded_tools: Vec<Arc<str>>,
    /// The turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub protected_turn_ids: Vec<Arc<str>>,
}

impl ExemptionsSpec {
    pub(super) fn build(&self) -> Exemptions {
        let tools = Exemptions::none().with_tools(self.excluded_tools.iter().cloned());
        tools.with_turn_ids(self.protected_turn_ids.iter().cloned())
    }
}
