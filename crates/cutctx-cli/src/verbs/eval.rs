//! `cutctx eval`: what policies keep of what sessions then needed.

mod csv;
mod document;
mod text;

use crate::arguments::{CountingArguments, size};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::session_files::{Gathered, Measuring, nothing_measured};
use crate::terminal::{self, Terminal};
use crate::verbs::contenders::{self, Choice};
use clap::{Args, ValueHint};
use cutctx_eval::{Contender, EvalOptions, Evaluation, Share, Split, evaluate};
use std::path::PathBuf;

/// Measures what policies keep of what your sessions then needed, at equal budgets.
///
/// Each session is cut where its real continuation is known. What came before is compacted to a budget, and the view is
/// asked for the references, lines and passages that the continuation makes use of. No model is called.
/// `docs/evaluation.md` defines the measures and tells how far to trust them.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx eval ~/.claude/projects                        # all long sessions of a folder
  cutctx eval session.jsonl --min-calls 0 --policy mask-then-drop --policy @mine.json
  cutctx eval sessions/ --budgets 10%,25% --against drop-oldest --csv > figures.csv")]
pub(crate) struct Arguments {
    /// Session files, and folders of them. In folders, files that are no sessions are passed over.
    #[arg(value_name = "SESSION", required = true, value_hint = ValueHint::AnyPath)]
    sessions: Vec<PathBuf>,
    /// How much may be kept: shares of the tokens before the cut.
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "20%,35%,50%", value_parser = size::share,
          help_heading = "Measure")]
    budgets: Vec<Share>,
    /// Where sessions are cut: shares of their turns.
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "40%,60%,80%", value_parser = size::share,
          help_heading = "Measure")]
    cuts: Vec<Share>,
    /// How many turns before the cut stay as they are.
    #[arg(long, value_name = "K", default_value_t = 4, help_heading = "Measure")]
    protect_turns: u64,
    /// Leave out sessions with fewer tool calls: little of them is worth a compaction.
    #[arg(long, value_name = "N", default_value_t = 30, help_heading = "Measure")]
    min_calls: usize,
    /// Which projects are measured: `tuning`, `unseen` or `all`. A fixed rule over their names parts them, so that settings
    /// can be chosen on the one part and confirmed on the other.
    #[arg(long, value_name = "PART", default_value_t = Split::All, help_heading = "Measure")]
    part: Split,
    /// What is compared: a policy as `compact` takes it (a name, or `@FILE`), `random` (exchanges kept by chance) or
    /// `oracle` (exchanges kept by what the continuation uses). May be repeated; without it, a set of them.
    #[arg(long, value_name = "NAME|@FILE", help_heading = "Policy")]
    policy: Vec<Choice>,
    /// The policy that the others are compared with, by pairs.
    #[arg(long, value_name = "NAME", help_heading = "Policy")]
    against: Option<String>,
    /// How many threads to work with; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The figures as comma-separated values, one line a policy and budget.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    csv: bool,
    #[command(flatten)]
    counting: CountingArguments,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let contenders = contenders::chosen(&arguments.policy)?;
    let names: Vec<&str> = contenders.iter().map(Contender::name).collect();
    let base = contenders::base(arguments.against.as_deref(), &names)?;
    let (gathered, evaluation) =
        arguments.measuring().measure("evaluating", terminal, |sessions, done| {
            let evaluation = evaluate(sessions, &contenders, &arguments.options(), done);
            evaluation.map_err(|error| Failure::of(&error, Exit::Refused))
        })?;
    if evaluation.cells.is_empty() {
        return Err(nothing_to_measure(&gathered, &evaluation).into());
    }
    show(arguments, terminal, &gathered, &evaluation, base.as_deref())?;
    Ok(Exit::Done)
}

impl Arguments {
    fn measuring(&self) -> Measuring<'_> {
        Measuring { sessions: &self.sessions, counting: self.counting.choice(), threads: self.threads }
    }

    fn options(&self) -> EvalOptions {
        EvalOptions::default()
            .with_budgets(self.budgets.clone())
            .with_cuts(self.cuts.clone())
            .with_protected_turns(self.protect_turns)
            .with_min_calls(self.min_calls)
            .with_split(self.part)
    }
}

fn show(
    arguments: &Arguments,
    terminal: Terminal,
    gathered: &Gathered,
    evaluation: &Evaluation,
    base: Option<&str>,
) -> Result<(), Stop> {
    let summary = evaluation.summary(base);
    if terminal.json() {
        return terminal::json_result(&document::document(gathered, evaluation, &summary));
    }
    if arguments.csv {
        return terminal::text(|out| out.write_all(csv::csv(&summary).as_bytes()));
    }
    terminal::result(&text::text(gathered, evaluation, &summary))
}

fn nothing_to_measure(gathered: &Gathered, evaluation: &Evaluation) -> Failure {
    let options = &evaluation.options;
    let counted = evaluation.too_short.saturating_add(evaluation.sessions.len());
    let refused = evaluation.refused.iter().fold(0_usize, |sum, count| sum.saturating_add(*count));
    let reasons = [
        (evaluation.too_short, "session", format!("with fewer than {} tool calls", options.min_calls)),
        (gathered.sessions.len().saturating_sub(counted), "session", "of the other part".to_owned()),
        (evaluation.asks_nothing.len(), "cut", "where what follows uses nothing of what was".to_owned()),
        (evaluation.floor_above.len(), "cut", "at a budget below what must be kept".to_owned()),
        (refused, "view", "for which a policy found no plan".to_owned()),
    ];
    nothing_measured("EVAL_NO_SESSIONS", gathered, &reasons).remedy(
        "name longer sessions or their folder, lower --min-calls, raise --budgets, or leave --part out",
    )
}
