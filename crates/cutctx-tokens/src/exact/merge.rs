//! Byte-pair merging of one piece.
//!
//! The pair of the lowest rank is joined first, the leftmost among equals, until no pair is a token. Short pieces look
//! for that pair by going through all. Long ones keep the places of pairs by rank, so that a megabyte without a space
//! costs little more per byte than a word: places of one rank are joined in one sweep from left to right, and only
//! finding the next rank costs a logarithm.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::ranks::{NONE, Rank, Ranks};

/// Bytes up to which going through all pairs is faster.
const SHORT: usize = 96;

/// Room for merging, used again for piece after piece.
#[derive(Default)]
pub(super) struct Merger {
    parts: Vec<Part>,
    waiting: BTreeMap<Rank, Places>,
    links: Vec<Link>,
}

/// Where the pairs of one rank start.
#[derive(Default)]
struct Places {
    /// From right to left once sorted, so that the leftmost is popped.
    starts: Vec<u32>,
    sorted: bool,
}

/// A part of a short piece.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    /// The rank of this part joined with the next.
    joined: Rank,
}

/// A part of a long piece, at the place of its first byte.
#[derive(Clone, Copy)]
struct Link {
    previous: u32,
    /// Where the part ends and the next one starts.
    end: u32,
    /// The rank of this part joined with the next; [`NONE`] also for what is no part any more.
    joined: Rank,
}

impl Merger {
    /// Gives each part of the merged piece to `take`, in order.
    pub(super) fn merge<'p>(&mut self, ranks: &Ranks, piece: &'p [u8], mut take: impl FnMut(&'p [u8])) {
        if piece.len() <= SHORT {
            self.merge_short(ranks, piece);
            for pair in self.parts.windows(2) {
                if let [part, next] = pair {
                    take(piece.get(part.start..next.start).unwrap_or_default());
                }
            }
        } else {
            self.merge_long(ranks, piece);
            let mut start = 0_usize;
            while let Some(link) = self.links.get(start) {
                let end = index(link.end);
                take(piece.get(start..end).unwrap_or_default());
                start = end;
            }
        }
    }

    fn merge_short(&mut self, ranks: &Ranks, piece: &[u8]) {
        self.parts.clear();
        self.parts.extend(
            (0..=piece.len())
                .map(|start| Part { start, joined: span(ranks, piece, start, start.saturating_add(2)) }),
        );
        while let Some((at, _)) = self.lowest() {
            self.parts.remove(at.saturating_add(1));
            self.rate(ranks, piece, at);
            if let Some(before) = at.checked_sub(1) {
                self.rate(ranks, piece, before);
            }
        }
    }

    /// The leftmost pair of the lowest rank.
    fn lowest(&self) -> Option<(usize, Rank)> {
        let ranks = self.parts.iter().map(|part| part.joined).enumerate();
        ranks.min_by_key(|(_, rank)| *rank).filter(|(_, rank)| *rank != NONE)
    }

    fn rate(&mut self, ranks: &Ranks, piece: &[u8], at: usize) {
        let end = self.parts.get(at.saturating_add(2)).map(|part| part.start);
        if let Some(part) = self.parts.get_mut(at) {
            part.joined = end.map_or(NONE, |end| span(ranks, piece, part.start, end));
        }
    }

    fn merge_long(&mut self, ranks: &Ranks, piece: &[u8]) {
        self.link(ranks, piece);
        while let Some((rank, mut places)) = self.waiting.pop_first() {
            places.sort();
            while let Some(start) = places.starts.pop() {
                self.join_if_still(ranks, piece, start, rank);
                if self.waiting.first_key_value().is_some_and(|(lowest, _)| *lowest < rank) {
                    self.waiting.insert(rank, places);
                    break;
                }
            }
        }
    }

    /// Joins the pair at `start`, unless one of the two has been joined with another part.
    fn join_if_still(&mut self, ranks: &Ranks, piece: &[u8], start: u32, rank: Rank) {
        if let Some(link) = self.links.get(index(start)).copied()
            && link.joined == rank
        {
            self.join(ranks, piece, start, link);
        }
    }

    /// Every byte a part, every pair that is a token waits.
    fn link(&mut self, ranks: &Ranks, piece: &[u8]) {
        self.links.clear();
        self.waiting.clear();
        let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
        for start in 0..length {
            let at = index(start);
            let joined = span(ranks, piece, at, at.saturating_add(2));
            self.links.push(Link { previous: start.saturating_sub(1), end: start.saturating_add(1), joined });
            self.wait(start, joined);
        }
    }

    /// Joins the part at `start` with the next one, and rates the two pairs that it is now in.
    fn join(&mut self, ranks: &Ranks, piece: &[u8], start: u32, link: Link) {
        let Some(next) = self.links.get_mut(index(link.end)) else { return };
        let end = next.end;
        next.joined = NONE;
        if let Some(after) = self.links.get_mut(index(end)) {
            after.previous = start;
        }
        self.rate_link(ranks, piece, start, end);
        if start > 0 {
            self.rate_link(ranks, piece, link.previous, start);
        }
    }

    /// Sets the end of the part at `start` and its rank with the part behind that end.
    fn rate_link(&mut self, ranks: &Ranks, piece: &[u8], start: u32, end: u32) {
        let behind = self.links.get(index(end)).map(|link| index(link.end));
        let joined = behind.map_or(NONE, |behind| span(ranks, piece, index(start), behind));
        if let Some(link) = self.links.get_mut(index(start)) {
            link.end = end;
            link.joined = joined;
        }
        self.wait(start, joined);
    }

    fn wait(&mut self, start: u32, rank: Rank) {
        if rank != NONE {
            let places = self.waiting.entry(rank).or_default();
            places.starts.push(start);
            places.sorted = false;
        }
    }
}

impl Places {
    fn sort(&mut self) {
        if !self.sorted {
            self.starts.sort_unstable_by(|one, other| other.cmp(one));
            self.sorted = true;
        }
    }
}

fn span(ranks: &Ranks, piece: &[u8], start: usize, end: usize) -> Rank {
    piece.get(start..end).map_or(NONE, |bytes| ranks.rank(bytes))
}

fn index(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}
