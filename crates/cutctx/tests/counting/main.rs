//! One counter everywhere, beside what providers counted.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod anchors;
#[cfg(test)]
mod corpus;
#[cfg(test)]
mod names;
#[cfg(test)]
mod pains;
#[cfg(test)]
mod scaling;
#[cfg(test)]
mod told;

#[cfg(test)]
use cutctx::counting::Counter;
#[cfg(test)]
use cutctx::formats::{FormatError, Opening, ReadRequest, Session};

/// Reads a session, counted by what it names.
#[cfg(test)]
fn read(file: impl Into<Vec<u8>>, counter: &Counter) -> Result<Session, FormatError> {
    let choose = |opening: &Opening<'_>| counter.choose(opening);
    Session::read_with(None, file, &ReadRequest::new(counter).opened_before(&choose))
}
