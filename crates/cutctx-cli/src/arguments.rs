//! The grammar of the command line.

mod budget;
mod cache;
mod counting;
mod policy;
mod provider_count;
mod session;
pub(crate) mod size;
mod summarizer;
mod target;
mod tokens;
mod window;

pub(crate) use budget::{BudgetArguments, Window};
pub(crate) use cache::CacheArguments;
pub(crate) use counting::{AUTO, CountingArguments, CountingChoice};
pub(crate) use policy::{PolicyArguments, PolicyChoice, spec_of};
pub(crate) use provider_count::{CounterChoice, CountingProvider, ProviderCountArguments};
pub(crate) use session::{
    ChosenSession, PlanArguments, Reading, SessionArguments, SummariesArguments, input_parser, output_parser,
};
pub(crate) use summarizer::{ServerArguments, SummarizerArguments, SummarizerChoice};
pub(crate) use target::{AccountArguments, TargetArguments};
pub(crate) use tokens::parse as parse_tokens;
pub(crate) use window::WindowArguments;

use crate::exit;
use crate::verbs;
use clap::{Parser, Subcommand};

/// Compacts the sessions of agents: keeps, masks, summarizes or drops turns until they fit a token budget.
///
/// What is decided is decided without a model, a clock or a network: the same session, budget and policy give the
/// same result. Tool calls are never separated from their results; system turns, pinned turns and the last turns stay
/// as they are. Tokens are counted as the model of the session counts them, or estimated where nobody knows how it does.
#[derive(Debug, Parser)]
#[command(
    name = "cutctx",
    version,
    after_help = exit::HELP,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 110
)]
pub(crate) struct CommandLine {
    /// Results as JSON; errors as one JSON object on standard error.
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) json: bool,
    /// No remarks on standard error; warnings and errors stay.
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Compact(verbs::compact::Arguments),
    Context(verbs::context::Arguments),
    Plan(verbs::plan::Arguments),
    Apply(verbs::apply::Arguments),
    Requests(verbs::requests::Arguments),
    Verify(verbs::verify::Arguments),
    Explain(verbs::explain::Arguments),
    Diff(verbs::diff::Arguments),
    Inspect(verbs::inspect::Arguments),
    Count(verbs::count::Arguments),
    Eval(verbs::eval::Arguments),
    Replay(verbs::replay::Arguments),
    Lint(verbs::lint::Arguments),
    Repair(verbs::repair::Arguments),
    Convert(verbs::convert::Arguments),
    Sessions(verbs::sessions::Arguments),
    Restore(verbs::restore::Arguments),
    Batch(verbs::batch::Arguments),
    Formats(verbs::formats::Arguments),
    Completions(verbs::shell::CompletionsArguments),
    Man(verbs::shell::ManArguments),
}
