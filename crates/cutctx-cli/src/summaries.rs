//! The summaries that a plan asks for: supplied, or written here.

mod models;
mod written;

use crate::arguments::SummariesArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use cutctx::Summaries;

pub(crate) use models::{Metered, model_of};
pub(crate) use written::{Spent, announce, written};

/// Reads the summaries of a command line, if it names any.
pub(crate) fn read(arguments: &SummariesArguments) -> Result<Option<Summaries>, Failure> {
    let Some(input) = &arguments.summaries else { return Ok(None) };
    let text = input.text()?;
    let refused = |error| Failure::of(&error, Exit::Refused).file(input.path());
    cutctx::documents::summaries(&text).map(Some).map_err(refused)
}
