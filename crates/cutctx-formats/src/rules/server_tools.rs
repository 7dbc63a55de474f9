//! Tools that the provider runs: call and result stand in one message of the model.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::blocks::blocks;
use super::findings::Findings;
use super::joined::{Group, Side};
use super::names::{ORPHAN_SERVER_RESULT, UNANSWERED_SERVER_CALL};
use super::sent::{Message, Part, Sent};

/// A server's call and its result stand in the same message of the model. Only in the last one may a call be open: the
/// provider paused and goes on.
pub(super) fn are_paired(sent: &Sent<'_>, groups: &[Group<'_>], found: &mut Findings) {
    let last = groups.len().saturating_sub(1);
    for (index, group) in groups.iter().enumerate().filter(|(_, group)| group.side == Side::Model) {
        let uses_server = |part: &Part| matches!(part, Part::ServerResult) || is_server_call(part);
        if !group.parts().any(uses_server) {
            continue;
        }
        let Pairs { open, orphans } = pairs(sent, group);
        for message in orphans {
            found.broken(ORPHAN_SERVER_RESULT, message);
        }
        for message in open.into_iter().filter(|_| index < last) {
            found.broken(UNANSWERED_SERVER_CALL, message);
        }
    }
}

const fn is_server_call(part: &Part) -> bool {
    matches!(part, Part::Call(call) if call.server_side)
}

/// What has no partner, by message.
#[derive(Debug, Default)]
struct Pairs<'m> {
    open: Vec<&'m Message>,
    orphans: Vec<&'m Message>,
}

/// By id where the record shows all blocks, otherwise by number.
fn pairs<'m>(sent: &Sent<'_>, group: &Group<'m>) -> Pairs<'m> {
    let mut calls: BTreeSet<_> = BTreeSet::new();
    let mut pairs = Pairs::default();
    let mut callers = Vec::new();
    for message in group.messages {
        let own = blocks(sent, message);
        if own.len() != message.parts.len() {
            return by_number(group);
        }
        for (block, part) in own.iter().zip(&message.parts) {
            if is_server_call(part) {
                let id = block.owned("id").unwrap_or_default();
                calls.insert(id.clone());
                callers.push((id, message));
            } else if matches!(part, Part::ServerResult)
                && !calls.remove(&block.owned("tool_use_id").unwrap_or_default())
            {
                pairs.orphans.push(message);
            }
        }
    }
    pairs.open =
        callers.into_iter().filter(|(id, _)| calls.contains(id)).map(|(_, message)| message).collect();
    pairs
}

fn by_number<'m>(group: &Group<'m>) -> Pairs<'m> {
    let mut pairs = Pairs::default();
    for message in group.messages {
        for part in &message.parts {
            if is_server_call(part) {
                pairs.open.push(message);
            } else if matches!(part, Part::ServerResult) && pairs.open.pop().is_none() {
                pairs.orphans.push(message);
            }
        }
    }
    pairs
}
