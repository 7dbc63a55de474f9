//! `cutctx convert`: a session as a request to another provider.

use crate::arguments::{SessionArguments, output_parser};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::Output;
use crate::loaded::Loaded;
use crate::show::{grouped, visible};
use crate::terminal::Terminal;
use alloc::collections::BTreeMap;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use cutctx::formats::convert::{Converted, Loss, LossKind, Target};
use serde_json::{Value, json};

/// Writes a session as a request to another provider, and lists what could not be carried over.
///
/// Texts, tool calls with their results, system prompts and media go over. Reasoning, tools that a provider ran itself
/// and cache marks do not. The request is one that the provider takes: calls are answered, parallel calls stand
/// together, ids are spelled as it wants. The model and the definitions of tools are for you to add.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx convert session.jsonl --to anthropic-messages -o request.json
  cutctx convert rollout.jsonl --to openai-chat --json > chat.json  # the losses go to standard error")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    /// The format of the provider.
    #[arg(long, value_name = "FORMAT", value_parser = target_parser())]
    to: Target,
    /// Where to write the request; `-`, the default, is standard output.
    #[arg(long, short, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    output: Option<Output>,
    /// Overwrite files that exist.
    #[arg(long, help_heading = "Output")]
    force: bool,
}

fn target_parser() -> impl TypedValueParser<Value = Target> {
    let names = PossibleValuesParser::new(Target::ALL.map(Target::name));
    names.try_map(|name| Target::named(&name).ok_or("there is no such format"))
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let output = arguments.output.clone().unwrap_or(Output::Stdout);
    let chosen = arguments.session.choose(terminal)?;
    output.check(&chosen.input, arguments.force)?;
    let loaded = Loaded::read(&chosen, terminal)?;
    let converted = loaded
        .session()
        .convert(arguments.to)
        .map_err(|error| Failure::of(&error, Exit::Refused).file(chosen.input.path()))?;
    output.write(arguments.force, |out| {
        out.write_all(converted.text.as_bytes())?;
        out.write_all(b"\n")
    })?;
    let session = chosen.input.path().display().to_string();
    let path = match &output {
        Output::Stdout => None,
        Output::File(path) => Some(path.display().to_string()),
    };
    let losses: Vec<Value> = converted.losses.iter().map(loss).collect();
    terminal.json_beside(
        &json!({ "session": session, "format": loaded.session().format().name(), "to": arguments.to.name(),
            "output": path, "losses": losses }),
        output == Output::Stdout,
    )?;
    terminal.note(&lines(&session, arguments.to, &converted).join("\n"));
    Ok(Exit::Done)
}

fn loss(loss: &Loss) -> Value {
    json!({ "loss": loss.kind.as_str(), "message": loss.message, "line": loss.line, "count": loss.count,
        "says": loss.kind.says() })
}

/// How many lines are named of one kind of loss.
const NAMED_LINES: usize = 5;

/// A line for each kind of loss, with its first places.
fn lines(session: &str, to: Target, converted: &Converted) -> Vec<String> {
    let mut kinds: BTreeMap<LossKind, (usize, Vec<String>)> = BTreeMap::new();
    for loss in &converted.losses {
        let (count, lines) = kinds.entry(loss.kind).or_default();
        *count = count.saturating_add(loss.count);
        lines.extend(loss.line.map(|line| line.to_string()));
    }
    let head = if kinds.is_empty() { "everything carried over" } else { "not carried over as it was:" };
    let mut said = vec![format!("{} to {}: {head}", visible(session), to.name())];
    for (kind, (count, mut lines)) in kinds {
        lines.dedup();
        let more = if lines.len() > NAMED_LINES { ", …" } else { "" };
        lines.truncate(NAMED_LINES);
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let places =
            if lines.is_empty() { String::new() } else { format!(" ({word} {}{more})", lines.join(", ")) };
        said.push(format!("  {} x {}{places}", grouped(count), kind.says()));
    }
    said
}
