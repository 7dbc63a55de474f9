//! Ids for calls and results that carry none: a result answers the oldest call of its tool that is still open.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Makes ids up where a file has none.
#[derive(Debug, Default)]
pub(crate) struct MadeIds {
    made: usize,
    /// The ids of all calls.
    calls: Vec<String>,
    /// The open calls, oldest first; some are answered by now.
    open: VecDeque<usize>,
    /// The same by tool.
    by_tool: BTreeMap<String, VecDeque<usize>>,
    /// The same by id, for calls that brought one.
    by_id: BTreeMap<String, Vec<usize>>,
    answered: BTreeSet<usize>,
}

impl MadeIds {
    /// The id of a call of this tool: its own, or a new one.
    pub(crate) fn call<'a>(&mut self, own: Option<Cow<'a, str>>, tool: &str) -> Cow<'a, str> {
        let own = own.filter(|own| !own.is_empty());
        let number = self.calls.len();
        self.open.push_back(number);
        self.by_tool.entry(String::from(tool)).or_default().push_back(number);
        if let Some(own) = &own {
            self.by_id.entry(String::from(own.as_ref())).or_default().push(number);
        }
        let id = own.unwrap_or_else(|| self.new_id());
        self.calls.push(String::from(id.as_ref()));
        id
    }

    fn new_id(&mut self) -> Cow<'static, str> {
        let number = self.made;
        self.made = self.made.saturating_add(1);
        Cow::Owned(format!("call {number}"))
    }

    /// The id of the call that a result answers: its own, or that of the oldest open call of its tool, or of any tool
    /// when it does not name one.
    pub(crate) fn result<'a>(&mut self, own: Option<Cow<'a, str>>, tool: Option<&str>) -> Cow<'a, str> {
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            self.answered.extend(self.by_id.get_mut(own.as_ref()).and_then(Vec::pop));
            return own;
        }
        let queue = match tool {
            Some(tool) => self.by_tool.get_mut(tool),
            None => Some(&mut self.open),
        };
        let Some(queue) = queue else { return Cow::Borrowed("no call") };
        while let Some(number) = queue.pop_front() {
            if self.answered.insert(number) {
                return self.calls.get(number).map_or(Cow::Borrowed("no call"), |id| Cow::Owned(id.clone()));
            }
        }
        Cow::Borrowed("no call")
    }

    /// Whether a call of this tool is open.
    pub(crate) fn has_open(&mut self, tool: &str) -> bool {
        let Some(queue) = self.by_tool.get_mut(tool) else { return false };
        while queue.front().is_some_and(|number| self.answered.contains(number)) {
            queue.pop_front();
        }
        !queue.is_empty()
    }

    /// Forgets the open calls: nothing answers them any more.
    pub(crate) fn close(&mut self) {
        self.open.clear();
        self.by_tool.clear();
        self.by_id.clear();
        self.answered.clear();
    }
}
