//! A durable value.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Serialize, Serializer};

use super::fault::DurableError;
use super::number::{Number, number};
use super::object::DurableObject;
use super::size::{Limits, Size};

/// A JSON value that may be stored: see the [limits](Self#limits).
///
/// Cloning copies pointers. Two objects are equal when they have equal members, in whatever order. `Debug` shows sizes,
/// never text.
///
/// ```
/// use cutctx_messages::{DurableValue, ValueView};
///
/// let value: DurableValue = serde_json::from_str(r#"{"depth": 2.0, "ratio": 0.5}"#)?;
/// let ValueView::Object(object) = value.view() else { panic!("it is an object") };
/// // A float that is whole is an integer.
/// assert!(matches!(object.get("depth").map(DurableValue::view), Some(ValueView::Int(2))));
/// assert_eq!(value.durable_json(), r#"{"depth":2,"ratio":5e-1}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Limits
///
/// * Whole numbers fit a signed integer of 64 bits. A float that is whole is rewritten to one; other floats are finite.
/// * Texts and keys hold no U+0000. That there is no half of a surrogate pair is what `str` promises.
/// * Compact JSON of at most 16 MiB, 250,000 values, 64 arrays and objects in each other.
///
/// Where a key stands twice in an object that is read, its last value counts, in the place of the first.
#[derive(Clone, PartialEq)]
pub struct DurableValue(Node);

#[derive(Clone, PartialEq)]
enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Fraction(f64),
    Text(Arc<str>),
    Array(Arc<Items>),
    Object(DurableObject),
}

#[derive(PartialEq)]
struct Items {
    items: Vec<DurableValue>,
    size: Size,
}

// A fraction is finite, so every value equals itself.
impl Eq for DurableValue {}

/// What a durable value is.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "JSON has these kinds of values and gets no others")]
pub enum ValueView<'v> {
    /// `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number that is not whole.
    Fraction(f64),
    /// A text.
    Text(&'v Arc<str>),
    /// An array.
    Array(&'v [DurableValue]),
    /// An object.
    Object(&'v DurableObject),
}

impl DurableValue {
    /// `null`.
    pub const NULL: Self = Self(Node::Null);

    /// A text.
    ///
    /// # Errors
    ///
    /// [`DurableError::NulCharacter`], [`DurableError::JsonValueTooLarge`].
    pub fn text(text: impl Into<Arc<str>>) -> Result<Self, DurableError> {
        let value = Self::unlimited_text(text.into())?;
        Limits::DOCUMENT.check(value.size())?;
        Ok(value)
    }

    /// A number. A whole one becomes an integer.
    ///
    /// # Errors
    ///
    /// [`DurableError::NonFiniteNumber`], and [`DurableError::IntegerOutOfRange`] for a whole number beyond 64 bits.
    pub fn number(value: f64) -> Result<Self, DurableError> {
        Ok(match number(value)? {
            Number::Int(int) => Self(Node::Int(int)),
            Number::Fraction(fraction) => Self(Node::Fraction(fraction)),
        })
    }

    /// An array.
    ///
    /// # Errors
    ///
    /// [`DurableError::NestingTooDeep`], [`DurableError::TooManyJsonNodes`], [`DurableError::JsonValueTooLarge`].
    pub fn array(items: Vec<Self>) -> Result<Self, DurableError> {
        let value = Self::unlimited_array(items);
        Limits::DOCUMENT.check(value.size())?;
        Ok(value)
    }

    /// What the value is.
    #[must_use]
    pub fn view(&self) -> ValueView<'_> {
        match &self.0 {
            Node::Null => ValueView::Null,
            Node::Bool(value) => ValueView::Bool(*value),
            Node::Int(value) => ValueView::Int(*value),
            Node::Fraction(value) => ValueView::Fraction(*value),
            Node::Text(text) => ValueView::Text(text),
            Node::Array(items) => ValueView::Array(&items.items),
            Node::Object(object) => ValueView::Object(object),
        }
    }

    /// The object that the value is, if it is one.
    #[must_use]
    pub fn as_object(&self) -> Option<&DurableObject> {
        if let Node::Object(object) = &self.0 { Some(object) } else { None }
    }

    /// The text that the value is, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&Arc<str>> {
        if let Node::Text(text) = &self.0 { Some(text) } else { None }
    }

    /// A text that may be longer than a value's limit: one field of a message.
    pub(crate) fn unlimited_text(text: Arc<str>) -> Result<Self, DurableError> {
        if text.contains('\0') { Err(DurableError::NulCharacter) } else { Ok(Self(Node::Text(text))) }
    }

    /// An array that may be larger than a value's limit: the parts of a message.
    pub(crate) fn unlimited_array(items: Vec<Self>) -> Self {
        let mut size = Size::of_empty();
        for (nth, item) in items.iter().enumerate() {
            size.add(usize::from(nth > 0), item.size());
        }
        Self(Node::Array(Arc::new(Items { items, size })))
    }

    pub(crate) fn size(&self) -> Size {
        match &self.0 {
            Node::Null => Size::of_plain(4),
            Node::Bool(value) => Size::of_plain(if *value { 4 } else { 5 }),
            Node::Int(value) => Size::of_int(*value),
            Node::Fraction(value) => Size::of_fraction(*value),
            Node::Text(text) => Size::of_text(text),
            Node::Array(items) => items.size,
            Node::Object(object) => object.size(),
        }
    }
}

impl From<bool> for DurableValue {
    fn from(value: bool) -> Self {
        Self(Node::Bool(value))
    }
}

impl From<i64> for DurableValue {
    fn from(value: i64) -> Self {
        Self(Node::Int(value))
    }
}

impl From<DurableObject> for DurableValue {
    fn from(object: DurableObject) -> Self {
        Self(Node::Object(object))
    }
}

impl fmt::Debug for DurableValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { bytes, nodes, .. } = self.size();
        write!(f, "DurableValue({nodes} values, {bytes} bytes)")
    }
}

impl Serialize for DurableValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Node::Null => serializer.serialize_unit(),
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Int(value) => serializer.serialize_i64(*value),
            Node::Fraction(value) => serializer.serialize_f64(*value),
            Node::Text(text) => serializer.serialize_str(text),
            Node::Array(items) => serializer.collect_seq(&items.items),
            Node::Object(object) => object.serialize(serializer),
        }
    }
}
