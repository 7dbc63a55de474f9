//! A plan at rest.

use crate::floor::BudgetUnsatisfiable;
use crate::plan::CompactionPlan;
use crate::rejected::Rejected;
use crate::survey::Survey;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use cutctx_types::wire::{WireBudget, WirePlan};
use cutctx_types::{
    BudgetError, Code, Coded, CompactionBudget, Details, InvalidValue, Part, PlanDraft, Role, Sha256Digest,
    Transcript, TranscriptError, TranscriptTurn, canonical_json, capped_ids,
};
use serde::{Deserialize, Serialize};

/// The version of the record's form.
const RECORD_VERSION: u64 = 1;

/// A plan as it is stored, with what is needed to trust it again: the budget, the policy, the
/// estimator, a digest of the transcript, and the turns that were pinned in it.
///
/// Loading one proves nothing; [`PlanRecord::check`] judges the plan anew for a transcript.
#[derive(Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PlanRecord {
    record_version: u64,
    budget: CompactionBudget,
    policy: Option<serde_json::Value>,
    estimator: String,
    transcript: TranscriptMark,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pins: Vec<Arc<str>>,
    #[serde(flatten)]
    reserved: Reserved,
    plan: String,
    plan_hash: String,
}

/// What was taken off a model's window before the budget was made: the budget is what was left for the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Reserved {
    /// Tokens kept free for the model's answer.
    #[serde(rename = "reserve_output", skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Tokens of what every request has besides the transcript: a system prompt, the definitions of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overhead: Option<u64>,
}

impl Reserved {
    /// This much for the answer and this much besides, in tokens.
    #[must_use]
    pub const fn new(output: Option<u64>, overhead: Option<u64>) -> Self {
        Self { output, overhead }
    }

    /// Whether nothing was said of either.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.output.is_none() && self.overhead.is_none()
    }

    /// All of it, in tokens; saturates.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.output.unwrap_or(0).saturating_add(self.overhead.unwrap_or(0))
    }
}

impl fmt::Debug for PlanRecord {
    /// Prints what identifies the plan; its JSON may hold stubs, so only its length is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlanRecord")
            .field("record_version", &self.record_version)
            .field("budget", &self.budget)
            .field("estimator", &self.estimator)
            .field("transcript", &self.transcript)
            .field("pins", &self.pins.len())
            .field("plan_bytes", &self.plan.len())
            .field("plan_hash", &self.plan_hash)
            .finish_non_exhaustive()
    }
}

/// What identifies a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
struct TranscriptMark {
    turns: usize,
    sha256: String,
}

/// A record as JSON has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WireRecord {
    record_version: u64,
    budget: WireBudget,
    policy: Option<serde_json::Value>,
    estimator: String,
    transcript: TranscriptMark,
    #[serde(default)]
    pins: Vec<Arc<str>>,
    reserve_output: Option<u64>,
    overhead: Option<u64>,
    plan: String,
    plan_hash: String,
}

impl PlanRecord {
    /// The record of a plan, with the policy as the application spells it and the estimator's name.
    #[must_use]
    pub fn of(
        plan: &CompactionPlan,
        policy: Option<serde_json::Value>,
        estimator: impl Into<String>,
    ) -> Self {
        let turns = plan.transcript().turns();
        Self {
            record_version: RECORD_VERSION,
            budget: *plan.budget(),
            policy,
            estimator: estimator.into(),
            transcript: TranscriptMark { turns: turns.len(), sha256: transcript_digest(turns).to_hex() },
            pins: Vec::new(),
            reserved: Reserved::default(),
            plan: plan.canonical_json(),
            plan_hash: plan.plan_hash(),
        }
    }

    /// The record with the ids of the turns that were pinned when the plan was made, so that they are pinned again
    /// when it is used: a session file keeps neither the pins that a user adds, nor those that move on as it grows.
    #[must_use]
    pub fn with_pins(mut self, turn_ids: Vec<Arc<str>>) -> Self {
        self.pins = turn_ids;
        self
    }

    /// The record with what was taken off a window before its budget was made.
    #[must_use]
    pub const fn with_reserved(mut self, reserved: Reserved) -> Self {
        self.reserved = reserved;
        self
    }

    /// Reads a record from its JSON.
    ///
    /// # Errors
    ///
    /// [`RecordError::Unreadable`] when it is no record, [`RecordError::Version`] when it is a newer
    /// one, [`RecordError::Budget`] when its budget is none.
    pub fn from_json(json: &str) -> Result<Self, RecordError> {
        let wire: WireRecord = serde_json::from_str(json).map_err(|error| refusal_of_record(json, &error))?;
        if wire.record_version != RECORD_VERSION {
            return Err(RecordError::Version { record_version: wire.record_version });
        }
        Ok(Self {
            record_version: wire.record_version,
            budget: wire.budget.try_into()?,
            policy: wire.policy,
            estimator: wire.estimator,
            transcript: wire.transcript,
            pins: wire.pins,
            reserved: Reserved::new(wire.reserve_output, wire.overhead),
            plan: wire.plan,
            plan_hash: wire.plan_hash,
        })
    }

    /// The budget.
    #[must_use]
    pub const fn budget(&self) -> &CompactionBudget {
        &self.budget
    }

    /// What was taken off a window before the budget was made.
    #[must_use]
    pub const fn reserved(&self) -> Reserved {
        self.reserved
    }

    /// The policy as the application spelled it.
    #[must_use]
    pub const fn policy(&self) -> Option<&serde_json::Value> {
        self.policy.as_ref()
    }

    /// The name of the estimator that made the transcript's figures.
    #[must_use]
    pub fn estimator(&self) -> &str {
        &self.estimator
    }

    /// The plan's hash as recorded.
    #[must_use]
    pub fn plan_hash(&self) -> &str {
        &self.plan_hash
    }

    /// The plan's canonical JSON as recorded.
    #[must_use]
    pub fn plan_json(&self) -> &str {
        &self.plan
    }

    /// How many turns the plan was made over.
    #[must_use]
    pub const fn turns(&self) -> usize {
        self.transcript.turns
    }

    /// The ids of the turns that are pinned again when the plan is used.
    #[must_use]
    pub fn pins(&self) -> &[Arc<str>] {
        &self.pins
    }

    /// A transcript with the recorded pins beside its own. The plan is for this one; apply it to this one. Turns that
    /// came after the planned ones stay as they are.
    ///
    /// # Errors
    ///
    /// [`RecordError::Shorter`] when there are fewer turns than were planned over, [`RecordError::UnknownPins`] when a
    /// pinned turn is not among those.
    pub fn pinned(&self, transcript: &Transcript) -> Result<Transcript, RecordError> {
        let planned = self.planned_turns(transcript)?;
        let mut missing: BTreeSet<&str> = self.pins.iter().map(AsRef::as_ref).collect();
        let is_recorded: Vec<bool> =
            planned.iter().map(|turn| missing.remove(turn.turn_id().as_ref())).collect();
        if !missing.is_empty() {
            let turn_ids = capped_ids(missing.into_iter().map(Arc::from));
            return Err(RecordError::UnknownPins { turn_ids });
        }
        if planned.iter().zip(&is_recorded).all(|(turn, recorded)| turn.pinned() || !recorded) {
            return Ok(transcript.clone());
        }
        let mut turns = transcript.turns().to_vec();
        for (turn, _) in turns.iter_mut().zip(is_recorded).filter(|(_, recorded)| *recorded) {
            *turn = turn.clone().with_pinned(true);
        }
        Ok(Transcript::new(turns)?)
    }

    /// Judges the recorded plan anew for a transcript, which may have grown at its end since. The recorded pins are
    /// added first, as [`PlanRecord::pinned`] does.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when the transcript is another one, the hash does not belong to the plan, or
    /// the rules reject it.
    pub fn check(&self, transcript: &Transcript) -> Result<CompactionPlan, RecordError> {
        let planned = self.planned_part(&self.pinned(transcript)?)?;
        let plan = check_bare(&self.plan, &planned, &self.budget)?;
        let derived = plan.plan_hash();
        if derived == self.plan_hash {
            Ok(plan)
        } else {
            Err(RecordError::Hash { recorded: self.plan_hash.clone(), derived })
        }
    }

    /// The part of a transcript that the plan was made over.
    fn planned_part(&self, transcript: &Transcript) -> Result<Transcript, RecordError> {
        let turns = self.planned_turns(transcript)?;
        let digest = transcript_digest(turns).to_hex();
        if digest != self.transcript.sha256 {
            return Err(RecordError::Transcript {
                recorded: self.transcript.sha256.clone(),
                derived: digest,
            });
        }
        if turns.len() == transcript.len() {
            Ok(transcript.clone())
        } else {
            Ok(Transcript::new(turns.to_vec())?)
        }
    }

    fn planned_turns<'t>(&self, transcript: &'t Transcript) -> Result<&'t [TranscriptTurn], RecordError> {
        let (recorded, turns) = (self.transcript.turns, transcript.len());
        transcript.turns().get(..recorded).ok_or(RecordError::Shorter { recorded, turns })
    }
}

/// Why a text is no record. One of another version may have other members, so its version is looked at before its
/// form is found wrong.
fn refusal_of_record(json: &str, error: &serde_json::Error) -> RecordError {
    #[derive(Deserialize)]
    struct Versioned {
        record_version: u64,
    }
    match serde_json::from_str(json) {
        Ok(Versioned { record_version }) if record_version != RECORD_VERSION => {
            RecordError::Version { record_version }
        }
        Ok(_) | Err(_) => RecordError::unreadable(error),
    }
}

impl CompactionPlan {
    /// Reads a bare plan, as the reference writes it, and judges it for a transcript and a budget.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when it is no plan or the rules reject it.
    pub fn from_json(
        json: &str,
        transcript: &Transcript,
        budget: &CompactionBudget,
    ) -> Result<Self, RecordError> {
        check_bare(json, transcript, budget)
    }
}

fn check_bare(
    json: &str,
    transcript: &Transcript,
    budget: &CompactionBudget,
) -> Result<CompactionPlan, RecordError> {
    let wire: WirePlan = serde_json::from_str(json).map_err(|error| RecordError::unreadable(&error))?;
    let draft = PlanDraft::try_from(wire)?;
    let survey = Survey::new(transcript, budget)?;
    Ok(CompactionPlan::check(draft, &survey)?)
}

/// A digest of turns without their metadata: the canonical JSON of each, framed by its length in
/// bytes as eight bytes, most significant first.
#[must_use]
pub fn transcript_digest(turns: &[TranscriptTurn]) -> Sha256Digest {
    // One turn at a time: the JSON of a whole transcript is never in memory.
    Sha256Digest::of_pieces(turns.iter().flat_map(|turn| {
        let json = canonical_json(&DigestedTurn::of(turn)).unwrap_or_default().into_bytes();
        let length = u64::try_from(json.len()).unwrap_or(u64::MAX);
        [length.to_be_bytes().to_vec(), json]
    }))
}

/// What of a turn is digested, in order of the keys.
#[derive(Serialize)]
struct DigestedTurn<'t> {
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<u32>,
    content: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    holds_reasoning: Option<bool>,
    #[serde(skip_serializing_if = "<[Part]>::is_empty")]
    parts: &'t [Part],
    pinned: bool,
    role: Role,
    token_estimate: u64,
    tool_call_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'t str>,
    turn_id: &'t str,
}

impl<'t> DigestedTurn<'t> {
    fn of(turn: &'t TranscriptTurn) -> Self {
        Self {
            answers: turn.answers(),
            content: turn.content(),
            failed: turn.failed().then_some(true),
            holds_reasoning: turn.holds_reasoning().then_some(true),
            parts: turn.parts(),
            pinned: turn.pinned(),
            role: turn.role(),
            token_estimate: turn.token_estimate(),
            tool_call_id: turn.tool_call_id(),
            tool_name: turn.tool_name(),
            turn_id: turn.turn_id(),
        }
    }
}

/// Why a stored plan cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not in the form of a record or a plan.
    #[error("the stored plan is unreadable at line {line}, column {column}: {fault}")]
    Unreadable {
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1; 0 where the reader knows none.
        column: usize,
        /// What kind of fault it is. The reader's own sentence is left out: it may quote the text.
        fault: &'static str,
    },
    /// It is a record of another version.
    #[error("the stored plan has record version {record_version}, which this build does not know")]
    Version {
        /// The version found.
        record_version: u64,
    },
    /// Its budget is none.
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// One of its values is refused.
    #[error(transparent)]
    Invalid(#[from] InvalidValue),
    /// The planned part of the transcript is refused.
    #[error(transparent)]
    Turns(#[from] TranscriptError),
    /// The transcript has fewer turns than were planned over.
    #[error("the plan was made over {recorded} turns, the transcript has {turns}")]
    Shorter {
        /// How many turns were planned over.
        recorded: usize,
        /// How many there are.
        turns: usize,
    },
    /// The transcript is not the one that was planned over.
    #[error("the plan was made for another transcript")]
    Transcript {
        /// The digest in the record.
        recorded: String,
        /// The digest of the transcript at hand.
        derived: String,
    },
    /// Turns that the record pins are not among those that were planned over.
    #[error("the plan pins turns that the transcript does not have")]
    UnknownPins {
        /// Their ids: the first ten, sorted.
        turn_ids: Vec<Arc<str>>,
    },
    /// The hash does not belong to the plan.
    #[error("the stored plan does not have the hash that its record names")]
    Hash {
        /// The hash in the record.
        recorded: String,
        /// The hash of the plan in the record.
        derived: String,
    },
    /// The budget is below the floor.
    #[error(transparent)]
    Unsatisfiable(#[from] BudgetUnsatisfiable),
    /// The rules reject the plan.
    #[error(transparent)]
    Rejected(#[from] Rejected),
}

impl RecordError {
    fn unreadable(error: &serde_json::Error) -> Self {
        let fault = match error.classify() {
            serde_json::error::Category::Data => "not in the form of a stored plan",
            serde_json::error::Category::Eof => "ends too early",
            serde_json::error::Category::Io | serde_json::error::Category::Syntax => "not JSON",
        };
        Self::Unreadable { line: error.line(), column: error.column(), fault }
    }
}

impl Coded for RecordError {
    fn code(&self) -> Code {
        match self {
            Self::Unreadable { .. } => Code::new("RECORD_UNREADABLE"),
            Self::Version { .. } => Code::new("RECORD_VERSION"),
            Self::Budget(error) => error.code(),
            Self::Invalid(error) => error.code(),
            Self::Turns(error) => error.code(),
            Self::Shorter { .. } | Self::Transcript { .. } | Self::UnknownPins { .. } => Code::PLAN_MISMATCH,
            Self::Hash { .. } => Code::new("RECORD_HASH"),
            Self::Unsatisfiable(error) => error.code(),
            Self::Rejected(error) => error.code(),
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Unreadable { line, column, fault } => {
                Details::none().with("line", *line).with("column", *column).with("fault", *fault)
            }
            Self::Version { record_version } => Details::none().with("record_version", *record_version),
            Self::Budget(error) => error.details(),
            Self::Invalid(error) => error.details(),
            Self::Turns(error) => error.details(),
            Self::Shorter { recorded, turns } => {
                Details::none().with("recorded", *recorded).with("turns", *turns)
            }
            Self::UnknownPins { turn_ids } => Details::none().with("unknown_turn_ids", turn_ids.clone()),
            Self::Transcript { recorded, derived } | Self::Hash { recorded, derived } => {
                Details::none().with("recorded", recorded.clone()).with("derived", derived.clone())
            }
            Self::Unsatisfiable(error) => error.details(),
            Self::Rejected(error) => error.details(),
        }
    }
}
