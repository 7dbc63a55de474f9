//! The new list as a recipe: which parts of which messages make the next message.

mod round;

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::change::{Change, ChangeKind, Conflict, ConflictKind, OpenCall};
use super::fates::{CallFate, Fates, ResultFate};
use super::outline::{MessageNote, Outline};
use round::Round;

/// A message to be made.
pub(super) struct Draft {
    pub(super) frame: FrameOf,
    /// Whether a pinned message is in it.
    pub(super) pinned: bool,
    pub(super) pieces: Vec<Piece>,
}

/// Whose frame a message gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameOf {
    /// That of this message.
    Message(usize),
    /// One for the answer to this message.
    AnswerTo(usize),
}

/// What a message is made of; numbers are those of a message and of a part in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    /// A part as it was.
    Part(Place),
    /// The result of a call that was not completed.
    NotCompleted(Place),
}

/// The numbers of a message and of a part in it.
pub(super) type Place = (usize, usize);

/// The recipe and the report.
pub(super) type Woven = (Vec<Draft>, Vec<Change>, Vec<OpenCall>, Vec<Conflict>);

/// The walk over the messages.
pub(super) struct Weave<'w, 'm> {
    outline: &'w Outline<'m>,
    fates: &'w Fates,
    /// For each call, what goes into the message with its result: the result, and what a tool message holds besides.
    answers: Vec<Vec<Place>>,
    /// The round that is open: the assistant has called, and nothing that stays has followed.
    round: Option<Round<'m>>,
    drafts: Vec<Draft>,
    changes: Vec<Change>,
    open: Vec<OpenCall>,
    conflicts: Vec<Conflict>,
}

impl<'w, 'm> Weave<'w, 'm> {
    pub(super) fn new(outline: &'w Outline<'m>, fates: &'w Fates) -> Self {
        Self {
            outline,
            fates,
            answers: vec![Vec::new(); outline.calls.len()],
            round: None,
            drafts: Vec::new(),
            changes: Vec::new(),
            open: Vec::new(),
            conflicts: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Woven {
        let messages = &self.outline.messages;
        for (index, note) in messages.iter().enumerate() {
            self.gather_answers(index, note);
        }
        for (index, note) in messages.iter().enumerate() {
            match note.role {
                Role::Assistant => self.assistant(index, note),
                Role::Tool => self.tool(index, note),
                Role::System | Role::User => self.other(index, note),
            }
        }
        self.close_round(None, None);
        (self.drafts, self.changes, self.open, self.conflicts)
    }

    /// Notes where the results of a message go, and reports those that go nowhere.
    fn gather_answers(&mut self, index: usize, note: &MessageNote) {
        let results = self.outline.results_of(note);
        for (result, fate) in results.iter().zip(self.fates.results(note.results.clone())) {
            match *fate {
                ResultFate::Answers(call) => self.add_answer(call, (index, result.part)),
                ResultFate::Superseded(call) => {
                    let kind = ConflictKind::DuplicateResult;
                    self.conflicts.push(Conflict::new(index, Some(result.id), kind));
                    self.add_answer(call, (index, result.part));
                }
                ResultFate::Stays(kind) => self.conflicts.push(Conflict::new(index, Some(result.id), kind)),
                ResultFate::Removed(kind) => self.changes.push(Change::new(index, Some(result.id), kind)),
            }
        }
        if note.role == Role::Tool
            && let Some(call) = self.first_answered(note)
        {
            for place in self.rest_of(index, note) {
                self.add_answer(call, place);
            }
        }
    }

    fn add_answer(&mut self, call: usize, place: Place) {
        if let Some(answers) = self.answers.get_mut(call) {
            answers.push(place);
        }
    }

    /// The call that the first kept result of a message answers.
    fn first_answered(&self, note: &MessageNote) -> Option<usize> {
        self.fates.results(note.results.clone()).iter().find_map(|fate| match fate {
            ResultFate::Answers(call) | ResultFate::Superseded(call) => Some(*call),
            ResultFate::Stays(_) | ResultFate::Removed(_) => None,
        })
    }

    /// What stays of a message besides the results that answer calls.
    fn rest_of(&self, index: usize, note: &MessageNote) -> Vec<Place> {
        let results = self.outline.results_of(note).iter().zip(self.fates.results(note.results.clone()));
        let mut leaving = results
            .filter(|(_, fate)| !matches!(fate, ResultFate::Stays(_)))
            .map(|(result, _)| result.part)
            .peekable();
        let parts = (0..note.parts).filter(|part| leaving.next_if_eq(part).is_none());
        parts.map(|part| (index, part)).collect()
    }

    /// What the assistant says while its open calls have no result belongs to the message that calls.
    fn assistant(&mut self, index: usize, note: &MessageNote) {
        self.report_removed_calls(note);
        if note.parts > 0 && note.calls.len() == note.parts && self.kept_calls(note).next().is_none() {
            return;
        }
        let joins = self.round.as_ref().is_some_and(|round| !round.answered && self.fits(round, note));
        if joins {
            self.join(index, note);
        } else {
            let split = self.round.as_ref().is_some_and(|round| !round.answered);
            self.end_round(split, None, Some(index));
            self.round = Some(Round::new(index, note.pinned));
        }
        self.add_parts(index, note);
        self.settle_without_calls();
    }

    fn report_removed_calls(&mut self, note: &MessageNote) {
        for call in note.calls.clone() {
            if self.fates.call(call) == CallFate::Removed
                && let Some(call) = self.outline.calls.get(call)
            {
                self.changes.push(Change::new(call.message, Some(call.id), ChangeKind::RemovedCall));
            }
        }
    }

    fn kept_calls(&self, note: &MessageNote) -> impl Iterator<Item = usize> {
        note.calls.clone().filter(|call| self.fates.call(*call) != CallFate::Removed)
    }

    /// Whether a round can take the calls of a message in, up to where the message is split itself.
    fn fits(&self, round: &Round<'m>, note: &MessageNote) -> bool {
        let mut own = BTreeSet::new();
        let ids = self.kept_calls(note).filter_map(|call| self.outline.calls.get(call)).map(|call| call.id);
        ids.take_while(|id| own.insert(*id)).all(|id| !round.has_id(id))
    }

    fn join(&mut self, index: usize, note: &MessageNote) {
        if let Some(round) = &mut self.round {
            round.pinned |= note.pinned;
            let kind = ChangeKind::MergedMessage { into: round.message };
            self.changes.push(Change::new(index, None, kind));
        }
    }

    /// Adds the parts of a message to the open round. A call of an id that the round has begins another.
    fn add_parts(&mut self, index: usize, note: &MessageNote) {
        let mut calls = note.calls.clone().peekable();
        for part in 0..note.parts {
            let is_it = |call: &usize| self.outline.calls.get(*call).is_some_and(|call| call.part == part);
            let Some(call) = calls.next_if(is_it) else {
                self.add_piece((index, part));
                continue;
            };
            if self.fates.call(call) != CallFate::Removed {
                self.split_before(call, index, note);
                self.add_call(call, (index, part));
            }
        }
    }

    fn split_before(&mut self, call: usize, index: usize, note: &MessageNote) {
        let Some(note_of_call) = self.outline.calls.get(call) else { return };
        if self.round.as_ref().is_some_and(|round| round.has_id(note_of_call.id)) {
            let change = Change::new(index, Some(note_of_call.id), ChangeKind::SplitMessage);
            self.changes.push(change);
            self.end_round(true, None, Some(index));
            self.round = Some(Round::new(index, note.pinned));
        }
    }

    fn add_piece(&mut self, place: Place) {
        if let Some(round) = &mut self.round {
            round.pieces.push(Piece::Part(place));
        }
    }

    fn add_call(&mut self, call: usize, place: Place) {
        let Some(note) = self.outline.calls.get(call) else { return };
        if let Some(round) = &mut self.round {
            round.add_call(call, note.id);
        }
        self.add_piece(place);
    }

    /// A message without calls opens no round.
    fn settle_without_calls(&mut self) {
        if self.round.as_ref().is_some_and(|round| round.calls.is_empty()) {
            self.close_round(None, None);
        }
    }

    /// A tool message goes to the rounds of its results. One without such results stays only where it is pinned.
    fn tool(&mut self, index: usize, note: &MessageNote) {
        self.note_results(note);
        if self.first_answered(note).is_some() {
            return;
        }
        let rest = self.rest_of(index, note);
        if note.pinned {
            if note.results.is_empty() {
                self.conflicts.push(Conflict::new(index, None, ConflictKind::ToolContent));
            }
            self.close_round(None, Some(index));
            self.push(FrameOf::Message(index), true, rest.into_iter().map(Piece::Part).collect());
        } else if !rest.is_empty() || note.parts == 0 {
            self.changes.push(Change::new(index, None, ChangeKind::RemovedToolContent));
        }
    }

    /// Any other message stays with what it says besides results.
    fn other(&mut self, index: usize, note: &MessageNote) {
        self.note_results(note);
        let rest = self.rest_of(index, note);
        if rest.is_empty() && note.parts > 0 {
            return;
        }
        let hosted = self.close_round(Some((index, rest.as_slice())), Some(index));
        if !hosted {
            self.push(FrameOf::Message(index), note.pinned, rest.into_iter().map(Piece::Part).collect());
        }
    }

    /// Notes that calls of the open round have results by now.
    fn note_results(&mut self, note: &MessageNote) {
        let newest = self.outline.results_of(note).iter().filter_map(|result| result.call).max();
        if let Some(round) = &mut self.round {
            round.answered |= newest >= round.calls.first().copied() && newest.is_some();
        }
    }

    fn push(&mut self, frame: FrameOf, pinned: bool, pieces: Vec<Piece>) {
        self.drafts.push(Draft { frame, pinned, pieces });
    }
}
