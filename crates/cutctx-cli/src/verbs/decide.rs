//! From turns and a policy to a plan.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use cutctx::{CompactionBudget, CompactionPlan, PolicyError, PolicySpec, Transcript};

/// Decides for a session.
pub(super) fn decide(
    loaded: &Loaded,
    budget: &CompactionBudget,
    spec: &PolicySpec,
) -> Result<CompactionPlan, Failure> {
    decide_for(loaded.transcript(), budget, spec).map_err(|failure| failure.file(loaded.input().path()))
}

/// Decides for a transcript.
pub(super) fn decide_for(
    transcript: &Transcript,
    budget: &CompactionBudget,
    spec: &PolicySpec,
) -> Result<CompactionPlan, Failure> {
    let policy = spec.build().map_err(|error| {
        Failure::of(&error, Exit::Refused)
            .remedy("docs/policies.md says what the settings of a policy may be")
    })?;
    policy.decide(transcript, budget).map_err(|error| failure_of(&error))
}

fn failure_of(error: &PolicyError) -> Failure {
    match error {
        PolicyError::Unsatisfiable(error) => Failure::unsatisfiable(error),
        PolicyError::Rejected(_) | PolicyError::Invalid(_) => Failure::of(error, Exit::Refused),
    }
}
