//! What the model is shown.

use alloc::vec::Vec;

use cutctx_messages::{Message, MessagePart, RoundMessage as _, TextPart};
use cutctx_types::Role;

use super::settings::CheckpointCompactionSettings;
use super::stored::Stored;
use crate::project::{ProjectionError, strip_old_file_attachments};

/// What stands for a summary that does not exist yet.
const PLACEHOLDER: &str = "Compacted prior context.";

/// A transcript, and which of its first messages are always shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'m> {
    pub(super) messages: &'m [Message],
    /// How many of the first messages are always shown.
    pub(super) head: usize,
    pub(super) settings: &'m CheckpointCompactionSettings,
}

impl Source<'_> {
    /// The context: the head, the summary, what other participants said in what it stands for, and the messages from
    /// here on.
    pub(super) fn shown(self, stored: &Stored, rest: usize) -> Result<Vec<Message>, ProjectionError> {
        let most = self.settings.max_attachment_results;
        let Some(summary) = &stored.summary else {
            return strip_old_file_attachments(self.messages, most);
        };
        let mut shown: Vec<Message> = self.messages.get(..self.head).unwrap_or_default().to_vec();
        shown.push(self.summary_message(Some(summary))?);
        let represented = self.messages.get(self.head..stored.cursor).unwrap_or_default();
        shown.extend(represented.iter().filter_map(peer_content));
        shown.extend_from_slice(self.messages.get(rest..).unwrap_or_default());
        strip_old_file_attachments(&shown, most)
    }

    /// The context without what other participants said in what the summary stands for: what triggers is measured on
    /// it.
    pub(super) fn shown_without_peers(self, stored: &Stored) -> Result<Vec<Message>, ProjectionError> {
        let most = self.settings.max_attachment_results;
        let Some(summary) = &stored.summary else {
            return strip_old_file_attachments(self.messages, most);
        };
        let head = self.messages.get(..self.head).unwrap_or_default();
        let summary = [self.summary_message(Some(summary))?];
        let rest = self.messages.get(stored.cursor..).unwrap_or_default();
        strip_old_file_attachments(&[head, &summary, rest].concat(), most)
    }

    /// The message that shows a summary, or the place of one.
    pub(super) fn summary_message(self, summary: Option<&str>) -> Result<Message, ProjectionError> {
        let prefix = self.settings.summary_prefix.as_str();
        let text = [prefix, "\n", summary.unwrap_or(PLACEHOLDER)].concat();
        Ok(Message::new(Role::User, [TextPart::new(text)?.into()].into())?)
    }
}

/// What other participants said in a message, as a message of its own.
fn peer_content(message: &Message) -> Option<Message> {
    let is_peer = |part: &&MessagePart| matches!(part, MessagePart::PeerContent(_));
    let parts: Vec<MessagePart> = message.content().iter().filter(is_peer).cloned().collect();
    (!parts.is_empty()).then(|| Message::from_pieces(Role::Assistant, parts))
}
