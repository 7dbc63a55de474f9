//! A session that is too large to be held whole: the most memory that `cutctx compact` has at once.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Programs;
use super::document::Section;
use super::files::{Folder, compact_to, made_up};
use super::process::Run;
use super::said;
use super::table::{as_f64, millis, table, times};
use super::ways::{WAYS, Way};

/// Made-up sessions of agents that write lines; the last one has the most turns for its size.
const FORMATS: [&str; 3] = ["claude-code", "codex-rollout", "pi"];
const BYTES: u64 = 500_000_000;
const RUNS: usize = 3;

/// What may be needed besides twice the context, in bytes.
const FIXED: u64 = 64 << 20;

/// The table of made-up sessions of 500 MB.
///
/// # Errors
///
/// A sentence, when a program does not end well or the temporary folder cannot be written.
pub(super) fn compacted(programs: &Programs) -> Result<Section, String> {
    let rows = FORMATS.iter().map(|format| compacted_one(programs, format));
    let rows = rows.collect::<Result<Vec<_>, _>>()?.concat();
    let head =
        ["session", "how", "context, MB", "CPU ms", "wall ms", "peak, MB", "aim, MB", "peak, times the aim"];
    Ok(Section { name: "large", text: table(&head, &rows) })
}

/// A row for each way.
fn compacted_one(programs: &Programs, format: &str) -> Result<Vec<Vec<String>>, String> {
    let folder = Folder::new()?;
    let session = made_up(&programs.measure, &folder, format, BYTES)?;
    let context = context_bytes(&programs.cutctx, &session)?;
    let size = fs::metadata(&session).map_err(|error| error.to_string())?.len();
    let in_way = |way: &Way| {
        let compact = || compact_to(BYTES / 32, &programs.cutctx, &session, &folder.file("compacted"), way);
        let runs = (0..RUNS).map(|_| compact()).collect::<Result<Vec<_>, _>>()?;
        Ok(row(format, way.name, size, context, &runs))
    };
    WAYS.iter().map(in_way).collect()
}

fn row(format: &str, way: &str, size: u64, context: u64, runs: &[Run]) -> Vec<String> {
    let most = |figure: fn(&Run) -> u64| runs.iter().map(figure).max().unwrap_or_default();
    let peak = most(|run| run.peak_kibibytes).saturating_mul(1_024);
    let aim = context.saturating_mul(2).saturating_add(FIXED);
    let megabytes = |bytes| format!("{:.1}", as_f64(bytes) / 1e6);
    vec![
        format!("{format} ({} MB)", megabytes(size)),
        way.to_owned(),
        megabytes(context),
        millis(most(|run| run.cpu_micros)),
        millis(most(|run| run.wall_micros)),
        megabytes(peak),
        megabytes(aim),
        times(peak, aim),
    ]
}

/// How much of a session is context, as the command tells.
fn context_bytes(cutctx: &Path, session: &Path) -> Result<u64, String> {
    let told = said(Command::new(cutctx).arg("inspect").arg(session).arg("--json"))?;
    let told: Value = serde_json::from_str(&told).map_err(|error| error.to_string())?;
    let bytes = told.get("context_bytes").and_then(Value::as_u64);
    bytes.ok_or_else(|| "`cutctx inspect` tells no context_bytes".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_aim_is_twice_the_context_and_something_fixed() {
        let run = Run { wall_micros: 2_000, cpu_micros: 1_000, peak_kibibytes: 100_000 };
        let row = row("pi", "so", 500_000_000, 100_000_000, &[Run::default(), run]);
        assert_eq!(row, ["pi (500.0 MB)", "so", "100.0", "1.00", "2.00", "102.4", "267.1", "0.38"]);
    }
}
