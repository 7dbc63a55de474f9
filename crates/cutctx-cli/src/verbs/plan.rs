//! `cutctx plan`: decide only.

use super::decide::decide;
use super::plan_text::{AccountDocument, Shown, plan_text, planned_account};
use crate::arguments::{BudgetArguments, CacheArguments, PolicyArguments, SessionArguments, output_parser};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::{Input, Output};
use crate::loaded::Loaded;
use crate::show::visible;
use crate::stored_plan::record_of;
use crate::terminal::{self, Terminal};
use clap::{Args, ValueHint};

/// Decides and shows what would be done: a dry run.
///
/// With -o the plan is written to a file, ready for `cutctx apply`. With --json it is printed as JSON, or, where -o
/// writes it to a file, what it comes to: the account that `cutctx explain --json` prints.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx plan session.jsonl --max-tokens 100k
  cutctx plan session.jsonl --max-tokens 100k --policy drop-oldest --all
  cutctx plan session.jsonl --max-tokens 100k -o plan.json && cutctx apply session.jsonl --plan plan.json -o small.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    budget: BudgetArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    cache: CacheArguments,
    /// Write the plan here, as JSON.
    #[arg(long, short, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    output: Option<Output>,
    /// Overwrite a file that exists.
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// A row for every turn, however many there are.
    #[arg(long, help_heading = "Output")]
    all: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let mut chosen = arguments.session.choose(terminal)?;
    let output = arguments.output.clone().or_else(|| terminal.json().then_some(Output::Stdout));
    if let Some(output) = &output {
        output.check(&chosen.input, arguments.force)?;
    }
    Input::at_most_one_stdin(core::iter::once(&chosen.input).chain(arguments.policy.input()))?;
    let spec = arguments.budget.permit(arguments.policy.spec()?);
    let prices = arguments.cache.prices()?;
    chosen.counting.overhead = arguments.budget.declared_overhead();
    let loaded = Loaded::read(&chosen, terminal)?;
    let window = arguments.budget.window(&loaded)?;
    let plan = decide(&loaded, &window, &spec)?;
    let (counting, reserved) = (loaded.counting(), window.reserved);
    if let Some(output) = &output {
        output.write_json(arguments.force, &record_of(&plan, &spec, counting, reserved))?;
    }
    if output != Some(Output::Stdout) {
        let account = planned_account(&plan, prices)?;
        if terminal.json() {
            terminal::json_result(&AccountDocument::of(&account, counting, reserved, loaded.transcript()))?;
        } else {
            let shown = Shown { counting, plan: &plan, account: &account, reserved };
            terminal::result(&plan_text(&shown, terminal::width(), arguments.all))?;
        }
    }
    if let Some(Output::File(path)) = &output {
        terminal.note(&format!("the plan is written to {}", visible(&path.display().to_string())));
    }
    if plan.budget_unmet() {
        terminal.warn("the plan stays over the budget");
        return Ok(Exit::OverBudget);
    }
    Ok(Exit::Done)
}
