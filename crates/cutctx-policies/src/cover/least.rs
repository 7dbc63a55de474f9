//! What is left of a turn of which nothing was chosen, but whose exchange stays.

use crate::arguments::emptied;
use crate::masking::{Estimator, MaskStub};
use crate::short_stub::{ShortStubs, StubWord};
use crate::trimming::{ProviderRun, Trimming, TurnPart, framing_of, parts_of};
use alloc::vec::Vec;
use cutctx_types::{Action, InvalidValue, KeptPart, PartKind, Role, TranscriptTurn};

/// How much of a call stays at the most, in characters: its name.
const HEAD: usize = 48;

/// Shortens turns as far as they can be: calls to their names, other turns to a stub.
pub(super) struct Least<'e> {
    estimator: &'e Estimator,
    /// What a stub costs, near enough to weigh.
    stub: u64,
}

impl<'e> Least<'e> {
    pub(super) fn measured_by(estimator: &'e Estimator) -> Result<Self, InvalidValue> {
        Ok(Self { estimator, stub: estimator.estimate("[cut 1f2e3d4c]")? })
    }

    /// Whether a turn is a stub already.
    #[expect(clippy::unused_self, reason = "it belongs to what stubs are made by")]
    pub(super) fn is_stub(&self, turn: &TranscriptTurn) -> bool {
        MaskStub::parse(turn.content()).is_some()
    }

    /// What a turn is left to cost, near enough to weigh, in tokens.
    pub(super) fn estimate(&self, turn: &TranscriptTurn) -> u64 {
        if self.is_stub(turn) {
            return turn.token_estimate();
        }
        if !calls(turn) {
            return self.stub.min(turn.token_estimate());
        }
        let part = |part: &TurnPart<'_>| {
            if part.kind == PartKind::CallArguments {
                return head_cost(part);
            }
            if is_held(turn, part.kind) { part.tokens } else { 1 }
        };
        let parts = parts_of(turn);
        parts.iter().map(part).fold(framing_of(turn), u64::saturating_add).min(turn.token_estimate())
    }

    /// What a turn is left to cost, in tokens.
    pub(super) fn cost_of(&self, turn: &TranscriptTurn, original: &TranscriptTurn) -> u64 {
        self.of(turn, original).map_or(turn.token_estimate(), |(_, tokens)| tokens)
    }

    /// What becomes of a turn, and what it then costs, in tokens. `original` is the turn as it was before anything was
    /// done to it.
    pub(super) fn of(
        &self,
        turn: &TranscriptTurn,
        original: &TranscriptTurn,
    ) -> Result<(Action, u64), InvalidValue> {
        let whole = (Action::Keep, turn.token_estimate());
        if self.is_stub(turn) {
            return Ok(whole);
        }
        if calls(turn) {
            let trim = Trimming::measured_by(self.estimator).keeping(turn, heads(turn))?;
            return Ok(trim.map_or(whole, |trim| {
                let tokens = trim.token_estimate;
                (Action::Trim(trim), tokens)
            }));
        }
        let mut stubs = ShortStubs::measured_by(self.estimator);
        let stub = stubs.stub_below(turn.token_estimate(), StubWord::Cut, original);
        Ok(stub.map_or(whole, |stub| {
            let tokens = stub.token_estimate;
            (Action::Mask(stub), tokens)
        }))
    }
}

/// Whether the provider insists on parts of this kind.
fn is_held(turn: &TranscriptTurn, kind: PartKind) -> bool {
    kind == PartKind::OpaqueReasoning && turn.holds_reasoning()
}

/// Whether a turn calls, and not just tools that the provider runs itself.
fn calls(turn: &TranscriptTurn) -> bool {
    let run = ProviderRun::of(turn);
    let is_own = |index: usize, kind| turn.tool_call_id().is_some() || !run.has(index, kind);
    let is_call = |kind| kind == PartKind::CallArguments;
    turn.role() != Role::Tool
        && turn.parts().iter().enumerate().any(|(index, part)| is_call(part.kind) && is_own(index, part.kind))
}

/// The names of the calls, and the reasoning that the provider insists on.
fn heads(turn: &TranscriptTurn) -> Vec<KeptPart> {
    let run = ProviderRun::of(turn);
    let kept = |part: TurnPart<'_>| {
        if run.has(part.index, part.kind) {
            return None;
        }
        if part.kind == PartKind::CallArguments {
            return Some(emptied(&part).unwrap_or_else(|| head(&part)));
        }
        is_held(turn, part.kind).then(|| part.whole())
    };
    parts_of(turn).into_iter().filter_map(kept).collect()
}

/// The beginning of a call whose arguments are no object.
fn head(part: &TurnPart<'_>) -> KeptPart {
    let end = part.bounds.start.saturating_add(head_length(part.text));
    KeptPart::new(part.index, alloc::vec![part.bounds.start..end])
}

/// The length of a call's beginning with its name, in bytes: up to the second space, as in `[call name {…}]`.
fn head_length(text: &str) -> usize {
    let mut spaces = text.char_indices().take(HEAD).filter(|(_, character)| *character == ' ');
    let second = spaces.nth(1).map(|(at, _)| at.saturating_add(1));
    second.or_else(|| text.char_indices().nth(HEAD).map(|(at, _)| at)).unwrap_or(text.len())
}

/// What the beginning of a call costs, near enough to weigh.
fn head_cost(part: &TurnPart<'_>) -> u64 {
    let of = |bytes: usize| u64::try_from(bytes).unwrap_or(u64::MAX);
    let (head, all) = (of(head_length(part.text)).saturating_add(4), of(part.text.len()).max(1));
    let share = u128::from(part.tokens).saturating_mul(u128::from(head)).div_ceil(u128::from(all));
    u64::try_from(share).unwrap_or(u64::MAX).min(part.tokens)
}
