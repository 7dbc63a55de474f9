//! One build over a whole list of messages.

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_messages::DurableObject;

use super::super::Config;
use super::live::{LiveContext, LiveRequest, LiveStep};
use crate::policy::{ContextBuildResult, PendingCompaction, Step, StepResult};
use crate::request::ContextRequest;
use crate::resume::Resume;

/// Begins to build: the context of the messages, and one step of it.
pub(in super::super) fn begin(
    config: Arc<Config>,
    request: &ContextRequest,
    checkpoint: Option<&DurableObject>,
) -> StepResult {
    let session = request.session.clone();
    let mut context = LiveContext::build(config, session, &request.messages, checkpoint)?;
    let step = context.begin(&LiveRequest::from(request))?;
    Ok(as_step(context, step))
}

fn as_step(mut context: LiveContext, step: LiveStep) -> Step {
    match step {
        LiveStep::Done(result) => {
            let mut built = ContextBuildResult::new(context.messages());
            built.checkpoint = result.checkpoint;
            built.checkpoint_event_payload = result.checkpoint_event_payload;
            built.compaction_telemetry = result.compaction_telemetry;
            built.outcome = Some(result.outcome);
            Step::Done(Box::new(built))
        }
        LiveStep::Summarize(request) => {
            let compactor = Arc::clone(context.compactor());
            let resume = Resume::new(move |outcome| {
                let step = context.resume(outcome)?;
                Ok(as_step(context, step))
            });
            Step::Summarize(Box::new(PendingCompaction::new(compactor, *request, resume)))
        }
    }
}
