//! Messages, texts, results and arguments in which there is nothing, or the wrong thing.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Case, Note, Step};
use crate::layout::Mend;
use crate::repair::change::RepairKind;
use crate::repair::outline::{Message, Part};
use crate::rules::names::{
    BLANK_TEXT, EMPTY_CONTENT, EMPTY_MESSAGE, EMPTY_RESULT, INVALID_ARGUMENTS, PREFILL_ENDS_BLANK,
    RESULT_NOT_AN_OBJECT,
};

/// What the result of a call says that gave nothing.
const NO_OUTPUT: &str = "(no output)";

pub(super) fn plan(case: &Case<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (index, message) in case.breaking(&[EMPTY_CONTENT, EMPTY_MESSAGE]) {
        if !message.is_pinned {
            steps.push(message_gone(index));
        }
    }
    for (index, message) in case.breaking(&[BLANK_TEXT]) {
        steps.extend(blank_texts(index, message));
        steps.extend(
            message
                .results()
                .filter_map(|(part, result)| Some(filled(index, part, result.full.as_deref()?, &result.id))),
        );
    }
    for (index, message) in case.breaking(&[EMPTY_RESULT]) {
        let empty = message.results().filter(|(_, result)| result.has_no_content);
        steps.extend(empty.map(|(part, result)| filled(index, part, &[], &result.id)));
    }
    for (index, message) in case.breaking(&[RESULT_NOT_AN_OBJECT]) {
        steps.extend(message.results().map(|(part, result)| framed(index, part, &result.id)));
    }
    for (index, message) in case.breaking(&[INVALID_ARGUMENTS]) {
        steps.extend(wrapped(index, message));
    }
    if steps.is_empty() {
        steps.extend(case.breaking(&[PREFILL_ENDS_BLANK]).into_iter().filter_map(|(i, m)| trimmed(i, m)));
    }
    steps
}

fn message_gone(message: usize) -> Step {
    Step::new(Mend::RemoveMessage { message }, Note::new(RepairKind::RemovedEmptyMessage, message))
}

/// Blank texts go; a message of nothing else goes with them.
fn blank_texts(index: usize, message: &Message) -> Vec<Step> {
    let is_blank = |part: &Part| matches!(part, Part::Text { is_blank: true });
    if message.is_pinned {
        return Vec::new();
    }
    if message.parts.iter().all(is_blank) {
        return alloc::vec![message_gone(index)];
    }
    let blank = message.parts.iter().enumerate().filter(|(_, part)| is_blank(part));
    let step = |(part, _)| {
        let note = Note::new(RepairKind::RemovedBlankText, index);
        Step::new(Mend::Remove { message: index, part }, note)
    };
    blank.map(step).collect()
}

/// A result of which these parts hold something.
fn filled(message: usize, part: usize, full: &[usize], id: &str) -> Step {
    let mend = if full.is_empty() {
        Mend::Say { message, part, text: String::from(NO_OUTPUT) }
    } else {
        Mend::KeepInner { message, part, inner: full.to_vec() }
    };
    Step::new(mend, Note::of_call(RepairKind::FilledResult, message, id))
}

fn framed(message: usize, part: usize, id: &str) -> Step {
    Step::new(Mend::Frame { message, part }, Note::of_call(RepairKind::WrappedResult, message, id))
}

fn wrapped(index: usize, message: &Message) -> Vec<Step> {
    let wrapped = message.calls().filter_map(|(part, call)| {
        let mend = Mend::Arguments { message: index, part, json: call.wrapped.clone()? };
        Some(Step::new(mend, Note::of_call(RepairKind::WrappedArguments, index, &call.id)))
    });
    wrapped.collect()
}

fn trimmed(index: usize, message: &Message) -> Option<Step> {
    let part = message.parts.len().checked_sub(1)?;
    let text = message.trimmed.clone().filter(|text| !text.is_empty())?;
    let mend = Mend::Say { message: index, part, text };
    Some(Step::new(mend, Note::new(RepairKind::TrimmedText, index)))
}
