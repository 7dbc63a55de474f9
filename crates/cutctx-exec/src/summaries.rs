//! The texts that the application supplies for a plan's requests.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// Summaries by the id of the group that they stand for.
///
/// Its JSON is an object, group id to text, in which no group stands twice. `Debug` prints the groups
/// and the lengths of their texts in bytes, not the texts.
///
/// ```
/// use cutctx_exec::Summaries;
/// let summaries = Summaries::none().with("span-1", "they agreed on tabs");
/// assert_eq!(summaries.get("span-1"), Some("they agreed on tabs"));
/// assert_eq!(summaries.get("span-2"), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Summaries {
    by_group: BTreeMap<Arc<str>, Arc<str>>,
}

impl Summaries {
    /// No summaries: enough for a plan without requests.
    #[must_use]
    pub const fn none() -> Self {
        Self { by_group: BTreeMap::new() }
    }

    /// These summaries with one more, replacing an earlier one of that group. An empty text is fine.
    #[must_use]
    pub fn with(mut self, group_id: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        self.by_group.insert(group_id.into(), text.into());
        self
    }

    /// The text for a group.
    #[must_use]
    pub fn get(&self, group_id: &str) -> Option<&str> {
        self.text(group_id).map(AsRef::as_ref)
    }

    /// The text for a group, to be shared.
    pub(crate) fn text(&self, group_id: &str) -> Option<&Arc<str>> {
        self.by_group.get(group_id)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_group.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_group.is_empty()
    }

    /// Group ids and texts in order of group id.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Arc<str>)> {
        self.by_group.iter()
    }
}

impl<G: Into<Arc<str>>, T: Into<Arc<str>>> FromIterator<(G, T)> for Summaries {
    fn from_iter<I: IntoIterator<Item = (G, T)>>(summaries: I) -> Self {
        let shared = summaries.into_iter().map(|(group_id, text)| (group_id.into(), text.into()));
        Self { by_group: shared.collect() }
    }
}

impl fmt::Debug for Summaries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(group_id, text)| (group_id, text.len()))).finish()
    }
}

impl<'de> Deserialize<'de> for Summaries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Groups)
    }
}

/// Reads an object, group id to text. Of two texts for one group nobody could tell which is meant.
struct Groups;

impl<'de> Visitor<'de> for Groups {
    type Value = Summaries;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, group id to text")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Summaries, A::Error> {
        let mut by_group: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
        while let Some((group_id, text)) = map.next_entry()? {
            if by_group.insert(group_id, text).is_some() {
                // The group is not named: ids are the caller's, and may be long.
                return Err(A::Error::custom("duplicate field"));
            }
        }
        Ok(Summaries { by_group })
    }
}
