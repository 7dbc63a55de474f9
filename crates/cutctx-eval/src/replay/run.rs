//! Replaying sessions.

use super::context_loop::{ContextLoop, Settled};
use super::error::ReplayError;
use super::history::History;
use super::meter::Meter;
use super::options::ReplayOptions;
use super::policy::policy_of;
use super::presence::Presence;
use super::replayed::Replayed;
use crate::contender::Contender;
use crate::session::EvalSession;
use crate::stop_words::StopWords;
use alloc::collections::BTreeMap;
use core::ops::Range;
use cutctx::policies::BoxedPolicy;
use cutctx::{CachePrices, CompactionBudget, InvalidValue, StickyView, TranscriptTurn};
use rayon::prelude::*;

/// What replaying sessions under policies came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replay {
    /// How it was done.
    pub options: ReplayOptions,
    /// The names of the policies, in the order given.
    pub policies: Vec<String>,
    /// How many sessions have too few calls, or no answer of a model; of all parts.
    pub too_short: usize,
    /// By session, in the order given, then by policy.
    pub replayed: Vec<Replayed>,
}

/// Replays every session under every policy, on all threads of the current pool. `done` is told after each session.
///
/// References that several projects make are not counted as misses.
///
/// ```
/// use cutctx::{PolicySpec, Role, Transcript, TranscriptTurn};
/// use cutctx_eval::{Contender, EvalSession, Limit, ReplayOptions, Share, replay};
///
/// let turn = |n: usize| {
///     let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
///     TranscriptTurn::new(format!("t{n}"), role, format!("part_{n} of a story"), 50)
/// };
/// let transcript = Transcript::new((0..200).map(turn).collect::<Result<_, _>>()?)?;
/// let sessions = [EvalSession::new("story", "stories", transcript)];
/// let policies = [Contender::spec("drop-oldest", PolicySpec::drop_oldest())];
///
/// let replay = replay(&sessions, &policies, &ReplayOptions::default(), &|| {})?;
/// let story = &replay.replayed[0];
/// assert_eq!((story.requests, story.limit_tokens, story.target_tokens), (100, 5_000, 2_500));
/// assert_eq!((story.compactions, story.prefix_breaks, story.over_limit), (2, 2, 0));
/// assert!(story.cost < Some(Share::percent(80)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ReplayError`]: the first one, by session and policy.
pub fn replay(
    sessions: &[EvalSession],
    policies: &[Contender],
    options: &ReplayOptions,
    done: &(dyn Fn() + Sync),
) -> Result<Replay, ReplayError> {
    let long: Vec<(&EvalSession, History<'_>)> = sessions
        .par_iter()
        .filter(|session| session.calls() >= options.min_calls)
        .map(|session| (session, History::of(&session.transcript)))
        .filter(|(_, history)| !history.answers().is_empty())
        .collect();
    let stop_words = stop_words(&long);
    let replay_one = |(session, history): &(&EvalSession, History<'_>)| {
        let bench = Bench { session, history, options, stop_words: &stop_words };
        let replayed: Result<Vec<Replayed>, ReplayError> =
            policies.iter().map(|policy| bench.replay(policy)).collect();
        done();
        replayed
    };
    let chosen = long.par_iter().filter(|(session, _)| options.split.holds(&session.project));
    let replayed: Vec<_> = chosen.map(replay_one).collect();
    let replayed: Result<Vec<Vec<Replayed>>, ReplayError> = replayed.into_iter().collect();
    Ok(Replay {
        options: *options,
        policies: policies.iter().map(|policy| policy.name().to_owned()).collect(),
        too_short: sessions.len().saturating_sub(long.len()),
        replayed: replayed?.into_iter().flatten().collect(),
    })
}

fn stop_words(sessions: &[(&EvalSession, History<'_>)]) -> StopWords {
    let mut projects: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for (session, history) in sessions {
        projects.entry(session.project.as_str()).or_default().extend(history.all_made());
    }
    StopWords::of_projects(projects.into_values())
}

/// Feeds a session to a loop that keeps the context of an agent, and measures what it sends. The loop is to be empty;
/// the budget says what is above the limit.
///
/// # Errors
///
/// [`ReplayError::Unstable`] when a request does not begin with the one before it although [`ContextLoop::settle`] says
/// that nothing was compacted, [`ReplayError::Failed`] when it fails.
pub fn replay_loop(
    session: &EvalSession,
    policy: &str,
    context: &mut dyn ContextLoop,
    budget: &CompactionBudget,
    prices: CachePrices,
) -> Result<Replayed, ReplayError> {
    let history = History::of(&session.transcript);
    let stop_words = StopWords::none();
    Run { session, policy, history: &history, stop_words: &stop_words, budget, prices }.through(context)
}

/// One session with all that is needed to replay it.
struct Bench<'b> {
    session: &'b EvalSession,
    history: &'b History<'b>,
    options: &'b ReplayOptions,
    stop_words: &'b StopWords,
}

impl Bench<'_> {
    fn replay(&self, contender: &Contender) -> Result<Replayed, ReplayError> {
        let name = contender.name();
        let refused = |error| ReplayError::Refused { policy: name.to_owned(), error };
        let budget = self.options.budget(self.session.transcript.token_estimate()).map_err(refused)?;
        let ready = contender.ready(&self.session.estimator).map_err(refused)?;
        let policy = policy_of(ready).ok_or_else(|| ReplayError::NoLoop { policy: name.to_owned() })?;
        let mut view = self.view(policy, budget).map_err(refused)?;
        let Self { session, history, stop_words, options } = *self;
        let run = Run { session, policy: name, history, stop_words, budget: &budget, prices: options.prices };
        run.through(&mut view)
    }

    fn view(&self, policy: BoxedPolicy, budget: CompactionBudget) -> Result<StickyView, InvalidValue> {
        let view = StickyView::new(policy, budget).with_estimator(self.session.estimator.clone());
        match self.options.frozen_head {
            Some(share) => view.with_frozen_head(share),
            None => Ok(view),
        }
    }
}

/// One session under one policy.
struct Run<'r> {
    session: &'r EvalSession,
    policy: &'r str,
    history: &'r History<'r>,
    stop_words: &'r StopWords,
    budget: &'r CompactionBudget,
    prices: CachePrices,
}

impl Run<'_> {
    fn through(&self, context: &mut dyn ContextLoop) -> Result<Replayed, ReplayError> {
        let mut presence = Presence::new(self.history, self.stop_words);
        let mut meter = Meter::new(self.prices, self.budget.max_tokens());
        let mut said = 0..0;
        for (request, answer) in self.history.answers().into_iter().enumerate() {
            said = said.end..answer.start;
            for (position, turn) in self.turns(said.clone()) {
                context.append(turn.clone());
                presence.append(position);
                meter.append(turn);
            }
            let settled = context.settle().map_err(|error| self.failed(error))?;
            if settled == Settled::Compacted {
                presence.replace(context.turns());
            }
            meter.request(context.turns(), settled).map_err(|position| self.unstable(request, position))?;
            meter.miss(presence.misses(answer));
        }
        Ok(meter.into_replayed(self.session, self.policy, self.budget))
    }

    fn turns(&self, range: Range<usize>) -> impl Iterator<Item = (usize, &TranscriptTurn)> {
        let turns = self.session.transcript.turns().get(range.clone()).unwrap_or_default();
        range.zip(turns)
    }

    fn failed(&self, error: Box<cutctx::Error>) -> ReplayError {
        ReplayError::Failed { session: self.session.name.clone(), policy: self.policy.to_owned(), error }
    }

    fn unstable(&self, request: usize, position: usize) -> ReplayError {
        let (session, policy) = (self.session.name.clone(), self.policy.to_owned());
        ReplayError::Unstable { session, policy, request, position }
    }
}
