//! The one description of a part's JSON, from which both its forms are written.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Serialize, Serializer};

use crate::json::{DurableObject, DurableValue, write_canonical, write_canonical_int, write_canonical_text};
use crate::part::RoundIdentity;

/// The fields of something in dump order, none left out.
pub(crate) struct Dump<'a>(Vec<(&'static str, Field<'a>)>);

/// The value of a field.
pub(crate) enum Field<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Text(&'a str),
    Value(&'a DurableValue),
    Object(&'a DurableObject),
    Objects(&'a [DurableObject]),
    Nested(Dump<'a>),
    List(Vec<Dump<'a>>),
}

impl<'a> Dump<'a> {
    pub(crate) fn of<const N: usize>(fields: [(&'static str, Field<'a>); N]) -> Self {
        Self(Vec::from(fields))
    }

    /// With the three ids that say where a call comes from, as nulls where they are not known.
    pub(crate) fn with_identity(mut self, identity: Option<&'a RoundIdentity>) -> Self {
        self.0.push(("tool_round_id", Field::optional(identity.map(|known| &*known.tool_round_id))));
        self.0.push(("model_step_id", Field::optional(identity.map(|known| &*known.model_step_id))));
        self.0.push(("model_attempt_id", Field::optional(identity.map(|known| &*known.model_attempt_id))));
        self
    }

    /// Writes the canonical form: fields in order of their names.
    pub(crate) fn write_canonical(mut self, out: &mut String) {
        self.0.sort_unstable_by_key(|(name, _)| *name);
        out.push('{');
        for (nth, (name, field)) in self.0.into_iter().enumerate() {
            if nth > 0 {
                out.push(',');
            }
            write_canonical_text(name, out);
            out.push(':');
            field.write_canonical(out);
        }
        out.push('}');
    }
}

impl<'a> Field<'a> {
    /// A text or null.
    pub(crate) fn optional(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }

    fn write_canonical(self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            Self::Int(value) => write_canonical_int(value, out),
            Self::Text(text) => write_canonical_text(text, out),
            Self::Value(value) => write_canonical(value, out),
            Self::Object(object) => object.write_durable_json(out),
            Self::Objects(objects) => list(objects, DurableObject::write_durable_json, out),
            Self::Nested(dump) => dump.write_canonical(out),
            Self::List(dumps) => list(dumps, Dump::write_canonical, out),
        }
    }
}

fn list<T>(items: impl IntoIterator<Item = T>, write: impl Fn(T, &mut String), out: &mut String) {
    out.push('[');
    for (nth, item) in items.into_iter().enumerate() {
        if nth > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

impl Serialize for Dump<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, field)| (name, field)))
    }
}

impl Serialize for Field<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Value(value) => value.serialize(serializer),
            Self::Object(object) => object.serialize(serializer),
            Self::Objects(objects) => serializer.collect_seq(*objects),
            Self::Nested(dump) => dump.serialize(serializer),
            Self::List(dumps) => serializer.collect_seq(dumps),
        }
    }
}
