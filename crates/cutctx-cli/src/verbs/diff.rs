//! `cutctx diff`: what a compaction did to a session, from the two files alone.

mod matching;

use crate::arguments::{CountingArguments, Reading, input_parser};
use crate::counting::{Counting, EstimatorLine, counter_of};
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Input;
use crate::loaded::read_session;
use crate::show::{Column, ShortIds, grouped, table};
use crate::terminal::{self, Terminal};
use alloc::sync::Arc;
use clap::{Args, ValueHint};
use cutctx::{Transcript, TranscriptTurn};
use matching::{Change, changes};
use serde::Serialize;

/// Compares a session with its compacted form.
///
/// It lists which turns were masked and removed, and what was added. No plan is needed: turns are matched by what they
/// say, and a masked one by the digest in its stub.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx diff session.jsonl small.jsonl
  cutctx diff session.jsonl.cutctx-backup session.jsonl --all")]
pub(crate) struct Arguments {
    /// The session before; `-` is standard input.
    #[arg(value_name = "SESSION", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    before: Input,
    /// The session after; `-` is standard input.
    #[arg(value_name = "OUT", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    after: Input,
    /// Read both as this format, whatever they look like (`cutctx formats` lists them).
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Compare this conversation of files that hold several, from 0.
    #[arg(long, value_name = "N")]
    conversation: Option<usize>,
    #[command(flatten)]
    counting: CountingArguments,
    /// List the turns that did not change, too.
    #[arg(long, help_heading = "Output")]
    all: bool,
}

#[derive(Serialize)]
struct Difference<'t> {
    before: String,
    after: String,
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(skip)]
    counted: String,
    tokens_before: u64,
    tokens_after: u64,
    kept: usize,
    masked: usize,
    removed: usize,
    added: usize,
    first_changed_position: Option<usize>,
    changes: Vec<Line<'t>>,
}

#[derive(Serialize)]
struct Line<'t> {
    change: &'static str,
    position_before: Option<usize>,
    position_after: Option<usize>,
    turn_id: &'t str,
    role: &'t str,
    tool_name: Option<&'t str>,
    tokens_before: u64,
    tokens_after: u64,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    Input::at_most_one_stdin([&arguments.before, &arguments.after])?;
    let Arguments { format, conversation, .. } = arguments;
    let reading = Reading { format: format.as_deref(), conversation: *conversation };
    let choice = arguments.counting.choice();
    let (counter, scale) = counter_of(&choice)?;
    let counter = Arc::new(counter);
    let before = read_session(&arguments.before, reading, &counter)?;
    let after = read_session(&arguments.after, reading, &counter)?;
    let counting = Counting::of(counter, scale, &choice, &before)?;
    let (old, new) = (counting.counted(&before)?, counting.counted(&after)?);
    let lists_all = arguments.all || terminal.json();
    let difference = Difference::of(arguments, &counting, (&old, &new), lists_all);
    if terminal.json() {
        terminal::json_result(&difference)?;
    } else {
        terminal::result(&text(&difference, terminal::width()))?;
    }
    Ok(Exit::Done)
}

impl<'t> Difference<'t> {
    /// What is between two transcripts; the turns that stayed are listed only where that is wanted.
    fn of(
        arguments: &Arguments,
        counting: &Counting,
        (old, new): (&'t Transcript, &'t Transcript),
        lists_all: bool,
    ) -> Self {
        let found = changes(old.turns(), new.turns());
        let count = |kind: fn(&Change) -> bool| found.iter().filter(|change| kind(change)).count();
        let listed = found.iter().filter(|change| lists_all || !matches!(change, Change::Kept(..)));
        Self {
            before: arguments.before.path().display().to_string(),
            after: arguments.after.path().display().to_string(),
            estimator: counting.line(),
            counted: counting.words(),
            tokens_before: old.token_estimate(),
            tokens_after: new.token_estimate(),
            kept: count(|change| matches!(change, Change::Kept(..))),
            masked: count(|change| matches!(change, Change::Masked(..))),
            removed: count(|change| matches!(change, Change::Removed(_))),
            added: count(|change| matches!(change, Change::Added(_))),
            first_changed_position: found.iter().position(|change| !matches!(change, Change::Kept(..))),
            changes: listed.filter_map(|change| line(*change, old.turns(), new.turns())).collect(),
        }
    }
}

fn line<'t>(change: Change, old: &'t [TranscriptTurn], new: &'t [TranscriptTurn]) -> Option<Line<'t>> {
    let (before, after) = (change.before(), change.after());
    let (was, is) = (before.and_then(|at| old.get(at)), after.and_then(|at| new.get(at)));
    let shown = was.or(is)?;
    let tokens = |turn: Option<&TranscriptTurn>| turn.map_or(0, TranscriptTurn::token_estimate);
    Some(Line {
        change: change.name(),
        position_before: before,
        position_after: after,
        turn_id: shown.turn_id(),
        role: shown.role().as_str(),
        tool_name: shown.tool_name(),
        tokens_before: tokens(was),
        tokens_after: tokens(is),
    })
}

const COLUMNS: [Column; 8] = [
    Column::Text("change"),
    Column::Number("#"),
    Column::Number("# after"),
    Column::Text("turn"),
    Column::Text("role"),
    Column::Text("tool"),
    Column::Number("before"),
    Column::Number("after"),
];

fn text(difference: &Difference<'_>, width: u16) -> String {
    let ids = ShortIds::of(difference.changes.iter().map(|line| line.turn_id));
    let position = |at: Option<usize>| at.map(|at| grouped(at.saturating_add(1))).unwrap_or_default();
    let rows = difference.changes.iter().map(|line| {
        vec![
            line.change.to_owned(),
            position(line.position_before),
            position(line.position_after),
            ids.short(line.turn_id).to_owned(),
            line.role.to_owned(),
            line.tool_name.unwrap_or_default().to_owned(),
            grouped(line.tokens_before),
            grouped(line.tokens_after),
        ]
    });
    let listed =
        if difference.changes.is_empty() { String::new() } else { table(width, &COLUMNS, rows) + "\n" };
    format!(
        "{listed}{} -> {} tokens ({})\nkept {}, masked {}, removed {}, added {}\n",
        grouped(difference.tokens_before),
        grouped(difference.tokens_after),
        difference.counted,
        grouped(difference.kept),
        grouped(difference.masked),
        grouped(difference.removed),
        grouped(difference.added)
    )
}
