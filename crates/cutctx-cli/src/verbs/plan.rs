//! `cutctx plan`: decide only.

use super::decide::decide;
use super::plan_text::{plan_text, planned_account};
use crate::arguments::{BudgetArguments, PolicyArguments, SessionArguments, output_parser};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Output;
use crate::loaded::Loaded;
use crate::stored_plan::record_of;
use crate::terminal::{self, Terminal};
use clap::{Args, ValueHint};

/// Decides and shows what would be done: a dry run.
///
/// With --json the plan is printed as JSON; with -o it is written to a file, ready for `cutctx apply`.
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
    let output = arguments.output.clone().or_else(|| terminal.json().then_some(Output::Stdout));
    if let Some(output) = &output {
        output.check(&arguments.session.session, arguments.force)?;
    }
    let spec = arguments.policy.spec()?;
    let budget = arguments.budget.budget()?;
    let loaded = Loaded::read(&arguments.session)?;
    let plan = decide(&loaded, &budget, &spec)?;
    if let Some(output) = &output {
        output.write_json(arguments.force, &record_of(&plan, &spec))?;
    }
    if output != Some(Output::Stdout) {
        let account = planned_account(&plan)?;
        terminal::result(&plan_text(&plan, &account, terminal::width(), arguments.all))?;
    }
    if plan.budget_unmet() {
        terminal.warn("the plan stays over the budget");
        return Ok(Exit::OverBudget);
    }
    Ok(Exit::Done)
}
