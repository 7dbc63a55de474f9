//! Building a context where no model is needed.

use cutctx_messages::DurableObject;

use super::{ContextBuildError, ContextBuildResult, ContextPolicy, Step, begin_context};
use crate::compaction::{
    CompactionFailure, CompactionOutcome, CompactionRequest, CompactionStep, ContextCompactor,
};
use crate::request::ContextRequest;

/// Builds a context with what the policy's own compactors can do without a model. Nothing is counted by a provider.
///
/// # Errors
///
/// [`ContextBuildError`] when there is no context. A compactor that wants a model fails with the code `MODEL_NEEDED`.
pub fn build_context_locally(
    policy: &dyn ContextPolicy,
    request: ContextRequest,
    checkpoint: Option<&DurableObject>,
) -> Result<ContextBuildResult, ContextBuildError> {
    let mut step = begin_context(policy, request, checkpoint)?;
    loop {
        step = match step {
            Step::Done(result) => return Ok(*result),
            Step::Count(pending) => pending.resume(None)?,
            Step::Summarize(pending) => {
                let outcome = compact_locally(&*pending.compactor, &pending.request);
                pending.resume(outcome)?
            }
        };
    }
}

/// Asks a compactor that needs no model.
pub(crate) fn compact_locally(
    compactor: &dyn ContextCompactor,
    request: &CompactionRequest,
) -> CompactionOutcome {
    let mut step = compactor.begin(request);
    loop {
        step = match step {
            CompactionStep::Done(outcome) => return outcome,
            CompactionStep::Wait(_, resume) => resume.resume(()),
            CompactionStep::Call(..) => {
                return Err(CompactionFailure::model_needed());
            }
        };
    }
}
