//! A session as it was: its requests, and what its turns refer to.

use crate::references::{Reference, TurnReferences, distinct};
use alloc::collections::BTreeMap;
use core::ops::Range;
use cutctx::{Role, Transcript, TranscriptTurn};

/// A session with what its turns refer to, by number, so that many replays share the work.
#[derive(Debug)]
pub(super) struct History<'t> {
    transcript: &'t Transcript,
    /// Every reference that some turn shows, sorted; its place is its number.
    known: Vec<Reference>,
    /// By turn: what it shows.
    shown: Vec<Vec<usize>>,
    /// By turn: what it makes.
    made: Vec<Vec<usize>>,
    /// By id: the turn's position.
    positions: BTreeMap<&'t str, usize>,
}

impl<'t> History<'t> {
    pub(super) fn of(transcript: &'t Transcript) -> Self {
        let turns = transcript.turns();
        let references: Vec<TurnReferences> = turns.iter().map(TurnReferences::of).collect();
        let known = distinct(references.iter().flat_map(|turn| turn.shown.iter().copied()).collect());
        let numbers =
            |all: &[Reference]| all.iter().filter_map(|one| known.binary_search(one).ok()).collect();
        let shown = references.iter().map(|turn| numbers(&turn.shown)).collect();
        let made = references.iter().map(|turn| numbers(&turn.made)).collect();
        let ids = turns.iter().map(|turn| turn.turn_id().as_ref());
        let positions = ids.zip(0..).collect();
        Self { transcript, known, shown, made, positions }
    }

    /// How many references there are.
    pub(super) fn references(&self) -> usize {
        self.known.len()
    }

    /// What all turns make.
    pub(super) fn all_made(&self) -> impl Iterator<Item = Reference> {
        self.made.iter().flatten().filter_map(|number| self.known.get(*number).copied())
    }

    /// The reference of a number.
    pub(super) fn reference(&self, number: usize) -> Option<Reference> {
        self.known.get(number).copied()
    }

    /// What the turn at a position shows.
    pub(super) fn shown(&self, position: usize) -> &[usize] {
        self.shown.get(position).map_or(&[], Vec::as_slice)
    }

    /// What the turn at a position makes.
    pub(super) fn made(&self, position: usize) -> &[usize] {
        self.made.get(position).map_or(&[], Vec::as_slice)
    }

    /// What a turn of a view shows: looked up where it is the session's own, looked for where it was changed.
    pub(super) fn shown_by(&self, turn: &TranscriptTurn) -> Vec<usize> {
        let position = self.positions.get(turn.turn_id().as_ref()).copied();
        let own = position.filter(|position| {
            let own = self.transcript.turns().get(*position);
            own.is_some_and(|own| own.content() == turn.content())
        });
        if let Some(position) = own {
            return self.shown(position).to_vec();
        }
        let shown = TurnReferences::of(turn).shown;
        shown.iter().filter_map(|one| self.known.binary_search(one).ok()).collect()
    }

    /// The answers of the model, as ranges of turns. Before each of them stands a request with all turns before it.
    ///
    /// Turns of the model that follow each other are one answer: nothing was said in between, so nothing was asked.
    pub(super) fn answers(&self) -> Vec<Range<usize>> {
        let turns = self.transcript.turns();
        let mut answers: Vec<Range<usize>> = Vec::new();
        let spoken = turns.iter().enumerate().filter(|(_, turn)| turn.role() == Role::Assistant);
        for (position, _) in spoken.filter(|(position, _)| *position > 0) {
            let next = position.saturating_add(1);
            match answers.last_mut() {
                Some(answer) if answer.end == position => answer.end = next,
                _ => answers.push(position..next),
            }
        }
        answers
    }
}
