//! Reading many sessions in parallel.

use super::conversations::{Held, Piece, each_conversation};
use super::list::{SessionFile, list};
use crate::arguments::{CountingChoice, Reading};
use crate::counting::{Counting, counter_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{Input, Progress, Unit};
use crate::loaded::{of_conversation, read_session};
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::Role;
use cutctx::counting::{Counter, Scale};
use cutctx::formats::{Format, FormatError, Opening, ReadRequest, Session};
use cutctx_eval::EvalSession;
use rayon::prelude::*;
use std::path::PathBuf;

/// The sessions of a command line.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// In the order of the files; a file of several conversations is several sessions.
    pub(crate) sessions: Vec<EvalSession>,
    /// How many files of folders are no sessions.
    pub(crate) not_sessions: usize,
}

/// Reads the files that are named, and those in the folders that are named.
pub(super) fn gather(
    named: &[PathBuf],
    choice: &CountingChoice,
    terminal: Terminal,
) -> Result<Gathered, Failure> {
    let files = list(named)?;
    let progress = Progress::new(terminal, "reading", Unit::Files(files.len()));
    let read = |file: &SessionFile| {
        let read = read_file(file, choice);
        progress.one_more();
        read
    };
    let all: Vec<Result<Vec<EvalSession>, Failure>> = files.par_iter().map(read).collect();
    drop(progress);
    let mut gathered = Gathered::default();
    for (file, read) in files.iter().zip(all) {
        match read {
            Ok(sessions) => gathered.sessions.extend(sessions),
            Err(failure) if file.is_named => return Err(failure),
            Err(_) => gathered.not_sessions = gathered.not_sessions.saturating_add(1),
        }
    }
    Ok(gathered)
}

/// All conversations of a file.
fn read_file(file: &SessionFile, choice: &CountingChoice) -> Result<Vec<EvalSession>, Failure> {
    let (counter, scale) = counter_of(choice)?;
    let (counter, found) = (Arc::new(counter), Found { file, choice, scale });
    match read_session(&Input::File(file.path.clone()), Reading::default(), &counter) {
        Ok(session) => Ok(vec![found.subject(Counted { session, counter }, None)?]),
        Err(failure) if failure.conversations().is_some() => found.conversations(&counter),
        Err(failure) => Err(failure),
    }
}

/// A file, and how its sessions are counted.
struct Found<'f> {
    file: &'f SessionFile,
    choice: &'f CountingChoice,
    scale: Scale,
}

impl Found<'_> {
    /// Each conversation of a file that holds several. The file is read once for all of them.
    fn conversations(&self, named: &Arc<Counter>) -> Result<Vec<EvalSession>, Failure> {
        let bytes = Input::File(self.file.path.clone()).bytes()?;
        let is_named = self.choice.tokenizer.is_some();
        let read = |format: Option<&'static dyn Format>, bytes: &[u8], conversation: Option<usize>| {
            let counter = if is_named { Arc::clone(named) } else { Arc::new(Counter::auto()) };
            Counted::read(format, bytes, conversation, counter)
        };
        let mut subjects = Vec::new();
        let read = each_conversation(None, &bytes, None, &read, |piece: Piece<Counted>| {
            subjects.push(self.subject(piece.held, piece.number));
        });
        read.map_err(|error| Failure::of(&error, Exit::Refused).file(&self.file.path))?;
        subjects.into_iter().collect()
    }

    fn subject(&self, counted: Counted, number: Option<usize>) -> Result<EvalSession, Failure> {
        let Counted { session, counter } = counted;
        let in_file = |failure: Failure| failure.file(&self.file.path);
        let counting = Counting::of(counter, self.scale, self.choice, &session).map_err(in_file)?;
        let transcript = counting.counted(&session).map_err(in_file)?;
        let number = number.map(|number| format!("#{number}")).unwrap_or_default();
        let name = format!("{}{number}", self.file.path.display());
        Ok(EvalSession::new(name, &*self.file.project, transcript)
            .with_estimator(counting.measure(Role::Tool))
            .with_format(session.format().name()))
    }
}

/// A session and what counted it.
struct Counted {
    session: Session,
    counter: Arc<Counter>,
}

impl Held for Counted {
    fn session(&self) -> &Session {
        &self.session
    }
}

impl Counted {
    fn read(
        format: Option<&'static dyn Format>,
        bytes: &[u8],
        conversation: Option<usize>,
        counter: Arc<Counter>,
    ) -> Result<Self, FormatError> {
        let choose = |opening: &Opening<'_>| counter.choose(opening);
        let request = ReadRequest::new(&*counter).opened_before(&choose);
        let session = Session::read_with(format, bytes, &of_conversation(request, conversation))?;
        Ok(Self { session, counter })
    }
}
