//! The summary groups that members have named, numbered.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{InvalidValue, SUMMARY_PREFIX, SummarizationRequest, TranscriptTurn};

/// A group that was requested.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) id: Arc<str>,
    pub(super) prompt_id: Arc<str>,
    pub(super) target_tokens: u64,
    /// Its turns' positions in order.
    pub(super) positions: Vec<usize>,
}

impl Group {
    /// The id of the turn that stands in for the summary.
    pub(super) fn summary_turn_id(&self) -> String {
        format!("{SUMMARY_PREFIX}{}", self.id)
    }

    fn request(&self, turns: &[TranscriptTurn]) -> Result<SummarizationRequest, InvalidValue> {
        let turns = self.positions.iter().filter_map(|position| turns.get(*position));
        let ids = turns.map(|turn| turn.turn_id().clone()).collect();
        Ok(SummarizationRequest::new(self.id.clone(), ids, self.target_tokens, self.prompt_id.clone())?)
    }
}

/// All groups by number; one that is only named, or that is gone, is no group.
#[derive(Debug, Default)]
pub(super) struct Groups {
    ids: Vec<Arc<str>>,
    slots: Vec<Option<Group>>,
    numbers: BTreeMap<Arc<str>, usize>,
    last: Option<usize>,
}

impl Groups {
    /// The number of an id, new or not.
    pub(super) fn number(&mut self, id: &Arc<str>) -> usize {
        if let Some(last) = self.last.filter(|last| self.ids.get(*last).is_some_and(|last| last == id)) {
            return last;
        }
        let number = self.numbers.get(id).copied().unwrap_or_else(|| {
            self.numbers.insert(id.clone(), self.ids.len());
            self.ids.push(id.clone());
            self.slots.push(None);
            self.ids.len().saturating_sub(1)
        });
        self.last = Some(number);
        number
    }

    /// The id of a number.
    pub(super) fn id(&self, number: usize) -> Option<&Arc<str>> {
        self.ids.get(number)
    }

    pub(super) fn get(&self, number: usize) -> Option<&Group> {
        self.slots.get(number)?.as_ref()
    }

    /// The group of an id, if there is one.
    pub(super) fn named(&self, id: &str) -> Option<&Group> {
        self.get(*self.numbers.get(id)?)
    }

    pub(super) fn remove(&mut self, id: &str) {
        if let Some(slot) = self.numbers.get(id).and_then(|number| self.slots.get_mut(*number)) {
            *slot = None;
        }
    }

    pub(super) fn put(&mut self, number: usize, group: Group) {
        if let Some(slot) = self.slots.get_mut(number) {
            *slot = Some(group);
        }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Gives every group the positions under its number; a group without any is gone.
    pub(super) fn refresh(&mut self, positions: Vec<Vec<usize>>) {
        for (slot, positions) in self.slots.iter_mut().zip(positions) {
            *slot = slot.take().filter(|_| !positions.is_empty()).map(|group| Group { positions, ..group });
        }
    }

    /// The requests, in order of the groups' first turns.
    pub(super) fn requests(
        &self,
        turns: &[TranscriptTurn],
    ) -> Result<Vec<SummarizationRequest>, InvalidValue> {
        let mut groups: Vec<&Group> = self.slots.iter().flatten().collect();
        groups.sort_by_key(|group| group.positions.first().copied());
        groups.into_iter().map(|group| group.request(turns)).collect()
    }
}
