//! Results of tools made shorter.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{DurableText, Message, MessagePart, RoundMessage as _, ToolResultPart};
use cutctx_types::{Role, Sha256Digest};

/// A result of at most so many characters stays: a stub would save little.
const SHORT: usize = 160;

/// How much of the digest a stub shows, in hex digits.
const DIGITS: usize = 12;

/// The message with stubs in place of its long results. `None` where there is nothing to gain.
pub(super) fn stubbed(message: &Message) -> Option<Message> {
    rewritten(message, |result| (result.content.chars().nth(SHORT).is_some()).then(|| stub(result)))
}

/// The message with head and tail of results that have more than so many characters. `None` where there are none.
pub(super) fn clipped(message: &Message, most: usize) -> Option<Message> {
    rewritten(message, |result| {
        let text = text_within(&result.content, most);
        (text.len() < result.content.len()).then_some(text)
    })
}

fn stub(result: &ToolResultPart) -> String {
    let digest = Sha256Digest::of_bytes(result.content.as_bytes()).to_hex();
    let digest = digest.get(..DIGITS).unwrap_or_default();
    format!(
        "[{} gave {} characters, cut here; sha256 {digest}]",
        &*result.tool_name,
        result.content.chars().count()
    )
}

fn rewritten(message: &Message, text: impl Fn(&ToolResultPart) -> Option<String>) -> Option<Message> {
    if message.role() != Role::Tool {
        return None;
    }
    let mut changed = false;
    let parts: Vec<MessagePart> = message
        .content()
        .iter()
        .map(|part| {
            let MessagePart::ToolResult(result) = part else { return part.clone() };
            let Some(content) = text(result).and_then(|text| DurableText::new(text).ok()) else {
                return part.clone();
            };
            changed = true;
            let mut shorter = result.clone();
            shorter.content = content;
            shorter.into()
        })
        .collect();
    changed.then(|| Message::from_pieces(Role::Tool, parts))
}

/// What stands between head and tail.
const CUT: &str = "\n…\n";

/// Head and tail of a text, of at most so many characters.
pub(super) fn text_within(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.into();
    }
    let room = most.saturating_sub(CUT.chars().count());
    let (head, tail) = (room.div_ceil(2), room / 2);
    if tail == 0 {
        return "…".into();
    }
    let head_end = text.char_indices().nth(head).map_or(text.len(), |(at, _)| at);
    let tail_start = text.char_indices().nth_back(tail.saturating_sub(1)).map_or(0, |(at, _)| at);
    [text.get(..head_end).unwrap_or_default(), CUT, text.get(tail_start..).unwrap_or_default()].concat()
}
