//! Whole session files: `cutctx compact` beside a parse into values and back.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::Programs;
use super::document::Section;
use super::process::{self, Run};
use super::table::{as_f64, median, millis, table, times};
use super::ways::{WAYS, Way};

const FORMATS: [&str; 3] = ["claude-code", "openai-chat", "anthropic-messages"];
const BYTES: u64 = 50_000_000;
const RUNS: usize = 7;

/// Done, and over budget although everything that may go is gone.
const FINE: [i32; 2] = [0, 3];

/// The table of made-up sessions of 50 MB.
///
/// # Errors
///
/// A sentence, when a program does not end well or the temporary folder cannot be written.
pub(super) fn compacted(programs: &Programs) -> Result<Section, String> {
    let folder = Folder::new()?;
    let rows = FORMATS.iter().map(|format| rows(programs, &folder, format));
    let rows = rows.collect::<Result<Vec<_>, _>>()?.concat();
    let head = [
        "50 MB of",
        "how",
        "`cutctx compact`, CPU ms",
        "wall ms",
        "parse and write, CPU ms",
        "wall ms",
        "CPU ratio",
        "peak memory, times the file",
    ];
    Ok(Section { name: "files", text: table(&head, &rows) })
}

/// A row for each way.
fn rows(programs: &Programs, folder: &Folder, format: &str) -> Result<Vec<Vec<String>>, String> {
    let session = made_up(&programs.measure, folder, format, BYTES)?;
    WAYS.iter().map(|way| row(programs, folder, format, &session, way)).collect()
}

fn row(
    programs: &Programs,
    folder: &Folder,
    format: &str,
    session: &Path,
    way: &Way,
) -> Result<Vec<String>, String> {
    let (ours, theirs) = alternately(
        || compact(&programs.cutctx, session, &folder.file("compacted"), way),
        || round_trip(&programs.value_roundtrip, session, &folder.file("written")),
    )?;
    let size = fs::metadata(session).map_err(|error| error.to_string())?.len();
    let peak = ours.peak_kibibytes.saturating_mul(1_024);
    Ok(vec![
        format!("{format} ({:.1} MB)", as_f64(size) / 1e6),
        way.name.to_owned(),
        millis(ours.cpu_micros),
        millis(ours.wall_micros),
        millis(theirs.cpu_micros),
        millis(theirs.wall_micros),
        times(ours.cpu_micros, theirs.cpu_micros),
        times(peak, size),
    ])
}

/// A made-up session of about so many bytes.
///
/// # Errors
///
/// A sentence, when it cannot be made.
pub(super) fn made_up(measure: &Path, folder: &Folder, format: &str, bytes: u64) -> Result<PathBuf, String> {
    let session = folder.file(format);
    let file = File::create(&session).map_err(|error| format!("{}: {error}", session.display()))?;
    let mut command = Command::new(measure);
    command.args(["session", format, &bytes.to_string()]).stdout(Stdio::from(file));
    let status = command.status().map_err(|error| error.to_string())?;
    if status.success() { Ok(session) } else { Err(format!("no {format} session was made up: {status}")) }
}

/// Runs the one and the other in turn, so that a change of the machine's mood meets both.
fn alternately(
    mut one: impl FnMut() -> Result<Run, String>,
    mut other: impl FnMut() -> Result<Run, String>,
) -> Result<(Run, Run), String> {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ones.push(one()?);
        others.push(other()?);
    }
    Ok((typical(&ones), typical(&others)))
}

/// Medians of times, and the most memory of all.
fn typical(runs: &[Run]) -> Run {
    let of = |figure: fn(&Run) -> u64| runs.iter().map(figure).collect::<Vec<_>>();
    Run {
        wall_micros: median(&of(|run| run.wall_micros)),
        cpu_micros: median(&of(|run| run.cpu_micros)),
        peak_kibibytes: of(|run| run.peak_kibibytes).into_iter().max().unwrap_or_default(),
    }
}

/// To about a half of the context of a Claude Code session, and to less of the others.
fn compact(cutctx: &Path, session: &Path, to: &Path, way: &Way) -> Result<Run, String> {
    compact_to(BYTES / 16, cutctx, session, to, way)
}

/// Compacts a session to so many tokens in this way.
///
/// # Errors
///
/// A sentence, when the command does not end well.
pub(super) fn compact_to(
    tokens: u64,
    cutctx: &Path,
    session: &Path,
    to: &Path,
    way: &Way,
) -> Result<Run, String> {
    let tokens = tokens.to_string();
    let mut command = Command::new(cutctx);
    command.arg("compact").arg(session).args(["--max-tokens", &tokens, "--quiet", "--force", "-o"]).arg(to);
    command.args(way.arguments);
    process::run(&mut command, &FINE)
}

fn round_trip(value_roundtrip: &Path, session: &Path, to: &Path) -> Result<Run, String> {
    process::run(Command::new(value_roundtrip).arg(session).arg(to), &[0])
}

/// A temporary folder that is gone when it is dropped.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// A new one.
    ///
    /// # Errors
    ///
    /// A sentence, when it cannot be made.
    pub(super) fn new() -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("cutctx-performance-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    /// The path of a file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} is left behind: {error}", self.0.display());
        }
    }
}
