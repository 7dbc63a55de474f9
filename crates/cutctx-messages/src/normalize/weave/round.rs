//! A message that calls, and the message that answers it.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use cutctx_types::Role;

use super::{CallFate, Change, ChangeKind, FrameOf, OpenCall, Piece, Place, Weave};

/// A calling message while it is collected.
pub(super) struct Round<'m> {
    /// The message whose frame it has.
    pub(super) message: usize,
    pub(super) pinned: bool,
    pub(super) pieces: Vec<Piece>,
    /// The calls, by number.
    pub(super) calls: Vec<usize>,
    ids: BTreeSet<&'m str>,
    /// Whether a result of one of its calls was met.
    pub(super) answered: bool,
}

impl<'m> Round<'m> {
    pub(super) const fn new(message: usize, pinned: bool) -> Self {
        Self { message, pinned, pieces: Vec::new(), calls: Vec::new(), ids: BTreeSet::new(), answered: false }
    }

    pub(super) fn has_id(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    pub(super) fn add_call(&mut self, call: usize, id: &'m str) {
        self.calls.push(call);
        self.ids.insert(id);
    }
}

/// The message that comes next, and what it says besides results.
pub(super) type Host<'h> = Option<(usize, &'h [Place])>;

impl Weave<'_, '_> {
    /// Ends the open round before the message `next`. The host takes the results in when it holds some of them already;
    /// says whether it did.
    pub(super) fn close_round(&mut self, host: Host<'_>, next: Option<usize>) -> bool {
        self.end_round(false, host, next)
    }

    /// Ends the open round. Where it was split from the next one by an id, a call in flight is not the last act and is
    /// completed.
    pub(super) fn end_round(&mut self, split: bool, host: Host<'_>, next: Option<usize>) -> bool {
        let Some(round) = self.round.take() else { return false };
        let mut answers: Vec<Place> = Vec::new();
        let mut missing: Vec<Piece> = Vec::new();
        for call in &round.calls {
            answers.append(&mut self.take_answers(*call));
            missing.extend(self.close_call(*call, split));
        }
        answers.sort_unstable();
        let caller = round.message;
        self.push(FrameOf::Message(caller), round.pinned, round.pieces);
        if let Some(host) = host.filter(|(host, _)| answers.iter().any(|(message, _)| message == host)) {
            self.push_hosted(caller, host, &answers, &missing);
            return true;
        }
        self.push_answer(caller, next, &answers, missing);
        false
    }

    fn take_answers(&mut self, call: usize) -> Vec<Place> {
        self.answers.get_mut(call).map(core::mem::take).unwrap_or_default()
    }

    /// The result of a call that was not completed; a call that waits is noted as open.
    fn close_call(&mut self, call: usize, split: bool) -> Option<Piece> {
        let note = self.outline.calls.get(call)?;
        let fate = self.fates.call(call);
        let left_behind = fate == CallFate::Waits && split && !note.stated;
        if left_behind || fate == CallFate::Completed {
            self.changes.push(Change::new(note.message, Some(note.id), ChangeKind::CompletedCall));
            return Some(Piece::NotCompleted((note.message, note.part)));
        }
        if note.state.is_pending() {
            self.open.push(OpenCall::new(note.message, note.id, note.state));
        }
        None
    }

    /// The answer within the next message: its own parts, and around its results those that came before and behind.
    fn push_hosted(
        &mut self,
        caller: usize,
        (host, rest): (usize, &[Place]),
        answers: &[Place],
        missing: &[Piece],
    ) {
        let (own, moved): (Vec<Place>, Vec<Place>) =
            answers.iter().partition(|(message, _)| *message == host);
        let (before, behind): (Vec<Place>, Vec<Place>) =
            moved.iter().partition(|(message, _)| *message < host);
        let (first, last) = (own.first().copied(), own.last().copied());
        let mut parts: Vec<Place> = own.into_iter().chain(rest.iter().copied()).collect();
        parts.sort_unstable();
        let mut pieces = Vec::new();
        for part in parts {
            if Some(part) == first {
                pieces.extend(before.iter().copied().map(Piece::Part));
            }
            pieces.push(Piece::Part(part));
            if Some(part) == last {
                pieces.extend(behind.iter().copied().map(Piece::Part));
                pieces.extend_from_slice(missing);
            }
        }
        for place in moved {
            self.report_moved(caller, place);
        }
        let pinned = self.any_pinned(answers);
        self.push(FrameOf::Message(host), pinned, pieces);
    }

    /// The answer as a message of its own, with the frame of the first tool message that has something of it, or else of
    /// the first message: what a tool message holds besides results would be a person's words in the user's.
    fn push_answer(&mut self, caller: usize, next: Option<usize>, answers: &[Place], missing: Vec<Piece>) {
        if answers.is_empty() && missing.is_empty() {
            return;
        }
        let messages = || answers.iter().map(|(message, _)| *message);
        let first = messages().find(|message| self.is_tool(*message)).or_else(|| messages().next());
        let in_place = first.filter(|first| next.is_none_or(|next| *first < next));
        for place in answers.iter().filter(|(message, _)| Some(*message) != in_place) {
            self.report_moved(caller, *place);
        }
        let frame = first.map_or(FrameOf::AnswerTo(caller), FrameOf::Message);
        let pinned = self.any_pinned(answers);
        let pieces = answers.iter().copied().map(Piece::Part).chain(missing).collect();
        self.push(frame, pinned, pieces);
    }

    fn is_tool(&self, message: usize) -> bool {
        self.outline.messages.get(message).is_some_and(|note| note.role == Role::Tool)
    }

    fn any_pinned(&self, places: &[Place]) -> bool {
        places.iter().any(|(message, _)| self.outline.is_pinned(*message))
    }

    fn report_moved(&mut self, caller: usize, (message, part): Place) {
        let Some(note) = self.outline.messages.get(message) else { return };
        let results = self.outline.results_of(note);
        let place = results.binary_search_by_key(&part, |result| result.part);
        if let Some(result) = place.ok().and_then(|place| results.get(place)) {
            let kind = ChangeKind::MovedResult { behind: caller };
            self.changes.push(Change::new(message, Some(result.id), kind));
        }
    }
}
