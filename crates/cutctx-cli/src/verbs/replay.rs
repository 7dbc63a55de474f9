//! `cutctx replay`: what the loop of an agent costs when its context is compacted.

mod csv;
mod document;
mod sparkline;
mod text;

use crate::arguments::{CacheArguments, CountingArguments, size};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::session_files::{Gathered, Measuring, nothing_measured};
use crate::terminal::{self, Terminal};
use crate::verbs::contenders::{self, Choice};
use clap::{Args, ValueHint};
use cutctx::InvalidValue;
use cutctx_eval::{Contender, Limit, Replay, ReplayError, ReplayOptions, Split, replay};
use std::path::PathBuf;

/// Replays your sessions as an agent would have sent them, and says what compaction costs and saves there.
///
/// A session is fed step by step. Where the context is above the limit, the policy brings it down to the target. The
/// input of all requests is priced with the provider's prompt cache and compared with never compacting; breaks of the
/// prefix, requests above the limit, and references that answers make to what is gone are counted. A prefix that breaks
/// without a compaction is an error: a replay that ends well proves that the policy keeps prompts stable. No model is
/// called. docs/evaluation.md defines the measures.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx replay session.jsonl --limit 100k --target 50k
  cutctx replay ~/.claude/projects --policy drop-oldest --policy @mine.json
  cutctx replay sessions/ --limit 50% --target 35% --prices openai --csv > figures.csv")]
pub(crate) struct Arguments {
    /// Session files, and folders of them. In folders, files that are no sessions are passed over.
    #[arg(value_name = "SESSION", required = true, value_hint = ValueHint::AnyPath)]
    sessions: Vec<PathBuf>,
    /// The most that a request may have: tokens, or a share of the whole session.
    #[arg(long, value_name = "N|SHARE", default_value = "50%", value_parser = size::positive, help_heading = "Budget")]
    limit: Limit,
    /// How far down a compaction goes: tokens, or a share of the limit.
    #[arg(long, value_name = "N|SHARE", default_value = "50%", value_parser = size::positive, help_heading = "Budget")]
    target: Limit,
    /// How many turns at the end stay as they are.
    #[arg(long, value_name = "K", default_value_t = 4, help_heading = "Budget")]
    protect_turns: u64,
    /// At two of three compactions leave the beginning alone, up to this share of the target.
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "60%", value_parser = size::head,
          require_equals = true, help_heading = "Budget")]
    frozen_head: Option<u64>,
    /// Leave out sessions with fewer tool calls.
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = "Measure")]
    min_calls: usize,
    /// Which projects are replayed: `tuning`, `unseen` or `all`; see `cutctx eval`.
    #[arg(long, value_name = "PART", default_value_t = Split::All, help_heading = "Measure")]
    part: Split,
    /// What decides: a policy as `compact` takes it (a name, or `@FILE`), or `random` (exchanges kept by chance). May be
    /// repeated; without it, a set of them.
    #[arg(long, value_name = "NAME|@FILE", help_heading = "Policy")]
    policy: Vec<Choice>,
    #[command(flatten)]
    cache: CacheArguments,
    /// How many threads to work with; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The figures as comma-separated values, one line a session and policy.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    csv: bool,
    /// Every session, however many there are.
    #[arg(long, help_heading = "Output")]
    all: bool,
    #[command(flatten)]
    counting: CountingArguments,
}

/// What is replayed where nobody says.
const USUAL: [&str; 7] = [
    "recommended",
    "cover",
    "cover-whole-items",
    "mask-short-then-drop",
    "mask-then-drop",
    "drop-oldest",
    "default",
];

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let (policies, options) = (arguments.policies()?, arguments.options()?);
    let (gathered, replay) = arguments.measuring().measure("replaying", terminal, |sessions, done| {
        replay(sessions, &policies, &options, done).map_err(|error| failure_of(&error))
    })?;
    if replay.replayed.is_empty() {
        return Err(nothing_to_replay(&gathered, &replay).into());
    }
    show(arguments, terminal, &gathered, &replay)?;
    Ok(Exit::Done)
}

impl Arguments {
    fn measuring(&self) -> Measuring<'_> {
        Measuring { sessions: &self.sessions, counting: self.counting.choice(), threads: self.threads }
    }

    fn policies(&self) -> Result<Vec<Contender>, Failure> {
        let usual: Vec<Choice> = USUAL.iter().filter_map(|name| name.parse().ok()).collect();
        contenders::chosen(if self.policy.is_empty() { &usual } else { &self.policy })
    }

    fn options(&self) -> Result<ReplayOptions, Failure> {
        if let (Limit::Tokens(limit), Limit::Tokens(target)) = (self.limit, self.target)
            && target > limit
        {
            let message = format!("the target of {target} tokens is above the limit of {limit}");
            return Err(Failure::usage(message, LOWER_TARGET));
        }
        let options = ReplayOptions::default()
            .with_limit(self.limit)
            .with_target(self.target)
            .with_protected_turns(self.protect_turns)
            .with_min_calls(self.min_calls)
            .with_split(self.part)
            .with_prices(self.cache.prices()?);
        Ok(match self.frozen_head {
            Some(thousandths) => options.with_frozen_head(thousandths),
            None => options,
        })
    }
}

fn show(arguments: &Arguments, terminal: Terminal, gathered: &Gathered, replay: &Replay) -> Result<(), Stop> {
    if terminal.json() {
        return terminal::json_result(&document::document(gathered, replay));
    }
    if arguments.csv {
        return terminal::text(|out| out.write_all(csv::csv(&replay.replayed).as_bytes()));
    }
    terminal::result(&text::text(gathered, replay, terminal::width(), arguments.all))
}

/// What to do about a target that cannot be reached.
const LOWER_TARGET: &str = "give a --target of at most --limit, as in --limit 100k --target 50k; a --target that is a share is one of the limit";

fn failure_of(error: &ReplayError) -> Failure {
    match error {
        ReplayError::NoLoop { .. } => {
            Failure::of(error, Exit::Usage).remedy("leave the oracle to `cutctx eval`")
        }
        ReplayError::Refused { error: InvalidValue::Budget(budget), .. } => {
            Failure::of(budget, Exit::Usage).remedy(LOWER_TARGET)
        }
        ReplayError::Unstable { .. } => Failure::of(error, Exit::Mismatch),
        ReplayError::Refused { .. } | ReplayError::Failed { .. } | _ => Failure::of(error, Exit::Refused),
    }
}

fn nothing_to_replay(gathered: &Gathered, replay: &Replay) -> Failure {
    let least = replay.options.min_calls;
    let others = gathered.sessions.len().saturating_sub(replay.too_short);
    let reasons = [
        (
            replay.too_short,
            "session",
            format!("with fewer than {least} tool calls or without an answer of a model"),
        ),
        (others, "session", "of the other part".to_owned()),
    ];
    nothing_measured("REPLAY_NO_SESSIONS", gathered, &reasons)
        .remedy("name longer sessions or their folder, lower --min-calls, or leave --part out")
}
