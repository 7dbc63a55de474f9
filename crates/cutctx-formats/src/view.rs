//! What a lens is asked to write.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_messages::MessageEstimator;
use cutctx_types::{KeptPart, PartKind, Transcript, TranscriptTurn, Trim};

use crate::error::FormatError;
use crate::raw::Span;
use crate::rendering::RenderRequest;
use crate::signed_reasoning::SignedReasoning;
use crate::source::Source;
use cutctx_exec::Fate;

/// The fates of all turns with the texts of the summaries, as a lens sees them.
pub struct View<'v> {
    source: &'v Source,
    transcript: &'v Transcript,
    fates: &'v [Fate<'v>],
    summaries: BTreeMap<&'v str, &'v str>,
    estimator: &'v dyn MessageEstimator,
    signed_reasoning: SignedReasoning,
    /// The first turn that is not kept; the number of turns where all are.
    first_change: usize,
}

impl core::fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("View").field("turns", &self.fates.len()).finish_non_exhaustive()
    }
}

impl<'v> View<'v> {
    pub(crate) fn new(
        source: &'v Source,
        transcript: &'v Transcript,
        request: &RenderRequest<'v>,
        rule: SignedReasoning,
    ) -> Result<Self, FormatError> {
        let RenderRequest { fates, summaries, estimator, .. } = *request;
        let turns = transcript.turns().len();
        if fates.len() != turns {
            return Err(FormatError::FateCount { given: fates.len(), turns });
        }
        let summaries = summaries.iter().map(|summary| (summary.group, summary.text)).collect();
        let first_change = fates.iter().position(|fate| !matches!(fate, Fate::Kept)).unwrap_or(turns);
        let signed_reasoning = request.signed_reasoning.unwrap_or(rule);
        Ok(Self { source, transcript, fates, summaries, estimator, signed_reasoning, first_change })
    }

    /// The same fates over another text: one that stands inside of a value of the file.
    pub(crate) fn over<'s>(&self, source: &'s Source) -> View<'s>
    where
        'v: 's,
    {
        let summaries = self.summaries.clone();
        View { source, summaries, ..*self }
    }

    /// Other fates for the same text.
    pub(crate) fn with_fates<'s>(&'s self, fates: &'s [Fate<'s>]) -> View<'s> {
        let first_change = fates.iter().position(|fate| !matches!(fate, Fate::Kept)).unwrap_or(fates.len());
        View { fates, first_change, summaries: self.summaries.clone(), ..*self }
    }

    /// The text that was read: of a large file what the format said that it reads ([`Worth`](crate::Worth)).
    #[must_use]
    pub fn text(&self) -> &'v str {
        self.source.text()
    }

    /// What stands in the file where `span` stands in the text, with everything that the format does not read.
    ///
    /// # Errors
    ///
    /// When the file cannot be read any more, or has changed.
    pub fn original(&self, span: Span) -> Result<Cow<'v, str>, FormatError> {
        self.source.original(span)
    }

    /// How many turns there are.
    #[must_use]
    pub const fn turns(&self) -> usize {
        self.fates.len()
    }

    /// The turn with this index.
    #[must_use]
    pub fn turn(&self, index: usize) -> Option<&'v TranscriptTurn> {
        self.transcript.turns().get(index)
    }

    /// The fate of the turn with this index; a turn that does not exist is kept.
    #[must_use]
    pub fn fate(&self, turn: usize) -> Fate<'v> {
        self.fates.get(turn).copied().unwrap_or(Fate::Kept)
    }

    /// Whether the turn is dropped or stands in a summary.
    #[must_use]
    pub fn is_gone(&self, turn: usize) -> bool {
        matches!(self.fate(turn), Fate::Dropped | Fate::SummarizedInto(_))
    }

    /// Whether the turn stays exactly as it is.
    #[must_use]
    pub fn is_kept(&self, turn: usize) -> bool {
        matches!(self.fate(turn), Fate::Kept)
    }

    /// The first turn that does not stay as it is; the number of turns where all do.
    #[must_use]
    pub const fn first_change(&self) -> usize {
        self.first_change
    }

    /// What becomes of signed reasoning behind the first change.
    #[must_use]
    pub const fn signed_reasoning(&self) -> SignedReasoning {
        self.signed_reasoning
    }

    /// The text that takes the place of a masked turn.
    #[must_use]
    pub fn replacement(&self, turn: usize) -> Option<&'v str> {
        match self.fate(turn) {
            Fate::Masked(text) => Some(text),
            Fate::Kept | Fate::Trimmed(_) | Fate::SummarizedInto(_) | Fate::Dropped => None,
        }
    }

    /// The groups with the index of their first turn, in order of appearance.
    #[must_use]
    pub fn groups(&self) -> Vec<(usize, &'v str)> {
        let mut seen = BTreeSet::new();
        let folded = self.fates.iter().enumerate().filter_map(|(turn, fate)| match fate {
            Fate::SummarizedInto(group) => Some((turn, *group)),
            Fate::Kept | Fate::Masked(_) | Fate::Trimmed(_) | Fate::Dropped => None,
        });
        folded.filter(|(_, group)| seen.insert(*group)).collect()
    }

    /// The text of a group's summary.
    ///
    /// # Errors
    ///
    /// When none was given.
    pub fn summary(&self, group: &str) -> Result<&'v str, FormatError> {
        self.summaries
            .get(group)
            .copied()
            .ok_or_else(|| FormatError::SummaryMissing { group: String::from(group) })
    }

    /// The estimate for a new text, in tokens, for formats that store estimates.
    #[must_use]
    pub fn estimate(&self, text: &str) -> u64 {
        self.estimator.text(text)
    }

    /// Whether a trim leaves media of a turn: the parts around them are then written one by one.
    pub(crate) fn keeps_media(&self, turn: usize, trim: &Trim) -> bool {
        let parts = self.turn(turn).map(TranscriptTurn::parts).unwrap_or_default();
        let is_media =
            |kept: &KeptPart| parts.get(kept.part).is_some_and(|part| part.kind == PartKind::Media);
        trim.kept.iter().any(is_media)
    }

    /// What a trim leaves of a whole turn: the text that applying the plan gives ([`Trim::cut`]), with a line `…` for
    /// every stretch that was cut out.
    #[must_use]
    pub fn kept_text(&self, turn: usize, trim: &Trim) -> String {
        self.turn(turn).map(|turn| trim.cut(turn).content).unwrap_or_default()
    }

    /// What a trim leaves of the arguments of a call, in its own spelling and with the character `…` for every stretch
    /// that was cut out: `None` when they are gone.
    pub(crate) fn kept_arguments(&self, turn: usize, part: usize, trim: &Trim) -> Option<String> {
        let turn = self.turn(turn)?;
        let bounds = part_range(turn, part);
        kept_arguments(turn.content().get(bounds.clone())?, bounds.start, kept_part(trim, part)?)
    }

    /// What a trim leaves of one part of a turn: `None` when nothing.
    #[must_use]
    pub fn kept_of_part(&self, turn: usize, part: usize, trim: &Trim) -> Option<Kept> {
        let turn = self.turn(turn)?;
        let kept = kept_part(trim, part)?;
        let whole = part_range(turn, part);
        if matches!(kept.ranges.as_slice(), [only] if *only == whole) {
            return Some(Kept::Whole);
        }
        Some(Kept::Pieces(cut(turn.content(), &whole, kept, trim)))
    }
}

/// What a trim leaves of the arguments of a call whose turn part reads `[call tool arguments]`, with the character `…`
/// for every stretch that was cut out of them; `None` where not both ends of the part stay.
fn kept_arguments(text: &str, start: usize, kept: &KeptPart) -> Option<String> {
    let (before, _) = text.strip_prefix("[call ")?.split_once(' ')?;
    let arguments = "[call  ".len().saturating_add(before.len());
    let within = |at: usize| at.saturating_sub(start);
    let (first, last) = (kept.ranges.first()?, kept.ranges.last()?);
    let has_ends =
        within(first.start) == 0 && within(first.end) >= arguments && within(last.end) == text.len();
    let mut left = String::with_capacity(text.len());
    let mut next = 0;
    for range in &kept.ranges {
        left.push_str(if within(range.start) > next { "…" } else { "" });
        left.push_str(text.get(within(range.start)..within(range.end))?);
        next = within(range.end);
    }
    left.get(arguments..)?.strip_suffix(']').filter(|_| has_ends).map(String::from)
}

/// What a trim leaves of a part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a part that is not gone is whole or in pieces")]
pub enum Kept {
    /// All of it.
    Whole,
    /// Pieces of its text, with a line `…` for every stretch that was cut out, or one that tells how much.
    Pieces(String),
}

/// The bytes of a turn's content that one of its parts covers.
fn part_range(turn: &TranscriptTurn, part: usize) -> Range<usize> {
    let parts = turn.parts();
    let start = part.checked_sub(1).and_then(|before| parts.get(before)).map_or(0, |before| before.end);
    let end = parts.get(part).map_or(turn.content().len(), |part| part.end);
    start..end
}

/// What a trim says of a part. Its parts stand in order.
pub(crate) fn kept_part(trim: &Trim, part: usize) -> Option<&KeptPart> {
    let place = trim.kept.binary_search_by_key(&part, |kept| kept.part).ok()?;
    trim.kept.get(place)
}

/// Lays what is kept of a part one after the other.
fn cut(content: &str, bounds: &Range<usize>, kept: &KeptPart, trim: &Trim) -> String {
    let mut cutter = Cutter::default();
    let text = |range: Range<usize>| content.get(range).unwrap_or_default();
    let mut next = bounds.start;
    for range in &kept.ranges {
        cutter.mark_if(text(next..range.start), trim);
        cutter.copy(text(range.clone()));
        next = range.end;
    }
    cutter.mark_if(text(next..bounds.end), trim);
    cutter.finish()
}

/// A text with marks in it.
#[derive(Debug, Default)]
struct Cutter {
    text: String,
    /// Whether the text ends with a mark's line.
    after_mark: bool,
}

impl Cutter {
    fn copy(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.after_mark &= piece.is_empty();
    }

    /// A mark stands on a line of its own; two in a row are one.
    fn mark_if(&mut self, gone: &str, trim: &Trim) {
        if gone.is_empty() || self.after_mark {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&trim.mark_of(gone));
        self.text.push('\n');
        self.after_mark = true;
    }

    fn finish(mut self) -> String {
        if self.after_mark {
            self.text.pop();
        }
        self.text
    }
}
