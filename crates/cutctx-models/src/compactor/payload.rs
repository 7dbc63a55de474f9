//! What is told of each attempt.

use alloc::sync::Arc;

use cutctx_messages::{DurableObject, DurableValue};

/// Who asked, and whom.
#[derive(Debug, Clone)]
pub(super) struct Asker {
    /// The compactor's name.
    pub(super) compactor: &'static str,
    /// The provider's name.
    pub(super) provider: Arc<str>,
    /// The model that was asked for.
    pub(super) model: Arc<str>,
}

impl Asker {
    /// The payload of one attempt: what the provider reported, who asked whom for what, and how it ended where it ended
    /// badly.
    pub(super) fn payload(
        &self,
        completed: Option<&DurableObject>,
        outcome: Option<&'static str>,
    ) -> DurableObject {
        let model = completed.and_then(|completed| completed.get("model")).and_then(DurableValue::as_text);
        let model = model.unwrap_or(&self.model);
        let usage = completed.and_then(|completed| completed.get("usage"));
        let reason = (usage.is_none() && outcome.is_some()).then_some("not_reported");
        let texts = [
            ("model", Some(model.as_ref())),
            ("provider_name", Some(self.provider.as_ref())),
            ("requested_model", Some(self.model.as_ref())),
            ("purpose", Some("context_compaction")),
            ("compactor", Some(self.compactor)),
            ("compaction_outcome", outcome),
            ("usage_unavailable_reason", reason),
        ];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key, text?)));
        with_texts(completed.cloned().unwrap_or_else(DurableObject::empty), texts)
    }
}

/// An object with more members; one that cannot be kept is left out.
pub(super) fn with_texts<K: Into<Arc<str>>, T: Into<Arc<str>>>(
    object: DurableObject,
    texts: impl IntoIterator<Item = (K, T)>,
) -> DurableObject {
    texts.into_iter().fold(object, |object, (key, text)| match DurableValue::text(text) {
        Ok(value) => object.with(key, value).unwrap_or(object),
        Err(_) => object,
    })
}

/// An object with one more member, or as it was where it would be too large.
pub(super) fn with(
    object: DurableObject,
    key: &'static str,
    value: impl Into<DurableValue>,
) -> DurableObject {
    object.with(key, value.into()).unwrap_or(object)
}

/// A count as a member.
pub(super) fn count(number: usize) -> DurableValue {
    DurableValue::from(i64::try_from(number).unwrap_or(i64::MAX))
}
