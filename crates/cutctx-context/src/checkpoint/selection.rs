//! How much is to be compacted.

use cutctx_messages::{Message, system_prefix};
use cutctx_types::Role;

use super::settings::CheckpointCompactionSettings;
use super::size;
use super::stored::Stored;
use crate::policy::ContextBuildError;
use crate::project::recent_turns;
use crate::request::ContextRequest;

/// How much is to be compacted, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Selection {
    /// What earlier builds left.
    pub(super) stored: Stored,
    /// The first message that stays word for word.
    pub(super) compactable: usize,
    /// Whether there is enough of it.
    pub(super) triggered: bool,
    /// Whether tokens triggered: the context must then keep to its bounds.
    pub(super) by_size: bool,
    /// Whether what stays is small enough, as far as can be told before.
    pub(super) target_satisfied: bool,
}

/// How many of the first messages are always shown: those of the system, and in size mode the user's first.
pub(super) fn head(settings: &CheckpointCompactionSettings, messages: &[Message]) -> usize {
    let system = system_prefix(messages);
    let asks = messages.get(system).is_some_and(|message| message.role() == Role::User);
    system.saturating_add(usize::from(settings.size.is_some() && asks))
}

/// Count mode: what is older than the last turns of the user.
pub(super) fn by_count(
    settings: &CheckpointCompactionSettings,
    messages: &[Message],
    first: usize,
    stored: Stored,
) -> Selection {
    let body = messages.get(first..).unwrap_or_default();
    let older = recent_turns(body, settings.max_user_turns).unwrap_or(0);
    let compactable = first.saturating_add(older);
    let stored = if stored.cursor > compactable { Stored::nothing(first) } else { stored };
    let triggered = older >= settings.compact_after_messages;
    Selection { stored, compactable, triggered, by_size: false, target_satisfied: false }
}

/// Size mode: as little as makes what stays small enough.
pub(super) fn by_size(
    settings: &CheckpointCompactionSettings,
    request: &ContextRequest,
    stored: Stored,
    head: usize,
    boundaries: &[usize],
) -> Result<Selection, ContextBuildError> {
    let chosen = size::select(settings, request, &stored, head, boundaries)?;
    Ok(match chosen {
        None => Selection {
            compactable: stored.cursor,
            stored,
            triggered: false,
            by_size: false,
            target_satisfied: false,
        },
        Some(size::Chosen { cursor, target_satisfied }) => {
            Selection { compactable: cursor, stored, triggered: true, by_size: true, target_satisfied }
        }
    })
}
