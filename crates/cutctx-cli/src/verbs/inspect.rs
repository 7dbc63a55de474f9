//! `cutctx inspect`: where the tokens are.

mod contents;
mod kinds;
mod sections;
mod tally;

use crate::arguments::SessionArguments;
use crate::counting::EstimatorLine;
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::loaded::Loaded;
use crate::pinning::PinReport;
use crate::show::{Bar, Column, ShortIds, bars, grouped, share, table, visible};
use crate::terminal::{self, Terminal};
use clap::Args;
use contents::Contents;
use cutctx::TranscriptTurn;
use sections::{file_table, kind_table, remarks};
use serde::Serialize;
use tally::{Tally, by_role, by_tool, largest_results};

/// Shows what is in a session, and where its tokens are.
///
/// What of the file the model sees and what is ballast; earlier compactions, open calls, and what the provider would
/// refuse; tokens by kind, by role, by tool, by turn, and the largest tool results.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx inspect session.jsonl
  cutctx inspect session.jsonl --turns          # every turn with its id
  cutctx inspect --latest codex                 # the newest session of a tool
  cutctx inspect session.jsonl --json | jq '.by_tool[0]'")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    /// A line for every turn, however many there are.
    #[arg(long, help_heading = "Output")]
    turns: bool,
    /// How many of the largest tool results to list.
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Output")]
    largest: usize,
}

/// How many bars are drawn before neighbours share one.
const MOST_BARS: usize = 32;

#[derive(Serialize)]
struct Inspection<'s> {
    session: String,
    format: &'s str,
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(skip)]
    counted: String,
    file_bytes: usize,
    context_bytes: usize,
    turns: usize,
    tokens: u64,
    #[serde(flatten)]
    contents: Contents<'s>,
    #[serde(flatten)]
    pins: &'s PinReport,
    by_role: Vec<Tally<'s>>,
    by_tool: Vec<Tally<'s>>,
    largest_results: Vec<TurnLine<'s>>,
    turn_list: Vec<TurnLine<'s>>,
}

#[derive(Serialize)]
struct TurnLine<'s> {
    position: usize,
    turn_id: &'s str,
    role: &'s str,
    tool_name: Option<&'s str>,
    tokens: u64,
    pinned: bool,
}

impl<'s> TurnLine<'s> {
    fn of((position, turn): (usize, &'s TranscriptTurn)) -> Self {
        Self {
            position,
            turn_id: turn.turn_id(),
            role: turn.role().as_str(),
            tool_name: turn.tool_name(),
            tokens: turn.token_estimate(),
            pinned: turn.pinned(),
        }
    }

    fn label(&self) -> String {
        let tool = self.tool_name.map(|name| format!(" {name}")).unwrap_or_default();
        format!("{} {}{tool}", self.number(), self.role)
    }

    /// The position as people count.
    const fn number(&self) -> usize {
        self.position.saturating_add(1)
    }
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let loaded = Loaded::read(&arguments.session.choose(terminal)?, terminal)?;
    let inspection = inspect(&loaded, arguments.largest)?;
    if terminal.json() {
        terminal::json_result(&inspection)?;
    } else {
        terminal::result(&text(&inspection, terminal::width(), arguments.turns))?;
    }
    Ok(Exit::Done)
}

fn inspect(loaded: &Loaded, largest: usize) -> Result<Inspection<'_>, Failure> {
    let (session, turns) = (loaded.session(), loaded.transcript().turns());
    Ok(Inspection {
        session: loaded.input().path().display().to_string(),
        format: session.format().name(),
        estimator: loaded.counting().line(),
        counted: loaded.counting().words(),
        file_bytes: session.file_bytes(),
        context_bytes: session.context_bytes(),
        turns: turns.len(),
        tokens: loaded.transcript().token_estimate(),
        contents: Contents::of(loaded)?,
        pins: loaded.pins(),
        by_role: by_role(turns),
        by_tool: by_tool(turns),
        largest_results: largest_results(turns, largest).into_iter().map(TurnLine::of).collect(),
        turn_list: turns.iter().enumerate().map(TurnLine::of).collect(),
    })
}

fn text(inspection: &Inspection<'_>, width: u16, all: bool) -> String {
    let mut sections = vec![head(inspection)];
    sections.push(file_table(&inspection.contents, inspection.file_bytes, width));
    sections.push(kind_table(&inspection.contents, inspection.tokens, width));
    sections.push(tallies("role", &inspection.by_role, inspection.tokens, width));
    if !inspection.by_tool.is_empty() {
        sections.push(tallies("tool", &inspection.by_tool, inspection.tokens, width));
    }
    if !inspection.largest_results.is_empty() {
        sections.push(results(inspection, width));
    }
    sections.push(if all { turn_table(inspection, width) } else { turn_bars(inspection, width) });
    sections.join("\n")
}

fn head(inspection: &Inspection<'_>) -> String {
    let figures = format!(
        "{} ({}): {} tokens in {} turns ({})\n{} bytes in the file, {} bytes of text seen by the model",
        visible(&inspection.session),
        inspection.format,
        grouped(inspection.tokens),
        grouped(inspection.turns),
        inspection.counted,
        grouped(inspection.file_bytes),
        grouped(inspection.context_bytes)
    );
    let remarks = remarks(&inspection.contents, &short_ids(inspection));
    let lines: Vec<String> = core::iter::once(figures).chain(remarks).collect();
    lines.join("\n") + "\n"
}

fn tallies(title: &'static str, tallies: &[Tally<'_>], whole: u64, width: u16) -> String {
    let columns =
        [Column::Text(title), Column::Number("turns"), Column::Number("tokens"), Column::Number("%")];
    let row = |tally: &Tally<'_>| {
        let share = share(tally.tokens, whole).to_string();
        vec![tally.name.to_owned(), grouped(tally.turns), grouped(tally.tokens), share]
    };
    table(width, &columns, tallies.iter().map(row))
}

fn results(inspection: &Inspection<'_>, width: u16) -> String {
    let columns = [
        Column::Text("largest results"),
        Column::Text("tool"),
        Column::Number("tokens"),
        Column::Number("%"),
    ];
    let ids = short_ids(inspection);
    let row = |line: &TurnLine<'_>| {
        let tool = line.tool_name.unwrap_or_default().to_owned();
        let share = share(line.tokens, inspection.tokens).to_string();
        vec![ids.short(line.turn_id).to_owned(), tool, grouped(line.tokens), share]
    };
    table(width, &columns, inspection.largest_results.iter().map(row))
}

fn turn_table(inspection: &Inspection<'_>, width: u16) -> String {
    let columns = [
        Column::Number("#"),
        Column::Text("turn"),
        Column::Text("role"),
        Column::Text("tool"),
        Column::Number("tokens"),
        Column::Text("pinned"),
    ];
    let ids = short_ids(inspection);
    let row = |line: &TurnLine<'_>| {
        vec![
            grouped(line.number()),
            ids.short(line.turn_id).to_owned(),
            line.role.to_owned(),
            line.tool_name.unwrap_or_default().to_owned(),
            grouped(line.tokens),
            if line.pinned { "pinned" } else { "" }.to_owned(),
        ]
    };
    table(width, &columns, inspection.turn_list.iter().map(row))
}

fn short_ids<'s>(inspection: &Inspection<'s>) -> ShortIds<'s> {
    ShortIds::of(inspection.turn_list.iter().map(|line| line.turn_id))
}

/// A bar a turn; where there are many, a bar for every few neighbours.
fn turn_bars(inspection: &Inspection<'_>, width: u16) -> String {
    let each = inspection.turn_list.len().div_ceil(MOST_BARS).max(1);
    let drawn: Vec<Bar> = inspection.turn_list.chunks(each).map(bar).collect();
    bars(width, &drawn)
}

fn bar(lines: &[TurnLine<'_>]) -> Bar {
    let tokens = lines.iter().map(|line| line.tokens).fold(0, u64::saturating_add);
    let label = match lines {
        [only] => only.label(),
        [first, .., last] => format!("{}-{}", first.number(), last.number()),
        [] => String::new(),
    };
    Bar { label, tokens }
}
