//! Which result answers which call.

use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::call::{Call, CallState};
use crate::view::CallView;

/// A call that was made.
#[derive(Debug)]
struct Made {
    call: Call,
    /// Its part of the turn.
    part: usize,
    tool: Arc<str>,
}

/// The calls of a conversation and which of them wait for a result. One pass, logarithmic per step whatever the ids.
#[derive(Debug, Default)]
pub(crate) struct Pairing {
    calls: Vec<Made>,
    /// The names of tools, each kept once.
    names: BTreeSet<Arc<str>>,
    open: BTreeMap<String, Vec<usize>>,
    /// Calls before this index that are still open will not be answered any more.
    settled: usize,
    after_assistant: bool,
    /// The calls that were answered since the assistant spoke, by id.
    answered: BTreeMap<String, usize>,
}

impl Pairing {
    /// Notes that the assistant speaks. Assistant messages in a row are one act: some exporters write each parallel
    /// call as a message of its own.
    pub(crate) fn assistant_speaks(&mut self) {
        if !self.after_assistant {
            self.settled = self.calls.len();
            self.answered.clear();
        }
        self.after_assistant = true;
    }

    /// Notes that a person speaks: open calls are left behind.
    pub(crate) fn person_speaks(&mut self) {
        self.settled = self.calls.len();
        self.answered.clear();
        self.after_assistant = false;
    }

    /// Notes that something else is said: what the assistant says next is another act.
    pub(crate) fn act_ends(&mut self) {
        self.after_assistant = false;
    }

    /// Notes a call in a part of a turn.
    pub(crate) fn call(&mut self, turn: usize, part: usize, call: &CallView<'_>) {
        let index = self.calls.len();
        let otherwise = if call.server_side { CallState::ServerSide } else { CallState::Dangling };
        let tool = self.shared_name(&call.name);
        self.calls.push(Made { call: Call::new(turn, call.state.unwrap_or(otherwise)), part, tool });
        if call.server_side {
            return;
        }
        if let Some(waiting) = self.open.get_mut(call.call_id.as_ref()) {
            waiting.push(index);
        } else {
            self.open.insert(call.call_id.as_ref().to_owned(), alloc::vec![index]);
        }
    }

    /// The name of a tool in one shared copy.
    pub(crate) fn shared_name(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return Arc::clone(known);
        }
        let name: Arc<str> = name.into();
        self.names.insert(Arc::clone(&name));
        name
    }

    /// The call that a result answers: the nearest open one of that id, or the one that was answered a moment ago, when
    /// a file holds a result twice. A provisional result leaves the call open.
    pub(crate) fn answer(&mut self, call_id: &str, provisional: bool) -> Option<usize> {
        self.after_assistant = false;
        if provisional && let Some(index) = self.open.get(call_id).and_then(|waiting| waiting.last()) {
            self.calls.get_mut(*index)?.call.state = CallState::Provisional;
            return Some(*index);
        }
        let index = self.take_open(call_id).or_else(|| self.answered.get(call_id).copied())?;
        self.answered.insert(call_id.to_owned(), index);
        self.calls.get_mut(index)?.call.state = CallState::Answered;
        Some(index)
    }

    /// The turn of a call, its part of that turn, and the tool's name.
    pub(crate) fn caller(&self, call: usize) -> Option<(usize, usize, Arc<str>)> {
        self.calls.get(call).map(|made| (made.call.turn, made.part, Arc::clone(&made.tool)))
    }

    fn take_open(&mut self, call_id: &str) -> Option<usize> {
        let waiting = self.open.get_mut(call_id)?;
        let index = waiting.pop();
        if waiting.is_empty() {
            self.open.remove(call_id);
        }
        index
    }

    /// All calls in order. What is still open and was the last act is in flight.
    pub(crate) fn finish(self) -> Vec<Call> {
        let settled = self.settled;
        let mut calls: Vec<Call> = self.calls.into_iter().map(|made| made.call).collect();
        for call in calls.iter_mut().skip(settled) {
            if call.state == CallState::Dangling {
                call.state = CallState::InFlight;
            }
        }
        calls
    }
}
