//! The command `cutctx`: compacts the sessions of agents and says what it did.
//!
//! This crate is the outermost layer: files, standard input and output, exit codes. Everything it decides is decided
//! by the library `cutctx`.

extern crate alloc;

mod arguments;
mod context_state;
mod counting;
mod discovery;
mod exit;
mod failure;
mod files;
mod keys;
mod loaded;
mod panics;
mod pinning;
mod session_files;
mod show;
mod stored_plan;
mod summaries;
mod terminal;
mod verbs;

use arguments::CommandLine;
use clap::Parser;
use clap::error::ErrorKind;
use exit::Exit;
use failure::{Failure, Stop};
use std::process::ExitCode;
use terminal::Terminal;

fn main() -> ExitCode {
    panics::install_hook();
    panics::guard(run).into()
}

fn run() -> Exit {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return refuse(&error),
    };
    let terminal = Terminal::new(line.json, line.quiet);
    match verbs::run(line.verb, terminal) {
        Ok(exit) => exit,
        Err(Stop::PipeClosed) => Exit::Done,
        Err(Stop::Failed(failure)) => {
            terminal.fail(&failure);
            failure.exit()
        }
    }
}

/// Help and version are no errors; everything else that the parser says is.
fn refuse(error: &clap::Error) -> Exit {
    if error.use_stderr() && std::env::args_os().any(|word| word == "--json") {
        let failure = Failure::usage(sentence(error), "see `cutctx --help`");
        Terminal::new(true, false).fail(&failure);
        return failure.exit();
    }
    terminal::parser_says(error);
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}

/// The parser's error on one line, without usage and tips.
fn sentence(error: &clap::Error) -> String {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand
    ) {
        return "no verb is given".to_owned();
    }
    let said = error.to_string();
    let paragraph = said.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.trim_start_matches("error: ").split_whitespace().collect();
    words.join(" ")
}
