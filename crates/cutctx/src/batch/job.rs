//! A line of JSON that is a job.

use super::id::JobId;
use crate::documents::{JsonFault, known_key, named};
use cutctx_exec::Summaries;
use cutctx_policies::PolicySpec;
use cutctx_types::wire::{WireBudget, WireTranscript};
use cutctx_types::{Code, Coded, Details};
use serde::Deserialize;
use serde_json::value::RawValue;

/// The code of a line that is no job.
pub const INVALID_JOB: Code = Code::new("INVALID_JOB");

/// A job as it was read: its form is right, its values are not checked yet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Job {
    /// What its owner calls it.
    pub id: Option<JobId>,
    /// The turns to plan over.
    pub transcript: WireTranscript,
    /// The budget.
    pub budget: WireBudget,
    /// The policy.
    pub policy: PolicySpec,
    /// What is to stay as it is, spelled as [`Pin`](crate::pins::Pin)s are.
    pub pins: Vec<String>,
    /// The summaries; `None` for a job that only plans.
    pub summaries: Option<Summaries>,
    /// The transcript to apply to, where it is another one than that planned over.
    pub apply_transcript: Option<WireTranscript>,
}

/// A job as JSON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireJob {
    #[serde(default)]
    id: Option<Box<RawValue>>,
    transcript: WireTranscript,
    budget: WireBudget,
    policy: PolicySpec,
    #[serde(default)]
    pins: Option<Vec<String>>,
    #[serde(default)]
    summaries: Option<Summaries>,
    #[serde(default)]
    apply_transcript: Option<WireTranscript>,
}

/// Only the id of an object, whatever else it has.
#[derive(Deserialize)]
struct IdAlone {
    #[serde(default)]
    id: Option<Box<RawValue>>,
}

impl Job {
    /// Reads a job. Unknown keys and keys that stand twice are refused.
    ///
    /// # Errors
    ///
    /// [`JobError`] when it is no job; the error tells where, and never what the line says.
    pub fn from_json(json: &str) -> Result<Self, JobError> {
        let wire: WireJob = serde_json::from_str(json).map_err(|error| JobError::of(json, &error))?;
        let id = match wire.id {
            None => None,
            Some(raw) => Some(JobId::of(raw).ok_or_else(|| JobError::whole(JsonFault::Id))?),
        };
        Ok(Self {
            id,
            transcript: wire.transcript,
            budget: wire.budget,
            policy: wire.policy,
            pins: wire.pins.unwrap_or_default(),
            summaries: wire.summaries,
            apply_transcript: wire.apply_transcript,
        })
    }
}

/// The id of a line that is no job, so that its owner recognises the answer.
pub(super) fn id_of(json: &str) -> Option<JobId> {
    let alone: IdAlone = serde_json::from_str(json).ok()?;
    alone.id.and_then(JobId::of)
}

/// Why a line is no job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the line is no job: {fault}{}{}", named(key.as_deref()), at(*column))]
#[non_exhaustive]
pub struct JobError {
    /// What is wrong.
    pub fault: JsonFault,
    /// Where, as a column counted from 1; 0 where no column is to blame.
    pub column: usize,
    /// The key that is missing, stands twice or is out of place, where it is one of ours.
    pub key: Option<String>,
}

fn at(column: usize) -> String {
    if column == 0 { String::new() } else { format!(" (column {column})") }
}

impl JobError {
    fn of(json: &str, error: &serde_json::Error) -> Self {
        Self { fault: JsonFault::of(json, error), column: error.column(), key: known_key(error) }
    }

    /// A fault of the line as a whole.
    pub(super) const fn whole(fault: JsonFault) -> Self {
        Self { fault, column: 0, key: None }
    }
}

impl Coded for JobError {
    fn code(&self) -> Code {
        INVALID_JOB
    }

    fn details(&self) -> Details {
        let details = Details::none().with("fault", self.fault.as_str()).with("column", self.column);
        self.key.iter().fold(details, |details, key| details.with("key", key.as_str()))
    }
}
