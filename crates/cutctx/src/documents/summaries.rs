//! Summaries as JSON spells them.

use core::fmt;
use cutctx_exec::Summaries;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// An object, group id to text, in which no group stands twice.
#[derive(Debug, Clone)]
pub(crate) struct WireSummaries(pub(crate) Summaries);

impl<'de> Deserialize<'de> for WireSummaries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Groups).map(Self)
    }
}

struct Groups;

impl<'de> Visitor<'de> for Groups {
    type Value = Summaries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, group id to text")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Summaries, A::Error> {
        let mut summaries = Summaries::none();
        while let Some((group, text)) = map.next_entry::<String, String>()? {
            if summaries.get(&group).is_some() {
                return Err(A::Error::custom("duplicate field"));
            }
            summaries = summaries.with(group, text);
        }
        Ok(summaries)
    }
}
