//! Doubles in JSON, those included that JSON has no number for.

use core::fmt;
use cutctx_types::float_repr;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};

/// A double written as a number, or as `nan`, `inf` or `-inf`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Float(pub(super) f64);

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FloatVisitor)
    }
}

struct FloatVisitor;

impl Visitor<'_> for FloatVisitor {
    type Value = Float;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, or one of the texts nan, inf and -inf")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Float, E> {
        Ok(Float(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "a setting that is a double may be written as an integer")]
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Float, E> {
        Ok(Float(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "a setting that is a double may be written as an integer")]
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Float, E> {
        Ok(Float(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Float, E> {
        match text {
            "nan" => Ok(Float(f64::NAN)),
            "inf" => Ok(Float(f64::INFINITY)),
            "-inf" => Ok(Float(f64::NEG_INFINITY)),
            _ => Err(E::invalid_value(de::Unexpected::Other("another text"), &self)),
        }
    }
}

/// A double as its 64 bits: 16 hex digits, most significant first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bits(pub(super) f64);

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(BitsVisitor)
    }
}

struct BitsVisitor;

impl Visitor<'_> for BitsVisitor {
    type Value = Bits;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("16 hex digits")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Bits, E> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = if is_hex { u64::from_str_radix(text, 16).ok() } else { None };
        bits.map(|bits| Bits(f64::from_bits(bits)))
            .ok_or_else(|| E::invalid_value(de::Unexpected::Other("another text"), &self))
    }
}

/// The double that the bits or the number give; the bits are the truth.
pub(super) fn double(number: Option<Float>, bits: Option<Bits>) -> Option<f64> {
    bits.map(|bits| bits.0).or(number.map(|number| number.0))
}

/// Writes a double so that [`Float`] reads it back.
#[expect(clippy::ref_option, reason = "serde hands a field over as it is")]
pub(super) fn write_float<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) if !value.is_finite() => serializer.serialize_str(&float_repr(*value)),
        value => value.serialize(serializer),
    }
}
