//! Reading a case.

use cutctx_context::{ProjectionError, SettingError, SettingFault};
use cutctx_messages::{Message, WireMessage};
use cutctx_types::Coded;
use serde_json::Value;

use crate::tally::Verdict;

/// The messages of a list.
pub(crate) fn messages(list: &Value) -> Vec<Message> {
    let read = |message: &Value| {
        let wire: WireMessage = serde_json::from_value(message.clone()).unwrap();
        Message::try_from(wire).unwrap()
    };
    list.as_array().unwrap().iter().map(read).collect()
}

/// The messages of an output, where a number stands for a message of the input.
pub(crate) fn expanded(list: &Value, input: &[Message]) -> Vec<Message> {
    let read = |item: &Value| match item.as_u64() {
        Some(at) => input[usize::try_from(at).unwrap()].clone(),
        None => messages(&Value::Array(vec![item.clone()])).remove(0),
    };
    list.as_array().unwrap().iter().map(read).collect()
}

/// A size that is absent, or there and not below zero; `Err` for one below.
pub(crate) fn size(value: &Value) -> Result<Option<usize>, Verdict> {
    match value.as_i64() {
        None => Ok(None),
        Some(size) => usize::try_from(size).map(Some).map_err(|_| Verdict::Typed),
    }
}

/// Whether an error is the one of a case, by the category that the vectors have for it.
pub(crate) fn same_error(wanted: &Value, code: &str) -> Verdict {
    let code = code.to_lowercase();
    let known = wanted["code"].as_str().unwrap();
    if known == code || known == "other" {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("{code} for {wanted}"))
    }
}

/// The vectors' category of a setting.
pub(crate) fn category(error: SettingError) -> String {
    if let SettingFault::TooSmall { least } = error.fault() {
        return format!("min_{least}");
    }
    error.fault().name().to_owned()
}

/// The vectors' category of an error of a projection.
pub(crate) fn projection_category(error: &ProjectionError) -> String {
    if let ProjectionError::Setting(error) = error {
        return category(*error);
    }
    error.code().as_str().to_lowercase()
}
