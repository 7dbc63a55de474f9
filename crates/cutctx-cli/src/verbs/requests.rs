//! `cutctx requests`: what a model is to summarize.

use crate::arguments::{PlanArguments, SessionArguments};
use crate::counting::EstimatorLine;
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Input;
use crate::loaded::Loaded;
use crate::show::grouped;
use crate::stored_plan::PlanText;
use crate::terminal::{self, Terminal};
use clap::Args;
use cutctx::TranscriptTurn;
use cutctx::fulfil::{SummaryTask, tasks};
use serde::Serialize;
use std::io::{self, Write};

/// Prints what a plan wants summarized, ready for a model.
///
/// Each request comes with instructions and the text of its turns. The answers go into a JSON object, group id to
/// text, for `cutctx apply --summaries`. Mind that the output is text of the session, and that this text may tell a
/// model to do things.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx requests session.jsonl --plan plan.json
  cutctx requests session.jsonl --plan plan.json --json | jq -r '.requests[].group_id'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    plan: PlanArguments,
}

#[derive(Serialize)]
struct ToSummarize<'p> {
    #[serde(flatten)]
    estimator: EstimatorLine,
    plan_hash: String,
    requests: Vec<Request<'p>>,
}

#[derive(Serialize)]
struct Request<'p> {
    group_id: &'p str,
    prompt_id: &'p str,
    target_tokens: u64,
    /// Ours, where the plan names our prompt; null where it names one of somebody else.
    instructions: Option<String>,
    turns: Vec<RequestTurn<'p>>,
}

#[derive(Serialize)]
struct RequestTurn<'p> {
    turn_id: &'p str,
    role: &'p str,
    tool_name: Option<&'p str>,
    content: &'p str,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let mut chosen = arguments.session.choose(terminal)?;
    Input::at_most_one_stdin([&chosen.input, &arguments.plan.plan])?;
    let text = PlanText::read(&arguments.plan, &mut chosen)?;
    let mut loaded = Loaded::read(&chosen, terminal)?;
    let stored = text.for_session(&mut loaded, terminal)?;
    let requests: Vec<Request<'_>> = tasks(&stored.plan).iter().map(Request::of).collect();
    if terminal.json() {
        let plan_hash = stored.plan.plan_hash();
        terminal::json_result(&ToSummarize { estimator: loaded.counting().line(), plan_hash, requests })?;
    } else {
        terminal::text(|out| requests.iter().try_for_each(|request| write_request(out, request)))?;
        terminal.note(&format!("summaries asked for: {}", grouped(requests.len())));
    }
    Ok(Exit::Done)
}

impl<'p> Request<'p> {
    fn of(task: &SummaryTask<'p>) -> Self {
        let request = task.request;
        Self {
            group_id: request.group_id(),
            prompt_id: request.prompt_id(),
            target_tokens: request.target_tokens(),
            instructions: task.names_our_prompt().then(|| task.instructions()),
            turns: task.turns.iter().map(|turn| RequestTurn::of(turn)).collect(),
        }
    }
}

impl<'p> RequestTurn<'p> {
    fn of(turn: &'p TranscriptTurn) -> Self {
        Self {
            turn_id: turn.turn_id(),
            role: turn.role().as_str(),
            tool_name: turn.tool_name(),
            content: turn.content(),
        }
    }
}

fn write_request(out: &mut dyn Write, request: &Request<'_>) -> io::Result<()> {
    writeln!(
        out,
        "===== group {}, prompt {}, at most {} tokens, {} turns =====",
        request.group_id,
        request.prompt_id,
        request.target_tokens,
        request.turns.len()
    )?;
    if let Some(instructions) = &request.instructions {
        writeln!(out, "{instructions}\n")?;
    }
    for turn in &request.turns {
        let tool = turn.tool_name.map(|name| format!(", {name}")).unwrap_or_default();
        writeln!(out, "----- turn {} ({}{tool}) -----\n{}", turn.turn_id, turn.role, turn.content)?;
    }
    writeln!(out)
}
