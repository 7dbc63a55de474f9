//! A serde serializer that writes canonical JSON.
//!
//! Members are written as they come. Only an object whose members came out of order is put in order
//! when it closes, so types that name their fields alphabetically cost nothing extra. Such types can also be hashed
//! while they are written, without their text ever being in memory as a whole.

use super::CanonicalError;
use super::escape::{needs_no_escape, write_text};
use super::float::float_repr;
use super::key::KeyTaker;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{Display, Write};
use core::ops::Range;
use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use sha2::{Digest, Sha256};

type Outcome = Result<(), CanonicalError>;

/// The deepest nesting that is written.
const DEEPEST: usize = 256;

/// How much text is collected before it is hashed, in bytes.
const PENDING: usize = 8_192;

/// Writes one value.
#[derive(Default)]
pub(super) struct CanonicalWriter {
    out: String,
    depth: usize,
    /// The raw keys of the members of all open maps, one after the other.
    keys: String,
    /// The members of all open objects.
    members: Vec<Member>,
    /// Takes over the text from time to time, where it is to be hashed.
    hasher: Option<Sha256>,
    /// How often that was done.
    handed_over: usize,
    /// Whether members came out of order in an object whose beginning was handed over already.
    lost_order: bool,
}

/// A member of an open object.
#[derive(Clone)]
struct Member {
    key: Key,
    /// Its key, colon and value, in `out`.
    start: usize,
    end: usize,
}

/// A raw key.
#[derive(Clone)]
enum Key {
    /// The name of a field.
    Field(&'static str),
    /// The key of a map, in `keys`.
    Entry(Range<usize>),
}

impl CanonicalWriter {
    /// A writer that hashes what it writes.
    pub(super) fn hashing() -> Self {
        Self { hasher: Some(Sha256::new()), ..Self::default() }
    }

    pub(super) fn into_text(self) -> String {
        self.out
    }

    /// The digest of all that was written; `None` where its order is not canonical, so that it has to be written as
    /// a whole first.
    pub(super) fn into_digest(self) -> Option<[u8; 32]> {
        let hasher = self.hasher.filter(|_| !self.lost_order)?;
        Some(hasher.chain_update(self.out.as_bytes()).finalize().into())
    }

    /// Hands the text over to the hasher, if there is one and the text is worth it.
    fn hand_over(&mut self) {
        if self.out.len() < PENDING {
            return;
        }
        if let Some(hasher) = &mut self.hasher {
            hasher.update(self.out.as_bytes());
            self.out.clear();
            self.handed_over = self.handed_over.saturating_add(1);
        }
    }

    fn text(&mut self, text: &str) {
        let out = &mut self.out;
        if needs_no_escape(text.as_bytes()) {
            out.push('"');
            out.push_str(text);
            out.push('"');
        } else {
            write_text(text, &mut |piece: &str| out.push_str(piece));
        }
    }

    fn display(&mut self, value: impl Display) -> Outcome {
        write!(self.out, "{value}").map_err(|_| CanonicalError::Custom { reason: String::new() })
    }

    fn enter(&mut self, bracket: char) -> Outcome {
        self.depth = self.depth.saturating_add(1);
        if self.depth > DEEPEST {
            return Err(CanonicalError::TooDeep);
        }
        self.out.push(bracket);
        Ok(())
    }

    fn leave(&mut self, bracket: char) {
        self.depth = self.depth.saturating_sub(1);
        self.out.push(bracket);
    }

    /// Opens `{"variant":`, the form of an enum's case with data.
    fn enter_variant(&mut self, variant: &'static str) -> Outcome {
        self.enter('{')?;
        self.text(variant);
        self.out.push(':');
        Ok(())
    }

    fn list(&mut self, closing: Closing) -> Result<ListWriter<'_>, CanonicalError> {
        self.enter('[')?;
        Ok(ListWriter { writer: self, first: true, closing })
    }

    fn object(&mut self, closing: Closing) -> Result<ObjectWriter<'_>, CanonicalError> {
        self.enter('{')?;
        let (base, open, handed_over) = (self.members.len(), self.out.len(), self.handed_over);
        Ok(ObjectWriter { writer: self, base, open, handed_over, sorted: true, closing })
    }

    fn raw_key(&self, member: &Member) -> &str {
        match &member.key {
            Key::Field(name) => name,
            Key::Entry(range) => self.keys.get(range.clone()).unwrap_or_default(),
        }
    }
}

/// Whether a list or an object stands inside the braces of an enum's case.
#[derive(Clone, Copy, PartialEq)]
enum Closing {
    Plain,
    InVariant,
}

pub(super) struct ListWriter<'w> {
    writer: &'w mut CanonicalWriter,
    first: bool,
    closing: Closing,
}

impl ListWriter<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        if !self.first {
            self.writer.out.push(',');
        }
        self.first = false;
        value.serialize(&mut *self.writer)?;
        self.writer.hand_over();
        Ok(())
    }

    fn close(self) {
        self.writer.leave(']');
        if self.closing == Closing::InVariant {
            self.writer.leave('}');
        }
    }
}

pub(super) struct ObjectWriter<'w> {
    writer: &'w mut CanonicalWriter,
    /// Where this object's members begin in the stack of members.
    base: usize,
    /// Where its text begins, after the brace.
    open: usize,
    /// How often text had been handed over by then.
    handed_over: usize,
    sorted: bool,
    closing: Closing,
}

impl ObjectWriter<'_> {
    fn field(&mut self, name: &'static str) {
        self.open_member(name, Key::Field(name));
    }

    fn entry(&mut self, key: &str) {
        let from = self.writer.keys.len();
        self.writer.keys.push_str(key);
        let to = self.writer.keys.len();
        self.open_member(key, Key::Entry(from..to));
    }

    fn open_member(&mut self, key: &str, raw: Key) {
        let writer = &mut *self.writer;
        if let Some(last) = writer.members.get(self.base..).and_then(<[Member]>::last) {
            self.sorted = self.sorted && comes_before(writer.raw_key(last), key);
            writer.out.push(',');
        }
        let start = writer.out.len();
        writer.members.push(Member { key: raw, start, end: start });
        writer.text(key);
        writer.out.push(':');
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        value.serialize(&mut *self.writer)?;
        let end = self.writer.out.len();
        if let Some(member) = self.writer.members.last_mut() {
            member.end = end;
        }
        Ok(())
    }

    fn close(mut self) {
        if !self.sorted {
            self.put_in_order();
        }
        let writer = self.writer;
        if let Some(Member { key: Key::Entry(first), .. }) = writer.members.get(self.base) {
            writer.keys.truncate(first.start);
        }
        writer.members.truncate(self.base);
        writer.leave('}');
        if self.closing == Closing::InVariant {
            writer.leave('}');
        }
    }

    /// Rewrites this object's text with its members sorted; of equal keys the last one stays.
    fn put_in_order(&mut self) {
        let writer = &mut *self.writer;
        if self.handed_over != writer.handed_over {
            writer.lost_order = true;
            return;
        }
        let mut members = writer.members.get(self.base..).unwrap_or_default().to_vec();
        members.sort_by(|left, right| writer.raw_key(left).cmp(writer.raw_key(right)));
        let mut ordered = String::with_capacity(writer.out.len().saturating_sub(self.open));
        for (position, member) in members.iter().enumerate() {
            let next = members.get(position.saturating_add(1));
            if next.is_some_and(|next| writer.raw_key(next) == writer.raw_key(member)) {
                continue;
            }
            if !ordered.is_empty() {
                ordered.push(',');
            }
            ordered.push_str(writer.out.get(member.start..member.end).unwrap_or_default());
        }
        writer.out.truncate(self.open);
        writer.out.push_str(&ordered);
    }
}

/// Whether one key comes before another. The first letter tells as a rule.
fn comes_before(left: &str, right: &str) -> bool {
    match (left.as_bytes().first(), right.as_bytes().first()) {
        (Some(left), Some(right)) if left != right => left < right,
        _ => left < right,
    }
}

macro_rules! display {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method(self, value: $type) -> Outcome {
            self.display(value)
        }
    )*};
}

impl<'w> Serializer for &'w mut CanonicalWriter {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = ListWriter<'w>;
    type SerializeTuple = ListWriter<'w>;
    type SerializeTupleStruct = ListWriter<'w>;
    type SerializeTupleVariant = ListWriter<'w>;
    type SerializeMap = ObjectWriter<'w>;
    type SerializeStruct = ObjectWriter<'w>;
    type SerializeStructVariant = ObjectWriter<'w>;

    display!(
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_i128: i128, serialize_u8: u8, serialize_u16: u16,
        serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
    );

    fn serialize_f32(self, value: f32) -> Outcome {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Outcome {
        if value.is_nan() {
            return Err(CanonicalError::NonFinite { value: "nan" });
        }
        if value.is_infinite() {
            let value = if value > 0.0 { "inf" } else { "-inf" };
            return Err(CanonicalError::NonFinite { value });
        }
        // The reference has no negative zero here, unlike `repr`.
        let text = if value == 0.0 { "0.0" } else { &float_repr(value) };
        self.out.push_str(text);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Outcome {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Outcome {
        self.text(value);
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Outcome {
        Err(CanonicalError::Unsupported { kind: "bytes" })
    }

    fn serialize_none(self) -> Outcome {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Outcome {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Outcome {
        self.out.push_str("null");
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Outcome {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Outcome {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Outcome {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Outcome {
        self.enter_variant(variant)?;
        value.serialize(&mut *self)?;
        self.leave('}');
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<ListWriter<'w>, CanonicalError> {
        self.list(Closing::Plain)
    }

    fn serialize_tuple(self, _: usize) -> Result<ListWriter<'w>, CanonicalError> {
        self.list(Closing::Plain)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<ListWriter<'w>, CanonicalError> {
        self.list(Closing::Plain)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ListWriter<'w>, CanonicalError> {
        self.enter_variant(variant)?;
        self.list(Closing::InVariant)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<ObjectWriter<'w>, CanonicalError> {
        self.object(Closing::Plain)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<ObjectWriter<'w>, CanonicalError> {
        self.object(Closing::Plain)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<ObjectWriter<'w>, CanonicalError> {
        self.enter_variant(variant)?;
        self.object(Closing::InVariant)
    }
}

macro_rules! list {
    ($($form:ident $method:ident),* $(,)?) => {$(
        impl $form for ListWriter<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
                self.item(value)
            }

            fn end(self) -> Outcome {
                self.close();
                Ok(())
            }
        }
    )*};
}

list!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field,
);

macro_rules! object {
    ($($form:ident),*) => {$(
        impl $form for ObjectWriter<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Outcome {
                self.field(key);
                self.value(value)
            }

            fn end(self) -> Outcome {
                self.close();
                Ok(())
            }
        }
    )*};
}

object!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for ObjectWriter<'_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Outcome {
        let key = key.serialize(KeyTaker)?;
        self.entry(&key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Outcome {
        self.value(value)
    }

    fn end(self) -> Outcome {
        self.close();
        Ok(())
    }
}
