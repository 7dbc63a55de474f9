//! Which references stand in a context.

use super::history::History;
use crate::stop_words::StopWords;
use core::ops::Range;
use cutctx::TranscriptTurn;

/// Counts, for every reference of a session, the turns of the context that show it.
#[derive(Debug)]
pub(super) struct Presence<'h, 't> {
    history: &'h History<'t>,
    /// By reference: how many turns of the context show it.
    counts: Vec<u32>,
    /// By reference: whether it was shown before in the session.
    seen: Vec<bool>,
    /// By reference: whether it says something about this project.
    counted: Vec<bool>,
}

impl<'h, 't> Presence<'h, 't> {
    /// An empty context.
    pub(super) fn new(history: &'h History<'t>, stop_words: &StopWords) -> Self {
        let count = history.references();
        let is_counted =
            |number| history.reference(number).is_some_and(|reference| !stop_words.contains(reference));
        Self {
            history,
            counts: vec![0; count],
            seen: vec![false; count],
            counted: (0..count).map(is_counted).collect(),
        }
    }

    /// The turn at a position was said, and stands in the context.
    pub(super) fn append(&mut self, position: usize) {
        let history = self.history;
        for number in history.shown(position) {
            self.count(*number);
            if let Some(seen) = self.seen.get_mut(*number) {
                *seen = true;
            }
        }
    }

    /// The context is another one now.
    pub(super) fn replace(&mut self, view: &[TranscriptTurn]) {
        self.counts.fill(0);
        for turn in view {
            for number in self.history.shown_by(turn) {
                self.count(number);
            }
        }
    }

    fn count(&mut self, number: usize) {
        if let Some(count) = self.counts.get_mut(number) {
            *count = count.saturating_add(1);
        }
    }

    /// How many references an answer makes that were shown before, and that the context does not show.
    pub(super) fn misses(&self, answer: Range<usize>) -> usize {
        let mut made: Vec<usize> = answer.flat_map(|position| self.history.made(position)).copied().collect();
        made.sort_unstable();
        made.dedup();
        made.into_iter().filter(|number| self.is_missed(*number)).count()
    }

    fn is_missed(&self, number: usize) -> bool {
        let holds = |flags: &[bool]| flags.get(number).copied().unwrap_or(false);
        holds(&self.seen) && holds(&self.counted) && self.counts.get(number) == Some(&0)
    }
}
