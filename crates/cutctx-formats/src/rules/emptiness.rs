//! Messages, texts and results in which there is nothing.

use super::blocks::{content, inner_blocks};
use super::findings::Findings;
use super::joined::Side;
use super::names::{BLANK_TEXT, EMPTY_CONTENT, EMPTY_MESSAGE, EMPTY_RESULT, PREFILL_ENDS_BLANK};
use super::sent::{Message, Part, Sent};

/// No message is without parts. The model's last one may be: it asks for nothing but an answer.
pub(super) fn contents(sent: &Sent<'_>, found: &mut Findings) {
    let last = sent.messages.len().saturating_sub(1);
    for message in &sent.messages {
        let is_prefill = message.index == last && message.is_models();
        if !is_prefill && (message.parts.is_empty() || is_empty_string(sent, message)) {
            found.broken(EMPTY_CONTENT, message);
        }
    }
}

/// Whether the content is a string and empty, not a list with an empty text in it.
fn is_empty_string(sent: &Sent<'_>, message: &Message) -> bool {
    let [Part::Text(only)] = message.parts.as_slice() else { return false };
    only.is_empty && content(sent, message).is_some_and(|content| content.text() == r#""""#)
}

/// No text is blank.
pub(super) fn texts(sent: &Sent<'_>, found: &mut Findings) {
    for message in &sent.messages {
        let blank = |part: &&Part| matches!(part, Part::Text(text) if text.is_blank);
        let count = message.parts.iter().filter(blank).count();
        if count > 0 && !is_empty_string(sent, message) {
            (0..count).for_each(|_| found.broken(BLANK_TEXT, message));
        }
    }
}

/// No text in the list that a result is, is empty. A result that is an empty string is none of these.
pub(super) fn texts_in_results(sent: &Sent<'_>, found: &mut Findings) {
    let suspicious = |message: &&Message| message.results().any(|result| result.has_empty_text);
    for message in sent.messages.iter().filter(suspicious) {
        let blocks = inner_blocks(sent, message);
        let empty = blocks.iter().filter(|block| block.string("text").is_some_and(|text| text.is_empty()));
        empty.for_each(|_| found.broken(BLANK_TEXT, message));
    }
}

/// The model's messages say or call something.
pub(super) fn models_messages(sent: &Sent<'_>, found: &mut Findings) {
    for message in sent.messages.iter().filter(|message| message.is_models()) {
        let says = message.parts.iter().any(|part| !matches!(part, Part::Reasoning | Part::SignedReasoning));
        let sounds =
            || sent.record(message).and_then(|record| record.get("audio")).is_some_and(|it| !it.is_null());
        if !says && !sounds() {
            found.broken(EMPTY_MESSAGE, message);
        }
    }
}

/// Every result has a content, be it an empty text.
pub(super) fn results(messages: &[Message], found: &mut Findings) {
    for message in messages {
        for result in message.results().filter(|result| result.has_no_content) {
            found.broken_by(EMPTY_RESULT, message, &result.id);
        }
    }
}

/// What the model is to go on with does not end in white space.
pub(super) fn prefill(messages: &[Message], found: &mut Findings) {
    let Some(last) = messages.last().filter(|message| Side::of(message.role) == Side::Model) else { return };
    if matches!(last.parts.last(), Some(Part::Text(text)) if text.ends_blank) {
        found.broken(PREFILL_ENDS_BLANK, last);
    }
}
