//! Where a new record may stand.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::entry::Layout;
use crate::view::View;

/// The stretches of records that no new one may split: a message of several records, and all from a call that stays
/// to the last of its results.
#[derive(Debug)]
pub(super) struct Insertions {
    /// First and last record of each stretch, in order, disjoint.
    closed: Vec<(usize, usize)>,
}

impl Insertions {
    pub(super) fn new(layout: &Layout, view: &View<'_>) -> Self {
        let mut stretches = Vec::new();
        let mut exchanges: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for entry in &layout.entries {
            let Some(records) = entry.records else { continue };
            let stays: Vec<usize> = entry.turns.clone().filter(|turn| !view.is_gone(*turn)).collect();
            if !stays.is_empty() {
                stretches.push(records);
            }
            for id in stays.into_iter().filter_map(|turn| view.turn(turn)?.tool_call_id()) {
                let range = exchanges.entry(id).or_insert(records);
                *range = (range.0.min(records.0), range.1.max(records.1));
            }
        }
        stretches.extend(exchanges.into_values());
        Self { closed: joined(stretches) }
    }

    /// The record before which one that is wanted before `record` may go.
    pub(super) fn place(&self, record: usize) -> usize {
        let stretch = self.closed.partition_point(|(_, last)| *last < record);
        self.closed.get(stretch).map_or(record, |(first, _)| record.min(*first))
    }
}

/// Stretches of more than one record, overlapping ones as one.
fn joined(mut stretches: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    stretches.retain(|(first, last)| first < last);
    stretches.sort_unstable();
    let mut closed: Vec<(usize, usize)> = Vec::with_capacity(stretches.len());
    for (first, last) in stretches {
        match closed.last_mut() {
            Some(open) if first <= open.1 => open.1 = open.1.max(last),
            _ => closed.push((first, last)),
        }
    }
    closed
}
