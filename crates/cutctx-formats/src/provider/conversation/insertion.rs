//! Where a new message may stand.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::Conversation;
use crate::view::View;

/// The stretches of messages that no new message may split: from a call that stays to the last of its results.
#[derive(Debug)]
pub(super) struct Insertions {
    /// First and last message of each stretch, in order, disjoint.
    closed: Vec<(usize, usize)>,
}

impl Insertions {
    pub(super) fn new(conversation: &Conversation, view: &View<'_>) -> Self {
        let mut exchanges: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (index, entry) in conversation.entries().iter().enumerate() {
            let turns = entry.turns.clone().filter(|turn| !view.is_gone(*turn));
            for id in turns.filter_map(|turn| view.turn(turn)?.tool_call_id()) {
                exchanges.entry(id).or_insert((index, index)).1 = index;
            }
        }
        let mut stretches: Vec<(usize, usize)> =
            exchanges.into_values().filter(|(first, last)| first < last).collect();
        stretches.sort_unstable();
        let mut closed: Vec<(usize, usize)> = Vec::with_capacity(stretches.len());
        for (first, last) in stretches {
            match closed.last_mut() {
                Some(open) if first <= open.1 => open.1 = open.1.max(last),
                _ => closed.push((first, last)),
            }
        }
        Self { closed }
    }

    /// The index of the message before which a message wanted before `index` may go.
    pub(super) fn place(&self, index: usize) -> usize {
        let stretch = self.closed.partition_point(|(_, last)| *last < index);
        self.closed.get(stretch).map_or(index, |(first, _)| index.min(*first))
    }
}
