//! The transcript as units to choose from.

use super::chunks::Sizes;
use super::decay;
use super::division::{Cut, is_mark, is_result};
use super::least::Least;
use super::worth::Worth;
use crate::trimming::{TurnPart, framing_of, parts_of};
use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Survey;
use cutctx_types::{Part, PartKind, Role, TranscriptTurn};

/// Costs are weighed in thousandths of a token.
pub(super) const MILLI: u64 = 1_000;

/// How many units have a common entry to find their parts by.
const STRETCH: usize = 64;

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

/// A part of a turn that has units. Small, because a transcript may be of many short turns.
#[derive(Debug, Clone)]
pub(super) struct FieldPart {
    turn: u32,
    index: u32,
    first_unit: u32,
    end_unit: u32,
    frame: u32,
    weight: u32,
    recency: u32,
    tokens: u64,
    /// Of all its pieces together.
    characters: u64,
    /// Who said it and what it is; nothing for a summary to come.
    said: Option<(Role, PartKind)>,
    cut: Cut,
    /// Whether units bring others along.
    has_context: bool,
    /// Whether pieces that are nothing but marks are no units.
    skips_marks: bool,
}

impl FieldPart {
    /// The turn's position.
    pub(super) fn turn(&self) -> usize {
        place(self.turn)
    }

    /// The part's index in the turn.
    pub(super) fn index(&self) -> usize {
        place(self.index)
    }

    pub(super) fn units(&self) -> Range<usize> {
        place(self.first_unit)..place(self.end_unit)
    }

    /// The units that come with any other, the first ones: what arguments need to stay what they are.
    pub(super) fn frame(&self) -> Range<usize> {
        place(self.first_unit)..place(self.first_unit.saturating_add(self.frame))
    }

    /// The factor of the names in it.
    pub(super) fn weight(&self) -> u64 {
        self.weight.into()
    }

    /// What a mark in it costs, in thousandths of a token.
    pub(super) fn mark(&self) -> u64 {
        if self.said.is_some() { share_of(self.tokens, MARK_CHARACTERS, self.characters) } else { 0 }
    }

    /// Whether it is talk.
    pub(super) fn is_talk(&self) -> bool {
        self.worth().is_talk
    }

    /// Whether those who name something in it count: user and assistant, not their reasoning.
    pub(super) fn names_count(&self) -> bool {
        let is_counted =
            |(role, kind)| matches!(role, Role::User | Role::Assistant) && kind != PartKind::Reasoning;
        self.said.is_none_or(is_counted)
    }

    fn worth(&self) -> Worth {
        self.said.and_then(|(role, kind)| Worth::of(role, kind)).unwrap_or(Worth::STAND_IN)
    }
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
///
/// There are about as many units as lines, so that next to nothing is held of each: what else is to be known follows from
/// its part, and where it stands is found by cutting the part again.
#[derive(Debug)]
pub(super) struct Field {
    cutting: Cutting,
    /// By unit: how long it is, in characters.
    lengths: Vec<u32>,
    pub(super) parts: Vec<FieldPart>,
    /// By stretch of [`STRETCH`] units: the part of the first one.
    stretches: Vec<u32>,
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
        let mut field = Self::empty(cutting, alloc::vec![true; survey.exchanges().len()]);
        field.turns.reserve_exact(survey.turns().len());
        for (position, (turn, recency)) in survey.turns().iter().zip(recency).enumerate() {
            let exchange = survey.exchanges().of(position).unwrap_or(usize::MAX);
            let is_fixed = is_fixed(position);
            if let Some(may_go) = field.may_go.get_mut(exchange).filter(|_| is_fixed) {
                *may_go = false;
            }
            let from = field.parts.len();
            let mut cutter = Cutter { field: &mut field, turn, position, recency, is_fixed };
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
        field.lengths.shrink_to_fit();
        field.parts.shrink_to_fit();
        field.note_stretches();
        field
    }

    const fn empty(cutting: Cutting, may_go: Vec<bool>) -> Self {
        Self {
            cutting,
            lengths: Vec::new(),
            parts: Vec::new(),
            stretches: Vec::new(),
            turns: Vec::new(),
            may_go,
        }
    }

    fn note_stretches(&mut self) {
        for (number, part) in (0_u32..).zip(&self.parts) {
            let end = part.units().end.div_ceil(STRETCH);
            self.stretches.resize(end.max(self.stretches.len()), number);
        }
    }

    /// How many units there are.
    pub(super) const fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The number of a unit's part.
    pub(super) fn part_number(&self, unit: usize) -> usize {
        let stretch = unit / STRETCH;
        let number =
            |stretch: usize| self.stretches.get(stretch).and_then(|part| usize::try_from(*part).ok());
        let first = number(stretch).unwrap_or(0);
        let end = number(stretch.saturating_add(1)).map_or(self.parts.len(), |part| part.saturating_add(1));
        let near = self.parts.get(first..end).unwrap_or_default();
        first.saturating_add(near.partition_point(|part| part.units().end <= unit))
    }

    /// What a unit of a part costs, in thousandths of a token.
    pub(super) fn cost(&self, unit: usize, part: &FieldPart) -> u64 {
        share_of(part.tokens, self.length(unit).into(), part.characters)
    }

    /// What the length of a unit of a part is worth.
    pub(super) fn base(&self, unit: usize, part: &FieldPart) -> u64 {
        let characters = usize::try_from(self.length(unit)).unwrap_or(usize::MAX);
        part.worth().of_length(characters, part.recency.into())
    }

    /// How many units on each side one of a part brings along.
    pub(super) const fn context(&self, part: &FieldPart) -> usize {
        if part.has_context { self.cutting.context } else { 0 }
    }

    fn length(&self, unit: usize) -> u32 {
        self.lengths.get(unit).copied().unwrap_or(0)
    }

    /// Where the units of a part stand in the turn's content, in bytes and in the order of their numbers.
    pub(super) fn ranges(&self, part: &FieldPart, of: &TurnPart<'_>) -> impl Iterator<Item = Range<usize>> {
        part.cut.ranges(of, &self.cutting, part.skips_marks)
    }

    /// The units of a turn.
    pub(super) fn units_of(&self, turn: usize) -> Range<usize> {
        let parts =
            self.turns.get(turn).and_then(|turn| self.parts.get(turn.parts.clone())).unwrap_or_default();
        match (parts.first(), parts.last()) {
            (Some(first), Some(last)) => first.units().start..last.units().end,
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
        let Some(cut) = self.cut_of(part) else { return };
        let division = cut.division(part, &self.field.cutting);
        let lengths = division.pieces.iter().map(|(_, characters)| short(*characters));
        let characters = lengths.fold(0_u64, |sum, length| sum.saturating_add(length.into()));
        let skips_marks = division.frame == 0 && !self.is_fixed;
        let from = self.field.lengths.len();
        let units = division.pieces.iter().filter(|(range, _)| !(skips_marks && is_mark(part.text, range)));
        self.field.lengths.extend(units.map(|(_, characters)| short(*characters)));
        self.push(FieldPart {
            index: short(part.index),
            frame: short(division.frame),
            characters,
            said: Some((self.turn.role(), part.kind)),
            cut,
            has_context: is_result(self.turn.role(), part.kind),
            skips_marks,
            ..self.whole(worth, part.tokens, from)
        });
    }

    /// How a part is cut; `None` where there is nothing to cut.
    fn cut_of(&self, part: &TurnPart<'_>) -> Option<Cut> {
        if part.kind == PartKind::Media {
            return Some(Cut::Whole);
        }
        if part.text.is_empty() {
            return None;
        }
        Some(if self.is_fixed || self.field.cutting.whole_items {
            Cut::Whole
        } else if part.kind == PartKind::CallArguments {
            Cut::Call
        } else if is_result(self.turn.role(), part.kind) {
            Cut::Result
        } else {
            Cut::Talk
        })
    }

    /// A summary to come: one unit of its size.
    fn stand_in(&mut self) {
        let tokens = self.turn.token_estimate();
        let from = self.field.lengths.len();
        self.field.lengths.push(short(characters_of(tokens)));
        self.push(self.whole(Worth::STAND_IN, tokens, from));
    }

    /// A part with the units from here to the end, as a summary to come.
    fn whole(&self, worth: Worth, tokens: u64, from: usize) -> FieldPart {
        FieldPart {
            turn: short(self.position),
            index: 0,
            first_unit: short(from),
            end_unit: short(self.field.lengths.len()),
            frame: 0,
            weight: u32::try_from(worth.weight(self.recency)).unwrap_or(u32::MAX),
            recency: u32::try_from(self.recency).unwrap_or(u32::MAX),
            tokens,
            characters: short(characters_of(tokens)).into(),
            said: None,
            cut: Cut::Whole,
            has_context: false,
            skips_marks: false,
        }
    }

    fn push(&mut self, part: FieldPart) {
        self.field.parts.push(part);
    }
}

/// A number as it is held of units and parts.
fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How many characters so many tokens are as a rule.
pub(super) fn characters_of(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX)
}

/// The share of some characters in the tokens of a part, in thousandths of a token.
fn share_of(tokens: u64, characters: u64, all: u64) -> u64 {
    let all = all.max(1);
    match tokens.checked_mul(MILLI).and_then(|milli| milli.checked_mul(characters)) {
        Some(product) => product.div_ceil(all),
        None => milli(tokens).checked_div(all).unwrap_or(0).saturating_mul(characters),
    }
}
