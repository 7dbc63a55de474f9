//! Supplied summaries.

use crate::arguments::SummariesArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use cutctx::Summaries;

/// Reads the summaries of a command line, if it names any.
pub(crate) fn read(arguments: &SummariesArguments) -> Result<Option<Summaries>, Failure> {
    let Some(input) = &arguments.summaries else { return Ok(None) };
    let text = input.text()?;
    let refused = |error| Failure::of(&error, Exit::Refused).file(input.path());
    cutctx::documents::summaries(&text).map(Some).map_err(refused)
}
