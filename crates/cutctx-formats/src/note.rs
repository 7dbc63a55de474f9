//! What writing a session changed beside what the fates of its turns say.

use alloc::vec::Vec;
use core::fmt;

use serde::Serialize;

use crate::error::Place;
use crate::raw::{Remark, Splices};
use crate::source::Source;

/// Something that writing did beside the fates of the turns, for the account of a compaction. It shows no text.
///
/// The same kind of thing is one note with the place of the first; a cache mark has a note of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Note {
    /// What was done.
    pub kind: NoteKind,
    /// How often.
    pub count: usize,
    /// Where in the file as it was read; of several the first place.
    pub at: Place,
    /// Where it is now, by its place in the file as it was read: of what was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Place>,
}

/// What writing did beside the fates of the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoteKind {
    /// A cache mark whose block goes was moved to one before it that stays.
    CacheMarkMoved,
    /// A cache mark went with its block: nothing before it stays that can carry one, or what does has one already.
    CacheMarkLost,
    /// Signed reasoning stays although what stands before it is another text now.
    SignedReasoningKept,
    /// Signed reasoning behind the first change lost its signature and, where the format knows none without, its text.
    SignedReasoningStripped,
    /// Signed reasoning behind the first change went as a whole.
    SignedReasoningDropped,
    /// A link to a record that is gone names another one.
    LinksRewritten,
    /// Records or their fields were numbered anew.
    Renumbered,
    /// A copy of a turn's text, or a field about it, was changed with it.
    CopiesRewritten,
    /// A record that is no turn went with one that it belongs to.
    RecordsRemoved,
    /// Messages of one side that came to touch were made one.
    MessagesJoined,
}

impl NoteKind {
    /// The word used in outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CacheMarkMoved => "cache_mark_moved",
            Self::CacheMarkLost => "cache_mark_lost",
            Self::SignedReasoningKept => "signed_reasoning_kept",
            Self::SignedReasoningStripped => "signed_reasoning_stripped",
            Self::SignedReasoningDropped => "signed_reasoning_dropped",
            Self::LinksRewritten => "links_rewritten",
            Self::Renumbered => "renumbered",
            Self::CopiesRewritten => "copies_rewritten",
            Self::RecordsRemoved => "records_removed",
            Self::MessagesJoined => "messages_joined",
        }
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::CacheMarkMoved => ("cache mark was moved", "cache marks were moved"),
            Self::CacheMarkLost => ("cache mark went with its block", "cache marks went with their blocks"),
            Self::SignedReasoningKept => (
                "block of signed reasoning stays behind a change",
                "blocks of signed reasoning stay behind a change",
            ),
            Self::SignedReasoningStripped => {
                ("block of reasoning lost its signature", "blocks of reasoning lost their signatures")
            }
            Self::SignedReasoningDropped => {
                ("block of signed reasoning was dropped", "blocks of signed reasoning were dropped")
            }
            Self::LinksRewritten => ("link names another record", "links name other records"),
            Self::Renumbered => ("record has another number", "records have other numbers"),
            Self::CopiesRewritten => ("copy changed with its turn", "copies changed with their turns"),
            Self::RecordsRemoved => {
                ("record that is no turn went with one", "records that are no turns went with some")
            }
            Self::MessagesJoined => {
                ("message was joined to the one before it", "messages were joined to those before them")
            }
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One line for people, such as `2 links name other records, the first at line 7`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, several) = self.kind.words();
        let words = if self.count == 1 { one } else { several };
        let first = if self.count == 1 { "" } else { "the first " };
        write!(f, "{} {words}, {first}at line {}", self.count, self.at.line)?;
        self.to.map_or(Ok(()), |to| write!(f, ", to line {}", to.line))
    }
}

/// The notes of some edits, with their places in the file.
pub(crate) fn notes_of(splices: &Splices, source: &Source) -> Vec<Note> {
    let place = |offset: usize| {
        let line = Place::of(offset, source.text()).line;
        Place { line, offset: source.offset(offset) }
    };
    let note = |remark: &Remark| Note {
        kind: remark.kind,
        count: remark.count,
        at: place(remark.at),
        to: remark.to.map(place),
    };
    splices.remarks().iter().map(note).collect()
}
