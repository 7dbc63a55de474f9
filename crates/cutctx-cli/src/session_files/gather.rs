//! Reading many sessions in parallel.

use super::list::{SessionFile, list};
use crate::arguments::{CountingChoice, Reading};
use crate::counting::{Counting, counter_of};
use crate::failure::Failure;
use crate::files::Input;
use crate::loaded::read_session;
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::Role;
use cutctx_eval::EvalSession;
use indicatif::{ProgressBar, ProgressStyle};
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
pub(crate) fn gather(
    named: &[PathBuf],
    choice: &CountingChoice,
    terminal: Terminal,
) -> Result<Gathered, Failure> {
    let files = list(named)?;
    let bar = progress(terminal, "reading", files.len());
    let read = |file: &SessionFile| {
        let read = read_file(file, choice);
        bar.inc(1);
        read
    };
    let all: Vec<Result<Vec<EvalSession>, Failure>> = files.par_iter().map(read).collect();
    bar.finish_and_clear();
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

/// A bar that counts sessions, where a person looks at it.
pub(crate) fn progress(terminal: Terminal, doing: &'static str, sessions: usize) -> ProgressBar {
    if !terminal.progress() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} sessions, {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let length = u64::try_from(sessions).unwrap_or(u64::MAX);
    ProgressBar::new(length).with_style(style).with_message(doing)
}

/// All conversations of a file.
fn read_file(file: &SessionFile, choice: &CountingChoice) -> Result<Vec<EvalSession>, Failure> {
    match read_conversation(file, None, choice) {
        Ok(session) => Ok(vec![session]),
        Err(failure) => match failure.conversations() {
            Some(count) => (0..count).map(|number| read_conversation(file, Some(number), choice)).collect(),
            None => Err(failure),
        },
    }
}

fn read_conversation(
    file: &SessionFile,
    conversation: Option<usize>,
    choice: &CountingChoice,
) -> Result<EvalSession, Failure> {
    let (counter, scale) = counter_of(choice)?;
    let counter = Arc::new(counter);
    let reading = Reading { format: None, conversation };
    let session = read_session(&Input::File(file.path.clone()), reading, &counter)?;
    let in_file = |failure: Failure| failure.file(&file.path);
    let counting = Counting::of(counter, scale, choice, &session).map_err(in_file)?;
    let transcript = counting.counted(&session).map_err(in_file)?;
    let number = conversation.map(|number| format!("#{number}")).unwrap_or_default();
    let name = format!("{}{number}", file.path.display());
    Ok(EvalSession::new(name, &*file.project, transcript)
        .with_estimator(counting.measure(Role::Tool))
        .with_format(session.format().name()))
}
