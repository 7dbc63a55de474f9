//! What the settings of summarizing may be.

use crate::blank::refuse_blank;
use alloc::sync::Arc;
use cutctx_types::{DetailValue, InvalidValue, float_repr};

pub(crate) fn prompt_id(text: Arc<str>) -> Result<Arc<str>, InvalidValue> {
    refuse_blank("prompt_id", &text)?;
    Ok(text)
}

pub(super) fn target_ratio(ratio: f64) -> Result<f64, InvalidValue> {
    if ratio.is_finite() && ratio > 0.0 {
        return Ok(ratio);
    }
    let value = Some(DetailValue::from(float_repr(ratio)));
    Err(InvalidValue::Setting { setting: "target_ratio", value, reason: "is not finite or not above zero" })
}

pub(super) fn min_span_turns(turns: u64) -> Result<u64, InvalidValue> {
    if turns > 0 {
        return Ok(turns);
    }
    let value = Some(DetailValue::from(turns));
    Err(InvalidValue::Setting { setting: "min_span_turns", value, reason: "is below one" })
}
