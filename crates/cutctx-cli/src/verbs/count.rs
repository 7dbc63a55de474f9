//! `cutctx count`: estimates beside what the provider counted.

mod document;
mod provider;
mod text;

use crate::arguments::{ProviderCountArguments, SessionArguments};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::loaded::Loaded;
use crate::terminal::{self, Terminal};
use clap::Args;
use document::Count;
use provider::provider_count;

/// Counts a session and compares that with what its provider counted.
///
/// Claude Code, Codex, pi, opencode and the Gemini CLI keep what each request really cost. Step by step this shows what
/// the turns that were sent are estimated at, what the provider counted, and the error. What a provider counts includes
/// a system prompt and definitions of tools, which most files do not have: they show as a constant beside the turns.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx count session.jsonl
  cutctx count session.jsonl --tokenizer chars/4
  cutctx count --latest codex --csv > steps.csv
  cutctx count request.json --count-with anthropic:MODEL    # asks the provider, too
  cutctx plan session.jsonl --max-tokens 200k --anchor --overhead auto   # with the scale that it finds")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    /// The steps as lines of values with commas between them, for spreadsheets.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    csv: bool,
    /// A row for every step, however many there are.
    #[arg(long, help_heading = "Output")]
    all: bool,
    #[command(flatten)]
    provider: ProviderCountArguments,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let loaded = Loaded::read(&arguments.session.choose(terminal)?, terminal)?;
    let count = Count::of(&loaded, provider_count(&arguments.provider, &loaded)?);
    if terminal.json() {
        terminal::json_result(&count)?;
    } else if arguments.csv {
        terminal::result(&text::csv(&count))?;
    } else {
        terminal::result(&text::text(&count, terminal::width(), arguments.all))?;
    }
    Ok(Exit::Done)
}
