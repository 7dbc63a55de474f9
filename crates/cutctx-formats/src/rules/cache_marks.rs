//! Marks that say up to where a prompt is to be cached.

use alloc::vec::Vec;

use super::blocks::{blocks, inner_blocks, objects};
use super::findings::Findings;
use super::names::{CACHE_MARK_ON_REASONING, TOO_MANY_CACHE_MARKS};
use super::sent::Sent;
use crate::raw::Object;

/// How many marks a request may have.
const MOST_MARKS: usize = 4;

/// `cache_control` on tools, system blocks and content blocks: at most four, none on reasoning.
pub(super) fn on_blocks(sent: &Sent<'_>, found: &mut Findings) {
    const KEY: &str = "cache_control";
    if !sent.text.contains(KEY) {
        return;
    }
    let is_marked = |block: &Object<'_>| block.get(KEY).is_some_and(|mark| !mark.is_null());
    let outside = outside(sent, &["tools", "system"]);
    let on_request = usize::from(sent.request.as_ref().is_some_and(is_marked));
    let mut marks = outside.iter().filter(|block| is_marked(block)).count().saturating_add(on_request);
    for message in &sent.messages {
        let own = blocks(sent, message);
        let marked: Vec<&Object<'_>> = own.iter().filter(|block| is_marked(block)).collect();
        let reasoning = marked.iter().filter(|block| is_reasoning(block)).count();
        (0..reasoning).for_each(|_| found.broken(CACHE_MARK_ON_REASONING, message));
        let inner = inner_blocks(sent, message).iter().filter(|block| is_marked(block)).count();
        for _ in 0..marked.len().saturating_add(inner) {
            marks = marks.saturating_add(1);
            if marks > MOST_MARKS {
                found.broken(TOO_MANY_CACHE_MARKS, message);
            }
        }
    }
}

/// Blocks that are a mark: at most four.
pub(super) fn as_blocks(sent: &Sent<'_>, found: &mut Findings) {
    const KEY: &str = "cachePoint";
    if !sent.text.contains(KEY) {
        return;
    }
    let config = sent.request.as_ref().and_then(|request| request.get("toolConfig")?.object().ok().flatten());
    let tools = config.and_then(|config| config.get("tools")).map(objects).unwrap_or_default();
    let outside = outside(sent, &["system"]);
    let mut marks = tools.iter().chain(&outside).filter(|block| block.has(KEY)).count();
    for message in &sent.messages {
        for _ in blocks(sent, message).iter().filter(|block| block.has(KEY)) {
            marks = marks.saturating_add(1);
            if marks > MOST_MARKS {
                found.broken(TOO_MANY_CACHE_MARKS, message);
            }
        }
    }
}

/// The blocks in these lists of the request.
fn outside<'t>(sent: &Sent<'t>, keys: &[&str]) -> Vec<Object<'t>> {
    let lists = keys.iter().filter_map(|key| sent.request.as_ref()?.get(key));
    lists.flat_map(objects).collect()
}

fn is_reasoning(block: &Object<'_>) -> bool {
    matches!(block.string("type").as_deref(), Some("thinking" | "redacted_thinking"))
}
