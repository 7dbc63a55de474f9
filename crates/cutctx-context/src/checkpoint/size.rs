//! Which end of the transcript stays in size mode: one pass over suffix sums.

use alloc::vec::Vec;

use cutctx_messages::{Message, MessageError};
use cutctx_types::Role;

use super::projection::Source;
use super::settings::{CheckpointCompactionSettings, SizeMode};
use super::stored::Stored;
use crate::estimate::{AttachmentFloors, ContextUsageState, ObservedDeltaContextEstimator};
use crate::measure::pressure;
use crate::policy::ContextBuildError;
use crate::project::{Answered, ProjectionError, Stripped, strip_old_file_attachments, without_prompt_files};
use crate::request::ContextRequest;

/// Where what stays begins, and whether that is small enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) cursor: usize,
    pub(super) target_satisfied: bool,
}

/// Chooses where what stays begins; `None` where nothing triggers.
pub(super) fn select(
    settings: &CheckpointCompactionSettings,
    request: &ContextRequest,
    stored: &Stored,
    head: usize,
    boundaries: &[usize],
) -> Result<Option<Chosen>, ContextBuildError> {
    let Some(size) = settings.size else { return Ok(None) };
    let source = Source { messages: &request.messages, head, settings };
    let now = pressure(request, &source.shown_without_peers(stored)?, settings.reserved_output_tokens)?;
    let is_full = now.estimated_context_window_tokens >= size.compact_after_estimated_context_tokens;
    if !is_full && !request.force_compaction && !request.force_bounded_compaction {
        return Ok(None);
    }
    let is_wide = now.estimated_context_input_tokens > size.max_recent_context_tokens;
    let last_round = is_full || is_wide || request.force_bounded_compaction;
    let cursors = candidates(&request.messages, stored.cursor, boundaries, last_round);
    let mut scale = Scale::new(request, source, stored)?;
    Ok(Some(choose(settings, size, stored, cursors, |cursor| scale.tokens(cursor))?))
}

/// The boundaries behind what is compacted. The end is one only where the last message may go as well.
fn candidates<'b>(
    messages: &[Message],
    compacted: usize,
    boundaries: &'b [usize],
    last_round: bool,
) -> impl Iterator<Item = usize> + 'b {
    let end = messages.len();
    let ends_with_user = messages.last().is_some_and(|message| message.role() == Role::User);
    let may_end = last_round && !ends_with_user;
    boundaries.iter().copied().filter(move |cursor| *cursor > compacted && (*cursor < end || may_end))
}

fn choose(
    settings: &CheckpointCompactionSettings,
    size: SizeMode,
    stored: &Stored,
    cursors: impl Iterator<Item = usize>,
    mut tokens: impl FnMut(usize) -> Result<u64, ContextBuildError>,
) -> Result<Chosen, ContextBuildError> {
    let kept = size.max_recent_context_tokens;
    let mut smallest: Option<(u64, usize)> = None;
    for cursor in cursors {
        let taken = tokens(cursor)?;
        if taken.saturating_add(settings.reserved_summary_tokens) <= kept {
            return Ok(Chosen { cursor, target_satisfied: true });
        }
        if smallest.is_none_or(|(least, _)| taken <= least) {
            smallest = Some((taken, cursor));
        }
    }
    Ok(smallest.map_or(Chosen { cursor: stored.cursor, target_satisfied: false }, |(taken, cursor)| Chosen {
        cursor,
        target_satisfied: taken <= kept,
    }))
}

/// What each candidate takes. All candidates have the same head and summary and differ in where the rest begins; what
/// of the rest keeps its files does not depend on that.
struct Scale<'r> {
    request: &'r ContextRequest,
    source: Source<'r>,
    summary: Message,
    /// For each message, what it and all behind it take.
    behind: Vec<u64>,
    answered: Answered,
    /// What stands before the rest, with the head's files and with a note in their place.
    before: [u64; 2],
}

impl<'r> Scale<'r> {
    fn new(
        request: &'r ContextRequest,
        source: Source<'r>,
        stored: &Stored,
    ) -> Result<Self, ContextBuildError> {
        let summary = source.summary_message(stored.summary.as_deref())?;
        let messages = source.messages;
        let answered = Answered::of(messages);
        let stripped = Stripped::of(messages, &answered, source.settings.max_attachment_results)?;
        let floors = &request.pressure_overhead.floors;
        let mut behind = alloc::vec![0_u64; messages.len().saturating_add(1)];
        let mut total = 0_u64;
        for at in (source.head..messages.len()).rev() {
            let taken = stripped.shown(messages, at).map_or(Ok(0), |message| taken(message, floors))?;
            total = total.saturating_add(taken);
            if let Some(sum) = behind.get_mut(at) {
                *sum = total;
            }
        }
        let before = before(request, source, &summary)?;
        Ok(Self { request, source, summary, behind, answered, before })
    }

    /// What the context takes whose rest begins at this message, without what is kept free.
    fn tokens(&mut self, cursor: usize) -> Result<u64, ContextBuildError> {
        if self.request.place_runtime_context.is_some() || self.is_the_transcript(cursor) {
            return self.measured(cursor);
        }
        let [live, noted] = self.before;
        let before = if self.answered.is_answered_from(cursor) { noted } else { live };
        Ok(before.saturating_add(self.behind.get(cursor).copied().unwrap_or(0)))
    }

    /// Whether the candidate is the transcript itself, by chance: the provider's count then holds for it.
    fn is_the_transcript(&self, cursor: usize) -> bool {
        let head = self.source.head;
        cursor == head.saturating_add(1) && self.source.messages.get(head) == Some(&self.summary)
    }

    /// The same, by making the context.
    fn measured(&self, cursor: usize) -> Result<u64, ContextBuildError> {
        let messages = self.source.messages;
        let head = messages.get(..self.source.head).unwrap_or_default();
        let rest = messages.get(cursor..).unwrap_or_default();
        let candidate = [head, core::slice::from_ref(&self.summary), rest].concat();
        let shown = strip_old_file_attachments(&candidate, self.source.settings.max_attachment_results)?;
        Ok(pressure(self.request, &shown, 0)?.estimated_context_input_tokens)
    }
}

/// What stands before the rest takes, and what a request holds besides messages.
fn before(
    request: &ContextRequest,
    source: Source<'_>,
    summary: &Message,
) -> Result<[u64; 2], ProjectionError> {
    let overhead = &request.pressure_overhead;
    let estimator = ObservedDeltaContextEstimator::default();
    let besides = estimator.full(&ContextUsageState::unknown(), 0, (0, 0), overhead, 0);
    let fixed = besides.estimated_context_input_tokens.saturating_add(taken(summary, &overhead.floors)?);
    let (mut live, mut noted) = (fixed, fixed);
    for message in source.messages.get(..source.head).unwrap_or_default() {
        let full = taken(message, &overhead.floors)?;
        let note = without_prompt_files(message)?;
        live = live.saturating_add(full);
        noted = noted.saturating_add(note.map_or(Ok(full), |note| taken(&note, &overhead.floors))?);
    }
    Ok([live, noted])
}

fn taken(message: &Message, floors: &AttachmentFloors) -> Result<u64, MessageError> {
    let estimator = ObservedDeltaContextEstimator::default();
    let files = estimator.estimate_message_attachment_tokens(message, floors)?;
    Ok(estimator.estimate_message_tokens(message).saturating_add(files))
}
