//! Texts made shorter.

use alloc::string::String;

use cutctx_messages::SpokenText;

/// What stands between head and tail.
const CUT: &str = "\n…\n";

/// A summary of at most so many tokens, from one that takes `tokens`.
pub(super) fn within(
    summary: &SpokenText,
    budget: u64,
    tokens: u64,
    of_text: impl Fn(&str) -> u64,
) -> Option<SpokenText> {
    let chars = u64::try_from(summary.chars().count()).unwrap_or(u64::MAX);
    let mut most = chars.saturating_mul(budget).checked_div(tokens)?;
    loop {
        let text = text_within(summary, usize::try_from(most).unwrap_or(usize::MAX));
        if of_text(&text) <= budget || most == 0 {
            return SpokenText::new(text).ok();
        }
        most = most.saturating_sub(most.div_ceil(8));
    }
}

/// Head and tail of a text, of at most so many characters.
fn text_within(text: &str, most: usize) -> String {
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
