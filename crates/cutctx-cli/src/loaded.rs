//! A session that was read, with its pins.

use crate::arguments::SessionArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use crate::show::ShortIds;
use alloc::collections::BTreeSet;
use cutctx::formats::{Session, format_named};
use cutctx::{CharRatioEstimator, Role, TokenEstimator, Transcript, TranscriptTurn};

/// The pin that stands for the first turn of the user.
const FIRST_USER: &str = "first-user";

/// A session with the turns that are planned over.
#[derive(Debug)]
pub(crate) struct Loaded {
    input: Input,
    session: Session,
    transcript: Transcript,
}

impl Loaded {
    /// Reads the session of a command line.
    pub(crate) fn read(arguments: &SessionArguments) -> Result<Self, Failure> {
        let session = read_session(&arguments.session, arguments.format.as_deref())?;
        let transcript = with_pins(session.transcript(), arguments)?;
        Ok(Self { input: arguments.session.clone(), session, transcript })
    }

    /// Where it came from.
    pub(crate) const fn input(&self) -> &Input {
        &self.input
    }

    /// The session.
    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    /// Its turns, those of the command line pinned.
    pub(crate) const fn transcript(&self) -> &Transcript {
        &self.transcript
    }
}

/// The estimator of every figure of this command.
pub(crate) fn estimator() -> CharRatioEstimator {
    CharRatioEstimator::default()
}

/// Its name, for documents.
pub(crate) fn estimator_name() -> String {
    estimator().name().into_owned()
}

/// How the tokens of a session were counted, for people.
pub(crate) fn how_counted(session: &Session) -> &'static str {
    match session.format().name() {
        "native" => "as the file estimates them; new text as characters / 4",
        _ => "estimated as characters / 4",
    }
}

/// Reads a session, as a certain format or as what it looks like.
pub(crate) fn read_session(input: &Input, format: Option<&str>) -> Result<Session, Failure> {
    let format = format.map(known_format).transpose()?;
    let bytes = input.bytes()?;
    let session = match format {
        Some(format) => Session::read_as(format, bytes, &estimator()),
        None => Session::read(bytes, &estimator()),
    };
    session.map_err(|error| Failure::of(&error, Exit::Refused).file(input.path()))
}

fn known_format(name: &str) -> Result<&'static dyn cutctx::formats::Format, Failure> {
    let unknown = || Failure::usage(format!("there is no format `{name}`"), "see `cutctx formats`");
    format_named(name).ok_or_else(unknown)
}

fn with_pins(transcript: &Transcript, arguments: &SessionArguments) -> Result<Transcript, Failure> {
    if arguments.pin.is_empty() {
        return Ok(transcript.clone());
    }
    let pins = pinned_ids(transcript.turns(), &arguments.pin)
        .map_err(|failure| failure.file(arguments.session.path()))?;
    cutctx::session::pinned(transcript, |turn| pins.contains(turn.turn_id().as_ref()))
        .map_err(|error| Failure::of(&error, Exit::Refused))
}

fn pinned_ids<'a>(turns: &'a [TranscriptTurn], pins: &'a [String]) -> Result<BTreeSet<&'a str>, Failure> {
    let ids: BTreeSet<&str> = turns.iter().map(|turn| turn.turn_id().as_ref()).collect();
    let beginnings = ShortIds::of(ids.iter().copied());
    let first_user = turns.iter().find(|turn| turn.role() == Role::User).map(|turn| turn.turn_id().as_ref());
    pins.iter()
        .map(|pin| {
            let meant = ids.get(pin.as_str()).copied();
            let meant = meant.or_else(|| first_user.filter(|_| pin == FIRST_USER));
            meant.or_else(|| beginnings.only_with(pin)).ok_or_else(|| no_such_turn(pin))
        })
        .collect()
}

fn no_such_turn(pin: &str) -> Failure {
    let remedy =
        "`cutctx inspect SESSION --turns` lists the turns; the beginning of an id needs eight characters";
    Failure::usage(format!("there is no turn `{pin}` to pin, or several begin so"), remedy)
}
