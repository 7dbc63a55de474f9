//! The small documents beside a transcript, in JSON: summaries and policies.
//!
//! ```
//! let summaries = cutctx::documents::summaries(r#"{"span-1": "they agreed on tabs"}"#)?;
//! assert_eq!(summaries.get("span-1"), Some("they agreed on tabs"));
//!
//! let policy = cutctx::documents::policy(r#"{"kind": "masking", "keep_recent_results": 4}"#)?.build()?;
//! assert_eq!(policy.version(), "2.0.0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod fault;

pub use fault::JsonFault;
pub(crate) use fault::{known_key, named};

use cutctx_exec::Summaries;
use cutctx_policies::PolicySpec;
use cutctx_types::{Code, Coded, Details};

/// Reads summaries: an object, group id to text, in which no group stands twice.
///
/// # Errors
///
/// [`DocumentError`] when it is something else.
pub fn summaries(json: &str) -> Result<Summaries, DocumentError> {
    serde_json::from_str(json).map_err(|error| DocumentError::of(Document::Summaries, json, &error))
}

/// Reads a policy, in the form that `docs/batch.md` describes.
///
/// # Errors
///
/// [`DocumentError`] when it is not in that form. What its settings are worth is judged by [`PolicySpec::build`].
pub fn policy(json: &str) -> Result<PolicySpec, DocumentError> {
    serde_json::from_str(json).map_err(|error| DocumentError::of(Document::Policy, json, &error))
}

/// What a document was to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Document {
    /// Summaries by group id.
    Summaries,
    /// A policy.
    Policy,
}

impl Document {
    const fn name(self) -> &'static str {
        match self {
            Self::Summaries => "an object of summaries by group id",
            Self::Policy => "a policy",
        }
    }
}

/// Why a document cannot be read. It tells where and never what the document says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: the document is not {}: {fault}{}", document.name(), named(key.as_deref()))]
#[non_exhaustive]
pub struct DocumentError {
    /// What it was to be.
    pub document: Document,
    /// What is wrong.
    pub fault: JsonFault,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1; 0 where none is to blame.
    pub column: usize,
    /// The key that is missing, stands twice or is out of place, where it is one of ours.
    pub key: Option<String>,
}

impl DocumentError {
    fn of(document: Document, json: &str, error: &serde_json::Error) -> Self {
        Self {
            document,
            fault: JsonFault::of(json, error),
            line: error.line(),
            column: error.column(),
            key: known_key(error),
        }
    }
}

impl Coded for DocumentError {
    fn code(&self) -> Code {
        match self.document {
            Document::Summaries => Code::new("SUMMARIES_UNREADABLE"),
            Document::Policy => Code::new("POLICY_UNREADABLE"),
        }
    }

    fn details(&self) -> Details {
        let details = Details::none()
            .with("fault", self.fault.as_str())
            .with("line", self.line)
            .with("column", self.column);
        self.key.iter().fold(details, |details, key| details.with("key", key.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(json: &str) -> JsonFault {
        summaries(json).unwrap_err().fault
    }

    #[test]
    fn a_group_that_stands_twice_is_refused_however_it_is_spelled() {
        assert_eq!(fault(r#"{"a": "1", "a": "2"}"#), JsonFault::RepeatedKey);
        assert_eq!(fault(r#"{"a": "1", "\u0061": "2"}"#), JsonFault::RepeatedKey);
    }

    #[test]
    fn what_is_no_object_of_texts_is_refused_with_the_reason() {
        assert_eq!(fault("[]"), JsonFault::WrongValue);
        assert_eq!(fault(r#"{"a": 1}"#), JsonFault::WrongValue);
        assert_eq!(fault(r#"{"a": "b""#), JsonFault::Truncated);
        assert_eq!(fault("{]"), JsonFault::Syntax);
    }

    #[test]
    fn an_error_does_not_repeat_the_document() {
        let error = policy(r#"{"kind": "masking", "SECRET": 1}"#).unwrap_err();
        assert_eq!(error.fault, JsonFault::UnknownKey);
        assert!(!format!("{error} {error:?} {:?}", error.details()).contains("SECRET"));
    }
}
