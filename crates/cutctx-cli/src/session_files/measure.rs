//! Measuring many sessions on several threads.

use super::gather::{Gathered, gather};
use crate::arguments::CountingChoice;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::{Progress, Unit};
use crate::terminal::Terminal;
use cutctx_eval::EvalSession;
use std::path::PathBuf;

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = cutctx::batch::parallel::MOST_THREADS;

/// What is measured, and how.
pub(crate) struct Measuring<'a> {
    /// Session files, and folders of them.
    pub(crate) sessions: &'a [PathBuf],
    /// How tokens are counted.
    pub(crate) counting: CountingChoice,
    /// How many threads work; 0 is one for each core.
    pub(crate) threads: usize,
}

impl Measuring<'_> {
    /// Reads the sessions and hands them to `measure`, which tells after each of them that it is done.
    pub(crate) fn measure<T: Send>(
        &self,
        doing: &'static str,
        terminal: Terminal,
        measure: impl FnOnce(&[EvalSession], &(dyn Fn() + Sync)) -> Result<T, Failure> + Send,
    ) -> Result<(Gathered, T), Failure> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.min(MOST_THREADS)).build();
        let pool = pool.map_err(|_| Failure::new(Exit::Refused, "IO", "the threads cannot be started"))?;
        pool.install(|| {
            let gathered = gather(self.sessions, &self.counting, terminal)?;
            let progress = Progress::new(terminal, doing, Unit::Sessions(gathered.sessions.len()));
            let measured = measure(&gathered.sessions, &|| progress.one_more());
            drop(progress);
            Ok((gathered, measured?))
        })
    }
}
