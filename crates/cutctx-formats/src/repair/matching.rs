//! Which result answers which call.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use cutctx_messages::CallState;

use super::outline::{CallFacts, Outline, ResultFacts, Side};

/// A part of a message.
pub(super) type At = (usize, usize);

/// All calls and results.
#[derive(Debug)]
pub(super) struct Matches<'o> {
    pub(super) calls: Vec<CallMatch<'o>>,
    pub(super) results: Vec<ResultMatch<'o>>,
}

/// A call and what became of it.
#[derive(Debug)]
pub(super) struct CallMatch<'o> {
    pub(super) at: At,
    pub(super) facts: &'o CallFacts,
    /// Its final result, an index into [`Matches::results`].
    pub(super) result: Option<usize>,
    /// Whether a result may still come.
    pub(super) is_pending: bool,
}

/// A result and what it is.
#[derive(Debug)]
pub(super) struct ResultMatch<'o> {
    pub(super) at: At,
    pub(super) facts: &'o ResultFacts,
    pub(super) answers: Answers,
}

/// What a result answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    /// This call.
    Call(usize),
    /// A call that has a result already.
    Again,
    /// Nothing.
    Nothing,
    /// It is a first word only.
    NotYet,
}

impl<'o> Matches<'o> {
    /// A result answers the nearest earlier open call of its id; where there is none and a later one is left without
    /// a result, that one. By the tool's name where there are no ids.
    pub(super) fn new(outline: &'o Outline) -> Self {
        let mut matches = Self { calls: Vec::new(), results: Vec::new() };
        let mut open: BTreeMap<&str, Open> = BTreeMap::new();
        for (index, message) in outline.listed() {
            for (part, facts) in message.calls() {
                let call = matches.calls.len();
                open.entry(key(&facts.id, Some(&facts.name))).or_default().push(index, call);
                matches.calls.push(CallMatch { at: (index, part), facts, result: None, is_pending: false });
            }
            for (part, facts) in message.results() {
                let id = key(&facts.id, facts.name.as_deref());
                let answers = matches.answer(open.get_mut(id), facts);
                matches.results.push(ResultMatch { at: (index, part), facts, answers });
            }
        }
        matches.look_ahead();
        matches.note_pending(outline);
        matches
    }

    fn answer(&mut self, open: Option<&mut Open>, facts: &ResultFacts) -> Answers {
        if facts.is_provisional {
            return Answers::NotYet;
        }
        let Some(open) = open else { return Answers::Nothing };
        let Some(call) = open.pop(facts.id.is_empty()) else { return Answers::Again };
        let result = self.results.len();
        if let Some(call) = self.calls.get_mut(call) {
            call.result = Some(result);
        }
        Answers::Call(call)
    }

    /// Results that stand before their calls.
    fn look_ahead(&mut self) {
        let mut stray: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, result) in self.results.iter().enumerate().rev() {
            if result.answers == Answers::Nothing && !result.facts.id.is_empty() {
                stray.entry(&result.facts.id).or_default().push(index);
            }
        }
        for (index, call) in self.calls.iter_mut().enumerate().filter(|(_, call)| call.result.is_none()) {
            let Some(result) = stray.get_mut(call.facts.id.as_str()).and_then(Vec::pop) else { continue };
            call.result = Some(result);
            if let Some(result) = self.results.get_mut(result) {
                result.answers = Answers::Call(index);
            }
        }
    }

    /// Calls of the conversation's last act may still be answered, and those of which the file says so.
    fn note_pending(&mut self, outline: &Outline) {
        let mut started = None;
        let mut before = None;
        for (index, message) in outline.listed() {
            let side = message.side();
            let begins = side == Side::Model && before != Some(Side::Model);
            if begins {
                started = Some(index);
            } else if message.speaks() {
                started = None;
            }
            before = Some(side);
        }
        for call in &mut self.calls {
            let is_last = started.is_some_and(|started| call.at.0 >= started);
            call.is_pending = call.facts.state.map_or(is_last, CallState::is_pending);
        }
    }

    /// The calls of each message.
    pub(super) fn by_message(&self, messages: usize) -> Vec<Vec<&CallMatch<'o>>> {
        let mut by: Vec<Vec<&CallMatch<'o>>> = (0..messages).map(|_| Vec::new()).collect();
        for call in &self.calls {
            if let Some(calls) = by.get_mut(call.at.0) {
                calls.push(call);
            }
        }
        by
    }
}

/// Open calls of one id, message by message.
#[derive(Debug, Default)]
struct Open(VecDeque<(usize, VecDeque<usize>)>);

impl Open {
    fn push(&mut self, message: usize, call: usize) {
        match self.0.back_mut() {
            Some((last, calls)) if *last == message => calls.push_back(call),
            _ => self.0.push_back((message, VecDeque::from([call]))),
        }
    }

    /// The first one of the newest message; without ids, of the oldest one.
    fn pop(&mut self, oldest: bool) -> Option<usize> {
        let (_, calls) = if oldest { self.0.front_mut() } else { self.0.back_mut() }?;
        let call = calls.pop_front();
        if calls.is_empty() {
            drop(if oldest { self.0.pop_front() } else { self.0.pop_back() });
        }
        call
    }
}

fn key<'k>(id: &'k str, name: Option<&'k str>) -> &'k str {
    if id.is_empty() { name.unwrap_or_default() } else { id }
}
