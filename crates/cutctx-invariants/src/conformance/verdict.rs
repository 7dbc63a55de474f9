//! What a policy answered, in a form that can be compared and searched.

use crate::plan::CompactionPlan;
use crate::policy::{CompactionPolicy, PolicyError};
use crate::strategy::Scenario;
use alloc::format;
use alloc::string::{String, ToString};
use cutctx_types::Coded;

/// A plan, or why there is none.
pub(super) type Verdict = Result<CompactionPlan, PolicyError>;

pub(super) fn decide(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Verdict {
    policy.decide(&scenario.transcript, &scenario.budget)
}

/// Everything about a verdict that is the same whenever the verdict is: a plan's bytes, or an error's
/// code, details and sentence.
pub(super) fn essence(verdict: &Verdict) -> String {
    match verdict {
        Ok(plan) => plan.canonical_json(),
        Err(error) => {
            let details = serde_json::to_string(&error.details()).unwrap_or_default();
            format!("{} {details} {error}", error.code())
        }
    }
}

/// Everything that a verdict prints.
pub(super) fn outputs(verdict: &Verdict) -> [String; 2] {
    [essence(verdict), format!("{verdict:?}")]
}

/// A verdict in a few words, without ids.
pub(super) fn summary(verdict: &Verdict) -> String {
    match verdict {
        Ok(plan) => {
            format!("a plan from {} to {} tokens", plan.tokens_before(), plan.tokens_after_estimate())
        }
        Err(error) => error.to_string(),
    }
}
