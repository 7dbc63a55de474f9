//! A file that was read: its turns and the way back.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use std::fs::File;
use std::io;

use cutctx_messages::MessageEstimator;
use cutctx_types::{CharRatioEstimator, Transcript};

use crate::ballast::Ballast;
use crate::declared::{DeclaredTool, declared_tools};
use crate::detect::{detect, named};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{Format, Lens, Reading};
use crate::inventory::Inventory;
use crate::layout::{Mend, Mended};
use crate::marker::Marker;
use crate::note::{Note, notes_of};
use crate::opening::Opening;
use crate::raw::{Memo, SpliceError, Splices};
use crate::rendering::RenderRequest;
use crate::request::{Observer, ReadRequest, Seen};
use crate::rules::{self, Severity};
use crate::signed_reasoning::SignedReasoning;
use crate::source::{self, OpenOptions, Source};
use crate::usage::Usage;
use crate::view::View;
use crate::violation::Violation;
use cutctx_exec::Fate;

/// A session file: its text, its turns, and the index by which it is written back.
#[derive(Debug)]
pub struct Session {
    source: Source,
    format: &'static dyn Format,
    transcript: Transcript,
    lens: Box<dyn Lens>,
    conversations: usize,
    /// The one that was asked for.
    conversation: Option<usize>,
    usages: Vec<Usage>,
}

/// Keeps what providers counted, and hands everything on.
struct Keeper<'r> {
    next: Option<&'r dyn Observer>,
    usages: RefCell<Vec<Usage>>,
}

impl Observer for Keeper<'_> {
    fn message(&self, seen: &Seen<'_>) {
        if let Some(next) = self.next {
            next.message(seen);
        }
    }

    fn usage(&self, usage: &Usage) {
        self.usages.borrow_mut().push(*usage);
        if let Some(next) = self.next {
            next.usage(usage);
        }
    }

    fn marker(&self, marker: &Marker) {
        if let Some(next) = self.next {
            next.marker(marker);
        }
    }
}

/// The text that a caller supplies for a group of summarized turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a summary is a text for a group")]
pub struct SummaryText<'a> {
    /// The group's id.
    pub group: &'a str,
    /// The summary. In provider formats a blank one leaves no record, because providers refuse blank text.
    pub text: &'a str,
}

impl Session {
    /// Reads a file that holds one conversation, recognising its format from its content.
    ///
    /// # Errors
    ///
    /// When it is no UTF-8, no JSON, of no known format, or has a record that cannot be read.
    pub fn read(bytes: impl Into<Vec<u8>>, estimator: &dyn MessageEstimator) -> Result<Self, FormatError> {
        Self::read_with(None, bytes, &ReadRequest::new(estimator))
    }

    /// Reads a file as one of this format, whatever it looks like.
    ///
    /// # Errors
    ///
    /// When it is no UTF-8, no JSON, or has a record that cannot be read so.
    pub fn read_as(
        format: &'static dyn Format,
        bytes: impl Into<Vec<u8>>,
        estimator: &dyn MessageEstimator,
    ) -> Result<Self, FormatError> {
        Self::read_with(Some(format), bytes, &ReadRequest::new(estimator))
    }

    /// Reads a file as one of this format, or of the one that its content shows; the request says which of several
    /// conversations, and who sees the messages.
    ///
    /// # Errors
    ///
    /// As [`Session::read`], and when the conversation that was asked for does not exist.
    pub fn read_with(
        format: Option<&'static dyn Format>,
        bytes: impl Into<Vec<u8>>,
        request: &ReadRequest<'_>,
    ) -> Result<Self, FormatError> {
        Self::of_source(Source::of_bytes(bytes.into())?, format, request)
    }

    /// Opens a file as [`Session::read_with`] reads one. Of a large file of lines, whose format says what it reads of
    /// a line ([`Format::worth`]), only that is held, and the file is read again when the session is written. Until
    /// then it must not change. Where somebody sees the messages, the whole file is held.
    ///
    /// # Errors
    ///
    /// As [`Session::read_with`], and when the file cannot be read or changes meanwhile.
    pub fn open(
        format: Option<&'static dyn Format>,
        file: File,
        request: &ReadRequest<'_>,
        options: &OpenOptions<'_>,
    ) -> Result<Self, FormatError> {
        let options =
            if request.observer.is_some() { options.with_small_bytes(usize::MAX) } else { *options };
        let (source, format) = source::open(file, format, &options)?;
        Self::of_source(source, format, request)
    }

    fn of_source(
        source: Source,
        format: Option<&'static dyn Format>,
        request: &ReadRequest<'_>,
    ) -> Result<Self, FormatError> {
        let memo = Memo::default();
        let document =
            Document::remembered_in(&memo, source.text()).map_err(|error| named(error, source.text()))?;
        let format = format.map_or_else(|| detect(&document), Ok)?;
        if let Some(opening) = request.opening {
            opening(&Opening::new(format, &document));
        }
        let keeper = Keeper { next: request.observer, usages: RefCell::default() };
        let kept = ReadRequest { observer: Some(&keeper), ..*request };
        let Reading { transcript, lens, conversations } = source.read(format, &kept, &document)?;
        if let Some(wanted) = request.conversation.filter(|wanted| *wanted >= conversations.max(1)) {
            let at = document.start();
            return Err(FormatError::NoSuchConversation { at, wanted, conversations });
        }
        let (usages, conversation) = (keeper.usages.into_inner(), request.conversation);
        Ok(Self { source, format, transcript, lens, conversations, conversation, usages })
    }

    /// The file's format.
    #[must_use]
    pub fn format(&self) -> &'static dyn Format {
        self.format
    }

    /// How many conversations the file holds. The session is one of them; rendering leaves the others as they are.
    #[must_use]
    pub const fn conversations(&self) -> usize {
        self.conversations
    }

    /// Which conversation of the file was asked for, from 0.
    #[must_use]
    pub const fn conversation(&self) -> Option<usize> {
        self.conversation
    }

    /// The turns of the context, in order.
    #[must_use]
    pub const fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What the provider counted for requests of which the file tells it, in order: anchors for estimates. Each covers
    /// the turns before [`Usage::first_turn`].
    #[must_use]
    pub fn usages(&self) -> &[Usage] {
        &self.usages
    }

    /// The tools that the file defines, where it is a request with definitions in it: a part of every request that is
    /// no turn.
    #[must_use]
    pub fn declared_tools(&self) -> Vec<DeclaredTool> {
        if self.is_abridged() { Vec::new() } else { declared_tools(self.text()) }
    }

    /// The text of the file as it was read. Of a large file that was opened it is what is held: see
    /// [`Session::is_abridged`].
    #[must_use]
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// Whether only a part of the file's text is held. The turns are whole in any case.
    #[must_use]
    pub const fn is_abridged(&self) -> bool {
        self.source.is_abridged()
    }

    /// Whether this is the file that the session was opened from, unchanged as far as its length and its time tell.
    /// False for a session that is held whole: compare its [`Session::text`].
    ///
    /// # Errors
    ///
    /// When the file cannot be looked at.
    pub fn was_read_from(&self, file: &File) -> io::Result<bool> {
        self.source.is_of(file)
    }

    /// The size of the file, in bytes.
    #[must_use]
    pub const fn file_bytes(&self) -> usize {
        self.source.length()
    }

    /// How much of the file the model sees, in bytes of the turns' text. Copies for a user interface, escapes and
    /// structure do not count.
    #[must_use]
    pub fn context_bytes(&self) -> usize {
        self.transcript.turns().iter().map(|turn| turn.content().len()).fold(0, usize::saturating_add)
    }

    /// Where the file breaks the rules of its provider; empty when it would be accepted.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        let mut found = self.lint();
        found.retain(|violation| violation.rule.severity == Severity::Refused);
        found
    }

    /// Where the file breaks any rule, also those whose breaches are mended without a word, or are signs only. The file
    /// is read once more for it.
    #[must_use]
    pub fn lint(&self) -> Vec<Violation> {
        let found = rules::lint(self.format, self.text(), self.conversation).unwrap_or_default();
        found.into_iter().map(|violation| self.source.in_file(violation)).collect()
    }

    /// What the file holds beside what turns tell: open calls, the kinds of media, and earlier compactions. The file is
    /// read once more for it.
    ///
    /// # Errors
    ///
    /// When that fails, which it does not for a file that was read before.
    pub fn inventory(&self) -> Result<Inventory, FormatError> {
        Inventory::of(self.format, self.text(), &self.transcript, self.conversation)
            .map(|inventory| inventory.moved(|place| self.source.offset(place)))
    }

    /// What of the file is no context, and what that is. The file is gone through once more for it.
    ///
    /// # Errors
    ///
    /// When a file of which only a part is held cannot be read any more.
    pub fn ballast(&self) -> Result<Ballast, FormatError> {
        Ballast::of(&self.source, &self.lens.standings())
    }

    /// The file with these fates, one a turn, and these summaries. Where the format stores estimates, new text is
    /// counted as one token for four characters.
    ///
    /// # Errors
    ///
    /// When the number of fates is wrong, a group has no text, or a turn cannot have its fate in this format.
    pub fn render(
        &self,
        fates: &[Fate<'_>],
        summaries: &[SummaryText<'_>],
    ) -> Result<Rendered<'_>, FormatError> {
        self.render_with(fates, summaries, &CharRatioEstimator::default())
    }

    /// All of the file's text, also where only a part of it is held.
    pub(crate) fn whole_text(&self) -> Result<Cow<'_, str>, FormatError> {
        if !self.is_abridged() {
            return Ok(Cow::Borrowed(self.text()));
        }
        let fates = alloc::vec![Fate::Kept; self.transcript.turns().len()];
        Ok(Cow::Owned(self.render(&fates, &[])?.to_text()))
    }

    /// The edits that mend the file; `None` where its format has only fates.
    pub(crate) fn mend(&self, mends: &[Mend]) -> Result<Option<Mended>, FormatError> {
        let fates = alloc::vec![Fate::Kept; self.transcript.turns().len()];
        let estimator = CharRatioEstimator::default();
        let view = self.view(&RenderRequest::new(&fates, &estimator))?;
        Ok(self.lens.mend(mends, &view))
    }

    /// The edits that rendering with these fates makes.
    pub(crate) fn edits(&self, fates: &[Fate<'_>]) -> Result<Splices, FormatError> {
        let estimator = CharRatioEstimator::default();
        let view = self.view(&RenderRequest::new(fates, &estimator))?;
        self.lens.render(&view)
    }

    fn view<'v>(&'v self, request: &RenderRequest<'v>) -> Result<View<'v>, FormatError> {
        let rule = SignedReasoning::of(self.format.about().dialect);
        View::new(&self.source, &self.transcript, request, rule)
    }

    /// As [`Session::render`], with the estimator for formats that store estimates.
    ///
    /// # Errors
    ///
    /// As [`Session::render`].
    pub fn render_with(
        &self,
        fates: &[Fate<'_>],
        summaries: &[SummaryText<'_>],
        estimator: &dyn MessageEstimator,
    ) -> Result<Rendered<'_>, FormatError> {
        self.render_as(&RenderRequest::new(fates, estimator).with_summaries(summaries))
    }

    /// As [`Session::render`], with all that can be asked for.
    ///
    /// # Errors
    ///
    /// As [`Session::render`].
    pub fn render_as(&self, request: &RenderRequest<'_>) -> Result<Rendered<'_>, FormatError> {
        let source = &self.source;
        let splices = self.lens.render(&self.view(request)?)?.ordered(source.text());
        let in_file = |error: SpliceError| FormatError::from(error).moved(|offset| source.offset(offset));
        let splices = splices.map_err(in_file)?;
        source.check()?;
        let notes = notes_of(&splices, source);
        Ok(Rendered { source, splices, notes })
    }
}

/// A file as it is to be written: what was read and the edits of it.
#[derive(Debug)]
pub struct Rendered<'s> {
    source: &'s Source,
    splices: Splices,
    notes: Vec<Note>,
}

impl Rendered<'_> {
    /// Writes the file.
    ///
    /// # Errors
    ///
    /// Those of `out`. Of a session that was opened from a file also a [`FormatError`] inside of an I/O error, where
    /// the file cannot be read any more or has changed.
    pub fn write_to(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        self.source.write(&self.splices, out)
    }

    /// The file as one string. Of a session that was opened from a file it is what could be read again; there
    /// [`Rendered::write_to`] is the better way.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::with_capacity(self.source.length());
        // Writing to memory does not fail; what a file has that cannot be read is documented above.
        self.write_to(&mut bytes).unwrap_or(());
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// What was changed beside what the fates of the turns say, kind by kind.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the file is what was read.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.splices.is_empty()
    }

    /// The byte offset of the first change; `None` when nothing changed.
    #[must_use]
    pub fn first_changed_byte(&self) -> Option<usize> {
        self.splices.first_change().map(|place| self.source.offset(place))
    }
}
