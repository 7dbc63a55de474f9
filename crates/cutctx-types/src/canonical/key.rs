//! Keys of maps: texts and nothing else.

use super::CanonicalError;
use alloc::string::{String, ToString};
use serde::Serializer;
use serde::ser::Impossible;

/// Takes a key that is a text, a character or a unit variant; refuses everything else.
pub(super) struct KeyTaker;

macro_rules! refuse {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method(self, _: $type) -> Result<String, CanonicalError> {
            Err(CanonicalError::Unsupported { kind: "a key that is no text" })
        }
    )*};
}

const NO_KEY: CanonicalError = CanonicalError::Unsupported { kind: "a key that is no text" };

impl Serializer for KeyTaker {
    type Ok = String;
    type Error = CanonicalError;
    type SerializeSeq = Impossible<String, CanonicalError>;
    type SerializeTuple = Impossible<String, CanonicalError>;
    type SerializeTupleStruct = Impossible<String, CanonicalError>;
    type SerializeTupleVariant = Impossible<String, CanonicalError>;
    type SerializeMap = Impossible<String, CanonicalError>;
    type SerializeStruct = Impossible<String, CanonicalError>;
    type SerializeStructVariant = Impossible<String, CanonicalError>;

    refuse!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_i128: i128, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32, serialize_u64: u64, serialize_u128: u128, serialize_f32: f32,
        serialize_f64: f64, serialize_bytes: &[u8], serialize_unit_struct: &'static str,
    );

    fn serialize_char(self, value: char) -> Result<String, CanonicalError> {
        Ok(value.to_string())
    }

    fn serialize_str(self, value: &str) -> Result<String, CanonicalError> {
        Ok(value.to_string())
    }

    fn serialize_none(self) -> Result<String, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_some<T: serde::Serialize + ?Sized>(self, value: &T) -> Result<String, CanonicalError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<String, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String, CanonicalError> {
        Ok(variant.to_string())
    }

    fn serialize_newtype_struct<T: serde::Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, CanonicalError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: serde::Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, CanonicalError> {
        Err(NO_KEY)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, CanonicalError> {
        Err(NO_KEY)
    }
}
