//! Options of both ways.

use cutctx_messages::{DurableObject, DurableValue};

use crate::compactor::payload::with;

/// What a form of answer is asked for with. A summary has none.
const FORM: &str = "structured_output";

/// Files that were resolved for another request.
const FILES: &str = "cayu_file_attachments";

/// The cached request's options, with those of the compactor: they win name by name, objects are joined, lists
/// replaced. A form of answer that is asked for is taken back.
pub(super) fn exact(cached: &DurableObject, own: &DurableObject) -> DurableObject {
    without_form(joined(cached, own))
}

/// The agent's options with those of the compactor.
pub(super) fn bounded(agent: &DurableObject, own: &DurableObject) -> DurableObject {
    let kept = agent.iter().filter(|(key, _)| ***key != *FILES);
    let kept = DurableObject::new(kept.map(|(key, value)| (key.clone(), value.clone())).collect());
    without_form(joined(&kept.unwrap_or_else(|_| DurableObject::empty()), own))
}

fn without_form(options: DurableObject) -> DurableObject {
    if options.get(FORM).is_none() {
        return options;
    }
    with(options, FORM, DurableValue::NULL)
}

fn joined(base: &DurableObject, own: &DurableObject) -> DurableObject {
    own.iter().fold(base.clone(), |options, (key, value)| {
        let value = match (options.get(key).and_then(DurableValue::as_object), value.as_object()) {
            (Some(base), Some(own)) => joined(base, own).into(),
            _ => value.clone(),
        };
        options.with(key.clone(), value).unwrap_or(options)
    })
}
