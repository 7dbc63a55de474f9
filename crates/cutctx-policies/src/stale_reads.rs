//! Reads of files that were read again, or have changed since.

use crate::calls::{Call, Calls};
use crate::masking::MaskStub;
use crate::reads::{Access, AccessKind, ToolTable, Trade, access_of};
use crate::short_stub::{ShortStubs, StubWord};
use crate::shortening::{Common, Shorten, shortening_policy};
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use cutctx_invariants::Survey;
use cutctx_types::{Action, classify};

/// When a read of a file is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum StaleBy {
    /// A later call read the same part of the same file, or all of it.
    #[default]
    Part,
    /// A later call read the same file, whatever part of it.
    Path,
    /// A later call read or wrote the same file.
    PathOrWrite,
}

/// Replaces reads of files by short stubs where a later call read them again.
///
/// Tools are recognised by name: those of agents in wide use, command lines such as `cat` and `sed -n`
/// among them, and the names that it is told. A call that failed makes nothing stale.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::StaleReadsPolicy;
/// use cutctx_types::{Action, CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
///
/// let call = r#"[call Read {"file_path":"a.rs"}]"#;
/// let round = |id: &str, text: &str| -> Result<[TranscriptTurn; 2], Box<dyn std::error::Error>> {
///     let parts = vec![Part::new(PartKind::CallArguments, call.len(), 8)];
///     Ok([
///         TranscriptTurn::new(format!("a{id}"), Role::Assistant, call, 8)?.with_parts(parts)?.with_tool_call_id(id),
///         TranscriptTurn::new(format!("t{id}"), Role::Tool, text, 90)?.with_tool_call_id(id).with_tool_name("Read"),
///     ])
/// };
/// let turns = [round("1", &"old\n".repeat(90))?, round("2", &"new\n".repeat(90))?].concat();
/// let budget = CompactionBudget::new(120).with_protected_recent_turns(0);
/// let plan = StaleReadsPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(matches!(&plan.actions()[1].action, Action::Mask(stub) if stub.content.starts_with("[old ")));
/// assert_eq!(plan.actions()[3].action, Action::Keep);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct StaleReadsPolicy {
    by: StaleBy,
    tools: ToolTable,
    pub(crate) common: Common,
}

impl StaleReadsPolicy {
    /// The policy at version 2.0.0, for reads of the same part.
    #[must_use]
    pub const fn new() -> Self {
        Self { by: StaleBy::Part, tools: ToolTable::new(), common: Common::new() }
    }

    /// The policy with another idea of what is stale.
    #[must_use]
    pub const fn with_stale_by(mut self, by: StaleBy) -> Self {
        self.by = by;
        self
    }

    /// The policy knowing further tools that read the file which an argument names.
    #[must_use]
    pub fn with_read_tools<T: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.tools.add(Trade::Read, names.into_iter().map(Into::into));
        self
    }

    /// The policy knowing further tools that write the file which an argument names.
    #[must_use]
    pub fn with_write_tools<T: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.tools.add(Trade::Write, names.into_iter().map(Into::into));
        self
    }

    /// The policy knowing further tools that run a command line.
    #[must_use]
    pub fn with_shell_tools<T: Into<Arc<str>>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.tools.add(Trade::Shell, names.into_iter().map(Into::into));
        self
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let stale = self.stale(survey);
        let mut stubs = ShortStubs::measured_by(&self.common.estimator);
        Box::new(move |position| {
            if !stale.get(position).is_some_and(|stale| *stale) {
                return Ok(None);
            }
            let original = survey.original(position);
            original.map(|turn| stubs.stub_of(StubWord::Stale, turn).map(Action::Mask)).transpose()
        })
    }

    /// By position: whether the result is a read that is stale.
    fn stale(&self, survey: &Survey<'_>) -> Vec<bool> {
        let calls = Calls::of(survey);
        let deeds = deeds(calls.all(), &self.tools);
        let mut stale = vec![false; survey.turns().len()];
        let mut later: Vec<Later> = deeds.iter().map(|_| Later::default()).collect();
        for (position, turn) in survey.turns().iter().enumerate().rev() {
            if turn.failed() || MaskStub::parse(turn.content()).is_some() {
                continue;
            }
            let deed = calls.number_answered_by(position).and_then(|call| *deeds.get(call)?);
            let Some(deed) = deed else { continue };
            let Some(later) = later.get_mut(deed.path) else { continue };
            if let Some(stale) = stale.get_mut(position) {
                *stale = later.outdates(deed.kind, self.by);
            }
            later.note(deed.kind);
        }
        stale
    }
}

shortening_policy!(StaleReadsPolicy, "stale_reads", StaleReadsPolicy::prepare);

/// What a call does to a file, with numbers in place of texts: many results may answer one long call.
#[derive(Debug, Clone, Copy)]
struct Deed {
    path: usize,
    kind: DeedKind,
}

#[derive(Debug, Clone, Copy)]
enum DeedKind {
    ReadAll,
    ReadPart(usize),
    Write,
}

/// What each call does; equal paths, and equal parts, have equal numbers below the number of calls.
fn deeds(calls: &[Call<'_>], tools: &ToolTable) -> Vec<Option<Deed>> {
    let accesses: Vec<Option<Access>> = calls.iter().map(|call| access_of(call, tools)).collect();
    let paths = classify(accesses.iter().map(|access| access.as_ref().map(|access| access.path.as_str())));
    let parts = classify(accesses.iter().map(|access| access.as_ref().and_then(part_of)));
    let numbered = accesses.iter().zip(paths.into_iter().zip(parts));
    let deed = |(access, (path, part)): (&Option<Access>, (usize, usize))| {
        let kind = match access.as_ref()?.kind {
            AccessKind::ReadAll => DeedKind::ReadAll,
            AccessKind::ReadPart(_) => DeedKind::ReadPart(part),
            AccessKind::Write => DeedKind::Write,
        };
        Some(Deed { path, kind })
    };
    numbered.map(deed).collect()
}

fn part_of(access: &Access) -> Option<&str> {
    match &access.kind {
        AccessKind::ReadPart(part) => Some(part),
        AccessKind::ReadAll | AccessKind::Write => None,
    }
}

/// What later calls did to a file.
#[derive(Debug, Default)]
struct Later {
    read_all: bool,
    read_parts: BTreeSet<usize>,
    wrote: bool,
}

impl Later {
    /// Whether a call of this kind is a read that these calls make stale.
    fn outdates(&self, earlier: DeedKind, by: StaleBy) -> bool {
        let same_part = match earlier {
            DeedKind::ReadAll => self.read_all,
            DeedKind::ReadPart(part) => self.read_all || self.read_parts.contains(&part),
            DeedKind::Write => return false,
        };
        let same_path = self.read_all || !self.read_parts.is_empty();
        match by {
            StaleBy::Part => same_part,
            StaleBy::Path => same_path,
            StaleBy::PathOrWrite => same_path || self.wrote,
        }
    }

    fn note(&mut self, kind: DeedKind) {
        match kind {
            DeedKind::ReadAll => self.read_all = true,
            DeedKind::ReadPart(part) => {
                self.read_parts.insert(part);
            }
            DeedKind::Write => self.wrote = true,
        }
    }
}
