//! What a policy is told to leave alone.

use crate::version::PolicyVersion;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::Survey;
use cutctx_types::{InvalidValue, TranscriptTurn};

/// Turns that a policy of version 2.0.0 leaves alone: those of some tools, and those of some ids.
///
/// Masking leaves the turn itself alone. Dropping and summarizing leave its whole exchange alone,
/// because an exchange is never separated. Exempt turns may keep a plan over its budget; the plan
/// then says so.
///
/// ```
/// use cutctx_policies::Exemptions;
/// use cutctx_types::{Role, TranscriptTurn};
///
/// let exemptions = Exemptions::none().with_tools(["memory"]).with_turn_ids(["u1"]);
/// let turn = TranscriptTurn::new("t9", Role::Tool, "noted", 2)?.with_tool_name("memory");
/// assert!(exemptions.cover(&turn));
/// # Ok::<(), cutctx_types::TurnError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exemptions {
    tools: BTreeSet<Arc<str>>,
    turn_ids: BTreeSet<Arc<str>>,
}

impl Exemptions {
    /// Nothing is exempt.
    #[must_use]
    pub const fn none() -> Self {
        Self { tools: BTreeSet::new(), turn_ids: BTreeSet::new() }
    }

    /// These exemptions, and the turns of these tools, by [`TranscriptTurn::tool_name`].
    #[must_use]
    pub fn with_tools<T: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.tools.extend(names.into_iter().map(Into::into));
        self
    }

    /// These exemptions, and the turns of these ids. Ids that a transcript does not have are ignored.
    #[must_use]
    pub fn with_turn_ids<T: Into<Arc<str>>>(mut self, ids: impl IntoIterator<Item = T>) -> Self {
        self.turn_ids.extend(ids.into_iter().map(Into::into));
        self
    }

    /// Whether nothing is exempt.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty() && self.turn_ids.is_empty()
    }

    /// Whether this turn is exempt itself.
    #[must_use]
    pub fn cover(&self, turn: &TranscriptTurn) -> bool {
        !self.is_empty()
            && (self.turn_ids.contains(turn.turn_id())
                || turn.tool_name().is_some_and(|name| self.tools.contains(name)))
    }

    /// By exchange: whether one of its members is exempt. Empty when nothing is exempt at all.
    pub(crate) fn exempt_exchanges(&self, survey: &Survey<'_>) -> Vec<bool> {
        if self.is_empty() {
            return Vec::new();
        }
        let covers = |position: &usize| survey.turns().get(*position).is_some_and(|turn| self.cover(turn));
        survey.exchanges().iter().map(|members| members.iter().any(covers)).collect()
    }

    /// These exemptions for a policy of a version: version 1.0.0 knows none.
    pub(crate) fn at(self, version: PolicyVersion) -> Result<Self, InvalidValue> {
        if version == PolicyVersion::V1 && !self.is_empty() {
            let setting = if self.tools.is_empty() { "protected_turn_ids" } else { "excluded_tools" };
            return Err(InvalidValue::Setting { setting, value: None, reason: "needs version 2.0.0" });
        }
        Ok(self)
    }
}
