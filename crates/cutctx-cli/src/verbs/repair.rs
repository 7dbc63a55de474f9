//! `cutctx repair`: makes a session acceptable to its provider, and says every change.

mod report;

use super::recovered::RecoveredPlaces;
use crate::arguments::{ChosenSession, SessionArguments, TargetArguments, output_parser};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Input, Output, holds, replace};
use crate::loaded::{estimator, known_format, of_conversation};
use crate::terminal::{self, Terminal};
use clap::{Args, ValueHint};
use cutctx::formats::repair::{Repair, RepairOptions};
use cutctx::formats::salvage::{Salvaged, salvage};
use cutctx::formats::{ReadRequest, Session};
use cutctx::pins::apply_pins;
use report::Report;
use std::path::PathBuf;

/// Mends what the provider of a session would refuse, and says every change.
///
/// Without -o or --in-place nothing is written: what would be done is listed. Calls without a result get one that says
/// that they were not completed, results are put to their calls, what answers nothing is removed, blank texts and
/// empty messages go, ids are spelled anew. Signed reasoning is never edited, and what is pinned is never removed; what
/// is left for that is listed with the reason.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx repair session.jsonl                       # lists what would be done
  cutctx repair session.jsonl --in-place            # with a backup
  cutctx repair torn.jsonl --lenient -o whole.jsonl # records of a damaged file, line by line")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Recover the records of a damaged file of lines: what cannot be read is left out, and each such place is listed.
    /// Without it the first damaged place is an error.
    #[arg(long)]
    lenient: bool,
    /// Give calls whose result may still come one that says that they were not completed.
    #[arg(long)]
    close_open_calls: bool,
    #[command(flatten)]
    writing: WriteArguments,
}

/// Where the repaired session goes; nowhere in a dry run.
#[derive(Debug, Clone, Args)]
struct WriteArguments {
    /// Where to write the repaired session; `-` is standard output.
    #[arg(long, short, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    output: Option<Output>,
    /// Replace SESSION itself, atomically and with a backup (`cutctx restore` brings it back).
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    in_place: bool,
    /// Overwrite files that exist.
    #[arg(long, help_heading = "Output")]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let chosen = arguments.session.choose(terminal)?;
    let WriteArguments { output, in_place, force } = arguments.writing.clone();
    let writes = in_place || output.is_some();
    let target = TargetArguments { output, in_place, force, signed_reasoning: None };
    if writes {
        target.check(&chosen.input, &[])?;
    }
    let bytes = chosen.input.bytes()?;
    let salvaged = salvaged(&bytes, arguments.lenient, &chosen)?;
    let session = read(salvaged.bytes(), &chosen)?;
    let repair = session
        .repair(&options(&session, &chosen, arguments.close_open_calls)?)
        .map_err(|error| refused(&error, &chosen))?;
    let backup = if writes { write(&repair, &bytes, &target, &chosen.input)? } else { None };
    let places = RecoveredPlaces::new(&bytes, salvaged.edits());
    let mut report = Report::new(&chosen.input, &session, salvaged.findings(), &repair, &places);
    report.wrote(writes.then_some(&target), &chosen.input, backup);
    let takes_stdout = writes && target.takes_stdout(&[]);
    say(&report, writes, takes_stdout, terminal)?;
    Ok(if report.is_left(writes) { Exit::Findings } else { Exit::Done })
}

fn refused(error: &dyn cutctx::Coded, chosen: &ChosenSession) -> Failure {
    Failure::of(error, Exit::Refused).file(chosen.input.path())
}

/// The records of a file, or the first damaged place as an error.
fn salvaged<'b>(bytes: &'b [u8], lenient: bool, chosen: &ChosenSession) -> Result<Salvaged<'b>, Failure> {
    let salvaged = salvage(bytes);
    if !lenient && !salvaged.is_sound() {
        salvaged.clone().strict().map_err(|damaged| refused(&damaged, chosen))?;
    }
    Ok(salvaged)
}

fn read(bytes: &[u8], chosen: &ChosenSession) -> Result<Session, Failure> {
    let format = chosen.format.as_deref().map(known_format).transpose()?;
    let estimator = estimator();
    let request = of_conversation(ReadRequest::new(&estimator), chosen.conversation);
    Session::read_with(format, bytes, &request).map_err(|error| refused(&error, chosen))
}

fn options(session: &Session, chosen: &ChosenSession, closes: bool) -> Result<RepairOptions, Failure> {
    let found = apply_pins(session.transcript(), &chosen.pins)
        .map_err(|error| Failure::of(&error, Exit::Usage).file(chosen.input.path()))?;
    let options =
        RepairOptions::new().pinning(found.matches.iter().flat_map(|pin| pin.turns.iter().copied()));
    Ok(if closes { options.closing_open_calls() } else { options })
}

/// Writes the session; gives the backup's path where one was made.
fn write(
    repair: &Repair,
    bytes: &[u8],
    target: &TargetArguments,
    input: &Input,
) -> Result<Option<PathBuf>, Stop> {
    let text = repair.text().as_bytes();
    match input {
        Input::File(path) if target.in_place => {
            if text == bytes {
                return Ok(None);
            }
            Ok(Some(replace(path, |file| holds(file, bytes), |out| out.write_all(text))?))
        }
        Input::File(_) | Input::Stdin => {
            target.destination().write(target.force, |out| out.write_all(text))?;
            Ok(None)
        }
    }
}

/// A dry run's listing is its result; otherwise it is a remark.
fn say(report: &Report, writes: bool, takes_stdout: bool, terminal: Terminal) -> Result<(), Stop> {
    if terminal.json() {
        return terminal.json_beside(report, takes_stdout);
    }
    if !writes {
        return terminal::result(&(report.lines().join("\n") + "\n"));
    }
    terminal.note(&report.lines().join("\n"));
    Ok(())
}
