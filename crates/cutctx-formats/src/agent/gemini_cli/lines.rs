//! Which messages of a chat in lines are left.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::raw::{Node, Object};

/// A message: its line, and older lines of the same message.
#[derive(Debug, Default, Clone)]
pub(super) struct Message {
    pub(super) record: usize,
    /// In the order of the file.
    pub(super) older: Vec<usize>,
}

/// The conversation of a file.
pub(super) enum Conversation<'a> {
    /// A list of all messages.
    Listed(Node<'a>),
    /// One message a line.
    Lines(Vec<Message>),
}

/// Follows the lines as the tool does.
pub(super) fn conversation<'a>(records: &[Object<'a>]) -> Conversation<'a> {
    let mut listed = None;
    let mut told = Told::default();
    for (record, object) in records.iter().enumerate() {
        if let Some(target) = object.get("$rewindTo").filter(|target| target.string().is_some()) {
            told.rewind(target.text());
        } else if let Some(id) = object.get("id").filter(|id| id.string().is_some()) {
            told.say(id.text(), record);
        } else {
            let set = object.get("$set").and_then(|set| set.object().ok().flatten());
            listed = all_messages(set.as_ref().unwrap_or(object)).or(listed);
        }
    }
    listed.map_or(Conversation::Lines(told.messages), Conversation::Listed)
}

/// A list of messages that is not empty.
fn all_messages<'a>(object: &Object<'a>) -> Option<Node<'a>> {
    let list = object.get("messages")?;
    let filled = list.array().ok()?.is_some_and(|messages| !messages.is_empty());
    filled.then_some(list)
}

/// What was said so far; ids are JSON text.
#[derive(Default)]
struct Told<'a> {
    messages: Vec<Message>,
    ids: Vec<&'a str>,
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Told<'a> {
    fn say(&mut self, id: &'a str, record: usize) {
        let place = self.places.get(id).copied();
        if let Some(message) = place.and_then(|place| self.messages.get_mut(place)) {
            message.older.push(message.record);
            message.record = record;
            return;
        }
        self.places.insert(id, self.messages.len());
        self.ids.push(id);
        self.messages.push(Message { record, older: Vec::new() });
    }

    /// Takes back a message and all after it; all of them when there is none of this id.
    fn rewind(&mut self, id: &str) {
        let place = self.places.get(id).copied().unwrap_or(0);
        for id in self.ids.drain(place.min(self.ids.len())..) {
            self.places.remove(id);
        }
        self.messages.truncate(place);
    }
}
