//! `cutctx formats`: what can be read.

use crate::exit::Exit;
use crate::failure::Stop;
use crate::show::{Column, table};
use crate::terminal::{self, Terminal};
use clap::Args;
use cutctx::formats::formats;
use serde_json::json;

/// Lists the session formats that can be read and written.
///
/// A format is recognised from a file's content, never from its name.
#[derive(Debug, Clone, Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    if terminal.json() {
        let list: Vec<_> = formats()
            .iter()
            .map(|format| json!({ "name": format.name(), "description": format.describe() }))
            .collect();
        terminal::json_result(&json!({ "formats": list }))?;
        return Ok(Exit::Done);
    }
    let rows = formats().iter().map(|format| vec![format.name().to_owned(), format.describe().to_owned()]);
    terminal::result(&table(terminal::width(), &[Column::Text("name"), Column::Text("what it is")], rows))?;
    Ok(Exit::Done)
}
