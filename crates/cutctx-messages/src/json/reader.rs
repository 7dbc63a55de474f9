//! Reading durable values.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fault::DurableError;
use super::object::DurableObject;
use super::size::{LEVELS, Limits};
use super::value::DurableValue;

/// A JSON value before anything is checked.
///
/// serde keeps only an error's sentence. A reader that must tell code and details reads this twin first and converts
/// it.
///
/// ```
/// use cutctx_messages::{DurableValue, WireValue};
/// use cutctx_types::Coded;
///
/// let wire: WireValue = serde_json::from_str("[1, 2, 18446744073709551615]")?;
/// let error = DurableValue::try_from(wire).unwrap_err();
/// assert_eq!(error.code().as_str(), "INTEGER_OUT_OF_RANGE");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WireValue(Result<DurableValue, DurableError>);

impl TryFrom<WireValue> for DurableValue {
    type Error = DurableError;

    fn try_from(wire: WireValue) -> Result<Self, DurableError> {
        let value = wire.0?;
        Limits::DOCUMENT.check(value.size())?;
        Ok(value)
    }
}

impl<'de> Deserialize<'de> for WireValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_within(deserializer, LEVELS).map(Self)
    }
}

impl<'de> Deserialize<'de> for DurableValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        WireValue::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<'de> Deserialize<'de> for DurableObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = DurableValue::deserialize(deserializer)?;
        value.as_object().cloned().ok_or_else(|| D::Error::custom("an object is wanted"))
    }
}

/// The levels of a message: the value in a part's field lies in the part, the list of parts, and the message.
pub(crate) const MESSAGE_LEVELS: usize = LEVELS + 4;

/// Reads a value of at most so many levels. What is too deep is passed over, so that no input exhausts the stack.
pub(crate) fn read_within<'de, D: Deserializer<'de>>(
    deserializer: D,
    levels: usize,
) -> Result<Result<DurableValue, DurableError>, D::Error> {
    Reader { levels }.deserialize(deserializer)
}

/// Reads a value; the first fault is the outcome, and what follows it is passed over.
#[derive(Clone, Copy)]
struct Reader {
    /// How many levels there may be from here on.
    levels: usize,
}

type Outcome = Result<DurableValue, DurableError>;

impl Reader {
    /// The reader of what an array or an object holds.
    fn inside(self) -> Result<Self, DurableError> {
        let levels = self.levels.checked_sub(1).ok_or(DurableError::NestingTooDeep { levels: LEVELS })?;
        Ok(Self { levels })
    }

    fn integer(value: Result<i64, core::num::TryFromIntError>) -> Outcome {
        value.map(DurableValue::from).map_err(|_| DurableError::IntegerOutOfRange)
    }
}

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Outcome;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Outcome, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Outcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Outcome, E> {
        Ok(Ok(DurableValue::NULL))
    }

    fn visit_none<E: Error>(self) -> Result<Outcome, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Outcome, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Outcome, E> {
        Ok(Ok(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Outcome, E> {
        Ok(Ok(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Outcome, E> {
        Ok(Self::integer(value.try_into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Outcome, E> {
        Ok(Self::integer(value.try_into()))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Outcome, E> {
        Ok(Self::integer(value.try_into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Outcome, E> {
        Ok(DurableValue::number(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Outcome, E> {
        Ok(DurableValue::unlimited_text(text.into()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Outcome, E> {
        Ok(DurableValue::unlimited_text(text.into()))
    }

    fn visit_bytes<E: Error>(self, _: &[u8]) -> Result<Outcome, E> {
        Ok(Err(DurableError::InvalidJsonType))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Outcome, A::Error> {
        let outcome = match self.inside() {
            Ok(inside) => items(inside, &mut access)?,
            Err(fault) => Err(fault),
        };
        if outcome.is_err() {
            while access.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(outcome.map(DurableValue::unlimited_array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Outcome, A::Error> {
        let outcome = match self.inside() {
            Ok(inside) => members(inside, &mut access)?,
            Err(fault) => Err(fault),
        };
        if outcome.is_err() {
            while access.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        }
        Ok(outcome.map(|members| DurableObject::unlimited(members).into()))
    }
}

fn items<'de, A: SeqAccess<'de>>(
    inside: Reader,
    access: &mut A,
) -> Result<Result<Vec<DurableValue>, DurableError>, A::Error> {
    let mut items = Vec::new();
    while let Some(item) = access.next_element_seed(inside)? {
        match item {
            Ok(item) => items.push(item),
            Err(fault) => return Ok(Err(fault)),
        }
    }
    Ok(Ok(items))
}

type Members = Vec<(Arc<str>, DurableValue)>;

fn members<'de, A: MapAccess<'de>>(
    inside: Reader,
    access: &mut A,
) -> Result<Result<Members, DurableError>, A::Error> {
    let mut members = Vec::new();
    while let Some(key) = access.next_key::<Arc<str>>()? {
        let member = access.next_value_seed(inside)?;
        let key = if key.contains('\0') { Err(DurableError::NulCharacter) } else { Ok(key) };
        match (key, member) {
            (Ok(key), Ok(member)) => members.push((key, member)),
            (Err(fault), _) | (_, Err(fault)) => return Ok(Err(fault)),
        }
    }
    Ok(Ok(members))
}
