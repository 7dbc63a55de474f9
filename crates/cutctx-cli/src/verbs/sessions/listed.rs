//! What is known about a session.

use crate::arguments::AUTO;
use crate::arguments::Reading;
use crate::counting::counter_named;
use crate::discovery::{FoundSession, Moment, project_of};
use crate::failure::Failure;
use crate::files::Input;
use crate::loaded::read_session;
use cutctx::counting::Counter;
use serde::Serialize;

/// The largest file that is read for its tokens, in bytes.
const LARGEST_COUNTED: u64 = 256 << 20;

/// A session in the list.
#[derive(Debug, Serialize)]
pub(super) struct ListedSession {
    pub(super) path: String,
    pub(super) tool: &'static str,
    pub(super) project: Option<String>,
    pub(super) bytes: u64,
    /// When it was written last, in seconds since 1970.
    modified: Option<u64>,
    pub(super) age_seconds: Option<u64>,
    pub(super) format: Option<&'static str>,
    pub(super) turns: Option<usize>,
    pub(super) tokens: Option<u64>,
    /// What counted them.
    estimator: Option<String>,
    /// Why there are no figures, where the file was not read.
    pub(super) reason: Option<String>,
}

/// Whether the tokens of sessions are counted, and by what.
pub(super) enum Count {
    /// They are not: files are not read.
    Nothing,
    /// By what the session says, quickly.
    Quickly,
    /// By one of this name.
    Named(String),
}

impl Count {
    /// What a command line wants.
    pub(super) fn of(name: &str, count: bool) -> Result<Self, Failure> {
        let named = match name {
            _ if !count => Self::Nothing,
            AUTO => Self::Quickly,
            name => Self::Named(name.to_owned()),
        };
        named.counter().map(|_| named)
    }

    fn counter(&self) -> Result<Option<Counter>, Failure> {
        match self {
            Self::Nothing => Ok(None),
            Self::Quickly => Ok(Some(Counter::quick())),
            Self::Named(name) => counter_named(name).map(|(counter, _)| Some(counter)),
        }
    }
}

/// Looks into a session, and into all of it where its tokens are to be counted.
pub(super) fn listed(session: &FoundSession, now: Moment, count: &Count) -> Result<ListedSession, Failure> {
    let mut line = ListedSession {
        path: session.path.display().to_string(),
        tool: session.tool.name(),
        project: project_of(session),
        bytes: session.bytes,
        modified: session.modified.and_then(Moment::since_1970),
        age_seconds: session.modified.map(|time| time.age(now)),
        format: None,
        turns: None,
        tokens: None,
        estimator: None,
        reason: session.obstacle().map(str::to_owned),
    };
    if let Some(counter) = count.counter()?.filter(|_| line.reason.is_none()) {
        line.count(session, &counter);
    }
    Ok(line)
}

impl ListedSession {
    fn count(&mut self, session: &FoundSession, counter: &Counter) {
        if session.bytes > LARGEST_COUNTED {
            self.reason = Some("it is too large to be counted in passing".to_owned());
            return;
        }
        match read_session(&Input::File(session.path.clone()), Reading::default(), counter) {
            Ok(read) => {
                self.format = Some(read.format().name());
                self.turns = Some(read.transcript().len());
                self.tokens = Some(read.transcript().token_estimate());
                self.estimator = Some(counter.name());
            }
            Err(failure) => self.reason = Some(failure.message().to_owned()),
        }
    }
}
