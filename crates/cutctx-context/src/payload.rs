//! Small objects of names and numbers.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, DurableValue, ValueView};

/// An object that is being written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Payload(Vec<(Arc<str>, DurableValue)>);

impl Payload {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn value(mut self, key: &'static str, value: impl Into<DurableValue>) -> Self {
        self.0.push((key.into(), value.into()));
        self
    }

    /// A name; one with a null character is left out.
    pub(crate) fn text(self, key: &'static str, text: impl Into<Arc<str>>) -> Self {
        let value = DurableValue::text(text).unwrap_or(DurableValue::NULL);
        self.value(key, value)
    }

    pub(crate) fn count(self, key: &'static str, count: usize) -> Self {
        self.value(key, i64::try_from(count).unwrap_or(i64::MAX))
    }

    pub(crate) fn tokens(self, key: &'static str, tokens: u64) -> Self {
        self.value(key, i64::try_from(tokens).unwrap_or(i64::MAX))
    }

    /// Tokens, or null.
    pub(crate) fn known_tokens(self, key: &'static str, tokens: Option<u64>) -> Self {
        match tokens {
            Some(tokens) => self.tokens(key, tokens),
            None => self.value(key, DurableValue::NULL),
        }
    }

    /// Tokens, or nothing at all.
    pub(crate) fn tokens_if(self, key: &'static str, tokens: Option<u64>) -> Self {
        match tokens {
            Some(tokens) => self.tokens(key, tokens),
            None => self,
        }
    }

    /// With the members of another behind.
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// The object. Names and numbers are within every limit of a stored value.
    pub(crate) fn object(self) -> DurableObject {
        DurableObject::new(self.0).unwrap_or_default()
    }
}

/// A whole number that is not below zero.
pub(crate) fn whole(object: &DurableObject, key: &str) -> Option<u64> {
    match object.get(key)?.view() {
        ValueView::Int(value) => u64::try_from(value).ok(),
        ValueView::Null
        | ValueView::Bool(_)
        | ValueView::Fraction(_)
        | ValueView::Text(_)
        | ValueView::Array(_)
        | ValueView::Object(_) => None,
    }
}
