//! Where messages and their parts stand in a file, and one way to write every fate back.
//!
//! A format that is built on this says three things while it reads: which *lists* there are in the file (the array of
//! messages, the blocks of a message, the lines), which *message* comes next, and for each part of it the [`Place`]
//! at which it stands: the list element that goes when the part goes, and the JSON string that holds its text. That is
//! enough for [`Layout::edit`] to mask, trim, drop and summarize in any of them. What is left to the format is how a
//! new message is spelled ([`Spelling`]).
//!
//! An element of a list goes when everything in it goes, whatever it is: a block, a message, a line. An element in
//! which no part of a message stands is never touched.
//!
//! ```
//! use cutctx_formats::layout::{Adding, Container, Draft, Frame, Layout, LayoutBuilder, Place, Spelling};
//! use cutctx_formats::raw::quoted;
//! use cutctx_formats::{Document, FormatError, ReadRequest, Reading, Shape, View};
//! use cutctx_messages::PartView;
//! use cutctx_types::{Role, Transcript};
//!
//! // A format whose file is an array of strings that a person said.
//! #[derive(Debug)]
//! struct Said;
//!
//! impl Spelling for Said {
//!     fn summary(&self, text: &str, _group: &str, _before: usize, _view: &View<'_>) -> String {
//!         quoted(text)
//!     }
//! }
//!
//! fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
//!     let Shape::Array(array, elements) = document.shape() else { return Err(FormatError::Empty) };
//!     let mut builder = LayoutBuilder::new("said", request);
//!     let list = builder.list(Container::Array(*array), elements.iter().map(|node| node.span()).collect());
//!     for (index, element) in elements.iter().enumerate() {
//!         let mut draft = Draft::new(Role::User, list.unit(index));
//!         let text = element.string().unwrap_or_default();
//!         draft.add(PartView::Text(text), Place::text(list.unit(index), element.span()));
//!         builder.push(draft)?;
//!     }
//!     let (mapped, layout) = builder.finish();
//!     Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Said)))
//! }
//! ```

mod builder;
mod container;
mod edit;
mod entry;
mod insertion;
mod joining;
mod liveness;
mod mend;
mod place;
mod spots;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::error::FormatError;
use crate::format::Lens;
use crate::raw::Splices;
use crate::standing::Standing;
use crate::view::View;

pub use builder::{Draft, LayoutBuilder};
pub use container::Container;
pub(crate) use container::splice_records;
pub use edit::Edited;
pub use entry::Layout;
pub(crate) use mend::Going;
pub use mend::{Answer, Mend, Mended, Piece, Target};
pub use place::{Adding, Frame, List, Place, Unit};

/// How a format spells new records of the list that its messages stand in.
pub trait Spelling: Debug + Send + Sync {
    /// A record that says the summary of a group, as JSON text. It goes before the element `before` of the list of
    /// messages, or to its end.
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String;

    /// A record that says several summaries, each in a part of its own. Only needed where messages are
    /// [made one](LayoutBuilder::joining_neighbours).
    fn summaries(&self, texts: &[&str]) -> String {
        let _ = texts;
        String::new()
    }

    /// A record in which the model says these summaries: it stands between two messages of the user's. `None` where they
    /// are put into one of those. Only needed where messages are [made one](LayoutBuilder::joining_neighbours).
    fn models_summaries(&self, texts: &[&str]) -> Option<String> {
        let _ = texts;
        None
    }

    /// A record that says what is left of the turn with this index, when the turn has no place for it. Only needed
    /// where drafts are given [`Adding::Record`].
    fn said(&self, text: &str, turn: usize, before: usize, view: &View<'_>) -> String {
        let _ = turn;
        self.summary(text, "", before, view)
    }

    /// The result of a call that has none, as JSON text: an element of the list that a message's parts stand in, or a
    /// record where a result is one ([`Spelling::carrier`]). `None` where this format takes no such results.
    fn result(&self, answer: &Answer) -> Option<String> {
        let _ = answer;
        None
    }

    /// A record that holds these results, as JSON text. `None` where each result is a record itself.
    fn carrier(&self, results: &[String]) -> Option<String> {
        let _ = results;
        None
    }

    /// More edits, after the rest is known: links to records that are gone, for example.
    ///
    /// # Errors
    ///
    /// When they cannot be made.
    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        let _ = (edited, view);
        Ok(())
    }
}

/// A layout with its spelling: the lens of a format.
#[derive(Debug)]
pub struct LayoutLens<S> {
    layout: Layout,
    spelling: S,
}

impl<S> LayoutLens<S> {
    /// The layout.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How new records are spelled.
    pub const fn spelling(&self) -> &S {
        &self.spelling
    }
}

impl Layout {
    /// The lens that this layout is with a spelling.
    #[must_use]
    pub const fn spelled<S: Spelling>(self, spelling: S) -> LayoutLens<S> {
        LayoutLens { layout: self, spelling }
    }
}

impl<S: Spelling> Lens for LayoutLens<S> {
    fn render(&self, view: &View<'_>) -> Result<Splices, FormatError> {
        let mut edited = self.layout.edit(view, &self.spelling)?;
        let gone = edited.gone.clone();
        self.spelling.finish(&mut edited, view)?;
        self.layout.note_removed(&gone, &mut edited);
        Ok(edited.into_splices(&self.layout, view.text()))
    }

    fn mend(&self, mends: &[Mend], view: &View<'_>) -> Option<Mended> {
        Some(self.layout.mend(mends, view, &self.spelling))
    }

    fn standings(&self) -> Vec<Standing> {
        self.layout.standings()
    }
}
