//! The last messages, and the last turns of the user.

use alloc::vec::Vec;

use cutctx_messages::{ContextError, Message, check_context, system_prefix};
use cutctx_types::Role;

use super::error::ProjectionError;
use crate::setting::positive;

/// The longest end of a list that has at most so many messages and cuts no tool round.
///
/// The system messages that the list begins with are kept (or all left out, where `preserve_system` is off). They
/// count, but at least one other message stays. Nothing is ever added to complete a round: a round that does not fit
/// goes whole. What is left out need not be well formed. Linear in messages.
///
/// ```
/// use cutctx_context::trim_context_messages;
/// use cutctx_messages::{Message, TextPart};
/// use cutctx_types::Role;
///
/// let say = |text: &str| Message::new(Role::User, vec![TextPart::new(text)?.into()]);
/// let messages = [say("one")?, say("two")?, say("three")?];
/// assert_eq!(trim_context_messages(&messages, 2, true)?, messages[1..]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ProjectionError::Setting`] for zero messages, [`ProjectionError::Context`] where all messages fit and are not well
/// formed, [`ProjectionError::CannotTrim`] where no end is short enough and well formed.
pub fn trim_context_messages(
    messages: &[Message],
    max_messages: usize,
    preserve_system: bool,
) -> Result<Vec<Message>, ProjectionError> {
    let max_messages = positive("max_messages", max_messages)?;
    let (system, body) = split(messages, preserve_system);
    if system.len().saturating_add(body.len()) <= max_messages {
        return whole(system, body);
    }
    let limit = max_messages.saturating_sub(system.len()).max(1);
    let start = body.len().saturating_sub(limit);
    let valid = first_valid_end(body, start).and_then(|at| body.get(at..));
    valid.map(|end| [system, end].concat()).ok_or(ProjectionError::CannotTrim { max_messages })
}

/// The last turns of the user, where each message of the user begins one.
///
/// What stands before the first message of the user is kept only when nothing is trimmed. Linear in messages.
///
/// # Errors
///
/// [`ProjectionError::Setting`] for zero turns, [`ProjectionError::Context`] when the messages are not well formed, or
/// nothing of them is left.
pub fn trim_context_turns(
    messages: &[Message],
    max_user_turns: usize,
    preserve_system: bool,
) -> Result<Vec<Message>, ProjectionError> {
    let max_user_turns = positive("max_user_turns", max_user_turns)?;
    check_context(messages)?;
    let (system, body) = split(messages, preserve_system);
    let start = recent_turns(body, max_user_turns).unwrap_or(0);
    let shown = [system, body.get(start..).unwrap_or_default()].concat();
    if shown.is_empty() { Err(ContextError::Empty.into()) } else { Ok(shown) }
}

/// Where the last so many turns of the user begin, when there are more.
pub(crate) fn recent_turns(body: &[Message], turns: usize) -> Option<usize> {
    let starts: Vec<usize> = body
        .iter()
        .enumerate()
        .filter(|(_, message)| message.role() == Role::User)
        .map(|(at, _)| at)
        .collect();
    let cut = starts.len().checked_sub(turns).filter(|cut| *cut > 0)?;
    starts.get(cut).copied()
}

fn split(messages: &[Message], preserve_system: bool) -> (&[Message], &[Message]) {
    let (system, body) = messages.split_at_checked(system_prefix(messages)).unwrap_or((&[], messages));
    (if preserve_system { system } else { &[] }, body)
}

fn whole(system: &[Message], body: &[Message]) -> Result<Vec<Message>, ProjectionError> {
    let all = [system, body].concat();
    check_context(&all)?;
    Ok(all)
}

/// The first message from `start` on from which the rest is well formed: one pass from the end.
fn first_valid_end(body: &[Message], start: usize) -> Option<usize> {
    let mut found = None;
    // Whether the rest behind the next message, and the one behind that, is well formed or empty.
    let (mut behind_one, mut behind_two) = (true, false);
    for at in (start..body.len()).rev() {
        let valid = match unit(body, at) {
            Some(1) => behind_one,
            Some(_) => behind_two,
            None => false,
        };
        found = if valid { Some(at) } else { found };
        (behind_one, behind_two) = (valid, behind_one);
    }
    found
}

/// How many messages the unit has that begins here: two for a round, none where nothing can begin.
fn unit(body: &[Message], at: usize) -> Option<usize> {
    let of = |messages: usize| body.get(at..at.saturating_add(messages)).map(check_context);
    match of(1)? {
        Ok(()) => Some(1),
        Err(ContextError::DanglingCalls { .. }) => of(2)?.is_ok().then_some(2),
        Err(_) => None,
    }
}
