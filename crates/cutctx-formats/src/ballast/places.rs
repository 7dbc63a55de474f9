//! The places at which turns stand, ready to be asked for.

use alloc::vec::Vec;

use crate::raw::Span;
use crate::standing::Standing;

/// The values that say turns, in order and apart from each other, and where elements begin that no value says.
pub(super) struct Places {
    values: Vec<Span>,
    silent: Vec<usize>,
}

/// How much of a stretch is said by turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    /// Nothing, and no turn stands in it.
    Nothing,
    /// Something, or a turn stands in it that says nothing.
    Some,
    /// All of it.
    All,
}

impl Places {
    pub(super) fn new(standings: &[Standing]) -> Self {
        let (silent, said): (Vec<Standing>, Vec<Standing>) =
            standings.iter().partition(|standing| standing.value.is_empty());
        let mut silent: Vec<usize> = silent.iter().map(|standing| standing.element.start).collect();
        silent.sort_unstable();
        Self { values: apart(said.iter().map(|standing| standing.value).collect()), silent }
    }

    /// How much of this stretch is said by turns.
    pub(super) fn look(&self, span: Span) -> Said {
        let next = self.values.partition_point(|value| value.end <= span.start);
        match self.values.get(next) {
            Some(value) if value.start <= span.start && span.end <= value.end => return Said::All,
            Some(value) if value.start < span.end => return Said::Some,
            Some(_) | None => {}
        }
        let next = self.silent.partition_point(|start| *start < span.start);
        let inside = self.silent.get(next).is_some_and(|start| *start < span.end);
        if inside { Said::Some } else { Said::Nothing }
    }
}

/// Those that overlap as one.
fn apart(mut values: Vec<Span>) -> Vec<Span> {
    values.sort_unstable_by_key(|value| (value.start, value.end));
    let mut apart: Vec<Span> = Vec::with_capacity(values.len());
    for value in values {
        match apart.last_mut() {
            Some(last) if value.start < last.end => last.end = last.end.max(value.end),
            Some(_) | None => apart.push(value),
        }
    }
    apart
}
