//! The one JSON form in which plans are compared and hashed.
//!
//! Keys sorted by code point, no spaces, non-ASCII text as it is, floats as Python's `repr` writes
//! them. It is not to be mixed with `durable_json`, which hashes messages.

mod escape;
mod float;
mod key;
mod writer;

pub(crate) use escape::{BLOCK, first_escape_in, needs_escape, write_escape};
pub use float::float_repr;

use crate::code::{Code, Coded, Details};
use alloc::format;
use alloc::string::String;
use core::fmt;
use serde::{Serialize, ser};
use sha2::{Digest, Sha256};
use writer::CanonicalWriter;

/// The canonical JSON of a value.
///
/// ```
/// use std::collections::BTreeMap;
/// let value = BTreeMap::from([("b", 1.0), ("a", 1e16)]);
/// assert_eq!(cutctx_types::canonical_json(&value)?, r#"{"a":1e+16,"b":1.0}"#);
/// # Ok::<(), cutctx_types::CanonicalError>(())
/// ```
///
/// # Errors
///
/// [`CanonicalError`] for a number that is not finite, for bytes, for a key that is no text, and for
/// more than 256 levels.
pub fn canonical_json<T: Serialize + ?Sized>(value: &T) -> Result<String, CanonicalError> {
    let mut writer = CanonicalWriter::default();
    value.serialize(&mut writer)?;
    Ok(writer.into_text())
}

/// The SHA-256 of a value's canonical JSON. Where members come in order, as those of plans do, the text is hashed piece
/// by piece and never in memory as a whole.
pub(crate) fn canonical_sha256<T: Serialize + ?Sized>(value: &T) -> Result<[u8; 32], CanonicalError> {
    let mut writer = CanonicalWriter::hashing();
    value.serialize(&mut writer)?;
    match writer.into_digest() {
        Some(digest) => Ok(digest),
        None => Ok(Sha256::digest(canonical_json(value)?).into()),
    }
}

/// Why a value has no canonical JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// A number is not finite.
    #[error("{value} is no number in JSON")]
    NonFinite {
        /// `nan`, `inf` or `-inf`.
        value: &'static str,
    },
    /// Something that JSON has no form for.
    #[error("{kind} has no canonical JSON")]
    Unsupported {
        /// What it is.
        kind: &'static str,
    },
    /// Deeper than 256 levels.
    #[error("a value is nested deeper than 256 levels")]
    TooDeep,
    /// A value's own serialization failed.
    #[error("a value could not be serialized: {reason}")]
    Custom {
        /// What it said.
        reason: String,
    },
}

impl Coded for CanonicalError {
    fn code(&self) -> Code {
        match self {
            Self::NonFinite { .. } | Self::Unsupported { .. } => Code::VALIDATION_ERROR,
            Self::TooDeep | Self::Custom { .. } => Code::NOT_CANONICAL,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::NonFinite { value } => Details::none().with("value", *value),
            Self::Unsupported { kind } => Details::none().with("type", *kind),
            Self::TooDeep | Self::Custom { .. } => Details::none(),
        }
    }
}

impl ser::Error for CanonicalError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Custom { reason: format!("{message}") }
    }
}
