//! From turns and a policy to a plan.

use crate::arguments::Window;
use crate::counting::Counting;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use cutctx::{CompactionPlan, PolicyError, PolicySpec, Role, Transcript};

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
    let policy = spec.build_with(&counting.measure(Role::Tool)).map_err(|error| {
        Failure::of(&error, Exit::Refused)
            .remedy("docs/policies.md says what the settings of a policy may be")
    })?;
    policy.decide(transcript, &window.budget).map_err(|error| failure_of(&error, window))
}

fn failure_of(error: &PolicyError, window: &Window) -> Failure {
    match error {
        PolicyError::Unsatisfiable(error) => Failure::unsatisfiable(error, window.reserved),
        PolicyError::Rejected(_) | PolicyError::Invalid(_) => Failure::of(error, Exit::Refused),
    }
}
