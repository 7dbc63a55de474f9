//! `cutctx compact`: decide and apply.

use super::decide::decide;
use super::deliver::{Delivery, deliver};
use crate::arguments::{
    AccountArguments, BudgetArguments, CacheArguments, ChosenSession, PolicyArguments, SessionArguments,
    SummariesArguments, SummarizerArguments, TargetArguments, output_parser,
};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::{Input, Output};
use crate::loaded::Loaded;
use crate::show::shell_word;
use crate::stored_plan::record_of;
use crate::summaries;
use crate::terminal::Terminal;
use clap::{Args, ValueHint};
use cutctx::{CompactionPlan, PlanRecord};
use serde_json::json;

/// Compacts a session to a budget and writes it in its own format.
///
/// A session that fits comes out as it went in, byte for byte. SESSION itself is never touched unless --in-place is
/// given.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx compact session.jsonl --max-tokens 100k -o small.jsonl
  cutctx compact session.jsonl --max-tokens 100k --target-tokens 60k --in-place
  cutctx compact session.jsonl --max-tokens 100k --clip-active -o small.jsonl
  cat chat.json | cutctx compact - --max-tokens 4000 --pin first-user > small.json

With summaries by a model:
  cutctx compact session.jsonl --max-tokens 100k --policy default --summarizer anthropic:MODEL -o small.jsonl
  cutctx compact session.jsonl --max-tokens 100k --policy default --summarizer 'command:llm -m MODEL' -o small.jsonl

With summaries that you write yourself (the first of these exits with 5):
  cutctx compact session.jsonl --max-tokens 100k --policy default --summarizer none --plan plan.json
  cutctx requests session.jsonl --plan plan.json
  cutctx apply session.jsonl --plan plan.json --summaries texts.json -o small.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    #[command(flatten)]
    budget: BudgetArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    #[command(flatten)]
    cache: CacheArguments,
    #[command(flatten)]
    summaries: SummariesArguments,
    #[command(flatten)]
    summarizer: SummarizerArguments,
    #[command(flatten)]
    target: TargetArguments,
    #[command(flatten)]
    accounts: AccountArguments,
    /// Write the plan here, as JSON, for `cutctx apply`, `explain` and `verify`.
    #[arg(long, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    plan: Option<Output>,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let Arguments { target, accounts, .. } = arguments;
    let others = [&accounts.report, &accounts.account, &arguments.plan];
    let mut chosen = arguments.session.choose(terminal)?;
    target.check(&chosen.input, &others)?;
    let session = core::iter::once(&chosen.input);
    let beside = arguments.policy.input().into_iter().chain(arguments.cache.input());
    Input::at_most_one_stdin(session.chain(&arguments.summaries.summaries).chain(beside))?;
    let spec = arguments.budget.permit(arguments.policy.spec()?);
    let prices = arguments.cache.prices()?;
    let summaries = summaries::read(&arguments.summaries)?;
    chosen.counting.overhead = arguments.budget.declared_overhead();
    let loaded = Loaded::read(&chosen, terminal)?;
    let window = arguments.budget.window(&loaded)?;
    let plan = decide(&loaded, &window, &spec)?;
    // A digest of the whole transcript is in it: it is made where somebody asks for it.
    let record = || record_of(&plan, &spec, loaded.counting(), window.reserved);
    if arguments.summarizer.dry_run {
        summaries::announce(&plan, &loaded, terminal)?;
        return Ok(Exit::Done);
    }
    let summaries = match summaries {
        None if !plan.summarization_requests().is_empty() => {
            match summaries::written(&arguments.summarizer, &plan, &loaded, terminal)? {
                None => return ask_for_summaries(arguments, &chosen, &plan, &record(), terminal),
                written => written,
            }
        }
        supplied => supplied,
    };
    if let Some(output) = &arguments.plan {
        output.write_json(target.force, &record())?;
    }
    let reserved = window.reserved;
    let summaries = summaries.unwrap_or_default();
    let stdout_taken = target.takes_stdout(&others);
    deliver(
        &Delivery {
            loaded: &loaded,
            plan: &plan,
            prices,
            reserved,
            summaries: &summaries,
            target,
            accounts,
            stdout_taken,
        },
        terminal,
    )
}

/// Writes the plan and says what to do with it.
fn ask_for_summaries(
    arguments: &Arguments,
    chosen: &ChosenSession,
    plan: &CompactionPlan,
    record: &PlanRecord,
    terminal: Terminal,
) -> Result<Exit, Stop> {
    let output = arguments.plan.clone().unwrap_or(Output::Stdout);
    output.write_json(arguments.target.force, record)?;
    let groups: Vec<&str> =
        plan.summarization_requests().iter().map(|request| request.group_id().as_ref()).collect();
    let session = chosen.to_words();
    let file = match &output {
        Output::Stdout => "PLAN".to_owned(),
        Output::File(path) => shell_word(&path.display().to_string()),
    };
    terminal.json_beside(
        &json!({ "summaries_needed": groups, "plan_hash": plan.plan_hash() }),
        output == Output::Stdout,
    )?;
    terminal.note(&format!(
        "summaries are needed: {}; no session was written.\n  see what to summarize:  cutctx requests {session} --plan {file}\n  then:                   cutctx apply {session} --plan {file} --summaries TEXTS",
        groups.len()
    ));
    Ok(Exit::SummariesNeeded)
}
