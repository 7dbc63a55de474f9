//! What a run reports when it does not succeed.

mod remedies;

use crate::exit::Exit;
use crate::show::{grouped, visible};
use cutctx::formats::FormatError;
use cutctx::{BudgetUnsatisfiable, Coded, Details, Floor, Reserved};
use serde::Serialize;
use std::io;
use std::path::Path;

/// Why a run stops before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The reader of standard output went away: nobody wants more, which is no error.
    PipeClosed,
    /// It failed.
    Failed(Failure),
}

/// A failure with everything that helps: where, what, a code for scripts, and what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(Box<Body>);

#[derive(Debug, Serialize)]
struct Body {
    code: String,
    message: String,
    details: Details,
    file: Option<String>,
    remedy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    floor: Option<Floor>,
    #[serde(flatten)]
    reserved: Reserved,
    exit_code: u8,
    #[serde(skip)]
    exit: Exit,
}

impl Failure {
    /// A failure of our own making, with a code and a sentence.
    pub(crate) fn new(exit: Exit, code: &str, message: impl Into<String>) -> Self {
        Self(Box::new(Body {
            code: code.to_owned(),
            message: message.into(),
            details: Details::none(),
            file: None,
            remedy: remedies::of(code).map(str::to_owned),
            floor: None,
            reserved: Reserved::default(),
            exit_code: exit.number(),
            exit,
        }))
    }

    /// A failure that a library reports.
    pub(crate) fn of(error: &dyn Coded, exit: Exit) -> Self {
        let mut failure = Self::new(exit, error.code().as_str(), error.to_string());
        failure.0.details = error.details();
        failure
    }

    /// A budget below the floor.
    pub(crate) fn unsatisfiable(error: &BudgetUnsatisfiable, reserved: Reserved) -> Self {
        let mut failure = Self::of(error, Exit::Unsatisfiable);
        failure.0.floor = Some(error.floor);
        failure.0.reserved = reserved;
        let least = error.floor.total().saturating_add(reserved.total());
        failure.remedy(format!(
            "raise --max-tokens to at least {least}, lower --protect-turns, or pin fewer turns"
        ))
    }

    /// A file that cannot be read or written.
    pub(crate) fn io(doing: &str, path: &Path, error: &io::Error) -> Self {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<FormatError>());
        if let Some(inner) = inner {
            return Self::of(inner, Exit::Refused).file(path);
        }
        let failure = Self::new(Exit::Refused, "IO", format!("cannot {doing}: {error}")).file(path);
        if error.kind() == io::ErrorKind::StorageFull { failure.remedy("make room there") } else { failure }
    }

    /// A command line that parses and makes no sense.
    pub(crate) fn usage(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Exit::Usage, "USAGE", message).remedy(remedy)
    }

    /// The failure, at this file.
    pub(crate) fn file(mut self, path: &Path) -> Self {
        self.0.file = Some(path.display().to_string());
        self
    }

    /// The failure, with what to do about it.
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.0.remedy = Some(remedy.into());
        self
    }

    /// The failure, with one more thing to do about it.
    pub(crate) fn or(mut self, another: &str) -> Self {
        let remedy =
            self.0.remedy.take().map_or_else(|| another.to_owned(), |known| format!("{known}; or {another}"));
        self.remedy(remedy)
    }

    /// What went wrong, in a sentence.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// How many conversations a file holds, where it is refused because one of them must be chosen.
    pub(crate) fn conversations(&self) -> Option<usize> {
        let several = self.0.code == "FORMAT_SEVERAL_CONVERSATIONS";
        let (_, count) = self.0.details.iter().find(|(name, _)| several && *name == "conversations")?;
        serde_json::to_value(count).ok()?.as_u64()?.try_into().ok()
    }

    /// How the run ends.
    pub(crate) const fn exit(&self) -> Exit {
        self.0.exit
    }

    /// The failure for people.
    pub(crate) fn to_lines(&self) -> Vec<String> {
        let place = self.0.file.as_ref().map(|file| format!("{}: ", visible(file))).unwrap_or_default();
        let mut lines = vec![format!("{place}{}", visible(&self.0.message))];
        if let Some(floor) = &self.0.floor {
            lines.extend(floor_lines(floor, self.0.reserved));
        }
        lines.push(format!("  code: {}", self.0.code));
        lines.extend(self.0.remedy.as_ref().map(|remedy| format!("  remedy: {remedy}")));
        lines
    }

    /// The failure for programs.
    pub(crate) fn to_json(&self) -> serde_json::Value {
        serde_json::json!({ "error": *self.0 })
    }
}

/// What must be kept, item by item.
pub(crate) fn floor_lines(floor: &Floor, reserved: Reserved) -> Vec<String> {
    let items = [
        ("system turns", floor.system),
        ("pinned turns", floor.pinned),
        ("protected turns at the end", floor.tail),
        ("turns of the same tool exchanges", floor.locked),
    ];
    let besides =
        [("kept free for the answer", reserved.output), ("sent besides the session", reserved.overhead)];
    let besides = besides.into_iter().filter_map(|(what, tokens)| Some((what, tokens?)));
    let total = floor.total().saturating_add(reserved.total());
    let all = items.into_iter().chain(besides).chain([("in all", total)]);
    all.map(|(what, tokens)| format!("  {:>10}  {what}", grouped(tokens))).collect()
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
