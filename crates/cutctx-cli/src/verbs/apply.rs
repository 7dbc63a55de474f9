//! `cutctx apply`: apply a stored plan.

use super::deliver::{Delivery, deliver};
use crate::arguments::{
    AccountArguments, CacheArguments, PlanArguments, SessionArguments, SummariesArguments, TargetArguments,
};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Input;
use crate::loaded::Loaded;
use crate::stored_plan::PlanText;
use crate::summaries;
use crate::terminal::Terminal;
use clap::Args;

/// Applies a stored plan to the session that it was made for.
///
/// The plan is judged anew before anything is done. Turns that the session has gained at its end since are kept.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx plan session.jsonl --max-tokens 100k -o plan.json
  cutctx apply session.jsonl --plan plan.json -o small.jsonl
  cutctx apply session.jsonl --plan plan.json --summaries texts.json --in-place")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    plan: PlanArguments,
    #[command(flatten)]
    summaries: SummariesArguments,
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    accounts: AccountArguments,
    #[command(flatten)]
    cache: CacheArguments,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let Arguments { target, accounts, .. } = arguments;
    let others = [&accounts.report, &accounts.account];
    let mut chosen = arguments.session.choose(terminal)?;
    target.check(&chosen.input, &others)?;
    let (session, plan) = (&chosen.input, &arguments.plan.plan);
    Input::at_most_one_stdin([session, plan].into_iter().chain(&arguments.summaries.summaries))?;
    let prices = arguments.cache.prices()?;
    let summaries = summaries::read(&arguments.summaries)?.unwrap_or_default();
    let text = PlanText::read(&arguments.plan, &mut chosen)?;
    let mut loaded = Loaded::read(&chosen, terminal)?;
    let stored = text.for_session(&mut loaded, terminal)?;
    let stdout_taken = target.takes_stdout(&others);
    let plan = &stored.plan;
    let reserved = stored.reserved();
    let (loaded, summaries) = (&loaded, &summaries);
    let delivery = Delivery { loaded, plan, prices, reserved, summaries, target, accounts, stdout_taken };
    deliver(&delivery, terminal)
}
