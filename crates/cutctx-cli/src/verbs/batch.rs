//! `cutctx batch`: JSON Lines in, JSON Lines out.

use crate::arguments::{input_parser, output_parser};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Input, Output};
use crate::show::grouped;
use crate::terminal::Terminal;
use clap::{Args, ValueHint};
use core::fmt;
use cutctx::batch::parallel::{self, BatchError, Options, Totals};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde_json::json;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Runs jobs, one JSON object a line, and answers each with a line, in order.
///
/// A job holds a transcript, a budget and a policy; `docs/batch.md` describes it, with a JSON Schema. Jobs are run in
/// parallel and in bounded memory. A line that is no job is answered with an error, and the rest go on; blank lines
/// are skipped. The exit code is 0 when every line was answered, be it with an error.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx batch < jobs.jsonl > answers.jsonl
  cutctx batch jobs.jsonl -o answers.jsonl --threads 8")]
pub(crate) struct Arguments {
    /// The jobs; `-`, the default, is standard input.
    #[arg(value_name = "FILE", default_value = "-", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    jobs: Input,
    /// Where to write the answers; `-`, the default, is standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-", value_parser = output_parser(),
          value_hint = ValueHint::FilePath, help_heading = "Output")]
    output: Output,
    /// Overwrite a file that exists.
    #[arg(long, help_heading = "Output")]
    force: bool,
    /// How many threads to work with, at most 256; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// The longest line that is read, in bytes.
    #[arg(long, value_name = "N", default_value_t = 256 << 20)]
    max_line_bytes: usize,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    arguments.output.check(&arguments.jobs, arguments.force)?;
    let input = open(&arguments.jobs)?;
    let options =
        Options::default().with_max_line_bytes(arguments.max_line_bytes).with_threads(arguments.threads);
    let progress = progress_bar(terminal);
    let mut totals = Totals::default();
    let mut unread = None;
    let written = arguments.output.write(arguments.force, |out| {
        match parallel::run(input, &mut *out, options, |totals| progress.set_position(totals.jobs)) {
            Ok(all) => totals = all,
            Err(BatchError::Write(error)) => return Err(error),
            Err(error) => {
                // The answers so far are of use to whoever reads a stream; a file is there whole or not at all.
                unread = Some(failure_of(&error, arguments.jobs.path()));
                out.flush()?;
                return Err(io::Error::other("the jobs end early"));
            }
        }
        Ok(())
    });
    progress.finish_and_clear();
    if let Some(failure) = unread {
        return Err(failure.into());
    }
    written?;
    say(totals, terminal);
    Ok(Exit::Done)
}

fn open(jobs: &Input) -> Result<Box<dyn Read + Send>, Failure> {
    match jobs {
        Input::Stdin => Ok(Box::new(io::stdin())),
        Input::File(path) => match File::open(path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(Failure::io("read", path, &error)),
        },
    }
}

fn progress_bar(terminal: Terminal) -> ProgressBar {
    if !terminal.progress() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {human_pos} jobs, {rate}, {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner()).with_key("rate", write_rate);
    ProgressBar::new_spinner().with_style(style)
}

fn write_rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    // A progress bar that cannot be drawn is no reason to stop.
    write!(out, "{:.0} a second", state.per_sec()).unwrap_or(());
}

fn failure_of(error: &BatchError, path: &Path) -> Failure {
    if let BatchError::Read(error) = error {
        return Failure::io("read", path, error);
    }
    Failure::new(Exit::Refused, "IO", error.to_string())
}

fn say(totals: Totals, terminal: Terminal) {
    let Totals { jobs, failed, blank, .. } = totals;
    let counts = json!({ "jobs": jobs, "failed": failed, "blank_lines": blank });
    terminal.json_note(&counts);
    terminal.note(&format!(
        "{} jobs answered, {} of them with an error; {} blank lines skipped",
        grouped(jobs),
        grouped(failed),
        grouped(blank)
    ));
}
