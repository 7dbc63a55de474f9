//! The policy of a vector.

use super::line::Line;
use super::scripted::Scripted;
use cutctx_policies::{BoxedPolicy, PolicyChain, PolicySpec, PolicyVersion};
use cutctx_types::InvalidValue;
use serde_json::Value;

/// Why there is no policy.
pub(crate) enum Fault {
    /// The JSON is of no policy.
    Unreadable(serde_json::Error),
    /// A value is refused.
    Refused(InvalidValue),
}

impl From<InvalidValue> for Fault {
    fn from(error: InvalidValue) -> Self {
        Self::Refused(error)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The policy of a line, at version 1.0.0.
pub(crate) fn policy_of(line: &Line<'_>) -> Result<BoxedPolicy, Fault> {
    if line.has_tag("custom_policy") {
        return build(&line.policy()?);
    }
    Ok(line.policy::<PolicySpec>()?.with_version(PolicyVersion::V1).build()?)
}

/// A policy that is scripted, or a chain that may hold scripted ones.
fn build(policy: &Value) -> Result<BoxedPolicy, Fault> {
    match policy.get("kind").and_then(Value::as_str) {
        Some("custom") => Ok(Box::new(serde_json::from_value::<Scripted>(policy.clone())?)),
        Some("chain") => {
            let members = policy.get("members").and_then(Value::as_array).into_iter().flatten();
            let members = members.map(build).collect::<Result<Vec<_>, _>>()?;
            Ok(Box::new(PolicyChain::v1(members)?))
        }
        _ => {
            let spec: PolicySpec = serde_json::from_value(policy.clone())?;
            Ok(spec.with_version(PolicyVersion::V1).build()?)
        }
    }
}
