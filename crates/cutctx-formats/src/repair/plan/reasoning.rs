//! Reasoning that its provider does not take as it stands: it goes, with all of its turn.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::format::Dialect;
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::outline::{Message, Part, Side};
use crate::rules::names::{REASONING_NOT_FIRST, REASONING_WITHOUT_ITEM, SIGNATURE_MISSING};

pub(super) fn plan(case: &Case<'_>) -> Vec<Step> {
    match case.dialect {
        Dialect::Anthropic | Dialect::Bedrock => of_turns(case),
        Dialect::OpenAiResponses => without_item(case),
        Dialect::Free | Dialect::OpenAiChat | Dialect::Gemini => Vec::new(),
    }
}

/// The reasoning of the turns in which a breach is.
fn of_turns(case: &Case<'_>) -> Vec<Step> {
    let breaking: BTreeSet<usize> = case
        .breaking(&[REASONING_NOT_FIRST, SIGNATURE_MISSING])
        .into_iter()
        .map(|(index, _)| index)
        .collect();
    if breaking.is_empty() {
        return Vec::new();
    }
    let listed: Vec<(usize, &Message)> = case.outline.listed().collect();
    let turns = listed.chunk_by(|_, (_, next)| !next.speaks());
    let broken = turns.filter(|turn| turn.iter().any(|(index, _)| breaking.contains(index)));
    let messages =
        broken.flatten().filter(|(_, message)| message.side() == Side::Model && !message.is_pinned);
    messages.flat_map(|(index, message)| removed(*index, message, 0)).collect()
}

/// The reasoning that a message ends with.
fn without_item(case: &Case<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (index, message) in case.breaking(&[REASONING_WITHOUT_ITEM]) {
        let is_other = |part: &Part| !matches!(part, Part::Reasoning);
        let tail = message.parts.iter().rposition(is_other).map_or(0, |last| last.saturating_add(1));
        if !message.is_pinned {
            steps.extend(removed(index, message, tail));
        }
    }
    steps
}

fn removed(index: usize, message: &Message, from: usize) -> Vec<Step> {
    let parts = message.parts.iter().enumerate().skip(from);
    let reasoning = parts.filter(|(_, part)| matches!(part, Part::Reasoning));
    let step = |(part, _)| {
        let note = Note::new(RepairKind::RemovedReasoning, index);
        Step::new(Mend::Remove { message: index, part }, note)
    };
    reasoning.map(step).collect()
}
