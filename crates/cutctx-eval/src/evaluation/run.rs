//! Every contender on every session at every cut and budget.

use super::options::EvalOptions;
use crate::contender::{Contender, Ready};
use crate::index::TurnIndex;
use crate::recall::Recall;
use crate::scene::Scene;
use crate::share::Share;
use crate::stand_in::extracts;
use crate::stop_words::StopWords;
use crate::subject::EvalSession;
use alloc::sync::Arc;
use cutctx::types::TranscriptError;
use cutctx::{
    Code, Coded, CompactionBudget, CompactionExecutor, CompactionPolicy, Details, InvalidValue, Survey,
};
use rayon::prelude::*;
use serde::Serialize;

/// What one contender kept of one session at one cut and budget. Where chance is asked several times, the mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Cell {
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
    pub cells: Vec<Cell>,
}

/// Why there is no evaluation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A contender cannot be built.
    #[error("the policy `{name}` cannot be built: {error}")]
    Contender {
        /// The contender.
        name: String,
        /// Why.
        #[source]
        error: InvalidValue,
    },
    /// The beginning of a session is no transcript. None should be so.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

impl Coded for EvalError {
    fn code(&self) -> Code {
        match self {
            Self::Contender { error, .. } => error.code(),
            Self::Transcript(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Contender { error, .. } => error.details(),
            Self::Transcript(error) => error.details(),
        }
    }
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
    let long: Vec<&EvalSession> =
        sessions.iter().filter(|session| session.calls() >= options.min_calls).collect();
    let index = |session: &&EvalSession| session.transcript.turns().iter().map(TurnIndex::of).collect();
    let indexes: Vec<Vec<TurnIndex>> = long.par_iter().map(index).collect();
    let projects =
        long.iter().zip(&indexes).map(|(session, index)| (session.project.as_str(), index.as_slice()));
    let stop_words = StopWords::of(projects);
    let pairs = long.iter().copied().zip(&indexes);
    let chosen: Vec<(&EvalSession, &Vec<TurnIndex>)> =
        pairs.filter(|(session, _)| options.split.holds(&session.project)).collect();
    let judge = |(place, (session, index)): (usize, &(&EvalSession, &Vec<TurnIndex>))| {
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

/// What came of one session.
#[derive(Debug)]
struct Judged {
    floor_above: Vec<(usize, usize, usize)>,
    asks_nothing: Vec<(usize, usize)>,
    refused: Vec<usize>,
    cells: Vec<Cell>,
}

impl Judged {
    /// Adds what a contender kept, or that it found no plan.
    fn add(&mut self, kept: Option<Kept>, cell: impl Fn(Kept) -> Cell, contender: usize) {
        match (kept, self.refused.get_mut(contender)) {
            (Some(kept), _) => self.cells.push(cell(kept)),
            (None, Some(refused)) => *refused = refused.saturating_add(1),
            (None, None) => {}
        }
    }
}

/// One session with all that is needed to judge on it.
struct Bench<'b> {
    place: usize,
    session: &'b EvalSession,
    index: &'b [TurnIndex],
    options: &'b EvalOptions,
    stop_words: &'b StopWords,
}

impl Bench<'_> {
    fn judge(&self, contenders: &[Contender]) -> Result<Judged, EvalError> {
        let ready = self.ready(contenders)?;
        let mut judged = Judged {
            floor_above: Vec::new(),
            asks_nothing: Vec::new(),
            refused: vec![0; contenders.len()],
            cells: Vec::new(),
        };
        for (cut, share) in self.options.cuts.iter().enumerate() {
            let tail = usize::try_from(self.options.protected_turns).unwrap_or(usize::MAX);
            let scene = Scene::new(&self.session.transcript, self.index, *share, tail, self.stop_words)?;
            if scene.asks_nothing() {
                judged.asks_nothing.push((self.place, cut));
            } else {
                self.judge_scene(&scene, cut, &ready, &mut judged);
            }
        }
        Ok(judged)
    }

    fn ready(&self, contenders: &[Contender]) -> Result<Vec<Ready>, EvalError> {
        let ready = contenders.iter().map(|contender| {
            let refused = |error| EvalError::Contender { name: contender.name().to_owned(), error };
            contender.ready(&self.session.estimator).map_err(refused)
        });
        ready.collect()
    }

    fn judge_scene(&self, scene: &Scene, cut: usize, ready: &[Ready], judged: &mut Judged) {
        for (place, share) in self.options.budgets.iter().enumerate() {
            let budget = self.budget(share.of_these(scene.prefix.token_estimate()));
            if !fits(scene, &budget) {
                judged.floor_above.push((self.place, cut, place));
                continue;
            }
            for (contender, ready) in ready.iter().enumerate() {
                let all = ready.each(scene, |policy| self.view(scene, &budget, policy));
                let kept = mean(&all.into_iter().flatten().collect::<Vec<_>>());
                judged.add(
                    kept,
                    |Kept { recall, tokens, over_budget }| Cell {
                        session: self.place,
                        cut,
                        budget: place,
                        contender,
                        recall,
                        tokens,
                        over_budget,
                    },
                    contender,
                );
            }
        }
    }

    /// The budget that all contenders get. Its target is its maximum, so that none goes further down than the others.
    fn budget(&self, tokens: u64) -> CompactionBudget {
        let budget = CompactionBudget::new(tokens).with_protected_recent_turns(self.options.protected_turns);
        budget.with_target(tokens).unwrap_or(budget)
    }

    /// What a policy keeps; nothing where it finds no plan.
    fn view(&self, scene: &Scene, budget: &CompactionBudget, policy: &dyn CompactionPolicy) -> Option<Kept> {
        let plan = policy.decide(&scene.prefix, budget).ok()?;
        let summaries = extracts(&scene.prefix, &plan);
        let executor = CompactionExecutor::new().with_estimator(Arc::clone(&self.session.estimator));
        let applied = executor.apply(&scene.prefix, &plan, &summaries).ok()?;
        let tokens = applied.account.tokens_after_measured;
        Some(Kept {
            recall: scene.recall(&applied.compacted.turns),
            tokens: Share::of_tokens(tokens, scene.prefix.token_estimate()).unwrap_or_default(),
            over_budget: tokens > budget.max_tokens(),
        })
    }
}

/// Whether what must be kept is within the budget.
fn fits(scene: &Scene, budget: &CompactionBudget) -> bool {
    Survey::new(&scene.prefix, budget).is_ok_and(|survey| survey.floor().total() <= budget.max_tokens())
}

/// What is left of a session.
#[derive(Debug, Clone, Copy)]
struct Kept {
    recall: Recall,
    tokens: Share,
    over_budget: bool,
}

/// The mean of several; `None` of none.
fn mean(all: &[Kept]) -> Option<Kept> {
    let of = |component: fn(&Recall) -> Option<Share>| {
        Share::mean(&all.iter().filter_map(|kept| component(&kept.recall)).collect::<Vec<_>>())
    };
    let tokens = Share::mean(&all.iter().map(|kept| kept.tokens).collect::<Vec<_>>())?;
    let recall = Recall {
        bare: of(|recall| recall.bare),
        ctx3: of(|recall| recall.ctx3),
        step: of(|recall| recall.step),
        block: of(|recall| recall.block),
        placebo: of(|recall| recall.placebo),
        words: of(|recall| recall.words),
    };
    Some(Kept { recall, tokens, over_budget: all.iter().any(|kept| kept.over_budget) })
}
