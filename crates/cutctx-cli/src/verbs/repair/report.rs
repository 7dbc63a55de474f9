//! What is said about a repair.

use crate::arguments::TargetArguments;
use crate::files::{Input, Output};
use crate::show::{grouped, visible};
use crate::verbs::recovered::RecoveredPlaces;
use cutctx::formats::Session;
use cutctx::formats::repair::{Repair, RepairChange, Unrepaired};
use cutctx::formats::salvage::{Finding, Remedy};
use serde::Serialize;
use std::path::PathBuf;

/// A repair: what was damaged, what was changed, what is left.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    session: String,
    format: &'static str,
    /// Null where nothing was written, or standard output was.
    output: Option<String>,
    backup: Option<String>,
    changed: bool,
    damage: Vec<Damage>,
    changes: Vec<Change>,
    left: Vec<Left>,
    #[serde(skip)]
    wrote: bool,
}

#[derive(Debug, Serialize)]
struct Damage {
    #[serde(rename = "damage")]
    kind: &'static str,
    line: usize,
    offset: usize,
    bytes: usize,
    remedy: &'static str,
    says: String,
}

#[derive(Debug, Serialize)]
struct Change {
    #[serde(rename = "change")]
    kind: &'static str,
    line: usize,
    offset: usize,
    call_id: Option<String>,
    says: &'static str,
}

#[derive(Debug, Serialize)]
struct Left {
    rule: String,
    line: usize,
    offset: usize,
    call_id: Option<String>,
    reason: &'static str,
    says: String,
}

impl Report {
    pub(super) fn new(
        input: &Input,
        session: &Session,
        damage: &[Finding],
        repair: &Repair,
        places: &RecoveredPlaces,
    ) -> Self {
        let damage: Vec<Damage> = damage.iter().map(Damage::of).collect();
        let changes: Vec<Change> = repair.changes().iter().map(|change| Change::of(change, places)).collect();
        Self {
            session: input.path().display().to_string(),
            format: session.format().name(),
            output: None,
            backup: None,
            changed: !changes.is_empty() || damage.iter().any(|damage| damage.remedy != Remedy::Left.code()),
            damage,
            changes,
            left: repair.left().iter().map(|left| Left::of(left, places)).collect(),
            wrote: false,
        }
    }

    /// Notes where the session went.
    pub(super) fn wrote(&mut self, target: Option<&TargetArguments>, input: &Input, backup: Option<PathBuf>) {
        let Some(target) = target else { return };
        self.wrote = true;
        self.backup = backup.map(|path| path.display().to_string());
        self.output = match target.destination() {
            _ if target.in_place => Some(input.path().display().to_string()),
            Output::Stdout => None,
            Output::File(path) => Some(path.display().to_string()),
        };
    }

    /// Whether something is left to do: what could not be mended, or what was not written.
    pub(super) const fn is_left(&self, writes: bool) -> bool {
        !self.left.is_empty() || (!writes && (self.changed || !self.damage.is_empty()))
    }

    /// The report for people, a line for each thing.
    pub(super) fn lines(&self) -> Vec<String> {
        let session = visible(&self.session);
        let place = |line: usize| format!("{session}:{line}");
        let call = |id: &Option<String>| {
            id.as_ref().map(|id| format!(" (call {})", visible(id))).unwrap_or_default()
        };
        let damage = self.damage.iter().map(|damage| {
            let Damage { line, says, remedy, bytes, kind, .. } = damage;
            format!("{}: {says} ({} bytes): {remedy} [{kind}]", place(*line), grouped(*bytes))
        });
        let changes = self.changes.iter().map(|change| {
            let Change { line, says, call_id, kind, .. } = change;
            format!("{}: {says}{} [{kind}]", place(*line), call(call_id))
        });
        let left = self.left.iter().map(|left| {
            let Left { line, says, call_id, rule, .. } = left;
            format!("{}: not mended: {says}{} [{rule}]", place(*line), call(call_id))
        });
        damage.chain(changes).chain(left).chain(core::iter::once(self.last_line())).collect()
    }

    fn last_line(&self) -> String {
        let session = visible(&self.session);
        if !self.changed && self.left.is_empty() && self.damage.is_empty() {
            return format!("{session} ({}): nothing to repair", self.format);
        }
        let done = self.changes.len().saturating_add(self.damage.len());
        let head = format!(
            "{session} ({}): {} mended, {} left",
            self.format,
            grouped(done),
            grouped(self.left.len())
        );
        match (&self.output, &self.backup, self.wrote) {
            (_, Some(backup), _) => {
                format!("{head}; backup: {} (`cutctx restore` brings it back)", visible(backup))
            }
            (Some(output), None, _) => format!("{head}; written to {}", visible(output)),
            (None, None, true) => head,
            (None, None, false) => format!("{head}; nothing is written without -o or --in-place"),
        }
    }
}

impl Damage {
    fn of(finding: &Finding) -> Self {
        Self {
            kind: finding.kind.code(),
            line: finding.at.line,
            offset: finding.at.offset,
            bytes: finding.bytes,
            remedy: finding.remedy.code(),
            says: finding.kind.to_string(),
        }
    }
}

impl Change {
    fn of(change: &RepairChange, places: &RecoveredPlaces) -> Self {
        let (line, offset) = places.of(change.line, change.offset);
        let (kind, says, call_id) = (change.kind.as_str(), change.kind.says(), change.call_id.clone());
        Self { kind, line, offset, call_id, says }
    }
}

impl Left {
    fn of(left: &Unrepaired, places: &RecoveredPlaces) -> Self {
        let violation = &left.violation;
        let (line, offset) = places.of(violation.line, violation.offset);
        Self {
            rule: violation.rule.id(),
            line,
            offset,
            call_id: violation.call_id.clone(),
            reason: left.reason.as_str(),
            says: format!("{}; {}", violation.rule.says, left.reason.says()),
        }
    }
}
