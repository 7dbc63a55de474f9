//! What a compactor is told when it is asked about itself.

use alloc::sync::Arc;

use cutctx_messages::{Message, MessagePart};
use cutctx_types::Role;

use super::stored::Stored;
use crate::compaction::{CompactionFacts, ContextCompactor};
use crate::project::strip_old_file_attachments;
use crate::request::ContextRequest;

/// What a compactor says of itself, and what was sent last, where it wants that.
#[derive(Debug)]
pub(crate) struct Answers {
    pub(crate) progress_key: Option<Arc<str>>,
    pub(crate) bounded_input: Option<bool>,
    pub(crate) cache_prefix: Option<Arc<[Message]>>,
}

/// Asks a compactor about itself.
pub(crate) fn ask(
    compactor: &dyn ContextCompactor,
    request: &ContextRequest,
    stored: &Stored,
    max_attachment_results: usize,
) -> Answers {
    let mut facts = CompactionFacts {
        session: &request.session,
        usage: &request.context_usage,
        has_existing_summary: stored.summary.is_some(),
        was_exhausted: stored.exhausted.is_some(),
        force_bounded_compaction: request.force_bounded_compaction,
        has_structured_output_instruction: request.pressure_overhead.structured_output_instruction.is_some(),
        has_peer_content: request.messages.iter().any(has_peer_content),
        has_cache_prefix: false,
    };
    let wanted = compactor.wants_cache_prefix(&facts);
    let cache_prefix = if wanted { cache_prefix(request, max_attachment_results) } else { None };
    facts.has_cache_prefix = cache_prefix.is_some();
    Answers {
        progress_key: compactor.progress_key(&facts).map(|key| key.as_str().into()),
        bounded_input: compactor.bounded_input(&facts),
        cache_prefix,
    }
}

fn has_peer_content(message: &Message) -> bool {
    message.content().iter().any(|part| matches!(part, MessagePart::PeerContent(_)))
}

/// What was sent last, followed by what came since. `None` where it cannot be told message by message.
fn cache_prefix(request: &ContextRequest, max_attachment_results: usize) -> Option<Arc<[Message]>> {
    let messages = &request.messages;
    let coverage = request.context_usage.input_coverage.as_ref();
    let cursor = match coverage {
        Some(coverage) => usize::try_from(coverage.transcript_cursor()).ok()?,
        None => {
            before_the_reply(messages, usize::try_from(request.context_usage.last_transcript_cursor?).ok()?)?
        }
    };
    let (sent, since) = messages.split_at_checked(cursor).filter(|_| cursor > 0)?;
    let sent = strip_old_file_attachments(sent, max_attachment_results).ok()?;
    if let Some(coverage) = coverage {
        coverage.tail(&sent).filter(|tail| tail.is_empty())?;
    }
    Some([&sent, since].concat().into())
}

/// Without the reply that the cursor stands behind.
fn before_the_reply(messages: &[Message], cursor: usize) -> Option<usize> {
    let last = messages.get(cursor.checked_sub(1)?)?;
    Some(cursor.saturating_sub(usize::from(last.role() == Role::Assistant)))
}
