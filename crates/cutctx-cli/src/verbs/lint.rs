//! `cutctx lint`: what a provider would refuse, and where files are damaged.

mod examine;
mod finding;
mod listing;
mod sarif;

use crate::arguments::input_parser;
use crate::exit::Exit;
use crate::failure::Stop;
use crate::files::Input;
use crate::show::{counted, grouped, visible};
use crate::terminal::{self, Terminal};
use alloc::collections::BTreeSet;
use clap::{Args, ValueEnum, ValueHint};
use cutctx::formats::Severity;
use examine::examine;
use finding::Finding;
use serde::Serialize;

/// Checks sessions against the rules of their provider, and files for damage.
///
/// Every finding has its place, its rule and a remedy. The rules of a provider are those for the messages as the
/// session holds them; of files that a tool mends before it sends them, what is mended is listed. Damaged files of
/// lines are read as far as they can be, and each damaged place is a finding.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx lint session.jsonl
  cutctx lint sessions/*.jsonl --severity refused   # only what a provider refuses
  cutctx lint session.jsonl --sarif > lint.sarif    # for code scanning
  cutctx lint --rules                               # all rules with their sources")]
pub(crate) struct Arguments {
    /// The session files; `-` is standard input. The formats are recognised from the content.
    #[arg(value_name = "SESSION", value_parser = input_parser(), value_hint = ValueHint::FilePath,
          required_unless_present = "rules")]
    sessions: Vec<Input>,
    /// Read them as this format, whatever they look like (`cutctx formats` lists them).
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Check only this conversation of a file that holds several, from 0; otherwise all are checked.
    #[arg(long, value_name = "N")]
    conversation: Option<usize>,
    /// List findings from this severity on. Only these count for the exit code.
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Level::Repaired)]
    severity: Level,
    /// The findings as SARIF 2.1.0.
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    sarif: bool,
    /// List all rules instead.
    #[arg(long, conflicts_with_all = ["sessions", "sarif"], help_heading = "Output")]
    rules: bool,
}

/// How bad a finding must be to be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Level {
    /// Everything, also what only some servers refuse.
    Advice,
    /// What is mended without a word, and what is refused.
    Repaired,
    /// What the provider refuses, and damage.
    Refused,
}

impl Level {
    const fn least(self) -> Severity {
        match self {
            Self::Advice => Severity::Advice,
            Self::Repaired => Severity::Repaired,
            Self::Refused => Severity::Refused,
        }
    }
}

/// What was found in one file.
#[derive(Debug, Serialize)]
struct Report {
    session: String,
    /// Null where a damaged file can be read as no format.
    format: Option<&'static str>,
    conversations: usize,
    findings: Vec<Finding>,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    if arguments.rules {
        listing::run(terminal)?;
        return Ok(Exit::Done);
    }
    Input::at_most_one_stdin(&arguments.sessions)?;
    let mut reports = Vec::with_capacity(arguments.sessions.len());
    for session in &arguments.sessions {
        let mut report = examine(session, arguments.format.as_deref(), arguments.conversation)?;
        report.findings.retain(|finding| finding.severity >= arguments.severity.least());
        reports.push(report);
    }
    show(&reports, arguments.sarif, terminal)?;
    let is_clean = reports.iter().all(|report| report.findings.is_empty());
    Ok(if is_clean { Exit::Done } else { Exit::Findings })
}

fn show(reports: &[Report], as_sarif: bool, terminal: Terminal) -> Result<(), Stop> {
    if as_sarif {
        return terminal::json_result(&sarif::log(reports));
    }
    if terminal.json() {
        let count: usize = reports.iter().map(|report| report.findings.len()).sum();
        return terminal::json_result(&serde_json::json!({ "findings": count, "sessions": reports }));
    }
    terminal::result(&text(reports))
}

/// A line a finding; the remedy of a rule stands below its first one in a file.
fn text(reports: &[Report]) -> String {
    let mut lines = Vec::new();
    for report in reports {
        let mut told = BTreeSet::new();
        for finding in &report.findings {
            lines.push(finding.to_line(&report.session));
            if told.insert(&finding.rule) {
                lines.push(format!("  remedy: {}", finding.remedy));
            }
        }
        if report.findings.is_empty() {
            lines.push(format!("{}: nothing found", visible(&report.session)));
        }
    }
    lines.push(summary(reports));
    lines.join("\n") + "\n"
}

fn summary(reports: &[Report]) -> String {
    let count = |severity: Severity| {
        let findings = reports.iter().flat_map(|report| &report.findings);
        let count = findings.filter(|finding| finding.severity == severity).count();
        format!("{} {severity}", grouped(count))
    };
    let counts = [Severity::Refused, Severity::Repaired, Severity::Advice].map(count);
    format!("{} in {}", counts.join(", "), counted(reports.len(), "session"))
}
