//! What a vector comes to.

use super::line::{Expected, ExpectedError, Job, Line};
use super::policy::{Fault, policy_of};
use cutctx_exec::{Applied, CompactionExecutor};
use cutctx_invariants::CompactionPlan;
use cutctx_types::{Code, Coded, CompactionBudget, Transcript};
use serde_json::Value;

/// What is to be said about one vector.
pub(crate) enum Verdict {
    /// It holds, or differs in a way that is allowed.
    Passed,
    /// It was not tried.
    Skipped(&'static str),
    /// Its numbers are beyond 64 bits, and were refused as such.
    Refused(String),
    /// It does not hold.
    Failed(String),
}

/// Runs a vector and compares.
pub(crate) fn judge(line: &Line<'_>) -> Verdict {
    if line.has_tag("python_only") && !line.has_tag("raw_python_error") {
        return Verdict::Skipped("python_only: its input cannot be said in types");
    }
    let outcome = outcome_of(line);
    match outcome.fault_against(line) {
        None => Verdict::Passed,
        Some(_) if line.has_tag("raw_python_error") => Verdict::Passed,
        Some(fault) => match outcome.error {
            Some(error) if line.has_tag("bigint") && error.is_about_size => Verdict::Refused(error.message),
            _ => Verdict::Failed(fault),
        },
    }
}

/// What came out: a plan, what applying it gave, an error; or some of these.
#[derive(Default)]
struct Outcome {
    plan: Option<CompactionPlan>,
    applied: Option<Applied>,
    error: Option<Failure>,
}

struct Failure {
    stage: &'static str,
    code: String,
    details: Option<Value>,
    message: String,
    /// Whether it says that a number is beyond what can be counted.
    is_about_size: bool,
}

impl Failure {
    fn of(stage: &'static str, error: &dyn Coded) -> Self {
        Self {
            stage,
            code: error.code().to_string(),
            details: serde_json::to_value(error.details()).ok(),
            message: format!("{stage}: {error}"),
            // A detail that JSON values cannot hold is a number of more than 64 bits, too.
            is_about_size: error.code() == Code::TOKEN_OVERFLOW
                || serde_json::to_value(error.details()).is_err(),
        }
    }

    fn unreadable(error: &serde_json::Error) -> Self {
        let (code, message) = (String::from("INVALID_JOB"), format!("job: {error}"));
        Self { stage: "job", code, details: None, message, is_about_size: true }
    }
}

fn outcome_of(line: &Line<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    outcome.error = match line.job() {
        Ok(job) => proceed(line, job, &mut outcome).err(),
        Err(error) => Some(Failure::unreadable(&error)),
    };
    outcome
}

fn proceed(line: &Line<'_>, job: Job, outcome: &mut Outcome) -> Result<(), Failure> {
    let transcript =
        Transcript::try_from(job.transcript).map_err(|error| Failure::of("transcript", &error))?;
    let budget = CompactionBudget::try_from(job.budget).map_err(|error| Failure::of("budget", &error))?;
    let policy = policy_of(line).map_err(|fault| match fault {
        Fault::Unreadable(error) => Failure::unreadable(&error),
        Fault::Refused(error) => Failure::of("policy", &error),
    })?;
    let plan = policy.decide(&transcript, &budget).map_err(|error| Failure::of("decide", &error))?;
    let plan = outcome.plan.insert(plan);
    let Some(summaries) = job.summaries else { return Ok(()) };
    let transcript = match job.apply_transcript {
        None => transcript,
        Some(other) => {
            Transcript::try_from(other).map_err(|error| Failure::of("apply_transcript", &error))?
        }
    };
    let applied = CompactionExecutor::reference().apply(&transcript, plan, &summaries);
    outcome.applied = Some(applied.map_err(|error| Failure::of("apply", &error))?);
    Ok(())
}

impl Outcome {
    /// What differs from what the line expects, if anything.
    fn fault_against(&self, line: &Line<'_>) -> Option<String> {
        match (line.expected_error(), &self.error) {
            (None, Some(error)) => Some(format!("refused at stage {}", error.message)),
            (Some(expected), None) => Some(format!("not refused at stage {}", expected.stage)),
            (Some(expected), Some(error)) => error.fault_against(expected),
            (None, None) => None,
        }
        .or_else(|| line.expected().and_then(|expected| self.difference(expected)))
    }

    fn difference(&self, expected: &Expected) -> Option<String> {
        let Some(plan) = &self.plan else { return Some("there is no plan".into()) };
        let json = plan.canonical_json();
        if json != expected.plan {
            return Some(format!("the plan is {json}, not {}", expected.plan));
        }
        if plan.plan_hash() != expected.plan_hash {
            return Some("the plan has another hash".into());
        }
        let (view, report) = match &self.applied {
            None => (Value::Null, Value::Null),
            Some(applied) => (
                serde_json::to_value(&applied.compacted.turns).unwrap_or_default(),
                serde_json::to_value(&applied.compacted.report).unwrap_or_default(),
            ),
        };
        if view != expected.view {
            return Some(format!("the view is {view}, not {}", expected.view));
        }
        (report != expected.report).then(|| format!("the report is {report}, not {}", expected.report))
    }
}

impl Failure {
    fn fault_against(&self, expected: &ExpectedError) -> Option<String> {
        // A plan always has a hash here, so what has none is refused when the plan is made.
        let stage = if expected.stage == "hash" { "decide" } else { &expected.stage };
        let alike = self.stage == stage
            && Some(&self.code) == expected.code.as_ref()
            && self.details.as_ref() == Some(&expected.details);
        (!alike).then(|| {
            let ExpectedError { stage, code, details } = expected;
            format!("{} ({}, {:?}), not {stage} ({code:?}, {details})", self.message, self.code, self.details)
        })
    }
}
