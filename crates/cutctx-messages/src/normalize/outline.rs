//! What a list of messages consists of, and which result answers which call.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_types::Role;

use crate::call::CallState;
use crate::pairing::Pairing;
use crate::rounds::{PartRole, RoundMessage};
use crate::view::CallView;

/// All calls and results of a list.
pub(super) struct Outline<'m> {
    pub(super) messages: Vec<MessageNote>,
    pub(super) calls: Vec<CallNote<'m>>,
    pub(super) results: Vec<ResultNote<'m>>,
}

/// A message: its calls and results are ranges of those of the list.
pub(super) struct MessageNote {
    pub(super) role: Role,
    pub(super) pinned: bool,
    pub(super) parts: usize,
    pub(super) calls: Range<usize>,
    pub(super) results: Range<usize>,
}

pub(super) struct CallNote<'m> {
    pub(super) message: usize,
    pub(super) part: usize,
    pub(super) id: &'m str,
    pub(super) state: CallState,
    /// Whether the message itself tells the state.
    pub(super) stated: bool,
}

pub(super) struct ResultNote<'m> {
    pub(super) message: usize,
    pub(super) part: usize,
    pub(super) id: &'m str,
    pub(super) provisional: bool,
    /// The call that it answers.
    pub(super) call: Option<usize>,
    /// Whether that call had a final result already.
    pub(super) again: bool,
}

impl MessageNote {
    /// Whether it says anything besides results, or nothing at all.
    pub(super) fn says_something_else(&self) -> bool {
        self.parts == 0 || self.results.len() < self.parts
    }
}

impl<'m> Outline<'m> {
    pub(super) fn new<M: RoundMessage>(messages: &'m [M], pinned: &BTreeSet<usize>) -> Self {
        let outline = Self { messages: Vec::new(), calls: Vec::new(), results: Vec::new() };
        let mut reading = Reading { outline, pairing: Pairing::default(), answered: Vec::new() };
        for (index, message) in messages.iter().enumerate() {
            reading.read(index, message, pinned.contains(&index) || message.is_pinned());
        }
        reading.finish()
    }

    pub(super) fn results_of(&self, note: &MessageNote) -> &[ResultNote<'m>] {
        self.results.get(note.results.clone()).unwrap_or_default()
    }

    pub(super) fn is_pinned(&self, message: usize) -> bool {
        self.messages.get(message).is_some_and(|note| note.pinned)
    }
}

struct Reading<'m> {
    outline: Outline<'m>,
    pairing: Pairing,
    /// Which calls have a final result.
    answered: Vec<bool>,
}

impl<'m> Reading<'m> {
    fn read<M: RoundMessage>(&mut self, index: usize, message: &'m M, pinned: bool) {
        if message.role() == Role::Assistant {
            self.pairing.assistant_speaks();
        }
        let (calls, results) = (self.outline.calls.len(), self.outline.results.len());
        for part in 0..message.part_count() {
            self.read_part(index, part, message.part_role(part));
        }
        let note = MessageNote {
            role: message.role(),
            pinned,
            parts: message.part_count(),
            calls: calls..self.outline.calls.len(),
            results: results..self.outline.results.len(),
        };
        self.close_message(&note);
        self.outline.messages.push(note);
    }

    fn read_part(&mut self, message: usize, part: usize, role: PartRole<'m>) {
        match role {
            PartRole::Call { id, state } => {
                let mut call = CallView::new(id, "", "");
                call.state = state;
                self.pairing.call(message, 0, &call);
                let (state, stated) = (state.unwrap_or(CallState::Dangling), state.is_some());
                self.answered.push(false);
                self.outline.calls.push(CallNote { message, part, id, state, stated });
            }
            PartRole::Result { id, provisional } => {
                let call = self.pairing.answer(id, provisional);
                let again = call.is_some_and(|call| !self.is_first(call, provisional));
                self.outline.results.push(ResultNote { message, part, id, provisional, call, again });
            }
            PartRole::Other => {}
        }
    }

    /// Whether a call had no final result so far. Notes a final one.
    fn is_first(&mut self, call: usize, provisional: bool) -> bool {
        let Some(answered) = self.answered.get_mut(call) else { return false };
        let first = !*answered;
        *answered |= !provisional;
        first
    }

    /// What a message means for the assistant's act. A tool message that has no results and may go means nothing.
    fn close_message(&mut self, note: &MessageNote) {
        match note.role {
            Role::User if note.says_something_else() => self.pairing.person_speaks(),
            Role::System => self.pairing.act_ends(),
            Role::Tool if note.pinned => self.pairing.act_ends(),
            Role::User | Role::Assistant | Role::Tool => {}
        }
    }

    fn finish(mut self) -> Outline<'m> {
        for (note, call) in self.outline.calls.iter_mut().zip(self.pairing.finish()) {
            note.state = call.state;
        }
        self.outline
    }
}
