//! `cutctx verify`: is this plan what it says it is?

use super::decide::decide_for;
use crate::arguments::{PlanArguments, SessionArguments, Window};
use crate::counting::Counting;
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::Input;
use crate::loaded::Loaded;
use crate::stored_plan::{PlanText, StoredPlan};
use crate::terminal::{self, Terminal};
use clap::Args;
use cutctx::CompactionPlan;
use serde_json::json;

/// Verifies that a stored plan is what it says it is.
///
/// The session is the one that it was made for, the rules accept it, its hash is right, and the recorded policy decides
/// the same again. Exits with 7 where any of this fails.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Example:
  cutctx verify session.jsonl --plan plan.json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    plan: PlanArguments,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let mut chosen = arguments.session.choose(terminal)?;
    Input::at_most_one_stdin([&chosen.input, &arguments.plan.plan])?;
    let text = PlanText::read(&arguments.plan, &mut chosen)?;
    let mut loaded = Loaded::read(&chosen, terminal)?;
    let stored = text.for_session(&mut loaded, terminal)?;
    let rederived = rederive(&stored, loaded.counting())?;
    if let Some(again) = rederived.as_ref().filter(|again| **again != stored.plan) {
        return Err(differs(&stored.plan, again).file(arguments.plan.plan.path()).into());
    }
    let hash = stored.plan.plan_hash();
    let is_rederived = rederived.is_some();
    if terminal.json() {
        let appended = loaded.transcript().len().saturating_sub(stored.plan.actions().len());
        terminal::json_result(&json!({
            "verified": true, "plan_hash": hash, "rederived": is_rederived, "appended_turns": appended,
        }))?;
        return Ok(Exit::Done);
    }
    let policy = if is_rederived {
        "the recorded policy decides the same again"
    } else {
        "no policy is recorded, so that nothing could be decided again"
    };
    terminal::result(&format!(
        "the session is the one that was planned over\nthe rules accept the plan\n{policy}\nverified: {hash}\n"
    ))?;
    Ok(Exit::Done)
}

/// What the recorded policy decides today; `None` where none is recorded.
fn rederive(stored: &StoredPlan, counting: &Counting) -> Result<Option<CompactionPlan>, Failure> {
    let Some(spec) = stored.policy()? else { return Ok(None) };
    let plan = &stored.plan;
    let window = Window { budget: *plan.budget(), reserved: stored.reserved() };
    decide_for(plan.transcript(), counting, &window, &spec).map(Some).map_err(|failure| {
        let message = "the recorded policy decides nothing for this session any more";
        Failure::new(Exit::Mismatch, "VERIFICATION_FAILED", format!("{message}: {}", failure.message()))
    })
}

fn differs(stored: &CompactionPlan, again: &CompactionPlan) -> Failure {
    let pairs = stored.actions().iter().zip(again.actions());
    let different = pairs.filter(|(left, right)| left != right).count();
    let message = format!("the recorded policy decides otherwise: {different} turns have another fate");
    Failure::new(Exit::Mismatch, "VERIFICATION_FAILED", message)
        .remedy("the plan was edited, or made by another version; plan again")
}
