//! A plan at rest.

mod error;

pub use error::RecordError;

use crate::plan::CompactionPlan;
use crate::survey::Survey;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use cutctx_types::wire::{WireBudget, WirePlan};
use cutctx_types::{
    CompactionBudget, Part, PlanDraft, Role, Sha256Digest, Transcript, TranscriptTurn, canonical_json,
    capped_ids,
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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pins_in_place: Vec<Arc<str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held_reasoning: Vec<Arc<str>>,
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
            .field("pins_in_place", &self.pins_in_place.len())
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

/// How a record pins a turn.
#[derive(Debug, Clone, Copy)]
enum RecordedPin {
    /// As its owner does: it stays as it is.
    Whole,
    /// For its place alone.
    InPlace,
}

impl RecordedPin {
    /// Whether a turn is pinned so already, or more firmly.
    const fn holds_for(self, turn: &TranscriptTurn) -> bool {
        match self {
            Self::Whole => turn.pinned_whole(),
            Self::InPlace => turn.pinned(),
        }
    }

    fn applied_to(self, turn: TranscriptTurn) -> TranscriptTurn {
        match self {
            Self::Whole => turn.with_pinned(true),
            Self::InPlace => turn.with_pinned_in_place(),
        }
    }
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
    #[serde(default)]
    pins_in_place: Vec<Arc<str>>,
    #[serde(default)]
    held_reasoning: Vec<Arc<str>>,
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
            pins_in_place: Vec::new(),
            held_reasoning: Vec::new(),
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

    /// The record with the ids of the turns that were pinned in their place alone, to be pinned so again. It matters where
    /// the budget lets what must stay be clipped.
    #[must_use]
    pub fn with_pins_in_place(mut self, turn_ids: Vec<Arc<str>>) -> Self {
        self.pins_in_place = turn_ids;
        self
    }

    /// The record with the ids of the turns whose opaque reasoning the provider insisted on when the plan was made
    /// ([`TranscriptTurn::holds_reasoning`]): once a person has spoken again it does not, and the session does not tell it
    /// any more.
    #[must_use]
    pub fn with_held_reasoning(mut self, turn_ids: Vec<Arc<str>>) -> Self {
        self.held_reasoning = turn_ids;
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
            pins_in_place: wire.pins_in_place,
            held_reasoning: wire.held_reasoning,
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

    /// The ids of the turns that are pinned again in their place alone.
    #[must_use]
    pub fn pins_in_place(&self) -> &[Arc<str>] {
        &self.pins_in_place
    }

    /// A transcript with the recorded pins beside its own, and the reasoning held that was. The plan is for this one; apply
    /// it to this one. Turns that came after the planned ones stay as they are.
    ///
    /// # Errors
    ///
    /// [`RecordError::Shorter`] when there are fewer turns than were planned over, [`RecordError::UnknownPins`] when a
    /// pinned turn is not among those.
    pub fn pinned(&self, transcript: &Transcript) -> Result<Transcript, RecordError> {
        let planned = self.planned_turns(transcript)?;
        let recorded = self.recorded_pins(planned)?;
        let held: BTreeSet<&str> = self.held_reasoning.iter().map(AsRef::as_ref).collect();
        let is_released =
            |turn: &TranscriptTurn| !turn.holds_reasoning() && held.contains(turn.turn_id().as_ref());
        let as_recorded = |(turn, pin): (&TranscriptTurn, &Option<RecordedPin>)| {
            pin.is_none_or(|pin| pin.holds_for(turn)) && !is_released(turn)
        };
        if planned.iter().zip(&recorded).all(as_recorded) {
            return Ok(transcript.clone());
        }
        let mut turns = transcript.turns().to_vec();
        for (turn, pin) in turns.iter_mut().zip(recorded) {
            if is_released(turn) {
                *turn = turn.clone().with_reasoning_held(true);
            }
            if let Some(pin) = pin.filter(|pin| !pin.holds_for(turn)) {
                *turn = pin.applied_to(turn.clone());
            }
        }
        Ok(Transcript::new(turns)?)
    }

    /// By position: how the record pins the turn, if it does.
    fn recorded_pins(&self, planned: &[TranscriptTurn]) -> Result<Vec<Option<RecordedPin>>, RecordError> {
        let in_place = self.pins_in_place.iter().map(|id| (id.as_ref(), RecordedPin::InPlace));
        let whole = self.pins.iter().map(|id| (id.as_ref(), RecordedPin::Whole));
        let mut pins: BTreeMap<&str, RecordedPin> = in_place.chain(whole).collect();
        let recorded = planned.iter().map(|turn| pins.remove(turn.turn_id().as_ref())).collect();
        if pins.is_empty() {
            return Ok(recorded);
        }
        Err(RecordError::UnknownPins { turn_ids: capped_ids(pins.into_keys().map(Arc::from)) })
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
