//! One finding, of a rule or of damage.

use crate::show::visible;
use cutctx::formats::salvage::{Damage, Finding as Damaged, Remedy};
use cutctx::formats::{Severity, Violation};
use serde::{Serialize, Serializer};

/// What was found at one place.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Finding {
    /// The rule with its provider's name; `file/…` for damage.
    pub(super) rule: String,
    #[serde(serialize_with = "word")]
    pub(super) severity: Severity,
    pub(super) line: usize,
    pub(super) offset: usize,
    /// The conversation of a file that holds several.
    pub(super) conversation: Option<usize>,
    /// The message's number; none for damage.
    pub(super) record: Option<usize>,
    pub(super) call_id: Option<String>,
    pub(super) says: String,
    pub(super) remedy: String,
    pub(super) source: Option<&'static str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn word<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.as_str())
}

impl Finding {
    /// A breach of a rule; `offset` is its place in the file.
    pub(super) fn of_rule(
        violation: Violation,
        line: usize,
        offset: usize,
        conversation: Option<usize>,
    ) -> Self {
        let rule = violation.rule;
        Self {
            rule: rule.id(),
            severity: rule.severity,
            line,
            offset,
            conversation,
            record: Some(violation.record),
            call_id: violation.call_id,
            says: rule.says.to_owned(),
            remedy: rule.remedy.to_owned(),
            source: Some(rule.source),
        }
    }

    /// A damaged place: programs stop reading there, or leave it out.
    pub(super) fn of_damage(damaged: &Damaged) -> Self {
        Self {
            rule: damage_id(damaged.kind),
            severity: Severity::Refused,
            line: damaged.at.line,
            offset: damaged.at.offset,
            conversation: None,
            record: None,
            call_id: None,
            says: format!("{} ({} bytes)", damaged.kind, damaged.bytes),
            remedy: remedy(damaged.remedy).to_owned(),
            source: None,
        }
    }

    /// The finding on one line, for people.
    pub(super) fn to_line(&self, file: &str) -> String {
        let Self { rule, severity, line, says, .. } = self;
        let call = self.call_id.as_ref().map(|id| format!(" (call {})", visible(id))).unwrap_or_default();
        let conversation =
            self.conversation.map(|number| format!(" (conversation {number})")).unwrap_or_default();
        format!("{}:{line}: {severity}: {says}{call}{conversation} [{rule}]", visible(file))
    }
}

/// How findings name a kind of damage.
pub(super) fn damage_id(damage: Damage) -> String {
    format!("file/{}", damage.code())
}

/// What was done so that the rest could be read.
const fn remedy(remedy: Remedy) -> &'static str {
    match remedy {
        Remedy::Skipped => "take the bytes out; they were left out here",
        Remedy::Joined => "put the record on one line; it was read so here",
        Remedy::Split => "put a line end before the record; it was read so here",
        Remedy::Escaped => "escape the bytes as JSON wants it; they were read so here",
        Remedy::Left | _ => "fetch the file again; nothing was made of it here",
    }
}
