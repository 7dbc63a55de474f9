//! Conversations as session files hold them: with gaps, and out of order.

use serde_json::Value;

use crate::laws::Dice;

/// Takes some messages out and swaps some: orphans, open calls, results far from their calls.
pub(crate) fn shaken(mut messages: Vec<Value>, dice: &mut Dice) -> Vec<Value> {
    for _ in 0..dice.roll(4) {
        let place = dice.roll(messages.len());
        if messages.len() > 2 {
            messages.remove(place);
        }
        let (one, other) = (dice.roll(messages.len()), dice.roll(messages.len()));
        messages.swap(one, other);
    }
    messages
}
