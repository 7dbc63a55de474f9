//! Plain twins of the checked values: what JSON says before anything is checked.
//!
//! Numbers are 128 bits wide and signed, so that a negative or huge one is refused with its value and
//! a stable code instead of a parser's sentence. Each twin is converted by `TryFrom`.

use crate::action::{Action, ActionError, ActionKind, TurnAction, TurnReplacement};
use crate::budget::{BudgetError, CompactionBudget};
use crate::draft::{DeclaredFigures, PlanDraft};
use crate::invalid::InvalidValue;
use crate::metadata::Metadata;
use crate::part::Part;
use crate::request::{RequestError, SummarizationRequest};
use crate::role::Role;
use crate::transcript::{Transcript, TranscriptError};
use crate::trim::{KeptPart, Trim};
use crate::turn::{TranscriptTurn, TurnError};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use serde::Deserialize;

/// A turn as JSON has it. `Debug` prints lengths, not text.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a member of its JSON")]
pub struct WireTurn {
    /// See [`TranscriptTurn::turn_id`].
    pub turn_id: Arc<str>,
    /// See [`TranscriptTurn::role`].
    pub role: Role,
    /// See [`TranscriptTurn::content`].
    pub content: Arc<str>,
    /// See [`TranscriptTurn::token_estimate`].
    pub token_estimate: i128,
    /// See [`TranscriptTurn::tool_call_id`].
    #[serde(default)]
    pub tool_call_id: Option<Arc<str>>,
    /// See [`TranscriptTurn::pinned`].
    #[serde(default)]
    pub pinned: bool,
    /// See [`TranscriptTurn::pinned_in_place`].
    #[serde(default)]
    pub pinned_in_place: bool,
    /// See [`TranscriptTurn::metadata`].
    #[serde(default)]
    pub metadata: Option<Metadata>,
    /// See [`TranscriptTurn::tool_name`].
    #[serde(default)]
    pub tool_name: Option<Arc<str>>,
    /// See [`TranscriptTurn::parts`].
    #[serde(default)]
    pub parts: Option<Vec<Part>>,
    /// See [`TranscriptTurn::answers`].
    #[serde(default)]
    pub answers: Option<u32>,
    /// See [`TranscriptTurn::failed`].
    #[serde(default)]
    pub failed: bool,
    /// See [`TranscriptTurn::holds_reasoning`].
    #[serde(default)]
    pub holds_reasoning: bool,
}

impl fmt::Debug for WireTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireTurn")
            .field("turn_id", &self.turn_id)
            .field("role", &self.role)
            .field("content_bytes", &self.content.len())
            .field("token_estimate", &self.token_estimate)
            .field("tool_call_id", &self.tool_call_id)
            .field("pinned", &self.pinned)
            .finish_non_exhaustive()
    }
}

impl TryFrom<WireTurn> for TranscriptTurn {
    type Error = TurnError;

    fn try_from(wire: WireTurn) -> Result<Self, TurnError> {
        let role = wire.role;
        if wire.turn_id.is_empty() {
            return Err(TurnError::EmptyTurnId { role });
        }
        let tokens = turn_tokens(&wire)?;
        let mut turn = Self::new(wire.turn_id, role, wire.content, tokens)?
            .with_pinned(wire.pinned)
            .with_failed(wire.failed)
            .with_reasoning_held(wire.holds_reasoning)
            .with_metadata(wire.metadata.unwrap_or_default());
        if wire.pinned_in_place {
            turn = turn.with_pinned_in_place();
        }
        if let Some(part) = wire.answers {
            turn = turn.with_answers(part);
        }
        if let Some(id) = wire.tool_call_id {
            turn = turn.with_tool_call_id(id);
        }
        if let Some(name) = wire.tool_name {
            turn = turn.with_tool_name(name);
        }
        turn.with_parts(wire.parts.unwrap_or_default())
    }
}

fn turn_tokens(wire: &WireTurn) -> Result<u64, TurnError> {
    let turn_id = || wire.turn_id.clone();
    if wire.token_estimate < 0 {
        let token_estimate = wire.token_estimate;
        return Err(TurnError::NegativeTokens { turn_id: turn_id(), token_estimate });
    }
    u64::try_from(wire.token_estimate).map_err(|_| TurnError::TokensOverflow { turn_id: turn_id() })
}

/// A transcript as JSON has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireTranscript {
    /// The turns in order.
    pub turns: Vec<WireTurn>,
}

impl TryFrom<WireTranscript> for Transcript {
    type Error = TranscriptError;

    fn try_from(wire: WireTranscript) -> Result<Self, TranscriptError> {
        let turns: Result<Vec<_>, _> = wire.turns.into_iter().map(TranscriptTurn::try_from).collect();
        Self::new(turns?)
    }
}

/// A budget as JSON has it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireBudget {
    /// See [`CompactionBudget::max_tokens`].
    pub max_tokens: i128,
    /// See [`CompactionBudget::protected_recent_turns`]; four when absent.
    #[serde(default)]
    pub protected_recent_turns: Option<i128>,
    /// See [`CompactionBudget::target_tokens`].
    #[serde(default)]
    pub target_tokens: Option<i128>,
    /// See [`CompactionBudget::clip_active`].
    #[serde(default)]
    pub clip_active: bool,
}

impl TryFrom<WireBudget> for CompactionBudget {
    type Error = BudgetError;

    fn try_from(wire: WireBudget) -> Result<Self, BudgetError> {
        let WireBudget { max_tokens, protected_recent_turns, target_tokens, clip_active } = wire;
        if max_tokens < 0 {
            return Err(BudgetError::NegativeMax { max_tokens });
        }
        let max = budget_number(max_tokens, "max_tokens")?;
        let mut budget = Self::new(max).with_clip_active(clip_active);
        if let Some(protected_recent_turns) = protected_recent_turns {
            if protected_recent_turns < 0 {
                return Err(BudgetError::NegativeProtected { protected_recent_turns });
            }
            let turns = budget_number(protected_recent_turns, "protected_recent_turns")?;
            budget = budget.with_protected_recent_turns(turns);
        }
        match target_tokens {
            None => Ok(budget),
            Some(target_tokens) if target_tokens < 0 => Err(BudgetError::NegativeTarget { target_tokens }),
            Some(target) => budget.with_target(budget_number(target, "target_tokens")?),
        }
    }
}

fn budget_number(number: i128, field: &'static str) -> Result<u64, BudgetError> {
    u64::try_from(number).map_err(|_| BudgetError::Overflow { field })
}

/// A replacement as JSON has it. `Debug` prints lengths, not text.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireReplacement {
    /// See [`TurnReplacement::content`].
    pub content: Arc<str>,
    /// See [`TurnReplacement::token_estimate`].
    pub token_estimate: i128,
}

impl fmt::Debug for WireReplacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireReplacement")
            .field("content_bytes", &self.content.len())
            .field("token_estimate", &self.token_estimate)
            .finish_non_exhaustive()
    }
}

/// A trim as JSON has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireTrim {
    /// See [`Trim::counted`].
    #[serde(default)]
    pub counted: bool,
    /// See [`Trim::kept`].
    pub kept: Vec<KeptPart>,
    /// See [`Trim::token_estimate`].
    pub token_estimate: i128,
}

/// An action as JSON has it: flat, with nulls for what does not apply.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireAction {
    /// The turn.
    pub turn_id: Arc<str>,
    /// What happens to it.
    pub action: ActionKind,
    /// The summary group; with `summarize` alone.
    #[serde(default)]
    pub summary_group: Option<Arc<str>>,
    /// The replacement; with `mask` alone.
    #[serde(default)]
    pub replacement: Option<WireReplacement>,
    /// The trim; with `trim` alone.
    #[serde(default)]
    pub trim: Option<WireTrim>,
}

impl TryFrom<WireAction> for TurnAction {
    type Error = ActionError;

    fn try_from(wire: WireAction) -> Result<Self, ActionError> {
        let WireAction { turn_id, action, summary_group, replacement, trim } = wire;
        // The replacement is a value of its own, made before the action that carries it.
        let replacement = replacement.map(TurnReplacement::try_from).transpose()?;
        let trim = trim.map(Trim::try_from).transpose()?;
        if (action == ActionKind::Summarize) != summary_group.is_some() {
            return Err(ActionError::SummaryGroup { turn_id, action });
        }
        if (action == ActionKind::Mask) != replacement.is_some() {
            return Err(ActionError::Replacement { turn_id, action });
        }
        if (action == ActionKind::Trim) != trim.is_some() {
            return Err(ActionError::Trim { turn_id, action });
        }
        let dressed = match (summary_group, replacement, trim) {
            (Some(group), ..) => Action::Summarize { group },
            (_, Some(replacement), _) => Action::Mask(replacement),
            (.., Some(trim)) => Action::Trim(trim),
            (None, None, None) if action == ActionKind::Drop => Action::Drop,
            (None, None, None) => Action::Keep,
        };
        Ok(Self::new(turn_id, dressed))
    }
}

impl TryFrom<WireReplacement> for TurnReplacement {
    type Error = ActionError;

    fn try_from(wire: WireReplacement) -> Result<Self, ActionError> {
        Ok(Self::new(wire.content, action_tokens(wire.token_estimate)?))
    }
}

impl TryFrom<WireTrim> for Trim {
    type Error = ActionError;

    fn try_from(wire: WireTrim) -> Result<Self, ActionError> {
        Ok(Self::new(wire.kept, action_tokens(wire.token_estimate)?).with_counts(wire.counted))
    }
}

fn action_tokens(token_estimate: i128) -> Result<u64, ActionError> {
    if token_estimate < 0 {
        return Err(ActionError::NegativeTokens { token_estimate });
    }
    u64::try_from(token_estimate).map_err(|_| ActionError::TokensOverflow)
}

/// A summarization request as JSON has it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WireRequest {
    /// See [`SummarizationRequest::group_id`].
    pub group_id: Arc<str>,
    /// See [`SummarizationRequest::turn_ids`].
    pub turn_ids: Vec<Arc<str>>,
    /// See [`SummarizationRequest::target_tokens`].
    pub target_tokens: i128,
    /// See [`SummarizationRequest::prompt_id`].
    pub prompt_id: Arc<str>,
}

impl TryFrom<WireRequest> for SummarizationRequest {
    type Error = RequestError;

    fn try_from(wire: WireRequest) -> Result<Self, RequestError> {
        let target_tokens = wire.target_tokens;
        let made = u64::try_from(target_tokens);
        let group_id = wire.group_id.clone();
        let request = Self::new(wire.group_id, wire.turn_ids, made.unwrap_or(0), wire.prompt_id)?;
        match made {
            Ok(_) => Ok(request),
            Err(_) if target_tokens < 0 => Err(RequestError::NegativeTarget { group_id, target_tokens }),
            Err(_) => Err(RequestError::TargetOverflow { group_id }),
        }
    }
}

/// A plan as JSON has it: the reference's eight keys, and `wire_version` where a turn is trimmed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct WirePlan {
    /// One action a turn.
    pub actions: Vec<WireAction>,
    /// One request a group.
    #[serde(default)]
    pub summarization_requests: Vec<WireRequest>,
    /// The claimed tokens before.
    pub tokens_before: i128,
    /// The claimed tokens after.
    pub tokens_after_estimate: i128,
    /// The policy.
    pub policy_name: String,
    /// Its version.
    pub policy_version: String,
    /// Characters per token, or null.
    #[serde(default)]
    pub estimator_ratio: Option<f64>,
    /// The claim about the budget.
    pub budget_unmet: bool,
    /// 2 where a turn is trimmed, absent elsewhere.
    #[serde(default)]
    pub wire_version: Option<u64>,
}

impl TryFrom<WirePlan> for PlanDraft {
    type Error = InvalidValue;

    fn try_from(wire: WirePlan) -> Result<Self, InvalidValue> {
        let actions: Result<Vec<_>, _> = wire.actions.into_iter().map(TurnAction::try_from).collect();
        let requests: Result<Vec<_>, _> =
            wire.summarization_requests.into_iter().map(SummarizationRequest::try_from).collect();
        let mut draft = Self::new(wire.policy_name, wire.policy_version, actions?)
            .with_requests(requests?)
            .with_estimator_ratio(wire.estimator_ratio);
        draft.declared =
            Some(DeclaredFigures::new(wire.tokens_before, wire.tokens_after_estimate, wire.budget_unmet));
        check_wire_version(&draft, wire.wire_version)?;
        Ok(draft)
    }
}

/// The document's version is a function of the plan: 2 exactly where a turn is trimmed.
fn check_wire_version(draft: &PlanDraft, version: Option<u64>) -> Result<(), InvalidValue> {
    let trims = draft.actions.iter().any(|action| action.action.kind() == ActionKind::Trim);
    if version == trims.then_some(2) {
        return Ok(());
    }
    Err(InvalidValue::Setting {
        setting: "wire_version",
        value: version.map(Into::into),
        reason: "does not belong to such a plan: it is 2 exactly where a turn is trimmed",
    })
}
