//! One run of a loop: talk, compact, send, for sixty rounds.

use super::agent::{Agent, Habits};
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError};
use cutctx_policies::{DefaultChainSettings, PolicyChain, PolicyVersion};
use cutctx_types::{CompactionBudget, Role, SUMMARY_PREFIX, Transcript, TranscriptTurn};

const ROUNDS: u64 = 60;

/// What the default stub of a result costs, for results of one to five digits of tokens.
const STUB_TOKENS: u64 = 32;

/// A policy and the executor that goes with its version.
pub(crate) struct Contestant {
    policy: PolicyChain,
    executor: CompactionExecutor,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// After the last round.
    Finished,
    /// Deciding failed although the budget could have been met.
    Crashed { round: u64 },
    /// What must be kept was larger than the budget.
    FloorDidNotFit { round: u64 },
}

/// What happened in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) ending: Ending,
    /// The first round whose view was over budget, or that crashed.
    pub(crate) first_failure: Option<u64>,
    /// Whether the last view was over budget.
    pub(crate) over_at_the_end: bool,
    /// Rounds whose view was larger than what it was made of.
    pub(crate) rounds_that_grew: u64,
    /// Rounds in which something was done.
    pub(crate) compactions: u64,
    /// The tokens of the last view, and of its summaries alone.
    pub(crate) last_view: u64,
    pub(crate) last_summaries: u64,
}

impl Contestant {
    /// The default chain with all its defaults.
    pub(crate) fn at(version: PolicyVersion) -> Self {
        let mut settings = DefaultChainSettings::new("test/prompt");
        settings.version = version;
        let executor = match version {
            PolicyVersion::V1 => CompactionExecutor::reference(),
            _ => CompactionExecutor::new(),
        };
        Self { policy: settings.build().unwrap(), executor }
    }

    pub(crate) fn run(&self, habits: Habits, max_tokens: u64, seed: u64) -> Run {
        let budget = CompactionBudget::new(max_tokens);
        let mut agent = Agent::new(habits, seed);
        let mut turns = vec![agent.opening()];
        let mut run = Run::begun();
        for round in 1..=ROUNDS {
            turns.extend(agent.round());
            let transcript = Transcript::new(turns).unwrap();
            let plan = match self.policy.decide(&transcript, &budget) {
                Ok(plan) => plan,
                Err(error) => return run.ended_by(&error, &transcript, max_tokens, round),
            };
            let applied = self.executor.apply(&transcript, &plan, &summaries_for(&plan)).unwrap();
            turns = applied.compacted.turns;
            run.note(round, transcript.token_estimate(), &turns, &plan);
        }
        run
    }
}

/// A summary of exactly the length that was asked for, at four characters a token.
fn summaries_for(plan: &CompactionPlan) -> Summaries {
    let summary = |tokens: u64| "gist".repeat(usize::try_from(tokens).unwrap());
    let requests = plan.summarization_requests().iter();
    requests.map(|request| (request.group_id().clone(), summary(request.target_tokens()))).collect()
}

impl Run {
    const fn begun() -> Self {
        Self {
            ending: Ending::Finished,
            first_failure: None,
            over_at_the_end: false,
            rounds_that_grew: 0,
            compactions: 0,
            last_view: 0,
            last_summaries: 0,
        }
    }

    fn note(&mut self, round: u64, before: u64, view: &[TranscriptTurn], plan: &CompactionPlan) {
        let tokens = |turns: &mut dyn Iterator<Item = &TranscriptTurn>| -> u64 {
            turns.map(TranscriptTurn::token_estimate).sum()
        };
        self.last_view = tokens(&mut view.iter());
        self.last_summaries =
            tokens(&mut view.iter().filter(|turn| turn.turn_id().starts_with(SUMMARY_PREFIX)));
        self.over_at_the_end = self.last_view > plan.budget().max_tokens();
        self.rounds_that_grew += u64::from(self.last_view > before);
        self.compactions += u64::from(self.last_view != before);
        if self.over_at_the_end {
            self.first_failure.get_or_insert(round);
        }
    }

    fn ended_by(mut self, error: &PolicyError, transcript: &Transcript, max_tokens: u64, round: u64) -> Self {
        let floor_fits = floor_of(transcript) <= max_tokens;
        self.ending = match error {
            PolicyError::Unsatisfiable(_) if !floor_fits => Ending::FloorDidNotFit { round },
            _ => Ending::Crashed { round },
        };
        if floor_fits {
            self.first_failure.get_or_insert(round);
        }
        self
    }
}

/// What must be kept at the least, counted here on its own, without the survey: system turns, pinned
/// turns, the last four; and whatever shares a call id with one of them, results at the cost of their
/// stubs unless they are among the last two.
fn floor_of(transcript: &Transcript) -> u64 {
    let turns = transcript.turns();
    let results: Vec<usize> = (0..turns.len()).filter(|at| turns[*at].role() == Role::Tool).collect();
    let is_maskable = |at: usize| results.iter().rev().skip(2).any(|result| *result == at);
    let least = |at: usize| {
        let tokens = turns[at].token_estimate();
        if is_untouchable(turns, at) {
            tokens
        } else if !is_bound(turns, at) {
            0
        } else if is_maskable(at) {
            tokens.min(STUB_TOKENS)
        } else {
            tokens
        }
    };
    (0..turns.len()).map(least).sum()
}

fn is_untouchable(turns: &[TranscriptTurn], at: usize) -> bool {
    turns[at].role() == Role::System || turns[at].pinned() || at + 4 >= turns.len()
}

fn is_bound(turns: &[TranscriptTurn], at: usize) -> bool {
    let shares = |other: usize| {
        turns[other].tool_call_id().is_some() && turns[other].tool_call_id() == turns[at].tool_call_id()
    };
    (0..turns.len()).any(|other| is_untouchable(turns, other) && shares(other))
}
