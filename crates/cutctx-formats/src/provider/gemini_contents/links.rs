//! Which call a response answers: by its id, or by its function's name and the order.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// How an id begins that was made up.
const MADE_UP: &str = "call ";

/// Whether an id was made up here: the file has none.
pub(super) fn is_made_up(id: &str) -> bool {
    let number = id.strip_prefix(MADE_UP).unwrap_or_default();
    number == NO_CALL || (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Stands behind the beginning where there is no call.
const NO_CALL: &str = "of nobody";

/// The calls so far.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// Every call's id, its own or one that was made up, and whether it is answered.
    calls: Vec<(String, bool)>,
    by_id: BTreeMap<String, Vec<usize>>,
    by_name: BTreeMap<String, VecDeque<usize>>,
}

impl Links {
    /// The id of a call of this function.
    pub(super) fn call<'a>(&mut self, own: Option<Cow<'a, str>>, name: &str) -> Cow<'a, str> {
        let number = self.calls.len();
        let id =
            own.filter(|own| !own.is_empty()).unwrap_or_else(|| Cow::Owned(format!("{MADE_UP}{number}")));
        self.calls.push((String::from(id.as_ref()), false));
        self.by_id.entry(String::from(id.as_ref())).or_default().push(number);
        self.by_name.entry(String::from(name)).or_default().push_back(number);
        id
    }

    /// The id of the call that a response answers; of its own making when there is none.
    pub(super) fn response<'a>(&mut self, own: Option<Cow<'a, str>>, name: Option<&str>) -> Cow<'a, str> {
        let own = own.filter(|own| !own.is_empty());
        if let Some(own) = &own
            && let Some(open) = self.by_id.get_mut(own.as_ref())
            && let Some(number) = open.pop()
        {
            self.answer(number);
            return own.clone();
        }
        let named = name.and_then(|name| self.oldest_of(name));
        named.map(Cow::Owned).or(own).unwrap_or_else(|| Cow::Owned([MADE_UP, NO_CALL].concat()))
    }

    /// The id of the oldest open call of a function, which is answered now.
    fn oldest_of(&mut self, name: &str) -> Option<String> {
        let queue = self.by_name.get_mut(name)?;
        while let Some(number) = queue.pop_front() {
            let Some((id, answered)) = self.calls.get_mut(number) else { continue };
            if !*answered {
                *answered = true;
                return Some(id.clone());
            }
        }
        None
    }

    fn answer(&mut self, number: usize) {
        if let Some((_, answered)) = self.calls.get_mut(number) {
            *answered = true;
        }
    }
}
