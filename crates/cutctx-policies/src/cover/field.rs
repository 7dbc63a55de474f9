//! The transcript as units to choose from.

use super::chunks::Sizes;
use super::decay;
use super::division::{Division, is_result};
use super::least::Least;
use super::worth::Worth;
use crate::trimming::{TurnPart, framing_of, parts_of};
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Survey;
use cutctx_types::{Part, PartKind, Role, TranscriptTurn, Trim};

/// Costs are weighed in thousandths of a token.
pub(super) const MILLI: u64 = 1_000;

/// What a mark costs beside the line break that it replaces, in characters.
const MARK_CHARACTERS: u64 = 2;

/// How texts are cut into units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cutting {
    /// Pieces of what was said, of arguments and of reasoning.
    pub(super) talk: Sizes,
    /// Pieces of results.
    pub(super) results: Sizes,
    /// How many units on each side a chosen one of a result brings along.
    pub(super) context: usize,
    /// Whether each part is one unit.
    pub(super) whole_items: bool,
}

/// A piece of text that is chosen or not.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    /// Its part, in the field's list.
    pub(super) part: usize,
    /// Where it stands in the turn's content, in bytes.
    pub(super) range: Range<usize>,
    /// What it costs, in thousandths of a token.
    pub(super) cost: u64,
    /// What its length is worth.
    pub(super) base: u64,
}

/// A part of a turn that has units.
#[derive(Debug, Clone)]
pub(super) struct FieldPart {
    /// The turn's position.
    pub(super) turn: usize,
    /// The part's index in the turn.
    pub(super) index: usize,
    pub(super) units: Range<usize>,
    /// How many of them, the first ones, come with any other: what arguments need to stay what they are.
    pub(super) frame: usize,
    /// The factor of the names in it.
    pub(super) weight: u64,
    /// What a mark in it costs, in thousandths of a token.
    pub(super) mark: u64,
    /// How many units on each side one brings along.
    pub(super) context: usize,
    /// Whether it is talk.
    pub(super) is_talk: bool,
    /// Whether those who name something in it count: user and assistant, not their reasoning.
    pub(super) names_count: bool,
}

/// A turn with what is to be known of it.
#[derive(Debug, Clone)]
pub(super) struct FieldTurn {
    pub(super) parts: Range<usize>,
    pub(super) exchange: usize,
    /// What it costs beside its units once one of them is kept, in thousandths of a token.
    pub(super) framing: u64,
    /// What it costs when none is, but its exchange stays; in thousandths of a token.
    pub(super) least: u64,
    /// Whether it stays as it is.
    pub(super) is_fixed: bool,
}

/// All units of a transcript, by part and by turn.
#[derive(Debug, Default)]
pub(super) struct Field {
    pub(super) units: Vec<Unit>,
    pub(super) parts: Vec<FieldPart>,
    pub(super) turns: Vec<FieldTurn>,
    /// By exchange: whether it can go.
    pub(super) may_go: Vec<bool>,
}

impl Field {
    /// Cuts a transcript into units; `is_fixed` says of a position whether the turn stays as it is.
    pub(super) fn of(
        survey: &Survey<'_>,
        cutting: Cutting,
        least: &Least<'_>,
        is_fixed: impl Fn(usize) -> bool,
    ) -> Self {
        let recency = decay::of_turns(survey.turns().len());
        let mut field = Self { may_go: alloc::vec![true; survey.exchanges().len()], ..Self::default() };
        for (position, (turn, recency)) in survey.turns().iter().zip(recency).enumerate() {
            let exchange = survey.exchanges().of(position).unwrap_or(usize::MAX);
            let is_fixed = is_fixed(position);
            if let Some(may_go) = field.may_go.get_mut(exchange).filter(|_| is_fixed) {
                *may_go = false;
            }
            let from = field.parts.len();
            let mut cutter = Cutter { field: &mut field, turn, position, recency, cutting, is_fixed };
            if survey.is_stand_in(position) {
                cutter.stand_in();
            } else if is_fixed || !least.is_stub(turn) {
                cutter.parts();
            }
            let parts = from..field.parts.len();
            let tokens = milli(turn.token_estimate());
            let least = if is_fixed { tokens } else { milli(least.estimate(turn)).min(tokens) };
            let framing = milli(framing_of(turn)).saturating_add(gone_parts(turn));
            field.turns.push(FieldTurn { parts, exchange, framing, least, is_fixed });
        }
        field
    }

    /// The part of a unit.
    pub(super) fn part_of(&self, unit: usize) -> Option<&FieldPart> {
        self.parts.get(self.units.get(unit)?.part)
    }

    /// The units of a turn.
    pub(super) fn units_of(&self, turn: usize) -> Range<usize> {
        let parts =
            self.turns.get(turn).and_then(|turn| self.parts.get(turn.parts.clone())).unwrap_or_default();
        match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => first.units.start..last.units.end,
            _ => 0..0,
        }
    }
}

/// Tokens in thousandths.
pub(super) const fn milli(tokens: u64) -> u64 {
    tokens.saturating_mul(MILLI)
}

/// What stays of a turn's opaque reasoning where the provider insists on it, and a token for each other part, which may
/// leave a mark, in thousandths of a token.
fn gone_parts(turn: &TranscriptTurn) -> u64 {
    let is_held = |part: &Part| part.kind == PartKind::OpaqueReasoning && turn.holds_reasoning();
    let cost = |part: &Part| if is_held(part) { milli(part.token_estimate) } else { MILLI };
    turn.parts().iter().skip(usize::from(turn.parts().len() == 1)).map(cost).fold(0, u64::saturating_add)
}

/// Cuts one turn.
struct Cutter<'f, 't> {
    field: &'f mut Field,
    turn: &'t TranscriptTurn,
    position: usize,
    recency: u64,
    cutting: Cutting,
    is_fixed: bool,
}

impl Cutter<'_, '_> {
    fn parts(&mut self) {
        for part in parts_of(self.turn) {
            if let Some(worth) = Worth::of(self.turn.role(), part.kind) {
                self.part(&part, worth);
            }
        }
    }

    fn part(&mut self, part: &TurnPart<'_>, worth: Worth) {
        let Some(division) = self.division(part) else { return };
        let all =
            division.pieces.iter().fold(0_usize, |sum, (_, characters)| sum.saturating_add(*characters));
        let share = |characters: u64| share_of(part.tokens, characters, all);
        let context = if is_result(self.turn.role(), part.kind) { self.cutting.context } else { 0 };
        let number = self.field.parts.len();
        let from = self.field.units.len();
        let is_framed = division.frame > 0;
        for (range, characters) in division.pieces {
            if !is_framed && !self.is_fixed && is_mark(part.text, &range) {
                continue;
            }
            let start = part.bounds.start;
            let range = start.saturating_add(range.start)..start.saturating_add(range.end);
            let cost = share(u64::try_from(characters).unwrap_or(u64::MAX));
            let base = worth.of_length(characters, self.recency);
            self.field.units.push(Unit { part: number, range, cost, base });
        }
        let units = from..self.field.units.len();
        self.push(part, worth, units, share(MARK_CHARACTERS), context);
        if let Some(pushed) = self.field.parts.last_mut() {
            pushed.frame = division.frame;
        }
    }

    /// How a part is cut; `None` where there is nothing to cut.
    fn division(&self, part: &TurnPart<'_>) -> Option<Division> {
        let is_whole = self.is_fixed || self.cutting.whole_items;
        if part.kind == PartKind::Media {
            return Some(Division::whole(part, characters_of(part.tokens)));
        }
        if part.text.is_empty() {
            return None;
        }
        Some(if is_whole {
            Division::whole(part, 0)
        } else if part.kind == PartKind::CallArguments {
            Division::of_call(part.text, self.cutting.talk)
        } else if is_result(self.turn.role(), part.kind) {
            Division::plain(part.text, self.cutting.results)
        } else {
            Division::plain(part.text, self.cutting.talk)
        })
    }

    /// A summary to come: one unit of its size.
    fn stand_in(&mut self) {
        let tokens = self.turn.token_estimate();
        let (part, from) = (self.field.parts.len(), self.field.units.len());
        let base = Worth::STAND_IN.of_length(characters_of(tokens), self.recency);
        self.field.units.push(Unit { part, range: 0..self.turn.content().len(), cost: milli(tokens), base });
        let whole = TurnPart { index: 0, kind: PartKind::Text, bounds: 0..0, text: "", tokens };
        self.push(&whole, Worth::STAND_IN, from..from.saturating_add(1), 0, 0);
    }

    fn push(&mut self, part: &TurnPart<'_>, worth: Worth, units: Range<usize>, mark: u64, context: usize) {
        let speaks = self.turn.role() != Role::Tool && self.turn.role() != Role::System;
        self.field.parts.push(FieldPart {
            turn: self.position,
            index: part.index,
            units,
            weight: worth.weight(self.recency),
            mark,
            context,
            frame: 0,
            is_talk: worth.is_talk,
            names_count: speaks && part.kind != PartKind::Reasoning,
        });
    }
}

/// Whether a piece is nothing but the mark of a cut. It is no unit: a turn of which only that was chosen would say nothing,
/// and cost little enough to be chosen first. Between units it stays or comes back as what it is.
fn is_mark(text: &str, range: &Range<usize>) -> bool {
    text.get(range.clone()).is_some_and(|piece| piece.trim() == Trim::MARK)
}

/// How many characters so many tokens are as a rule.
fn characters_of(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX)
}

/// The share of some characters in the tokens of a part, in thousandths of a token.
fn share_of(tokens: u64, characters: u64, all: usize) -> u64 {
    let all = u64::try_from(all).unwrap_or(u64::MAX).max(1);
    match tokens.checked_mul(MILLI).and_then(|milli| milli.checked_mul(characters)) {
        Some(product) => product.div_ceil(all),
        None => milli(tokens).checked_div(all).unwrap_or(0).saturating_mul(characters),
    }
}
