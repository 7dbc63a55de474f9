//! What a caller attaches to a turn.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::fmt;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Named texts attached to a turn by its owner.
///
/// Metadata is never read by a policy and never appears in a plan. Cloning shares the map.
///
/// ```
/// use cutctx_types::Metadata;
/// let metadata = Metadata::none().with("source", "import").with("lang", "de");
/// assert_eq!(metadata.get("source"), Some("import"));
/// assert_eq!(metadata.iter().next(), Some(("lang", "de")));
/// ```
///
/// A name that stands twice is refused when metadata is read:
///
/// ```
/// # use cutctx_types::Metadata;
/// assert!(serde_json::from_str::<Metadata>(r#"{"source": "import", "source": "export"}"#).is_err());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(into = "BTreeMap<Arc<str>, Arc<str>>")]
pub struct Metadata(Option<Arc<BTreeMap<Arc<str>, Arc<str>>>>);

impl Metadata {
    /// No metadata.
    #[must_use]
    pub const fn none() -> Self {
        Self(None)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|map| map.is_empty())
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.as_ref()?.get(name).map(AsRef::as_ref)
    }

    /// This metadata with one value set, replacing an earlier one of that name.
    #[must_use]
    pub fn with(mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) -> Self {
        let map = self.0.get_or_insert_with(Arc::default);
        Arc::make_mut(map).insert(name.into(), value.into());
        self
    }

    /// Names and values in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().flat_map(|map| map.iter()).map(|(name, value)| (name.as_ref(), value.as_ref()))
    }
}

impl From<BTreeMap<Arc<str>, Arc<str>>> for Metadata {
    fn from(map: BTreeMap<Arc<str>, Arc<str>>) -> Self {
        if map.is_empty() { Self(None) } else { Self(Some(Arc::new(map))) }
    }
}

impl From<Metadata> for BTreeMap<Arc<str>, Arc<str>> {
    fn from(metadata: Metadata) -> Self {
        metadata.0.map(|map| map.as_ref().clone()).unwrap_or_default()
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Names)
    }
}

/// Reads an object, name to text, in which no name stands twice.
struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object, name to text")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut read: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
        while let Some((name, value)) = map.next_entry()? {
            if read.insert(name, value).is_some() {
                // The name is the caller's text and is not repeated.
                return Err(A::Error::custom("duplicate field"));
            }
        }
        Ok(read.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_stands_twice_is_refused_however_it_is_spelled() {
        for json in [r#"{"a": "1", "a": "1"}"#, r#"{"a": "1", "b": "2", "\u0061": "3"}"#] {
            let error = serde_json::from_str::<Metadata>(json).unwrap_err();
            assert!(error.to_string().starts_with("duplicate field"), "{error}");
        }
    }

    #[test]
    fn an_empty_object_is_no_metadata_and_null_is_none_at_all() {
        assert_eq!(serde_json::from_str::<Metadata>("{}").unwrap(), Metadata::none());
        assert!(serde_json::from_str::<Metadata>("null").is_err());
        assert!(serde_json::from_str::<Metadata>(r#"{"a": 1}"#).is_err());
    }

    #[test]
    fn metadata_survives_writing_and_reading() {
        let metadata = Metadata::none().with("source", "import").with("lang", "de");
        let json = serde_json::to_string(&metadata).unwrap();
        assert_eq!(serde_json::from_str::<Metadata>(&json).unwrap(), metadata);
    }
}
