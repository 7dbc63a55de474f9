//! Ids for calls and results that carry none: a result answers the oldest call of its tool that is still open.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::format;
use alloc::string::String;

/// Makes ids up where a file has none.
#[derive(Debug, Default)]
pub(crate) struct MadeIds {
    made: usize,
    /// The open calls, oldest first; some are answered by now.
    open: VecDeque<usize>,
    /// The same by tool.
    by_tool: BTreeMap<String, VecDeque<usize>>,
    answered: BTreeSet<usize>,
}

impl MadeIds {
    /// The id of a call of this tool: its own, or a new one.
    pub(crate) fn call<'a>(&mut self, own: Option<Cow<'a, str>>, tool: &str) -> Cow<'a, str> {
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            return own;
        }
        let number = self.made;
        self.made = self.made.saturating_add(1);
        self.open.push_back(number);
        self.by_tool.entry(String::from(tool)).or_default().push_back(number);
        spelled(number)
    }

    /// The id of the call that a result answers: its own, or that of the oldest open call of its tool, or of any tool
    /// when it does not name one.
    pub(crate) fn result<'a>(&mut self, own: Option<Cow<'a, str>>, tool: Option<&str>) -> Cow<'a, str> {
        if let Some(own) = own.filter(|own| !own.is_empty()) {
            return own;
        }
        let queue = match tool {
            Some(tool) => self.by_tool.get_mut(tool),
            None => Some(&mut self.open),
        };
        let Some(queue) = queue else { return Cow::Borrowed("no call") };
        while let Some(number) = queue.pop_front() {
            if self.answered.insert(number) {
                return spelled(number);
            }
        }
        Cow::Borrowed("no call")
    }

    /// Forgets the open calls: nothing answers them any more.
    pub(crate) fn close(&mut self) {
        self.open.clear();
        self.by_tool.clear();
        self.answered.clear();
    }
}

fn spelled(number: usize) -> Cow<'static, str> {
    Cow::Owned(format!("call {number}"))
}
