//! JSON values as stored messages may hold them.
//!
//! Stored values are *durable*: every reader in every language gets the same value out of them. So numbers are whole
//! and fit 64 bits, or are finite and not whole; text has no null character; nothing is nested deeply or very large.

mod fault;
mod number;
mod object;
mod reader;
mod size;
mod value;
mod writer;

pub use fault::DurableError;
pub use object::DurableObject;
pub use reader::WireValue;
pub(crate) use reader::{MESSAGE_LEVELS, read_within};
pub(crate) use size::Limits;
pub use value::{DurableValue, ValueView};
pub(crate) use writer::{write_canonical, write_canonical_int, write_canonical_text};
