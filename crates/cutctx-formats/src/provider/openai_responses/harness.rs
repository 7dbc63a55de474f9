//! What a harness says in the user's place.

use cutctx_messages::{MessageView, Origin, PartView};

pub(crate) use crate::injected::origin_of;

/// Where the words of a user message come from, by its first part.
pub(super) fn origin(message: &MessageView<'_>) -> Origin {
    match message.parts.first() {
        Some(PartView::Text(text)) => origin_of(text),
        _ => Origin::Person,
    }
}
