//! Where large objects and arrays end, noted while a text is checked, so that nobody has to look for it again.

use alloc::vec::Vec;
use core::cell::Cell;

/// How many bytes an object or an array must have to be noted.
const NOTED: u32 = 48;

/// How many are noted at most; the ends of others are looked for.
const MOST: usize = 1 << 19;

/// How deep objects and arrays may be nested.
pub(super) const DEEPEST: usize = 64;

/// The ends of objects and arrays, by where they begin in the file.
#[derive(Default)]
pub(super) struct Ends {
    noted: Vec<Noted>,
    /// The one that is likely to be asked for next.
    likely: Cell<usize>,
}

/// An object or an array, and the index of the first one behind it.
#[derive(Clone, Copy)]
struct Noted {
    start: u32,
    end: u32,
    next: u32,
}

impl Ends {
    /// Notes those of a text that starts here in the file, if it is one behind all texts before it.
    pub(super) fn noting(&mut self, start: usize) -> Noting<'_> {
        let behind = self.noted.last().is_none_or(|last| wide(last.start) < start);
        let ends = if behind && self.noted.len() < MOST { Some(self) } else { None };
        Noting { ends, start, open: [0; DEEPEST], depth: 0 }
    }

    /// The end of what begins here, if it was noted.
    pub(super) fn of(&self, start: usize) -> Option<usize> {
        let start = u32::try_from(start).ok()?;
        let likely = self.likely.get();
        let index = match self.noted.get(likely) {
            Some(noted) if noted.start == start => likely,
            Some(noted) if noted.start > start && self.starts_before(likely, start) => return None,
            _ => self.searched(start)?,
        };
        let noted = self.noted.get(index)?;
        self.likely.set(wide(noted.next));
        Some(wide(noted.end))
    }

    fn starts_before(&self, index: usize, start: u32) -> bool {
        index
            .checked_sub(1)
            .and_then(|before| self.noted.get(before))
            .is_none_or(|before| before.start < start)
    }

    fn searched(&self, start: u32) -> Option<usize> {
        let found = self.noted.binary_search_by_key(&start, |noted| noted.start);
        self.likely.set(found.unwrap_or_else(|next| next));
        found.ok()
    }
}

/// Notes what opens and closes in a text.
pub(super) struct Noting<'e> {
    ends: Option<&'e mut Ends>,
    start: usize,
    /// The indexes of those that are open.
    open: [u32; DEEPEST],
    depth: usize,
}

impl Noting<'_> {
    /// Notes nothing.
    pub(super) const fn nothing() -> Self {
        Self { ends: None, start: 0, open: [0; DEEPEST], depth: 0 }
    }

    /// An object or an array opens at this place of the text.
    pub(super) fn opens(&mut self, place: usize) {
        let Some(ends) = &mut self.ends else { return };
        if let Some(open) = self.open.get_mut(self.depth) {
            *open = narrow(ends.noted.len());
        }
        self.depth = self.depth.saturating_add(1);
        let start = narrow(self.start.saturating_add(place));
        ends.noted.push(Noted { start, end: start, next: u32::MAX });
    }

    /// The innermost one ends before this place.
    pub(super) fn closes(&mut self, place: usize) {
        let Some(ends) = &mut self.ends else { return };
        self.depth = self.depth.saturating_sub(1);
        let index = self.open.get(self.depth).copied().map_or(usize::MAX, wide);
        let (end, next) = (narrow(self.start.saturating_add(place)), narrow(ends.noted.len()));
        let Some(noted) = ends.noted.get_mut(index) else { return };
        (noted.end, noted.next) = (end, next);
        if end.saturating_sub(noted.start) < NOTED {
            // What it holds is shorter still.
            ends.noted.truncate(index);
        }
    }

    /// Forgets what does not end.
    pub(super) fn gives_up(&mut self) {
        let Some(ends) = &mut self.ends else { return };
        if self.depth > 0 {
            ends.noted.truncate(self.open.first().copied().map_or(0, wide));
        }
    }
}

/// Beyond 32 bits all places are one, which is nobody's.
fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn wide(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
