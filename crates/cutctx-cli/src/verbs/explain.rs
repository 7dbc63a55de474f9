//! `cutctx explain`: a stored plan in words.

use super::plan_text::{AccountDocument, Shown, plan_text, planned_account};
use crate::arguments::{CacheArguments, PlanArguments, SessionArguments};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Input;
use crate::loaded::Loaded;
use crate::show::counted;
use crate::stored_plan::PlanText;
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
    #[command(flatten)]
    cache: CacheArguments,
    /// A row for every turn, however many there are.
    #[arg(long, help_heading = "Output")]
    all: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let mut chosen = arguments.session.choose(terminal)?;
    Input::at_most_one_stdin([&chosen.input, &arguments.plan.plan])?;
    let prices = arguments.cache.prices()?;
    let text = PlanText::read(&arguments.plan, &mut chosen)?;
    let mut loaded = Loaded::read(&chosen, terminal)?;
    let stored = text.for_session(&mut loaded, terminal)?;
    let account = planned_account(&stored.plan, prices)?;
    if terminal.json() {
        let (counting, turns) = (loaded.counting(), loaded.transcript());
        terminal::json_result(&AccountDocument::of(&account, counting, stored.reserved(), turns))?;
        return Ok(Exit::Done);
    }
    let mut text = plan_text(
        &Shown {
            counting: loaded.counting(),
            plan: &stored.plan,
            account: &account,
            reserved: stored.reserved(),
        },
        terminal::width(),
        arguments.all,
    );
    let appended = loaded.transcript().len().saturating_sub(account.turns.len());
    if appended > 0 {
        let line = format!("{} came after the plan; applying it keeps them\n", counted(appended, "turn"));
        text.push_str(&line);
    }
    terminal::result(&text)?;
    Ok(Exit::Done)
}
