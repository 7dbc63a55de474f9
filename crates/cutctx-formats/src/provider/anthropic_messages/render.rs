//! Fates to edits of a request.

use alloc::string::String;

use super::MessagesLens;
use crate::error::FormatError;
use crate::outcome::Slot;
use crate::provider::blocks::edit_content;
use crate::provider::conversation::{Entry, MessageEditor};
use crate::raw::{Object, Splices, quoted};
use crate::view::View;

pub(super) fn render(lens: &MessagesLens, view: &View<'_>) -> Result<Splices, FormatError> {
    if let Some(turn) = (0..lens.outside).find(|turn| !view.is_kept(*turn)) {
        return Err(FormatError::Unchangeable { format: "anthropic-messages", turn });
    }
    lens.conversation.render(view, lens)
}

impl MessageEditor for MessagesLens {
    fn edit(
        &self,
        view: &View<'_>,
        entry: &Entry,
        slots: &[Slot],
        splices: &mut Splices,
    ) -> Result<(), FormatError> {
        let message = Object::parse(entry.message.of(view.text()), entry.message.start);
        let message = message.map_err(|error| FormatError::syntax(error, view.text()))?;
        let in_loop = self.conversation.message_of(entry.turns.start) > self.loop_start;
        if let Some(content) = message.get("content") {
            edit_content(view, content.span(), slots, in_loop, splices);
        }
        Ok(())
    }

    /// The one role that may stand anywhere: user messages in a row are joined by the provider.
    fn summary(&self, text: &str) -> String {
        [r#"{"role":"user","content":"#, &quoted(text), "}"].concat()
    }
}
