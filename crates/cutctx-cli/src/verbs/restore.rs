//! `cutctx restore`: undo a compaction in place.

use crate::arguments::input_parser;
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Input, newest_backup, restore};
use crate::show::visible;
use crate::terminal::{self, Terminal};
use clap::{Args, ValueHint};
use serde_json::json;
use std::path::Path;

/// Undoes a compaction in place: brings the newest backup back.
///
/// The compacted session is not lost: it stays beside it as NAME.cutctx-undone. Where there are several backups, each
/// call goes back by one.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Example:
  cutctx restore session.jsonl")]
pub(crate) struct Arguments {
    /// The session file.
    #[arg(value_name = "SESSION", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    session: Input,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let Input::File(path) = &arguments.session else {
        let message = "standard input has no backup";
        return Err(Failure::usage(message, "pass the session file").into());
    };
    let backup = newest_backup(path)?;
    let undone = restore(path, &backup)?;
    if terminal.json() {
        let undone = undone.map(|path| path.display().to_string());
        terminal::json_result(&json!({
            "restored": path.display().to_string(), "from": backup.display().to_string(), "undone": undone,
        }))?;
        return Ok(Exit::Done);
    }
    terminal.note(&format!("{} is what it was ({} brought back)", shown(path), shown(&backup)));
    if let Some(undone) = undone {
        terminal.note(&format!("  the compacted session is kept as {}", shown(&undone)));
    }
    Ok(Exit::Done)
}

fn shown(path: &Path) -> String {
    visible(&path.display().to_string())
}
