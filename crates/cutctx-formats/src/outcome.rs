//! Where the parts of turns stand in the file, and what a fate means for each of them.
//!
//! A [`Slot`] is the place of one message part. [`outcomes`] turns the fate of one turn into what happens at each of
//! its slots; formats only carry that out in their own spelling.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Trim;
use serde::de::IgnoredAny;

use crate::raw::{Span, quoted};
use crate::view::{Kept, View, kept_part};
use cutctx_exec::Fate;

/// Stands where a text had to go and nothing else is left, because providers refuse blank text and empty content.
const NOTHING_LEFT: &str = "…";

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlotKind {
    /// Text.
    Text,
    /// Reasoning that may be cut.
    Reasoning,
    /// Signed or encrypted reasoning.
    Opaque,
    /// A call that the client answers.
    Call,
    /// A call, or the result of one, that the provider ran itself. They stay or go together.
    Server,
    /// A tool result.
    Result,
    /// Media and unknown blocks.
    Media,
}

/// The place of one message part in the file, and the turn parts that it became.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    /// The JSON value that holds the part.
    pub(crate) span: Span,
    pub(crate) kind: SlotKind,
    pub(crate) turn: usize,
    /// The first part of the turn.
    pub(crate) part: usize,
    /// How many parts of the turn; only a tool result may have another number than one.
    pub(crate) parts: usize,
}

/// What happens at a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome<'v> {
    /// Nothing.
    Keep,
    /// It goes.
    Remove,
    /// Its text is replaced.
    Text(Cow<'v, str>),
    /// A call keeps its id and name and loses its arguments.
    EmptyArguments,
    /// A call keeps less of its arguments: this, where it is what such arguments may be, and else nothing.
    Arguments(String),
    /// Of a result made of parts, media among them, only these stay.
    Inner(Vec<(usize, Kept)>),
}

/// What happens at the slots of one turn.
#[derive(Debug)]
pub(crate) struct TurnEdit<'v> {
    /// One outcome a slot.
    pub(crate) outcomes: Vec<Outcome<'v>>,
    /// A text that needs a new place, and the slot before which it goes (the number of slots for the end).
    pub(crate) added: Option<(usize, Cow<'v, str>)>,
}

/// What the fate of a turn means for its slots. `holds_reasoning` says that the provider insists on the turn's
/// signed reasoning.
pub(crate) fn outcomes<'v>(view: &View<'v>, slots: &[Slot], holds_reasoning: bool) -> TurnEdit<'v> {
    let fate = slots.first().map_or(Fate::Kept, |slot| view.fate(slot.turn));
    match fate {
        Fate::Kept => uniform(slots, &Outcome::Keep),
        Fate::Dropped | Fate::SummarizedInto(_) => uniform(slots, &Outcome::Remove),
        Fate::Masked(stub) => masked(slots, stub, holds_reasoning),
        Fate::Trimmed(trim) => trimmed(view, slots, trim, holds_reasoning),
    }
}

fn uniform<'v>(slots: &[Slot], outcome: &Outcome<'v>) -> TurnEdit<'v> {
    TurnEdit { outcomes: slots.iter().map(|_| outcome.clone()).collect(), added: None }
}

/// The stub takes the place of the first text; calls stay, emptied.
fn masked<'v>(slots: &[Slot], stub: &'v str, holds_reasoning: bool) -> TurnEdit<'v> {
    if slots.iter().any(|slot| slot.kind == SlotKind::Result) {
        return uniform(slots, &Outcome::Text(Cow::Borrowed(stub)));
    }
    let mut body = Some(said(Cow::Borrowed(stub)));
    let outcomes = slots
        .iter()
        .map(|slot| match slot.kind {
            SlotKind::Text => body.take().map_or(Outcome::Remove, Outcome::Text),
            SlotKind::Call => Outcome::EmptyArguments,
            SlotKind::Opaque if holds_reasoning => Outcome::Keep,
            SlotKind::Opaque
            | SlotKind::Reasoning
            | SlotKind::Server
            | SlotKind::Media
            | SlotKind::Result => Outcome::Remove,
        })
        .collect();
    let place = slots.iter().position(|slot| slot.kind == SlotKind::Call).unwrap_or(slots.len());
    TurnEdit { outcomes, added: body.map(|text| (place, text)) }
}

fn trimmed<'v>(view: &View<'v>, slots: &[Slot], trim: &Trim, holds_reasoning: bool) -> TurnEdit<'v> {
    let kept_in = |kind: SlotKind| slots.iter().any(|slot| slot.kind == kind && keeps_any(slot, trim));
    let keeps =
        Together { opaque: holds_reasoning || kept_in(SlotKind::Opaque), server: kept_in(SlotKind::Server) };
    let mut outcomes: Vec<Outcome<'v>> =
        slots.iter().map(|slot| trimmed_slot(view, slot, trim, keeps)).collect();
    follow_reasoning(slots, &mut outcomes, holds_reasoning);
    let empty = outcomes.iter().all(|outcome| *outcome == Outcome::Remove);
    TurnEdit { outcomes, added: empty.then_some((slots.len(), Cow::Borrowed(NOTHING_LEFT))) }
}

/// Signed reasoning must lead to something: where nothing else stays, the last text becomes a mark, and where the
/// provider insists on the reasoning, so does a text that follows it at once.
fn follow_reasoning(slots: &[Slot], outcomes: &mut [Outcome<'_>], holds_reasoning: bool) {
    let mut kept =
        slots.iter().zip(&*outcomes).filter(|(_, outcome)| **outcome != Outcome::Remove).peekable();
    let alone = kept.peek().is_some() && kept.all(|(slot, _)| slot.kind == SlotKind::Opaque);
    let is_text = |slot: &Slot| slot.kind == SlotKind::Text;
    let last = slots.iter().rposition(is_text).filter(|_| alone);
    let reasons = slots.iter().position(|slot| slot.kind == SlotKind::Opaque).filter(|_| holds_reasoning);
    let next = reasons.and_then(|reasons| {
        let next = slots.iter().skip(reasons).position(|slot| slot.kind != SlotKind::Opaque)?;
        Some(reasons.saturating_add(next)).filter(|next| slots.get(*next).is_some_and(is_text))
    });
    for outcome in [last, next].into_iter().flatten() {
        if let Some(outcome) = outcomes.get_mut(outcome).filter(|outcome| **outcome == Outcome::Remove) {
            *outcome = Outcome::Text(Cow::Borrowed(NOTHING_LEFT));
        }
    }
}

/// Blocks that providers accept all or none of.
#[derive(Clone, Copy)]
struct Together {
    opaque: bool,
    server: bool,
}

fn trimmed_slot<'v>(view: &View<'v>, slot: &Slot, trim: &Trim, keeps: Together) -> Outcome<'v> {
    let whole = |keep: bool| if keep { Outcome::Keep } else { Outcome::Remove };
    let kept = view.kept_of_part(slot.turn, slot.part, trim);
    match (slot.kind, kept) {
        (SlotKind::Result, _) => trimmed_result(view, slot, trim),
        (SlotKind::Opaque, _) => whole(keeps.opaque),
        (SlotKind::Server, _) => whole(keeps.server),
        (SlotKind::Media, kept) => whole(kept.is_some()),
        (SlotKind::Text | SlotKind::Reasoning | SlotKind::Call, Some(Kept::Whole)) => Outcome::Keep,
        (SlotKind::Call, _) => {
            let left = view.kept_arguments(slot.turn, slot.part, trim);
            left.map_or(Outcome::EmptyArguments, Outcome::Arguments)
        }
        (SlotKind::Text | SlotKind::Reasoning, None) => Outcome::Remove,
        (SlotKind::Text | SlotKind::Reasoning, Some(Kept::Pieces(text))) => Outcome::Text(Cow::Owned(text)),
    }
}

/// What stays of a result: one text, or its parts where some of them are media.
fn trimmed_result<'v>(view: &View<'_>, slot: &Slot, trim: &Trim) -> Outcome<'v> {
    if !view.keeps_media(slot.turn, trim) {
        return Outcome::Text(Cow::Owned(view.kept_text(slot.turn, trim)));
    }
    let kept = |part: usize| {
        let kept = view.kept_of_part(slot.turn, slot.part.saturating_add(part), trim)?;
        Some((part, kept))
    };
    Outcome::Inner((0..slot.parts).filter_map(kept).collect())
}

fn keeps_any(slot: &Slot, trim: &Trim) -> bool {
    kept_part(trim, slot.part).is_some()
}

/// The spelling of arguments that a trim has left, in a place where none are spelled like this: an object, an object
/// in a text, or a text of any kind.
pub(crate) fn spelled_arguments<'a>(left: &'a str, none: &'a str) -> Cow<'a, str> {
    let is_object = || left.trim_start().starts_with('{') && serde_json::from_str::<IgnoredAny>(left).is_ok();
    match none {
        "{}" if is_object() => Cow::Borrowed(left),
        r#""{}""# if is_object() => Cow::Owned(quoted(left)),
        r#""""# => Cow::Owned(quoted(left)),
        none => Cow::Borrowed(none),
    }
}

/// A text that providers accept as text.
fn said(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.trim().is_empty() { Cow::Borrowed(NOTHING_LEFT) } else { text }
}
