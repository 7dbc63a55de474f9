//! Running a job.

use super::answer::{Answer, JobFailure, Stage};
use super::job::{Job, JobError, id_of};
use super::lines::Line;
use crate::documents::JsonFault;
use crate::pins::{Pin, PinError, Pinned, apply_pins};
use alloc::sync::Arc;
use cutctx_exec::{CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, PolicyError};
use cutctx_policies::PolicyVersion;
use cutctx_types::wire::WireTranscript;
use cutctx_types::{Coded, CompactionBudget, Transcript, TranscriptTurn};
use serde::Serialize;

/// Which executor serves a job: the reference one where the policy is of version 1.0.0, the strict one elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there are two executors, and answers name them")]
pub enum ExecutorKind {
    /// [`CompactionExecutor::reference`].
    Reference,
    /// [`CompactionExecutor::new`].
    Strict,
}

impl ExecutorKind {
    /// The executor.
    #[must_use]
    pub fn executor(self) -> CompactionExecutor {
        match self {
            Self::Reference => CompactionExecutor::reference(),
            Self::Strict => CompactionExecutor::new(),
        }
    }
}

/// Reads a line and runs the job on it. There is always an answer.
#[must_use]
pub fn run_line(bytes: &[u8], line: u64) -> Answer {
    let Ok(json) = str::from_utf8(bytes) else {
        return refused(Answer::new(None, line), &JobError::whole(JsonFault::NotUtf8));
    };
    match Job::from_json(json) {
        Ok(job) => run(job, line),
        Err(error) => refused(Answer::new(id_of(json), line), &error),
    }
}

/// As [`run_line`], for a line that may have been cut at a limit.
#[must_use]
pub fn answer_line(line: &Line) -> Answer {
    if line.cut {
        return refused(Answer::new(None, line.number), &JobError::whole(JsonFault::TooLong));
    }
    run_line(&line.bytes, line.number)
}

fn refused(mut answer: Answer, error: &JobError) -> Answer {
    answer.failure = Some(failure(Stage::Job, error));
    answer
}

/// Runs a job: decides, and applies where summaries are given, be they none.
#[must_use]
pub fn run(job: Job, line: u64) -> Answer {
    let mut answer = Answer::new(job.id.clone(), line);
    answer.failure = steps(job, &mut answer).err();
    answer
}

fn steps(job: Job, answer: &mut Answer) -> Result<(), JobFailure> {
    let transcript = transcript_of(job.transcript, Stage::Transcript)?;
    let budget = CompactionBudget::try_from(job.budget).map_err(|error| failure(Stage::Budget, &error))?;
    let policy = job.policy.build().map_err(|error| failure(Stage::Policy, &error))?;
    let kind = kind_of(policy.version());
    answer.executor = Some(kind);
    let pinned = pinned(&transcript, &job.pins)?;
    answer.pin_conflicts = turn_ids(&pinned.transcript, &pinned.orphans);
    let plan = policy.decide(&pinned.transcript, &budget).map_err(|error| decide_failure(&error))?;
    let plan = answer.plan.insert(plan);
    let target = job.apply_transcript.map(|wire| transcript_of(wire, Stage::ApplyTranscript)).transpose()?;
    let target = target.map(|target| pinned_as(&pinned, &target)).transpose()?;
    if let Some(summaries) = job.summaries {
        let target = target.as_ref().unwrap_or(&pinned.transcript);
        answer.applied = Some(apply(kind, target, plan, &summaries)?);
    }
    Ok(())
}

fn pinned(transcript: &Transcript, pins: &[String]) -> Result<Pinned, JobFailure> {
    let unpinned = |error: PinError| failure(Stage::Pins, &error);
    let pins: Vec<Pin> = pins.iter().map(|pin| pin.parse().map_err(unpinned)).collect::<Result<_, _>>()?;
    apply_pins(transcript, &pins).map_err(unpinned)
}

fn turn_ids(transcript: &Transcript, positions: &[usize]) -> Vec<Arc<str>> {
    let turns = positions.iter().filter_map(|position| transcript.turns().get(*position));
    turns.map(|turn| Arc::clone(turn.turn_id())).collect()
}

/// The transcript that a plan is applied to, with the pins of the one that it was made for.
fn pinned_as(planned: &Pinned, target: &Transcript) -> Result<Transcript, JobFailure> {
    let mut turns = target.turns().to_vec();
    for position in &planned.added {
        let id = planned.transcript.turns().get(*position).map(TranscriptTurn::turn_id);
        if let Some(turn) = turns.get_mut(*position).filter(|turn| Some(turn.turn_id()) == id) {
            *turn = turn.clone().with_pinned(true);
        }
    }
    Transcript::new(turns).map_err(|error| failure(Stage::ApplyTranscript, &error))
}

fn transcript_of(wire: WireTranscript, stage: Stage) -> Result<Transcript, JobFailure> {
    Transcript::try_from(wire).map_err(|error| failure(stage, &error))
}

fn kind_of(version: &str) -> ExecutorKind {
    if version == PolicyVersion::V1.as_str() { ExecutorKind::Reference } else { ExecutorKind::Strict }
}

fn apply(
    kind: ExecutorKind,
    transcript: &Transcript,
    plan: &CompactionPlan,
    summaries: &Summaries,
) -> Result<cutctx_exec::Applied, JobFailure> {
    kind.executor().apply(transcript, plan, summaries).map_err(|error| failure(Stage::Apply, &error))
}

fn decide_failure(error: &PolicyError) -> JobFailure {
    let rule = match error {
        PolicyError::Rejected(rejected) => Some(rejected.first().rule()),
        PolicyError::Unsatisfiable(_) | PolicyError::Invalid(_) => None,
    };
    JobFailure { rule, ..failure(Stage::Decide, error) }
}

fn failure(stage: Stage, error: &dyn Coded) -> JobFailure {
    JobFailure {
        stage,
        code: error.code().as_str().to_owned(),
        rule: None,
        details: error.details(),
        message: error.to_string(),
    }
}
