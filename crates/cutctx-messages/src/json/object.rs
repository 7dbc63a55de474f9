//! A durable object.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Serialize, Serializer};

use super::fault::DurableError;
use super::size::{Limits, Size, text_bytes};
use super::value::DurableValue;

/// A JSON object that may be stored, with its members in the order in which they were written.
///
/// ```
/// use cutctx_messages::DurableObject;
///
/// let object: DurableObject = serde_json::from_str(r#"{"to": 9, "from": 1}"#)?;
/// assert_eq!(serde_json::to_string(&object)?, r#"{"to":9,"from":1}"#);
/// assert_eq!(object.durable_json(), r#"{"from":1,"to":9}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone)]
pub struct DurableObject(Arc<Members>);

struct Members {
    written: Vec<(Arc<str>, DurableValue)>,
    /// The positions of the members in order of their keys' code points.
    sorted: Vec<usize>,
    size: Size,
}

impl DurableObject {
    /// An object without members.
    #[must_use]
    pub fn empty() -> Self {
        Self::unlimited(Vec::new())
    }

    /// An object of these members. Where a key stands twice its last value counts, in the place of the first.
    ///
    /// # Errors
    ///
    /// [`DurableError::NulCharacter`] in a key; [`DurableError::NestingTooDeep`],
    /// [`DurableError::TooManyJsonNodes`], [`DurableError::JsonValueTooLarge`].
    pub fn new(members: Vec<(Arc<str>, DurableValue)>) -> Result<Self, DurableError> {
        if members.iter().any(|(key, _)| key.contains('\0')) {
            return Err(DurableError::NulCharacter);
        }
        let object = Self::unlimited(members);
        Limits::DOCUMENT.check(object.size())?;
        Ok(object)
    }

    /// The object with one member set: in its old place where the key is known, otherwise at the end.
    ///
    /// # Errors
    ///
    /// As [`Self::new`].
    pub fn with(&self, key: impl Into<Arc<str>>, value: DurableValue) -> Result<Self, DurableError> {
        let mut members = self.0.written.clone();
        members.push((key.into(), value));
        Self::new(members)
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&DurableValue> {
        let members = &self.0.written;
        let key_at = |at: &usize| members.get(*at).map_or("", |(key, _)| key.as_ref());
        let place = self.0.sorted.binary_search_by(|at| key_at(at).cmp(key)).ok()?;
        members.get(*self.0.sorted.get(place)?).map(|(_, value)| value)
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.written.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.written.is_empty()
    }

    /// The members in the order in which they were written.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &DurableValue)> {
        self.0.written.iter().map(|(key, value)| (key, value))
    }

    /// The members in order of their keys' code points.
    pub fn sorted(&self) -> impl Iterator<Item = (&Arc<str>, &DurableValue)> {
        self.0.sorted.iter().filter_map(|at| self.0.written.get(*at)).map(|(key, value)| (key, value))
    }

    /// An object that may be larger than a value's limit: a message. The keys are known to be durable.
    pub(crate) fn unlimited(members: Vec<(Arc<str>, DurableValue)>) -> Self {
        let sorted = positions_by_key(&members);
        if stands_twice(&members, &sorted) {
            return Self::unlimited(last_values(members));
        }
        let size = size_of(&members);
        Self(Arc::new(Members { written: members, sorted, size }))
    }

    pub(crate) fn size(&self) -> Size {
        self.0.size
    }
}

fn positions_by_key(members: &[(Arc<str>, DurableValue)]) -> Vec<usize> {
    let mut keyed: Vec<(&str, usize)> =
        members.iter().enumerate().map(|(at, (key, _))| (key.as_ref(), at)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, at)| at).collect()
}

fn stands_twice(members: &[(Arc<str>, DurableValue)], sorted: &[usize]) -> bool {
    let keys = || sorted.iter().filter_map(|at| members.get(*at)).map(|(key, _)| key);
    keys().zip(keys().skip(1)).any(|(key, next)| key == next)
}

fn last_values(members: Vec<(Arc<str>, DurableValue)>) -> Vec<(Arc<str>, DurableValue)> {
    let mut places: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let mut kept: Vec<(Arc<str>, DurableValue)> = Vec::new();
    for (key, value) in members {
        let place = *places.entry(Arc::clone(&key)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some((_, earlier)) => *earlier = value,
            None => kept.push((key, value)),
        }
    }
    kept
}

fn size_of(members: &[(Arc<str>, DurableValue)]) -> Size {
    let mut size = Size::of_empty();
    for (nth, (key, value)) in members.iter().enumerate() {
        let extra = text_bytes(key).saturating_add(1).saturating_add(usize::from(nth > 0));
        size.add(extra, value.size());
    }
    size
}

impl Default for DurableObject {
    fn default() -> Self {
        Self::empty()
    }
}

impl PartialEq for DurableObject {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.size == other.0.size && self.sorted().eq(other.sorted()))
    }
}

impl Eq for DurableObject {}

impl fmt::Debug for DurableObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DurableObject({} members, {} bytes)", self.len(), self.size().bytes)
    }
}

impl Serialize for DurableObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
