//! Which messages a number of tokens was measured on.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use cutctx_messages::{HexDigest, Message, messages_digest};
use cutctx_types::{Code, Coded, Details};
use serde::{Deserialize, Serialize};

/// Which list of messages a provider measured: how many there were, and their digest.
///
/// Its JSON is `{"transcript_cursor", "message_count", "messages_sha256"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireCoverage")]
pub struct ContextInputCoverage {
    transcript_cursor: u64,
    message_count: u64,
    messages_sha256: Arc<str>,
}

/// The largest number of messages: 2^63 - 1.
const MOST: u64 = i64::MAX.unsigned_abs();

impl ContextInputCoverage {
    /// A coverage as it was stored.
    ///
    /// # Errors
    ///
    /// [`CoverageError`] when a number is above 2^63 - 1 or the digest is not 64 lower-case hex digits.
    pub fn new(
        transcript_cursor: u64,
        message_count: u64,
        messages_sha256: impl Into<Arc<str>>,
    ) -> Result<Self, CoverageError> {
        let digest = HexDigest::new(messages_sha256).map_err(|_| CoverageError::Digest)?;
        if transcript_cursor > MOST || message_count > MOST {
            return Err(CoverageError::OutOfRange);
        }
        Ok(Self { transcript_cursor, message_count, messages_sha256: digest.shared().clone() })
    }

    /// How far in the durable transcript the messages reach.
    #[must_use]
    pub const fn transcript_cursor(&self) -> u64 {
        self.transcript_cursor
    }

    /// How many messages there were.
    #[must_use]
    pub const fn message_count(&self) -> u64 {
        self.message_count
    }

    /// Their digest as 64 lower-case hex digits: see [`messages_digest`].
    #[must_use]
    pub fn messages_sha256(&self) -> &str {
        &self.messages_sha256
    }

    /// The messages behind those that were measured, when these begin with exactly them.
    pub(crate) fn tail<'m>(&self, messages: &'m [Message]) -> Option<&'m [Message]> {
        let count = usize::try_from(self.message_count).ok()?;
        let (measured, tail) = messages.split_at_checked(count)?;
        (messages_digest(measured).to_hex() == *self.messages_sha256).then_some(tail)
    }
}

/// The coverage of these messages, which reach up to this place of the durable transcript. The place is told, not
/// hashed.
///
/// ```
/// let coverage = cutctx_context::context_input_coverage(&[], 0);
/// assert_eq!(coverage.message_count(), 0);
/// ```
#[must_use]
pub fn context_input_coverage(messages: &[Message], transcript_cursor: u64) -> ContextInputCoverage {
    ContextInputCoverage {
        transcript_cursor: transcript_cursor.min(MOST),
        message_count: u64::try_from(messages.len()).unwrap_or(MOST),
        messages_sha256: messages_digest(messages).to_hex().into(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireCoverage {
    transcript_cursor: u64,
    message_count: u64,
    messages_sha256: String,
}

impl TryFrom<WireCoverage> for ContextInputCoverage {
    type Error = CoverageError;

    fn try_from(wire: WireCoverage) -> Result<Self, CoverageError> {
        Self::new(wire.transcript_cursor, wire.message_count, wire.messages_sha256)
    }
}

/// Why a stored coverage is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CoverageError {
    /// The digest is not 64 lower-case hex digits.
    Digest,
    /// A number is above 2^63 - 1.
    OutOfRange,
}

impl fmt::Display for CoverageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Digest => "the digest is not 64 lower-case hex digits",
            Self::OutOfRange => "a number is above 2^63 - 1",
        })
    }
}

impl core::error::Error for CoverageError {}

impl Coded for CoverageError {
    fn code(&self) -> Code {
        Code::VALIDATION_ERROR
    }

    fn details(&self) -> Details {
        let fault = match self {
            Self::Digest => "pattern",
            Self::OutOfRange => "range",
        };
        Details::none().with("fault", fault)
    }
}
