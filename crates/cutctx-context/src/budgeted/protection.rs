//! What of a context is left alone: what is new, and what the user asked last.

use cutctx_types::{Role, TranscriptTurn};

use super::ledger::Shown;

/// Where the last unit begins: a turn, or a calling turn with its results.
pub(super) fn last_unit(shown: &[Shown]) -> usize {
    unit_before(shown, shown.len())
}

/// Where what is protected begins: so many messages, as long as they take no more than so much; at least the last
/// unit. The results of one turn count as one message.
pub(super) fn recent(shown: &[Shown], messages: usize, most_tokens: u64) -> usize {
    let mut first = last_unit(shown);
    let mut tokens = tokens_of(shown, first, shown.len());
    let mut count = messages_in(first, shown.len());
    while first > 0 && count < messages {
        let next = unit_before(shown, first);
        tokens = tokens.saturating_add(tokens_of(shown, next, first));
        if tokens > most_tokens {
            break;
        }
        count = count.saturating_add(messages_in(next, first));
        first = next;
    }
    first
}

/// What the user asked last, where it takes no more than so much.
pub(super) fn last_request(shown: &[Shown], most_tokens: u64) -> Option<usize> {
    let asked = shown.iter().rposition(|shown| shown.turn.role() == Role::User)?;
    shown.get(asked).is_some_and(|shown| shown.turn.token_estimate() <= most_tokens).then_some(asked)
}

/// Where the unit begins that ends before here.
fn unit_before(shown: &[Shown], end: usize) -> usize {
    let Some(last) = end.checked_sub(1) else { return 0 };
    let exchange = |at: usize| shown.get(at).and_then(|shown| shown.turn.tool_call_id());
    let Some(call) = exchange(last) else { return last };
    let before = shown.get(..last).unwrap_or_default();
    let others = before.iter().rev().take_while(|shown| shown.turn.tool_call_id() == Some(call));
    last.saturating_sub(others.count())
}

/// A unit is one message, or a calling one and one with the results.
fn messages_in(first: usize, end: usize) -> usize {
    end.saturating_sub(first).min(2)
}

fn tokens_of(shown: &[Shown], from: usize, to: usize) -> u64 {
    let shown = shown.get(from..to).unwrap_or_default();
    shown.iter().map(|shown| &shown.turn).map(TranscriptTurn::token_estimate).fold(0, u64::saturating_add)
}
