//! A session that was read, with its pins.

use crate::arguments::{ChosenSession, Reading};
use crate::counting::{Counting, counter_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{Input, Opened, Progress, Unit, holds};
use crate::pinning::{PinReport, pin};
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::counting::Counter;
use cutctx::formats::{FormatError, OpenOptions, Opening, ReadRequest, Session, format_named};
use cutctx::{CharRatioEstimator, Transcript};
use std::fs::File;
use std::io;
use std::path::Path;

/// A session with the turns that are planned over.
#[derive(Debug)]
pub(crate) struct Loaded {
    input: Input,
    session: Session,
    transcript: Transcript,
    counting: Counting,
    pins: PinReport,
}

impl Loaded {
    /// Reads the session of a command line.
    pub(crate) fn read(chosen: &ChosenSession, terminal: Terminal) -> Result<Self, Failure> {
        let progress = Progress::new(terminal, "reading", Unit::Bytes);
        let (counter, scale) = counter_of(&chosen.counting)?;
        let counter = Arc::new(counter);
        let session = open_session(&chosen.input, chosen.reading(), &counter, &progress)?;
        drop(progress);
        let file = |failure: Failure| failure.file(chosen.input.path());
        let counting = Counting::of(counter, scale, &chosen.counting, &session).map_err(file)?;
        let scaled = counting.counted(&session).map_err(file)?;
        let (transcript, pins) = pin(&scaled, chosen, terminal)?;
        Ok(Self { input: chosen.input.clone(), session, transcript, counting, pins })
    }

    /// The session with other pins: those that a stored plan brings with it.
    pub(crate) fn repinned(&mut self, transcript: Transcript) {
        self.transcript = transcript;
    }

    /// Counts the turns of a session the other way, by its own estimates or anew; false where it brings no estimates.
    /// A plan that was not made by this command says only what measured new text.
    pub(crate) fn count_otherwise(&mut self) -> bool {
        let Some(counting) = self.counting.otherwise(&self.session) else { return false };
        let Ok(counted) = counting.counted(&self.session) else { return false };
        let turns = counted.into_turns().into_iter().zip(self.transcript.turns());
        let turns = turns.map(|(turn, known)| turn.pinned_like(known)).collect();
        let Ok(transcript) = Transcript::new(turns) else { return false };
        (self.transcript, self.counting) = (transcript, counting);
        true
    }

    /// Where it came from.
    pub(crate) const fn input(&self) -> &Input {
        &self.input
    }

    /// Whether a file holds what was read.
    pub(crate) fn is_as_read(&self, file: &Path) -> io::Result<bool> {
        if self.session.is_abridged() {
            return self.session.was_read_from(&File::open(file)?);
        }
        holds(file, self.session.text().as_bytes())
    }

    /// The session.
    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    /// Its turns, with the pins of the command line and of a stored plan.
    pub(crate) const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What counted its tokens.
    pub(crate) const fn counting(&self) -> &Counting {
        &self.counting
    }

    /// What the pins of the command line found.
    pub(crate) const fn pins(&self) -> &PinReport {
        &self.pins
    }
}

/// The estimator of readers that only look at structure: what it counts is shown nowhere.
pub(crate) fn estimator() -> CharRatioEstimator {
    CharRatioEstimator::default()
}

/// Reads a session and counts it by one that may be chosen already.
pub(crate) fn read_session(
    input: &Input,
    reading: Reading<'_>,
    counter: &Counter,
) -> Result<Session, Failure> {
    open_session(input, reading, counter, &Progress::hidden())
}

/// As [`read_session`], telling how far it is where that takes a moment.
fn open_session(
    input: &Input,
    reading: Reading<'_>,
    counter: &Counter,
    progress: &Progress,
) -> Result<Session, Failure> {
    let format = reading.format.map(known_format).transpose()?;
    let choose = |opening: &Opening<'_>| counter.choose(opening);
    let request = of_conversation(ReadRequest::new(counter).opened_before(&choose), reading.conversation);
    let tell = |done, all| progress.tell(done, all);
    let session = match input.open()? {
        Opened::Bytes(bytes) => Session::read_with(format, bytes, &request),
        Opened::File(file) => {
            Session::open(format, file, &request, &OpenOptions::default().with_progress(&tell))
        }
    };
    session.map_err(|error| unread(&error, reading).file(input.path()))
}

/// A file that cannot be read so. One that is no session of the format that was asked for may be one of another.
fn unread(error: &FormatError, reading: Reading<'_>) -> Failure {
    let failure = Failure::of(error, Exit::Refused);
    match (error, reading.format) {
        (
            FormatError::Unrecognized { .. } | FormatError::Record { .. } | FormatError::Syntax { .. },
            Some(format),
        ) => failure.remedy(format!("the file does not look like `{format}`; leave --format out")),
        _ => failure,
    }
}

/// The request, for the conversation that is asked for.
pub(crate) const fn of_conversation(
    request: ReadRequest<'_>,
    conversation: Option<usize>,
) -> ReadRequest<'_> {
    match conversation {
        Some(number) => request.of_conversation(number),
        None => request,
    }
}

/// The format of this name.
pub(crate) fn known_format(name: &str) -> Result<&'static dyn cutctx::formats::Format, Failure> {
    let unknown = || Failure::usage(format!("there is no format `{name}`"), "see `cutctx formats`");
    format_named(name).ok_or_else(unknown)
}
