//! From turns and a policy to a plan.

use crate::arguments::Window;
use crate::counting::Counting;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use cutctx::policies::BoxedPolicy;
use cutctx::{CompactionPlan, PolicyError, PolicySpec, Role, Survey, Transcript};

/// Decides for a session.
pub(super) fn decide(loaded: &Loaded, window: &Window, spec: &PolicySpec) -> Result<CompactionPlan, Failure> {
    decide_for(loaded.transcript(), loaded.counting(), window, spec)
        .map_err(|failure| failure.file(loaded.input().path()))
}

/// Decides for a transcript.
pub(super) fn decide_for(
    transcript: &Transcript,
    counting: &Counting,
    window: &Window,
    spec: &PolicySpec,
) -> Result<CompactionPlan, Failure> {
    let decided = built(spec, counting)?.decide(transcript, &window.budget);
    decided.map_err(|error| {
        let failure = failure_of(&error, window);
        let is_too_much = matches!(error, PolicyError::Unsatisfiable(_));
        if is_too_much && clipping_helps(transcript, counting, window, spec) {
            return failure.or("pass --clip-active, which cuts long texts of what must stay");
        }
        failure
    })
}

fn built(spec: &PolicySpec, counting: &Counting) -> Result<BoxedPolicy, Failure> {
    spec.build_with(&counting.measure(Role::Tool)).map_err(|error| {
        Failure::of(&error, Exit::Refused)
            .remedy("docs/policies.md says what the settings of a policy may be")
    })
}

/// Whether the budget could be met if what must stay were clipped, which nobody has permitted.
fn clipping_helps(transcript: &Transcript, counting: &Counting, window: &Window, spec: &PolicySpec) -> bool {
    let budget = window.budget.with_clip_active(true);
    let clipping = built(&PolicySpec::clip_active(spec.clone()), counting);
    let admits = |policy: BoxedPolicy| {
        Survey::new(transcript, &budget).is_ok_and(|survey| policy.admit(&survey).is_ok())
    };
    !window.budget.clip_active() && clipping.is_ok_and(admits)
}

fn failure_of(error: &PolicyError, window: &Window) -> Failure {
    match error {
        PolicyError::Unsatisfiable(error) => Failure::unsatisfiable(error, window.reserved),
        PolicyError::Rejected(_) | PolicyError::Invalid(_) => Failure::of(error, Exit::Refused),
    }
}
