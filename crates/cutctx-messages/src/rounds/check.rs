//! One pass over a list of messages.

use alloc::vec::Vec;

use cutctx_types::Role;

use super::error::ContextError;
use super::message::{PartRole, RoundMessage};

/// Checks that a list of messages is well formed: it may be sent as it is.
///
/// * It is not empty.
/// * A message of the assistant that calls is followed at once by one message with the results of exactly its calls, in
///   whatever order. No two of its calls, and no two of the results, have the same id.
/// * There are no other results, and no message of the role `tool` elsewhere.
///
/// A later round may have an id again. Nothing is said about who speaks first or in what order, nor about names of
/// tools. Linear in messages, times the logarithm of the calls in one message.
///
/// ```
/// use cutctx_messages::{ContextError, DurableObject, Message, ToolCallPart, check_context};
/// use cutctx_types::Role;
///
/// let call = ToolCallPart::new("call_1", "measure", DurableObject::empty())?;
/// let calling = Message::new(Role::Assistant, vec![call.into()])?;
/// assert_eq!(check_context(&[calling]), Err(ContextError::DanglingCalls { message: 0 }));
/// # Ok::<(), cutctx_messages::MessageError>(())
/// ```
///
/// # Errors
///
/// [`ContextError`]: the first fault.
pub fn check_context<M: RoundMessage>(messages: &[M]) -> Result<(), ContextError> {
    if messages.is_empty() {
        return Err(ContextError::Empty);
    }
    let mut scan = Scan::default();
    messages.iter().try_for_each(|message| scan.step(message))?;
    scan.end()
}

/// Whether a list may be cut in two before the message at `cursor`: nothing stands before it, or what stands before
/// it is well formed. `false` beyond the end.
#[must_use]
pub fn is_compaction_boundary<M: RoundMessage>(messages: &[M], cursor: usize) -> bool {
    cursor == 0 || messages.get(..cursor).is_some_and(|before| check_context(before).is_ok())
}

/// All [boundaries](is_compaction_boundary) of a list, in one pass. They end where the list stops being well formed.
#[must_use]
pub fn compaction_boundaries<M: RoundMessage>(messages: &[M]) -> Vec<usize> {
    let mut boundaries = Vec::from([0]);
    let mut scan = Scan::default();
    for message in messages {
        if scan.step(message).is_err() {
            break;
        }
        boundaries.extend(scan.is_between_rounds().then_some(scan.messages));
    }
    boundaries
}

/// After how many messages a unit ends, where a unit is a calling message with its results, or any other message.
///
/// # Errors
///
/// As [`check_context`].
pub fn atomic_prefix_counts<M: RoundMessage>(messages: &[M]) -> Result<Vec<usize>, ContextError> {
    check_context(messages)?;
    let mut counts = compaction_boundaries(messages);
    counts.remove(0);
    Ok(counts)
}

/// How many messages of the role `system` the list begins with. Later ones are messages like any other.
#[must_use]
pub fn system_prefix<M: RoundMessage>(messages: &[M]) -> usize {
    messages.iter().take_while(|message| message.role() == Role::System).count()
}

/// How far a list was read, and which calls wait for their results.
#[derive(Debug, Default)]
struct Scan<'m> {
    /// The ids of the open calls, sorted; empty between rounds.
    open: Vec<&'m str>,
    messages: usize,
}

impl<'m> Scan<'m> {
    const fn is_between_rounds(&self) -> bool {
        self.open.is_empty()
    }

    /// Reads the next message.
    fn step<M: RoundMessage>(&mut self, message: &'m M) -> Result<(), ContextError> {
        let results = results_of(message);
        if self.is_between_rounds() {
            self.open_round(message, &results)?;
        } else {
            self.close_round(message, results)?;
        }
        self.messages = self.messages.saturating_add(1);
        Ok(())
    }

    fn open_round<M: RoundMessage>(&mut self, message: &'m M, results: &[&str]) -> Result<(), ContextError> {
        if message.role() == Role::Tool || !results.is_empty() {
            return Err(ContextError::OrphanResult { message: self.messages });
        }
        self.open = calls_of(message);
        if repeats(&mut self.open) {
            return Err(ContextError::DuplicateCallIds { message: self.messages });
        }
        Ok(())
    }

    fn close_round<M: RoundMessage>(
        &mut self,
        message: &M,
        mut results: Vec<&'m str>,
    ) -> Result<(), ContextError> {
        if message.role() != Role::Tool && results.is_empty() {
            return Err(ContextError::CallsWithoutResults { message: self.messages });
        }
        if repeats(&mut results) {
            return Err(ContextError::DuplicateResultIds { message: self.messages });
        }
        if results != self.open {
            return Err(ContextError::ResultIdsMismatch { message: self.messages });
        }
        self.open.clear();
        Ok(())
    }

    const fn end(&self) -> Result<(), ContextError> {
        if self.is_between_rounds() {
            return Ok(());
        }
        Err(ContextError::DanglingCalls { message: self.messages.saturating_sub(1) })
    }
}

fn calls_of<M: RoundMessage>(message: &M) -> Vec<&str> {
    ids_of(message, |part| match part {
        PartRole::Call { id, .. } => Some(id),
        PartRole::Result { .. } | PartRole::Other => None,
    })
}

fn results_of<M: RoundMessage>(message: &M) -> Vec<&str> {
    ids_of(message, |part| match part {
        PartRole::Result { id, .. } => Some(id),
        PartRole::Call { .. } | PartRole::Other => None,
    })
}

fn ids_of<'m, M: RoundMessage>(message: &'m M, id: fn(PartRole<'m>) -> Option<&'m str>) -> Vec<&'m str> {
    (0..message.part_count()).filter_map(|part| id(message.part_role(part))).collect()
}

/// Sorts ids and says whether one stands twice.
fn repeats(ids: &mut [&str]) -> bool {
    ids.sort_unstable();
    ids.windows(2).any(|pair| matches!(pair, [left, right] if left == right))
}
