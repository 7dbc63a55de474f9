//! The fields of an object, one by one.

use alloc::sync::Arc;

use crate::json::{DurableObject, DurableValue, Limits, ValueView};
use crate::message::error::{FieldFault, MessageError};

/// An object whose fields are all known.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'v> {
    /// What it is, for errors.
    part: &'static str,
    object: &'v DurableObject,
}

type Outcome<T> = Result<T, MessageError>;

impl<'v> Fields<'v> {
    /// The fields of an object, where it has none but these.
    pub(crate) fn new(part: &'static str, object: &'v DurableObject, known: &[&str]) -> Outcome<Self> {
        if object.iter().any(|(key, _)| !known.contains(&key.as_ref())) {
            // The name is the caller's text and is not repeated.
            return Err(FieldFault::Unknown.of(part, "(another)"));
        }
        Ok(Self { part, object })
    }

    /// An error about a field.
    pub(crate) const fn error(self, field: &'static str, fault: FieldFault) -> MessageError {
        fault.of(self.part, field)
    }

    /// A field that must be a text.
    pub(crate) fn text(self, field: &'static str) -> Outcome<Arc<str>> {
        self.nullable_text(field)?.ok_or_else(|| self.absent(field, "a text"))
    }

    /// A field that may be null or absent, and otherwise is a text.
    pub(crate) fn nullable_text(self, field: &'static str) -> Outcome<Option<Arc<str>>> {
        match self.object.get(field).map(DurableValue::view) {
            None | Some(ValueView::Null) => Ok(None),
            Some(ValueView::Text(text)) => Ok(Some(Arc::clone(text))),
            Some(_) => Err(self.wrong(field, "a text")),
        }
    }

    /// A text that may be absent, but not null.
    pub(crate) fn text_or(self, field: &'static str, default: &str) -> Outcome<Arc<str>> {
        if self.object.get(field).is_none() { Ok(default.into()) } else { self.text(field) }
    }

    /// A field that must be an object within the limits of a stored value.
    pub(crate) fn object(self, field: &'static str) -> Outcome<DurableObject> {
        self.nullable_object(field)?.ok_or_else(|| self.absent(field, "an object"))
    }

    /// An object that may be absent, but not null.
    pub(crate) fn object_or_empty(self, field: &'static str) -> Outcome<DurableObject> {
        if self.object.get(field).is_none() { Ok(DurableObject::empty()) } else { self.object(field) }
    }

    /// A field that may be null or absent, and otherwise is an object.
    pub(crate) fn nullable_object(self, field: &'static str) -> Outcome<Option<DurableObject>> {
        let value = self.value_or_null(field)?;
        if value == DurableValue::NULL {
            return Ok(None);
        }
        value.as_object().cloned().map(Some).ok_or_else(|| self.wrong(field, "an object"))
    }

    /// A field that may be any value; null where it is absent.
    pub(crate) fn value_or_null(self, field: &'static str) -> Outcome<DurableValue> {
        let Some(value) = self.object.get(field) else { return Ok(DurableValue::NULL) };
        Limits::DOCUMENT.check(value.size()).map_err(|fault| self.error(field, fault.into()))?;
        Ok(value.clone())
    }

    /// A field that must be there and may be any value.
    pub(crate) fn value(self, field: &'static str) -> Outcome<DurableValue> {
        if self.object.get(field).is_none() {
            return Err(self.error(field, FieldFault::Missing));
        }
        self.value_or_null(field)
    }

    /// A list, empty where it is absent. It may be larger than a stored value.
    pub(crate) fn list(self, field: &'static str) -> Outcome<&'v [DurableValue]> {
        match self.object.get(field).map(DurableValue::view) {
            None => Ok(&[]),
            Some(ValueView::Array(items)) => Ok(items),
            Some(_) => Err(self.wrong(field, "a list")),
        }
    }

    /// A truth value, false where it is absent.
    pub(crate) fn flag(self, field: &'static str) -> Outcome<bool> {
        match self.object.get(field).map(DurableValue::view) {
            None => Ok(false),
            Some(ValueView::Bool(value)) => Ok(value),
            Some(_) => Err(self.wrong(field, "a truth value")),
        }
    }

    /// A whole number that may be null or absent.
    pub(crate) fn nullable_int(self, field: &'static str) -> Outcome<Option<i64>> {
        match self.object.get(field).map(DurableValue::view) {
            None | Some(ValueView::Null) => Ok(None),
            Some(ValueView::Int(value)) => Ok(Some(value)),
            Some(_) => Err(self.wrong(field, "a whole number")),
        }
    }

    /// A whole number that must be there.
    pub(crate) fn int(self, field: &'static str) -> Outcome<i64> {
        self.nullable_int(field)?.ok_or_else(|| self.absent(field, "a whole number"))
    }

    /// A text that must be one of a few.
    pub(crate) fn choice<T: Copy>(
        self,
        field: &'static str,
        text: &str,
        choices: &[(&str, T)],
    ) -> Outcome<T> {
        let found = choices.iter().find(|(name, _)| *name == text);
        found.map(|(_, value)| *value).ok_or_else(|| self.error(field, FieldFault::NotAChoice))
    }

    /// Passes a constructor's outcome on with the field's name.
    pub(crate) fn checked<T>(self, field: &'static str, outcome: Result<T, FieldFault>) -> Outcome<T> {
        outcome.map_err(|fault| self.error(field, fault))
    }

    /// The fault of a field that is null or not there at all.
    fn absent(self, field: &'static str, wanted: &'static str) -> MessageError {
        if self.object.get(field).is_some() {
            self.wrong(field, wanted)
        } else {
            self.error(field, FieldFault::Missing)
        }
    }

    const fn wrong(self, field: &'static str, wanted: &'static str) -> MessageError {
        self.error(field, FieldFault::WrongType { wanted })
    }
}
