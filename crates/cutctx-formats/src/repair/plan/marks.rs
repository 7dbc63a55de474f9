//! Cache marks: those that are too many go, the first ones before the last ones.

use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::format::Dialect;
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::outline::Part;
use crate::rules::names::{CACHE_MARK_ON_REASONING, TOO_MANY_CACHE_MARKS};

pub(super) fn plan(case: &Case<'_>) -> Vec<Step> {
    let key = if case.dialect == Dialect::Bedrock { "cachePoint" } else { "cache_control" };
    let mut steps = Vec::new();
    for (message, view) in case.breaking(&[CACHE_MARK_ON_REASONING]) {
        let reasoning = view.parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Reasoning));
        steps.extend(reasoning.map(|(part, _)| {
            let note = Note::new(RepairKind::RemovedCacheMark, message);
            Step::new(Mend::Unmark { message, part, key }, note)
        }));
    }
    let count = case.count(TOO_MANY_CACHE_MARKS);
    if let Some((message, _)) = case.breaking(&[TOO_MANY_CACHE_MARKS]).first().filter(|_| steps.is_empty()) {
        let notes = (0..count).map(|_| Note::new(RepairKind::RemovedCacheMark, *message));
        steps.push(Step { mend: Mend::UnmarkFirst { key, count }, notes: notes.collect() });
    }
    steps
}
