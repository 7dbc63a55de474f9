//! `cutctx formats`: what can be read.

use crate::exit::Exit;
use crate::failure::Stop;
use crate::show::{Column, table};
use crate::terminal::{self, Terminal};
use clap::Args;
use cutctx::formats::{About, formats};
use serde_json::{Value, json};

/// Lists the session formats that can be read and written.
///
/// A format is recognised from a file's content, never from its name. The evidence says on what its reader rests: whole
/// sessions of real use, fragments of some, or descriptions only (grammar).
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    if terminal.json() {
        let list: Vec<_> = formats().iter().map(|format| row_of(format.about())).collect();
        terminal::json_result(&json!({ "formats": list }))?;
        return Ok(Exit::Done);
    }
    let columns =
        [Column::Text("name"), Column::Text("what it is"), Column::Text("told by"), Column::Text("evidence")];
    let rows = formats().iter().map(|format| {
        let About { name, describe, told_by, evidence, .. } = format.about();
        [name, describe, told_by, evidence.as_str()].map(str::to_owned).to_vec()
    });
    terminal::result(&table(terminal::width(), &columns, rows))?;
    Ok(Exit::Done)
}

fn row_of(about: &About) -> Value {
    json!({ "name": about.name, "description": about.describe, "told_by": about.told_by,
        "evidence": about.evidence.as_str() })
}
