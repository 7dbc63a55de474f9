//! `cutctx eval`: what policies keep of what sessions then needed.

pub(in crate::verbs) mod contenders;
mod csv;
mod document;
mod text;

use crate::arguments::CountingArguments;
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Progress, Unit};
use crate::session_files::{Gathered, gather, nothing_measured};
use crate::terminal::{self, Terminal};
use clap::{Args, ValueHint};
use contenders::Choice;
use cutctx_eval::{EvalOptions, Evaluation, Share, Split, evaluate};
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
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "20%,35%,50%", value_parser = share,
          help_heading = "Measure")]
    budgets: Vec<Share>,
    /// Where sessions are cut: shares of their turns.
    #[arg(long, value_name = "SHARES", value_delimiter = ',', default_value = "40%,60%,80%", value_parser = share,
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
    let names: Vec<&str> = contenders.iter().map(cutctx_eval::Contender::name).collect();
    let base = contenders::base(arguments.against.as_deref(), &names)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.min(MOST_THREADS)).build();
    let pool = pool.map_err(|_| Failure::new(Exit::Refused, "IO", "the threads cannot be started"))?;
    let (gathered, evaluation) = pool.install(|| {
        let gathered = gather(&arguments.sessions, &arguments.counting.choice(), terminal)?;
        let progress = Progress::new(terminal, "evaluating", Unit::Sessions(gathered.sessions.len()));
        let done = || progress.one_more();
        let evaluation = evaluate(&gathered.sessions, &contenders, &arguments.options(), &done);
        drop(progress);
        let evaluation = evaluation.map_err(|error| Failure::of(&error, Exit::Refused))?;
        Ok::<_, Failure>((gathered, evaluation))
    })?;
    if evaluation.cells.is_empty() {
        return Err(nothing_to_measure(&gathered, &evaluation).into());
    }
    show(arguments, terminal, &gathered, &evaluation, base.as_deref())?;
    Ok(Exit::Done)
}

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = cutctx::batch::parallel::MOST_THREADS;

impl Arguments {
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
        (evaluation.too_short, format!("sessions with fewer than {} tool calls", options.min_calls)),
        (gathered.sessions.len().saturating_sub(counted), "sessions of the other part".to_owned()),
        (evaluation.asks_nothing.len(), "cuts where what follows uses nothing of what was".to_owned()),
        (evaluation.floor_above.len(), "cuts at a budget below what must be kept".to_owned()),
        (refused, "views for which a policy found no plan".to_owned()),
    ];
    nothing_measured("EVAL_NO_SESSIONS", gathered, &reasons).remedy(
        "name longer sessions or their folder, lower --min-calls, raise --budgets, or leave --part out",
    )
}

/// A share in per cent: `35%`, `35`, `2.5%`.
fn share(text: &str) -> Result<Share, String> {
    let number = text.strip_suffix('%').unwrap_or(text);
    let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
    let digits =
        |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let thousandths = digits(whole).zip(digits(tenths).filter(|_| tenths.len() == 1));
    let thousandths = thousandths.and_then(|(whole, tenths)| whole.checked_mul(10)?.checked_add(tenths));
    let share =
        thousandths.map(|thousandths| Share::millionths(i64::from(thousandths).saturating_mul(1_000)));
    share
        .filter(|share| *share > Share::default() && *share <= Share::WHOLE)
        .ok_or_else(|| "expected a share such as 35% or 2.5%, above 0% and at most 100%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_in_per_cent() {
        for (text, millionths) in [("35%", 350_000), ("35", 350_000), ("2.5%", 25_000), ("100%", 1_000_000)] {
            assert_eq!(share(text), Ok(Share::millionths(millionths)), "{text}");
        }
        for text in ["", "%", "0%", "101%", "-5%", "2.55%", "a", "+5", "5.%", "9999999999%"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
