//! What a caller attaches to a turn.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Arc<str>, Arc<str>>", into = "BTreeMap<Arc<str>, Arc<str>>")]
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
