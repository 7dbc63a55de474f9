//! Signed reasoning of turns that stay, behind the first change.

use core::ops::Range;

use cutctx_exec::Fate;

use crate::note::NoteKind;
use crate::outcome::{Outcome, Slot, SlotKind};
use crate::raw::Splices;
use crate::signed_reasoning::SignedReasoning;
use crate::view::View;

/// Which messages lose their signed reasoning.
#[derive(Debug)]
pub(crate) struct Unsigning {
    rule: SignedReasoning,
    messages: Range<usize>,
}

impl Unsigning {
    /// For messages of which it is known in which something is said to the model, and which is the first that changes.
    pub(crate) fn new(view: &View<'_>, said: &[bool], changed: Option<usize>) -> Self {
        let rule = view.signed_reasoning();
        let Some(changed) = changed.filter(|_| rule != SignedReasoning::Keep) else {
            return Self { rule, messages: 0..0 };
        };
        let behind = |said: usize| said.saturating_add(1);
        let before = said.get(..changed).unwrap_or_default();
        let start = before.iter().rposition(|said| *said).map_or(0, behind);
        let active = said.iter().rposition(|said| *said).map_or(0, behind);
        Self { rule, messages: start..active }
    }

    /// Takes the signed reasoning out of what stays of a turn of this message, unless nothing else would be left, and
    /// notes what becomes of it; `place` tells where a slot stands.
    pub(crate) fn apply(
        &self,
        message: usize,
        slots: &[Slot],
        outcomes: &mut [Outcome<'_>],
        (view, splices): (&View<'_>, &mut Splices),
        place: &dyn Fn(usize) -> usize,
    ) {
        let Some(turn) = slots.first().map(|slot| slot.turn) else { return };
        let stays = matches!(view.fate(turn), Fate::Kept | Fate::Trimmed(_));
        let goes = stays && self.messages.contains(&message) && leaves_something(slots, outcomes);
        if !goes && turn < view.first_change() {
            return;
        }
        for (at, (slot, outcome)) in slots.iter().zip(&mut *outcomes).enumerate() {
            if slot.kind == SlotKind::Opaque && *outcome == Outcome::Keep {
                splices.note(self.kind(goes), place(at));
            }
            if goes && self.takes(slot.kind, slots) {
                *outcome = Outcome::Remove;
            }
        }
    }

    /// Whether a message has something to lose or to note.
    pub(crate) fn concerns(&self, message: usize, slots: &[Slot], view: &View<'_>) -> bool {
        let behind = |slot: &Slot| self.messages.contains(&message) || slot.turn >= view.first_change();
        slots.iter().any(|slot| slot.kind == SlotKind::Opaque && behind(slot))
    }

    const fn kind(&self, goes: bool) -> NoteKind {
        match self.rule {
            SignedReasoning::Strip if goes => NoteKind::SignedReasoningStripped,
            SignedReasoning::Drop if goes => NoteKind::SignedReasoningDropped,
            SignedReasoning::Keep | SignedReasoning::Strip | SignedReasoning::Drop => {
                NoteKind::SignedReasoningKept
            }
        }
    }

    /// Whether what stands in a slot of this kind goes: signed reasoning, and what is said of it beside where all of it
    /// is to go.
    fn takes(&self, kind: SlotKind, slots: &[Slot]) -> bool {
        let is_signed = || slots.iter().any(|slot| slot.kind == SlotKind::Opaque);
        match self.rule {
            SignedReasoning::Keep => false,
            SignedReasoning::Strip => kind == SlotKind::Opaque,
            SignedReasoning::Drop => kind == SlotKind::Opaque || (kind == SlotKind::Reasoning && is_signed()),
        }
    }
}

fn leaves_something(slots: &[Slot], outcomes: &[Outcome<'_>]) -> bool {
    let mut left = slots.iter().zip(outcomes).filter(|(_, outcome)| **outcome != Outcome::Remove);
    left.any(|(slot, _)| !matches!(slot.kind, SlotKind::Opaque | SlotKind::Reasoning))
}
