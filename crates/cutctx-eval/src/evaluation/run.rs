//! Every contender on every session at every cut and budget.

use super::bench::{Bench, Judged};
use super::error::EvalError;
use super::options::EvalOptions;
use crate::contender::Contender;
use crate::index::TurnIndex;
use crate::recall::Recall;
use crate::session::EvalSession;
use crate::share::Share;
use crate::stop_words::StopWords;
use rayon::prelude::*;
use serde::Serialize;

/// What one contender kept of one session at one cut and budget. Where chance is asked several times, the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct EvalCell {
    /// The session, by its place in [`Evaluation::sessions`].
    pub session: usize,
    /// The cut, by its place in the options.
    pub cut: usize,
    /// The budget, by its place in the options.
    pub budget: usize,
    /// The contender, by its place.
    pub contender: usize,
    /// What the view still has.
    pub recall: Recall,
    /// What the view costs, as a share of the tokens before the cut.
    pub tokens: Share,
    /// Whether the view is above the budget.
    pub over_budget: bool,
}

/// What came of an evaluation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Evaluation {
    /// How it was done.
    pub options: EvalOptions,
    /// The sessions that were long enough, of the part that was asked for, in the order given.
    pub sessions: Vec<EvalSession>,
    /// The names of the contenders, in the order given.
    pub contenders: Vec<String>,
    /// How many sessions have too few calls, of all parts.
    pub too_short: usize,
    /// Sessions at a cut and a budget, by place, whose floor is above the budget. No contender is asked there.
    pub floor_above: Vec<(usize, usize, usize)>,
    /// Sessions at a cut, by place, whose continuation uses nothing of what was.
    pub asks_nothing: Vec<(usize, usize)>,
    /// How often each contender found no plan although the floor fits.
    pub refused: Vec<usize>,
    /// How many references several projects make, of all parts.
    pub stop_words: usize,
    /// All that was measured, by session, cut, budget and contender.
    pub cells: Vec<EvalCell>,
}

/// Evaluates every contender on every session, on all threads of the current pool. `done` is told after each session.
///
/// The result depends on the sessions, the contenders and the options, and on nothing else.
///
/// # Errors
///
/// [`EvalError::Contender`] when a contender's settings are refused.
pub fn evaluate(
    sessions: &[EvalSession],
    contenders: &[Contender],
    options: &EvalOptions,
    done: &(dyn Fn() + Sync),
) -> Result<Evaluation, EvalError> {
    let long: Vec<(&EvalSession, Vec<TurnIndex>)> = sessions
        .par_iter()
        .filter(|session| session.calls() >= options.min_calls)
        .map(|session| (session, session.transcript.turns().iter().map(TurnIndex::of).collect()))
        .collect();
    let projects = long.iter().map(|(session, index)| (session.project.as_str(), index.as_slice()));
    let stop_words = StopWords::of(projects);
    let chosen: Vec<&(&EvalSession, Vec<TurnIndex>)> =
        long.iter().filter(|(session, _)| options.split.holds(&session.project)).collect();
    let judge = |(place, (session, index)): (usize, &&(&EvalSession, Vec<TurnIndex>))| {
        let bench = Bench { place, session, index, options, stop_words: &stop_words };
        let judged = bench.judge(contenders);
        done();
        judged
    };
    let judged: Vec<Result<Judged, EvalError>> = chosen.par_iter().enumerate().map(judge).collect();
    let mut evaluation = Evaluation {
        options: options.clone(),
        sessions: chosen.iter().map(|(session, _)| (*session).clone()).collect(),
        contenders: contenders.iter().map(|contender| contender.name().to_owned()).collect(),
        too_short: sessions.len().saturating_sub(long.len()),
        floor_above: Vec::new(),
        asks_nothing: Vec::new(),
        refused: vec![0; contenders.len()],
        stop_words: stop_words.len(),
        cells: Vec::new(),
    };
    for judged in judged {
        evaluation.add(judged?);
    }
    Ok(evaluation)
}

impl Evaluation {
    fn add(&mut self, judged: Judged) {
        self.floor_above.extend(judged.floor_above);
        self.asks_nothing.extend(judged.asks_nothing);
        self.cells.extend(judged.cells);
        for (count, refused) in self.refused.iter_mut().zip(judged.refused) {
            *count = count.saturating_add(refused);
        }
    }
}
