//! Cache points when what they stand behind goes.

use alloc::string::String;
use alloc::vec::Vec;

use crate::layout::{Edited, List};
use crate::note::NoteKind;
use crate::raw::Span;

/// A message and the cache points among its blocks.
#[derive(Debug)]
pub(super) struct Marked {
    record: usize,
    /// The array of its blocks.
    content: Span,
    blocks: List,
    /// How many blocks there are.
    count: usize,
    /// The cache points: which block, and its place.
    pub(super) points: Vec<(usize, Span)>,
}

impl Marked {
    pub(super) const fn new(record: usize, content: Span, blocks: List, count: usize) -> Self {
        Self { record, content, blocks, count, points: Vec::new() }
    }

    fn is_point(&self, block: usize) -> bool {
        self.points.binary_search_by_key(&block, |(point, _)| *point).is_ok()
    }

    /// The last block that stays and is no cache point, before this one.
    fn stays_before(&self, block: usize, edited: &Edited) -> Option<usize> {
        (0..block).rev().find(|before| !self.is_point(*before) && !edited.is_gone(self.blocks.unit(*before)))
    }
}

/// A message that stays.
struct Last<'m> {
    message: &'m Marked,
    /// Whether it ends with a cache point.
    ends_marked: bool,
}

/// Moves each cache point that has lost what it stood behind to the end of the nearest message before it that stays.
pub(super) fn mend(messages: &[Marked], edited: &mut Edited, text: &str) {
    if messages.iter().all(|message| message.points.is_empty()) {
        return;
    }
    let mut last: Option<Last<'_>> = None;
    for message in messages {
        let is_gone = edited.gone.get(message.record) == Some(&true);
        let first_kept = (0..message.count)
            .find(|block| !message.is_point(*block) && !edited.is_gone(message.blocks.unit(*block)));
        for (block, place) in &message.points {
            if !is_gone && first_kept.is_some_and(|first| first < *block) {
                continue;
            }
            if !is_gone {
                edited.take_out(message.blocks.unit(*block));
            }
            if let Some(last) = last.as_mut().filter(|last| !last.ends_marked) {
                edited.splices.note_move(NoteKind::CacheMarkMoved, place.start, last.message.content.end);
                edited.put_in(last.message.blocks, last.message.count, String::from(place.of(text)));
                last.ends_marked = true;
            } else {
                edited.splices.note(NoteKind::CacheMarkLost, place.start);
            }
        }
        if !is_gone {
            let end = message.stays_before(message.count, edited);
            let ends_marked = end.is_some_and(|end| message.points.iter().any(|(point, _)| *point > end));
            last = Some(Last { message, ends_marked });
        }
    }
}
