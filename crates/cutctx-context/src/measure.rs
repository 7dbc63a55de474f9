//! What a projection takes of the window.

use cutctx_messages::{Message, MessageError};

use crate::estimate::{ContextPressureEstimate, ObservedDeltaContextEstimator};
use crate::request::ContextRequest;

/// What these messages would take if they were sent: from what the provider counted where they are the transcript as it
/// is, and all estimated where they are anything else.
pub(crate) fn pressure(
    request: &ContextRequest,
    shown: &[Message],
    reserved_output_tokens: u64,
) -> Result<ContextPressureEstimate, MessageError> {
    let estimator = ObservedDeltaContextEstimator::default();
    let placed = request.place_runtime_context.as_ref().map(|runtime| runtime.place(shown));
    let sent = placed.as_deref().unwrap_or(shown);
    let (usage, overhead) = (&request.context_usage, &request.pressure_overhead);
    if *shown == *request.messages {
        estimator.estimate_anchored_request(usage, sent, overhead, reserved_output_tokens)
    } else {
        estimator.estimate_full_request(usage, sent, overhead, reserved_output_tokens)
    }
}
