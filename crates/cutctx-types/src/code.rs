//! What every error carries: a stable code and structured details.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// A stable error code. Codes are never renamed and never reused; `docs/errors.md` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Code(&'static str);

impl Code {
    /// A bad value or a broken rule (the reference's code).
    pub const VALIDATION_ERROR: Self = Self("VALIDATION_ERROR");
    /// What cannot be touched is larger than the budget (the reference's code).
    pub const BUDGET_UNSATISFIABLE: Self = Self("COMPACTION_BUDGET_UNSATISFIABLE");
    /// A plan asks for a summary that was not supplied (the reference's code).
    pub const SUMMARY_MISSING: Self = Self("COMPACTION_SUMMARY_MISSING");
    /// A plan was made for another transcript (the reference's code).
    pub const PLAN_MISMATCH: Self = Self("COMPACTION_PLAN_MISMATCH");
    /// A sum of tokens does not fit 64 bits.
    pub const TOKEN_OVERFLOW: Self = Self("TOKEN_OVERFLOW");
    /// A value cannot be written as canonical JSON for a reason the reference does not name.
    pub const NOT_CANONICAL: Self = Self("NOT_CANONICAL");

    /// Makes a code for an error of another crate. Use upper-case words joined by `_`.
    #[must_use]
    pub const fn new(code: &'static str) -> Self {
        Self(code)
    }

    /// The code as text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// An error with a stable code and structured details.
pub trait Coded: core::error::Error {
    /// The stable code.
    fn code(&self) -> Code;
    /// The data behind the message; never an excerpt of a turn's text.
    fn details(&self) -> Details;
}

/// The details of an error: named values in a fixed order, serialized as an object.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Details(Vec<(&'static str, DetailValue)>);

impl Details {
    /// No details.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// These details with one more.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<DetailValue>) -> Self {
        self.0.push((name, value.into()));
        self
    }

    /// The details in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &DetailValue)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// One value in an error's details.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum DetailValue {
    /// A whole number.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A text: an id, a name or a shown setting, never content.
    Text(Arc<str>),
    /// Several ids or names.
    Texts(Vec<Arc<str>>),
    /// Details within details.
    Nested(Details),
}

impl From<i128> for DetailValue {
    fn from(value: i128) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for DetailValue {
    fn from(value: u64) -> Self {
        Self::Int(i128::from(value))
    }
}

impl From<usize> for DetailValue {
    fn from(value: usize) -> Self {
        Self::Int(i128::try_from(value).unwrap_or(i128::MAX))
    }
}

impl From<bool> for DetailValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for DetailValue {
    fn from(value: &str) -> Self {
        Self::Text(Arc::from(value))
    }
}

impl From<String> for DetailValue {
    fn from(value: String) -> Self {
        Self::Text(Arc::from(value))
    }
}

impl From<Arc<str>> for DetailValue {
    fn from(value: Arc<str>) -> Self {
        Self::Text(value)
    }
}

impl From<Vec<Arc<str>>> for DetailValue {
    fn from(value: Vec<Arc<str>>) -> Self {
        Self::Texts(value)
    }
}

impl From<Details> for DetailValue {
    fn from(value: Details) -> Self {
        Self::Nested(value)
    }
}

/// The most ids that an error's details name.
const MOST_IDS: usize = 10;

/// The first ten ids, sorted by code point: how the details of an error name turns and groups.
///
/// ```
/// use cutctx_types::capped_ids;
/// let ids = capped_ids(["b".into(), "a".into()]);
/// assert_eq!(ids, ["a".into(), "b".into()]);
/// ```
#[must_use]
pub fn capped_ids(ids: impl IntoIterator<Item = Arc<str>>) -> Vec<Arc<str>> {
    let mut ids: Vec<Arc<str>> = ids.into_iter().collect();
    ids.sort_unstable();
    ids.truncate(MOST_IDS);
    ids
}
