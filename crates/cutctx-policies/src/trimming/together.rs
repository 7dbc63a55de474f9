//! Parts of which a file has all or none, or that stay as they are.

use super::{TurnPart, is_whole};
use alloc::vec::Vec;
use cutctx_types::{KeptPart, Part, PartKind, Role, TranscriptTurn};

/// The calls that the provider ran itself and their results, among the parts of a turn: in an assistant's turn the
/// media, and the calls before them. Formats keep or leave them all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProviderRun {
    /// Behind the last of them; 0 where there are none.
    end: usize,
}

impl ProviderRun {
    /// Those of a turn.
    pub(crate) fn of(turn: &TranscriptTurn) -> Self {
        let is = |kind: PartKind| move |part: &Part| part.kind == kind;
        let last = turn.parts().iter().rposition(is(PartKind::Media));
        let last = last.filter(|last| turn.parts().iter().take(*last).any(is(PartKind::CallArguments)));
        let end = last.filter(|_| turn.role() == Role::Assistant).map_or(0, |last| last.saturating_add(1));
        Self { end }
    }

    /// Whether the part of this index and kind is one of them.
    pub(crate) fn has(self, part: usize, kind: PartKind) -> bool {
        part < self.end && matches!(kind, PartKind::CallArguments | PartKind::Media)
    }

    /// Leaves them out of what is kept of a turn, in order, unless all of them are kept whole.
    pub(crate) fn whole_or_gone(self, parts: &[TurnPart<'_>], kept: &mut Vec<KeptPart>) {
        let is_kept = |part: &TurnPart<'_>| match named(kept, part) {
            Some(kept) => is_whole(part, kept),
            None => !can_be_named(part),
        };
        if !parts.iter().filter(|part| self.has(part.index, part.kind)).all(is_kept) {
            kept.retain(|kept| parts.get(kept.part).is_none_or(|part| !self.has(part.index, part.kind)));
        }
    }
}

/// What is kept of a turn, with what a file cannot be without then: the rest of what the provider ran, the other opaque
/// parts, and calls that stay as they are.
pub(super) fn completed(turn: &TranscriptTurn, parts: &[TurnPart<'_>], kept: &[KeptPart]) -> Vec<KeptPart> {
    let run = ProviderRun::of(turn);
    let is_run = |part: &TurnPart<'_>| run.has(part.index, part.kind);
    let is_opaque = |part: &TurnPart<'_>| part.kind == PartKind::OpaqueReasoning;
    let is_held =
        |part: &TurnPart<'_>| is_led_to(turn, run, parts, part) || (!is_run(part) && waits(turn, part));
    let is_kept = |part: &TurnPart<'_>| is_held(part) || named(kept, part).is_some();
    let keeps_run = parts.iter().any(|part| is_run(part) && is_kept(part));
    let keeps_opaque = parts.iter().any(|part| is_opaque(part) && is_kept(part));
    let complete = |part: &TurnPart<'_>| {
        let stays = is_held(part) || (keeps_run && is_run(part)) || (keeps_opaque && is_opaque(part));
        if stays && can_be_named(part) { Some(part.whole()) } else { named(kept, part).cloned() }
    };
    parts.iter().filter_map(complete).collect()
}

/// What of a part is kept. The kept parts are in order.
pub(super) fn named<'k>(kept: &'k [KeptPart], part: &TurnPart<'_>) -> Option<&'k KeptPart> {
    kept.get(kept.binary_search_by_key(&part.index, |kept| kept.part).ok()?)
}

/// Whether a trim can name a part: of one that can be cut, nothing is no range.
fn can_be_named(part: &TurnPart<'_>) -> bool {
    part.kind.is_indivisible() || !part.bounds.is_empty()
}

/// Whether a call is one that the provider is still to answer: no client is, or the turn would have an exchange.
fn waits(turn: &TranscriptTurn, part: &TurnPart<'_>) -> bool {
    part.kind == PartKind::CallArguments && turn.role() == Role::Assistant && turn.tool_call_id().is_none()
}

/// Whether a part is what signed reasoning before it leads to, in a turn whose reasoning the provider insists on: what
/// the provider ran, or a call that has no reasoning beside its own signature, which is a part without a text.
fn is_led_to(turn: &TranscriptTurn, run: ProviderRun, parts: &[TurnPart<'_>], part: &TurnPart<'_>) -> bool {
    let before = part.index.checked_sub(1).and_then(|before| parts.get(before));
    let before = before.filter(|before| turn.holds_reasoning() && before.kind == PartKind::OpaqueReasoning);
    let is_medium = part.kind == PartKind::Media;
    let is_call = part.kind == PartKind::CallArguments;
    let leads = |before: &TurnPart<'_>| {
        is_medium || (is_call && (before.text.is_empty() || run.has(part.index, part.kind)))
    };
    before.is_some_and(leads)
}
