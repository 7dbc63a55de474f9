//! Reasoning left out of steps that are done.

use crate::shortening::{Common, Shorten, shortening_policy};
use crate::trimming::{Trimming, TurnPart, parts_of};
use alloc::boxed::Box;
use cutctx_invariants::Survey;
use cutctx_types::{Action, InvalidValue, PartKind, Role, TranscriptTurn};

/// How many of the last turns with readable reasoning keep it.
const DEFAULT_KEEP: u64 = 4;

/// Leaves signed and encrypted reasoning out of finished steps, part by part and never a piece of one.
///
/// A step is finished once the model has spoken again, or a user has. The last step keeps its
/// reasoning, and so does a turn whose reasoning its provider insists on
/// ([`TranscriptTurn::holds_reasoning`]). A turn that is nothing but such reasoning is dropped where it may go.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::OpaqueReasoningPolicy;
/// use cutctx_types::{CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
///
/// let parts = vec![Part::new(PartKind::OpaqueReasoning, 0, 900), Part::new(PartKind::Text, 5, 2)];
/// let turns = vec![
///     TranscriptTurn::new("a", Role::Assistant, "done.", 902)?.with_parts(parts)?,
///     TranscriptTurn::new("u", Role::User, "thanks", 2)?,
/// ];
/// let budget = CompactionBudget::new(100).with_protected_recent_turns(1);
/// let plan = OpaqueReasoningPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(plan.tokens_after_estimate() < 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OpaqueReasoningPolicy {
    pub(crate) common: Common,
}

impl OpaqueReasoningPolicy {
    /// The policy at version 2.0.0.
    #[must_use]
    pub const fn new() -> Self {
        Self { common: Common::new() }
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let last =
            survey.turns().iter().rposition(|turn| matches!(turn.role(), Role::Assistant | Role::User));
        Box::new(move |position| {
            let is_finished = last.is_some_and(|last| position < last);
            let turn = survey.turns().get(position).filter(|turn| is_finished && !turn.holds_reasoning());
            let Some(turn) = turn else { return Ok(None) };
            match without(turn, PartKind::OpaqueReasoning, &self.common)? {
                None if is_alone(survey, position) && is_all(turn, PartKind::OpaqueReasoning) => {
                    Ok(Some(Action::Drop))
                }
                trimmed => Ok(trimmed),
            }
        })
    }
}

shortening_policy!(OpaqueReasoningPolicy, "opaque_reasoning", OpaqueReasoningPolicy::prepare);

/// Leaves readable reasoning out of old turns.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::OldReasoningPolicy;
/// use cutctx_types::{CompactionBudget, Part, PartKind, Role, Transcript, TranscriptTurn};
///
/// let parts = vec![Part::new(PartKind::Reasoning, 11, 900), Part::new(PartKind::Text, 16, 2)];
/// let turns = vec![TranscriptTurn::new("a", Role::Assistant, "let us see.done.", 902)?.with_parts(parts)?];
/// let budget = CompactionBudget::new(100).with_protected_recent_turns(0);
/// let policy = OldReasoningPolicy::new().with_keep_recent_turns(0);
/// assert!(policy.decide(&Transcript::new(turns)?, &budget)?.tokens_after_estimate() < 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct OldReasoningPolicy {
    keep_recent_turns: u64,
    pub(crate) common: Common,
}

impl OldReasoningPolicy {
    /// The policy at version 2.0.0; the last four turns with reasoning keep it.
    #[must_use]
    pub const fn new() -> Self {
        Self { keep_recent_turns: DEFAULT_KEEP, common: Common::new() }
    }

    /// The policy letting this many of the last turns with reasoning keep it.
    #[must_use]
    pub const fn with_keep_recent_turns(mut self, turns: u64) -> Self {
        self.keep_recent_turns = turns;
        self
    }

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        let first_kept = self.first_kept(survey);
        Box::new(move |position| {
            let turn = survey.turns().get(position).filter(|_| position < first_kept);
            turn.map_or(Ok(None), |turn| without(turn, PartKind::Reasoning, &self.common))
        })
    }

    /// The position from which on reasoning stays.
    fn first_kept(&self, survey: &Survey<'_>) -> usize {
        let Some(before) = self.keep_recent_turns.checked_sub(1) else { return survey.turns().len() };
        let reasons =
            |turn: &TranscriptTurn| turn.parts().iter().any(|part| part.kind == PartKind::Reasoning);
        let mut latest = survey.turns().iter().enumerate().rev().filter(|(_, turn)| reasons(turn));
        let kept = latest.nth(usize::try_from(before).unwrap_or(usize::MAX));
        kept.map_or(0, |(position, _)| position)
    }
}

shortening_policy!(OldReasoningPolicy, "old_reasoning", OldReasoningPolicy::prepare);

/// The turn without its parts of a kind, if it has some and others too.
fn without(turn: &TranscriptTurn, kind: PartKind, common: &Common) -> Result<Option<Action>, InvalidValue> {
    if turn.parts().iter().all(|part| part.kind != kind) {
        return Ok(None);
    }
    let kept = parts_of(turn).iter().filter(|part| part.kind != kind).map(TurnPart::whole).collect();
    Ok(Trimming::measured_by(&common.estimator).keeping(turn, kept)?.map(Action::Trim))
}

fn is_all(turn: &TranscriptTurn, kind: PartKind) -> bool {
    !turn.parts().is_empty() && turn.parts().iter().all(|part| part.kind == kind)
}

/// Whether the turn at a position may be dropped, and no other with it.
fn is_alone(survey: &Survey<'_>, position: usize) -> bool {
    let exchange = survey.exchanges().of(position);
    survey.is_removable(position)
        && exchange.is_some_and(|exchange| survey.exchanges().members(exchange).len() == 1)
}
