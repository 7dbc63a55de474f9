//! Tools that the provider ran: a call without its result, or the reverse, goes.

use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::outline::{Message, Part};
use crate::rules::names::{ORPHAN_SERVER_RESULT, UNANSWERED_SERVER_CALL};

pub(super) fn plan(case: &Case<'_>) -> Vec<Step> {
    let breaking = case.breaking(&[ORPHAN_SERVER_RESULT, UNANSWERED_SERVER_CALL]);
    breaking.into_iter().filter(|(_, message)| !message.is_pinned).flat_map(|(i, m)| single(i, m)).collect()
}

/// The parts of a message that have no partner; when their number does not tell, all of them go.
fn single(index: usize, message: &Message) -> Vec<Step> {
    let (mut open, mut orphans, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (part, view) in message.parts.iter().enumerate() {
        match view {
            Part::Call(call) if call.is_servers => {
                open.push(part);
                all.push(part);
            }
            Part::ServerResult => {
                all.push(part);
                if open.pop().is_none() {
                    orphans.push(part);
                }
            }
            Part::Text { .. } | Part::Reasoning | Part::Call(_) | Part::Result(_) | Part::Medium => {}
        }
    }
    orphans.extend(open);
    let single = if orphans.is_empty() { all } else { orphans };
    let step = |part| {
        let note = Note::new(RepairKind::RemovedServerPart, index);
        Step::new(Mend::Remove { message: index, part }, note)
    };
    single.into_iter().map(step).collect()
}
