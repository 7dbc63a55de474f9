//! What stays of a file: an element stays while anything in it does.

use alloc::vec;
use alloc::vec::Vec;

use super::entry::Layout;
use super::place::{List, Unit};

/// For every element of every list: whether parts of messages stand in it, and whether any of them stays.
#[derive(Debug)]
pub(super) struct Liveness {
    lists: Vec<Vec<Element>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Element {
    holds: bool,
    stays: bool,
}

impl Liveness {
    pub(super) fn new(layout: &Layout) -> Self {
        let lists = layout.lists.iter().map(|list| vec![Element::default(); list.elements.len()]);
        Self { lists: lists.collect() }
    }

    /// Notes a part in an element that stays, or does not.
    pub(super) fn note(&mut self, layout: &Layout, unit: Unit, stays: bool) {
        let mut next = Some(unit);
        while let Some(unit) = next {
            let Some(element) = self.lists.get_mut(unit.list.0).and_then(|list| list.get_mut(unit.element))
            else {
                return;
            };
            if element.holds && (element.stays || !stays) {
                return;
            }
            element.holds = true;
            element.stays |= stays;
            next = layout.lists.get(unit.list.0).and_then(|list| list.parent);
        }
    }

    /// Takes an element out, whatever stands in it.
    pub(super) fn take_out(&mut self, unit: Unit) {
        if let Some(element) = self.lists.get_mut(unit.list.0).and_then(|list| list.get_mut(unit.element)) {
            *element = Element { holds: true, stays: false };
        }
    }

    /// How many elements a list has.
    pub(super) fn count(&self, list: List) -> usize {
        self.lists.get(list.0).map_or(0, Vec::len)
    }

    /// Whether an element goes.
    pub(super) fn is_gone(&self, unit: Unit) -> bool {
        let element = self.lists.get(unit.list.0).and_then(|list| list.get(unit.element));
        element.is_some_and(|element| element.holds && !element.stays)
    }

    /// The elements of a list that go.
    pub(super) fn gone_of(&self, list: List) -> Vec<usize> {
        let elements = self.lists.get(list.0).map(Vec::as_slice).unwrap_or_default();
        let gone = elements.iter().enumerate().filter(|(_, element)| element.holds && !element.stays);
        gone.map(|(index, _)| index).collect()
    }
}
