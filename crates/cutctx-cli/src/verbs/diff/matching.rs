//! Which turn of a compacted session is which turn of the original.

use alloc::collections::BTreeMap;
use cutctx::types::sha256_of_text;
use cutctx::{MaskStub, Role, TranscriptTurn};

/// What became of a turn, by positions in both sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// It says the same.
    Kept(usize, usize),
    /// It says a stub of what it said.
    Masked(usize, usize),
    /// It is gone.
    Removed(usize),
    /// It is new: a summary, or a turn that came later.
    Added(usize),
}

impl Change {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Kept(..) => "kept",
            Self::Masked(..) => "masked",
            Self::Removed(_) => "removed",
            Self::Added(_) => "added",
        }
    }

    /// The position before.
    pub(super) const fn before(self) -> Option<usize> {
        match self {
            Self::Kept(before, _) | Self::Masked(before, _) | Self::Removed(before) => Some(before),
            Self::Added(_) => None,
        }
    }

    /// The position after.
    pub(super) const fn after(self) -> Option<usize> {
        match self {
            Self::Kept(_, after) | Self::Masked(_, after) | Self::Added(after) => Some(after),
            Self::Removed(_) => None,
        }
    }
}

/// All changes, in the order of the original, additions where they stand.
///
/// Turns are matched from the end, since compaction leaves ends alone: of several turns that say the same, the last
/// ones are taken for those that stayed.
pub(super) fn changes(old: &[TranscriptTurn], new: &[TranscriptTurn]) -> Vec<Change> {
    let places = Places::of(old);
    let mut end = old.len();
    let mut changes = Vec::with_capacity(old.len());
    for (after, turn) in new.iter().enumerate().rev() {
        let Some((before, masked)) = places.last_before(end, turn) else {
            changes.push(Change::Added(after));
            continue;
        };
        changes.extend((before.saturating_add(1)..end).rev().map(Change::Removed));
        changes.push(if masked { Change::Masked(before, after) } else { Change::Kept(before, after) });
        end = before;
    }
    changes.extend((0..end).rev().map(Change::Removed));
    changes.reverse();
    changes
}

/// Where turns stand, by what they say and by its digest.
struct Places<'t> {
    by_content: BTreeMap<(Role, &'t str), Vec<usize>>,
    by_digest: BTreeMap<(Role, String), Vec<usize>>,
}

impl<'t> Places<'t> {
    fn of(turns: &'t [TranscriptTurn]) -> Self {
        let mut places = Self { by_content: BTreeMap::new(), by_digest: BTreeMap::new() };
        for (position, turn) in turns.iter().enumerate() {
            let content: &str = turn.content();
            places.by_content.entry((turn.role(), content)).or_default().push(position);
            let digest = handle(&sha256_of_text(content).to_hex());
            places.by_digest.entry((turn.role(), digest)).or_default().push(position);
        }
        places
    }

    /// The last turn before a position that this one can come from, and whether it is masked.
    fn last_before(&self, end: usize, turn: &TranscriptTurn) -> Option<(usize, bool)> {
        let same = self.by_content.get(&(turn.role(), turn.content().as_ref()));
        if let Some(position) = same.and_then(|places| last_below(places, end)) {
            return Some((position, false));
        }
        let stub = MaskStub::parse(turn.content())?;
        let original = self.by_digest.get(&(turn.role(), handle(stub.sha256)))?;
        last_below(original, end).map(|position| (position, true))
    }
}

/// What all stubs hold of a digest: its first digits.
fn handle(digest: &str) -> String {
    digest.chars().take(8).collect()
}

/// The largest of ascending positions that is below a bound.
fn last_below(positions: &[usize], end: usize) -> Option<usize> {
    let below = positions.partition_point(|position| *position < end);
    positions.get(..below)?.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(contents: &[&str]) -> Vec<TranscriptTurn> {
        let turn = |(number, content): (usize, &&str)| {
            TranscriptTurn::new(format!("t{number}"), Role::Tool, *content, 1).unwrap()
        };
        contents.iter().enumerate().map(turn).collect()
    }

    #[test]
    fn equal_sessions_have_only_kept_turns() {
        let session = turns(&["a", "b", "a"]);
        assert_eq!(changes(&session, &session), [Change::Kept(0, 0), Change::Kept(1, 1), Change::Kept(2, 2)]);
    }

    #[test]
    fn of_equal_turns_the_later_ones_stayed() {
        let found = changes(&turns(&["a", "b", "a"]), &turns(&["b", "a"]));
        assert_eq!(found, [Change::Removed(0), Change::Kept(1, 0), Change::Kept(2, 1)]);
    }

    #[test]
    fn a_stub_is_recognised_by_its_digest_and_a_summary_is_an_addition() {
        let stub = format!("[cut] (original: 9 tokens, sha256:{})", sha256_of_text("long"));
        let found = changes(&turns(&["x", "long", "end"]), &turns(&["summary", &stub, "end"]));
        assert_eq!(found, [Change::Removed(0), Change::Added(0), Change::Masked(1, 1), Change::Kept(2, 2)]);
    }
}
