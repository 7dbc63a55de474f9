//! Making a session acceptable to its provider, and saying everything that was changed.
//!
//! [`Session::repair`] looks at what [`Session::violations`] lists and mends it, kind by kind: calls without a result get
//! one that says so, results go to where the provider looks for them, what answers nothing goes, blank texts and empty
//! messages go, ids are spelled anew. Nothing else changes: a session without breaches comes back byte for byte, and of
//! the others only the records that a change is about. Repairing twice changes nothing.
//!
//! Three things it does not do. It never edits signed reasoning: that stays, or all of its turn goes. It removes nothing that
//! is pinned ([`RepairOptions::pinning`]). And it leaves calls open whose result may still come, unless it is told
//! otherwise ([`RepairOptions::closing_open_calls`]). What is left for these or other reasons is listed with the reason.
//!
//! ```
//! use cutctx_formats::repair::{RepairKind, RepairOptions};
//! use cutctx_formats::Session;
//! use cutctx_types::CharRatioEstimator;
//!
//! let file = r#"[{"role": "user", "content": "measure it"},
//!   {"role": "assistant", "content": null, "tool_calls": [
//!     {"id": "c1", "type": "function", "function": {"name": "measure", "arguments": "{}"}}]},
//!   {"role": "user", "content": "never mind"}]"#;
//! let session = Session::read(file, &CharRatioEstimator::default())?;
//! let repair = session.repair(&RepairOptions::default())?;
//! assert_eq!(repair.changes()[0].kind, RepairKind::AnsweredCall);
//! assert!(repair.left().is_empty());
//!
//! let repaired = Session::read(repair.text().to_owned(), &CharRatioEstimator::default())?;
//! assert!(repaired.violations().is_empty());
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

pub(crate) mod arguments;
mod change;
mod fates;
mod matching;
mod outline;
mod places;
mod plan;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use cutctx_types::CharRatioEstimator;

use crate::document::Document;
use crate::error::FormatError;
use crate::format::{Dialect, Format};
use crate::raw::Splices;
use crate::request::{Both, ReadRequest};
use crate::rules::names::{
    CALL_IN_FLIGHT, ORPHAN_RESULT, REASONING_MISSING, REPEATED_RESULT, SIGNATURE_MISSING, TOOLS_NOT_DEFINED,
    UNANSWERED_CALL,
};
use crate::rules::{self, Severity};
use crate::session::Session;
use crate::violation::Violation;
use matching::Matches;
use outline::{Listener, Outline};
use places::{LineNumbers, Pass, original};
use plan::{Case, Note, STAGES, Step};

pub use change::{RepairChange, RepairKind, Unrepairable, Unrepaired};

/// How often a text is gone over at most; each kind of breach takes one or two.
const MOST_PASSES: usize = 32;

/// How often a stage runs again although its last run left as many breaches as there were: one stage's work may be what
/// the next one waits for.
const MOST_IDLE: usize = 3;

/// What the result of a call says that was not completed.
const NOT_COMPLETED: &str = "This call was not completed: no result was recorded.";

/// How a session is repaired.
#[derive(Debug, Clone, Default)]
pub struct RepairOptions {
    pinned: BTreeSet<usize>,
    closes_open_calls: bool,
    not_completed: Option<String>,
}

impl RepairOptions {
    /// The usual way: nothing is pinned, open calls stay open.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The messages of these turns, by their positions, lose nothing. What would have to go stays and is listed.
    #[must_use]
    pub fn pinning(mut self, turns: impl IntoIterator<Item = usize>) -> Self {
        self.pinned.extend(turns);
        self
    }

    /// Calls that still wait get a result that says that they were not completed.
    #[must_use]
    pub const fn closing_open_calls(mut self) -> Self {
        self.closes_open_calls = true;
        self
    }

    /// What the result of a call says that was not completed.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Self {
        self.not_completed = Some(text.into());
        self
    }
}

/// A repaired session.
#[derive(Clone)]
pub struct Repair {
    text: String,
    changes: Vec<RepairChange>,
    left: Vec<Unrepaired>,
}

impl fmt::Debug for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Repair({} bytes, {:?}, {:?})", self.text.len(), self.changes, self.left)
    }
}

impl Repair {
    /// The file as it is now.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All changes, in the order of the file as it was.
    #[must_use]
    pub fn changes(&self) -> &[RepairChange] {
        &self.changes
    }

    /// What is still wrong, and why.
    #[must_use]
    pub fn left(&self) -> &[Unrepaired] {
        &self.left
    }

    /// Whether nothing was changed.
    #[must_use]
    pub const fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Session {
    /// Makes the session acceptable to its provider as far as that is possible without making anything up, and says
    /// everything that was changed and what is left. Of a session that was opened abridged the whole file is read.
    ///
    /// # Errors
    ///
    /// When the file cannot be read any more, or an edit of it cannot be made.
    pub fn repair(&self, options: &RepairOptions) -> Result<Repair, FormatError> {
        let text = self.whole_text()?.into_owned();
        Work::new(self.format(), self.conversation(), options, text).run()
    }
}

/// A repair in the making.
struct Work<'w> {
    format: &'static dyn Format,
    conversation: Option<usize>,
    options: &'w RepairOptions,
    text: String,
    lines: LineNumbers,
    passes: Vec<Pass>,
    /// Where the messages begin that lose nothing; `None` until they were looked up.
    pinned: Option<BTreeSet<usize>>,
    changes: Vec<RepairChange>,
    /// How the stages that ran came along.
    runs: BTreeMap<usize, StageRuns>,
    /// The text before the last pass, how many changes there were, and where pinned messages began.
    before: Option<(String, usize, BTreeSet<usize>)>,
}

/// How a stage came along.
#[derive(Default)]
struct StageRuns {
    /// How many breaches there were when it ran last.
    breaches: Option<usize>,
    /// How often it ran again without fewer breaches.
    idle: usize,
}

impl StageRuns {
    fn note(&mut self, breaches: usize) {
        let fewer = self.breaches.is_none_or(|before| breaches < before);
        self.idle = if fewer { 0 } else { self.idle.saturating_add(1) };
        self.breaches = Some(breaches);
    }
}

/// A text as it was read.
struct Read {
    session: Session,
    outline: Outline,
    /// The breaches of its provider's rules.
    found: Vec<Violation>,
}

/// What a pass came to.
enum Done {
    /// Something was mended.
    Something,
    /// There is nothing that can be mended.
    Nothing(Vec<Unrepaired>),
}

impl<'w> Work<'w> {
    fn new(
        format: &'static dyn Format,
        conversation: Option<usize>,
        options: &'w RepairOptions,
        text: String,
    ) -> Self {
        let lines = LineNumbers::of(&text);
        let (passes, changes) = (Vec::new(), Vec::new());
        let runs = BTreeMap::new();
        Self { format, conversation, options, text, lines, passes, pinned: None, changes, runs, before: None }
    }

    fn run(mut self) -> Result<Repair, FormatError> {
        let mut left = Vec::new();
        for pass in 0..=MOST_PASSES {
            if let Done::Nothing(rest) = self.pass(pass < MOST_PASSES)? {
                left = rest;
                break;
            }
        }
        self.changes.sort_by_key(|change| change.offset);
        Ok(Repair { text: self.text, changes: self.changes, left })
    }

    /// Mends the first kind of breach that can be mended.
    fn pass(&mut self, mends: bool) -> Result<Done, FormatError> {
        let least = least_severity(self.format.about().dialect);
        let read = self.read();
        let read = read.map_or_else(|error| self.undo(error).map(|()| None), |read| Ok(Some(read)))?;
        let Some(Read { session, outline, mut found }) = read else { return Ok(Done::Something) };
        found.retain(|violation| {
            is_left(violation) || (violation.rule.severity >= least && is_ours(violation))
        });
        if found.is_empty() {
            return Ok(Done::Nothing(Vec::new()));
        }
        let case = Case {
            dialect: self.format.about().dialect,
            outline: &outline,
            found: &found,
            not_completed: self.options.not_completed.as_deref().unwrap_or(NOT_COMPLETED),
            closes_open_calls: self.options.closes_open_calls,
        };
        for (number, stage) in STAGES.iter().enumerate().filter(|_| mends) {
            let runs = self.runs.entry(number).or_default();
            let steps = if runs.idle >= MOST_IDLE { Vec::new() } else { stage(&case) };
            if steps.is_empty() {
                continue;
            }
            runs.note(found.len());
            if let Some((splices, notes)) = carried_out(&session, &outline, steps)? {
                self.take(splices, &notes, &outline)?;
                return Ok(Done::Something);
            }
        }
        let refused = found.into_iter().filter(is_left);
        Ok(Done::Nothing(self.left(refused.collect(), &outline)))
    }

    /// Reads the text once, for the rules and for what is to be mended.
    fn read(&mut self) -> Result<Read, FormatError> {
        let (own, rules) = (Listener::default(), rules::Listener::default());
        let both = Both(&own, &rules);
        let estimator = CharRatioEstimator::default();
        let mut request = ReadRequest::new(&estimator).observed_by(&both);
        request.conversation = self.conversation;
        let session = Session::read_with(Some(self.format), self.text.clone(), &request)?;
        let mut outline = own.heard();
        let found = rules::heard(self.format, &Document::parse(&self.text)?, rules);
        let turns = &self.options.pinned;
        let pinned = self.pinned.get_or_insert_with(|| begins_of(&outline, turns));
        for message in &mut outline.messages {
            message.is_pinned = pinned.contains(&message.span.start);
        }
        Ok(Read { session, outline, found })
    }

    fn take(&mut self, splices: Splices, notes: &[Note], outline: &Outline) -> Result<(), FormatError> {
        let before = self.changes.len();
        for note in notes {
            let message = outline.messages.get(note.message);
            let offset = original(&self.passes, message.map_or(0, |message| message.span.start));
            let line = self.lines.line(offset);
            self.changes.push(RepairChange { kind: note.kind, offset, line, call_id: note.call_id.clone() });
        }
        let splices = splices.ordered(&self.text)?;
        let pass = Pass::of(&splices);
        let pinned = self.pinned.take().unwrap_or_default();
        self.pinned = Some(pinned.iter().filter_map(|offset| pass.after(*offset)).collect());
        let text = splices.edited(&self.text);
        self.before = Some((core::mem::replace(&mut self.text, text), before, pinned));
        self.passes.push(pass);
        Ok(())
    }

    /// Goes back by a pass that left nothing that could be read: a conversation of nothing but faults.
    fn undo(&mut self, error: FormatError) -> Result<(), FormatError> {
        let (text, changes, pinned) = self.before.take().ok_or(error)?;
        self.text = text;
        self.changes.truncate(changes);
        self.passes.pop();
        self.pinned = Some(pinned);
        Ok(())
    }

    /// Breaches with the reasons for which they are there, and their places in the file as it was.
    fn left(&self, found: Vec<Violation>, outline: &Outline) -> Vec<Unrepaired> {
        let matches = Matches::new(outline);
        let pending = matches.calls.iter().filter(|call| call.is_pending && call.result.is_none());
        let pending: BTreeSet<(usize, &str)> = pending
            .filter_map(|call| Some((outline.messages.get(call.at.0)?.span.start, call.facts.id.as_str())))
            .collect();
        let pinned = self.pinned.clone().unwrap_or_default();
        let closes = self.options.closes_open_calls;
        let waits = |offset: usize, id: &str| !closes && pending.contains(&(offset, id));
        let reason = |violation: &Violation| {
            let id = violation.call_id.as_deref().unwrap_or_default();
            match violation.rule.name {
                UNANSWERED_CALL | CALL_IN_FLIGHT if waits(violation.offset, id) => Unrepairable::OpenCall,
                _ if pinned.contains(&violation.offset) => Unrepairable::Pinned,
                TOOLS_NOT_DEFINED | REASONING_MISSING | SIGNATURE_MISSING => Unrepairable::Missing,
                _ => Unrepairable::NotInThisFormat,
            }
        };
        let with_reason = found.into_iter().map(|mut violation| {
            let reason = reason(&violation);
            violation.offset = original(&self.passes, violation.offset);
            violation.line = self.lines.line(violation.offset);
            Unrepaired { violation, reason }
        });
        with_reason.collect()
    }
}

/// Where the messages of these turns begin.
fn begins_of(outline: &Outline, turns: &BTreeSet<usize>) -> BTreeSet<usize> {
    let message_of = |turn: &usize| {
        let index = outline.messages.partition_point(|message| message.first_turn <= *turn);
        outline.messages.get(index.checked_sub(1)?)
    };
    turns.iter().filter_map(message_of).map(|message| message.span.start).collect()
}

/// Files of tools that mend what they send lose what those would drop; nothing else is wrong with them.
const fn least_severity(dialect: Dialect) -> Severity {
    if matches!(dialect, Dialect::Free) { Severity::Repaired } else { Severity::Refused }
}

/// Of what a tool mends itself only results that answer nothing are mended here.
fn is_ours(violation: &Violation) -> bool {
    violation.rule.dialect != Dialect::Free || matches!(violation.rule.name, ORPHAN_RESULT | REPEATED_RESULT)
}

/// Whether a breach that is still there is to be told: a call in flight where a provider is sent the file.
fn is_left(violation: &Violation) -> bool {
    let is_open = violation.rule.name == CALL_IN_FLIGHT && violation.rule.dialect != Dialect::Free;
    is_open || violation.rule.severity == Severity::Refused
}

/// The edits that carry steps out, and the notes of those that could be; `None` when none could.
fn carried_out(
    session: &Session,
    outline: &Outline,
    steps: Vec<Step>,
) -> Result<Option<(Splices, Vec<Note>)>, FormatError> {
    if session.format().about().dialect == Dialect::Free {
        return fates::carried_out(session, outline, steps);
    }
    let (mends, notes): (Vec<_>, Vec<_>) = steps.into_iter().map(|step| (step.mend, step.notes)).unzip();
    let Some(mended) = session.mend(&mends)? else {
        let steps = mends.into_iter().zip(notes).map(|(mend, notes)| Step { mend, notes });
        return fates::carried_out(session, outline, steps.collect());
    };
    let refused: BTreeSet<usize> = mended.refused.into_iter().collect();
    let notes = notes.into_iter().enumerate().filter(|(index, _)| !refused.contains(index));
    let notes: Vec<Note> = notes.flat_map(|(_, notes)| notes).collect();
    Ok((!mended.splices.is_empty()).then_some((mended.splices, notes)))
}
