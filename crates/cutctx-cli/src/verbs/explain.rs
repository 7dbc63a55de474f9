//! `cutctx explain`: a stored plan in words.

use super::plan_text::{plan_text, planned_account};
use crate::arguments::{PlanArguments, SessionArguments};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::loaded::Loaded;
use crate::show::grouped;
use crate::stored_plan::StoredPlan;
use crate::terminal::{self, Terminal};
use clap::Args;

/// Says what a stored plan does with every turn, and why.
///
/// The plan is judged anew for the session first. With --json the account of the plan is printed.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Example:
  cutctx explain session.jsonl --plan plan.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    plan: PlanArguments,
    /// A row for every turn, however many there are.
    #[arg(long, help_heading = "Output")]
    all: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let loaded = Loaded::read(&arguments.session)?;
    let stored = StoredPlan::read(&arguments.plan, &loaded)?;
    let account = planned_account(&stored.plan)?;
    if terminal.json() {
        terminal::json_result(&account)?;
        return Ok(Exit::Done);
    }
    let mut text = plan_text(&stored.plan, &account, terminal::width(), arguments.all);
    let appended = loaded.transcript().len().saturating_sub(account.turns.len());
    if appended > 0 {
        text.push_str(&grouped(appended));
        text.push_str(" turns came after the plan; applying it keeps them\n");
    }
    terminal::result(&text)?;
    Ok(Exit::Done)
}
