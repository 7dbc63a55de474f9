//! What a job is called by its owner.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A job's id: a string or a number of JSON, given back exactly as it was spelled.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct JobId(Box<RawValue>);

impl JobId {
    /// The id in these characters of JSON, if they are a string or a number.
    ///
    /// ```
    /// use cutctx::batch::JobId;
    /// assert_eq!(JobId::from_json("1.50").unwrap().as_json(), "1.50");
    /// assert!(JobId::from_json("[1]").is_none());
    /// ```
    #[must_use]
    pub fn from_json(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().and_then(Self::of)
    }

    pub(super) fn of(raw: Box<RawValue>) -> Option<Self> {
        let json = raw.get();
        let is_id = match json.bytes().next()? {
            // Read once: a lone half of a surrogate pair is no text that could be given back.
            b'"' => String::deserialize(&mut serde_json::Deserializer::from_str(json)).is_ok(),
            first => first == b'-' || first.is_ascii_digit(),
        };
        is_id.then_some(Self(raw))
    }

    /// The id as it was spelled, quotes included.
    #[must_use]
    pub fn as_json(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for JobId {
    fn eq(&self, other: &Self) -> bool {
        self.as_json() == other.as_json()
    }
}
