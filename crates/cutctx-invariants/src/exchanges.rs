//! Which turns belong together.

use alloc::vec::Vec;
use cutctx_types::{TranscriptTurn, classify};

/// The exchanges of a transcript: a tool call with its results, or a turn alone.
///
/// All turns of one call id are one exchange, adjacent or not; the empty string is an id like any
/// other. A turn without a call id is an exchange of its own. Exchanges are numbered in order of their
/// first members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchanges {
    /// The exchange of each turn.
    of: Vec<usize>,
    /// The positions of all members, exchange after exchange.
    members: Vec<usize>,
    /// Where each exchange begins in `members`, and the end of the last.
    starts: Vec<usize>,
}

impl Exchanges {
    /// Groups these turns in near-linear time.
    pub(crate) fn of_turns(turns: &[TranscriptTurn]) -> Self {
        let of = classify(turns.iter().map(TranscriptTurn::tool_call_id));
        let count = of.iter().max().map_or(0, |last| last.saturating_add(1));
        let starts = starts_of(&of, count);
        let members = place_members(&of, &starts);
        Self { of, members, starts }
    }

    /// How many exchanges there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none, which means that there are no turns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The exchange of the turn at a position; `None` past the end.
    #[must_use]
    pub fn of(&self, position: usize) -> Option<usize> {
        self.of.get(position).copied()
    }

    /// The positions of an exchange's members in order; none for a number past the end.
    #[must_use]
    pub fn members(&self, exchange: usize) -> &[usize] {
        let bounds = self.starts.get(exchange).zip(self.starts.get(exchange.saturating_add(1)));
        bounds.and_then(|(start, end)| self.members.get(*start..*end)).unwrap_or_default()
    }

    /// The members of every exchange, in order of first members.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.len()).map(|exchange| self.members(exchange))
    }
}

fn starts_of(of: &[usize], count: usize) -> Vec<usize> {
    let mut starts = alloc::vec![0_usize; count.saturating_add(1)];
    for exchange in of {
        if let Some(size) = starts.get_mut(exchange.saturating_add(1)) {
            *size = size.saturating_add(1);
        }
    }
    let mut sum = 0_usize;
    for start in &mut starts {
        sum = sum.saturating_add(*start);
        *start = sum;
    }
    starts
}

fn place_members(of: &[usize], starts: &[usize]) -> Vec<usize> {
    let mut next = starts.to_vec();
    let mut members = alloc::vec![0; of.len()];
    for (position, exchange) in of.iter().enumerate() {
        let Some(slot) = next.get_mut(*exchange) else { continue };
        if let Some(member) = members.get_mut(*slot) {
            *member = position;
        }
        *slot = slot.saturating_add(1);
    }
    members
}
