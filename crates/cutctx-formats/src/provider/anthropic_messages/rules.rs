//! What the Anthropic Messages API refuses.
//!
//! Rules: `first_not_user`, `unanswered_call` (the next message lacks a result), `orphan_result` (the message before
//! has no such call), `result_not_first`, `empty_content`, `blank_text`, `prefill_ends_blank`, `reasoning_not_first`
//! (in the turn that is still going on, an assistant message with thinking must start with it). Neighbouring messages
//! of one role count as one, as the API joins them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::raw::{Node, Object, Span};
use crate::violation::Violation;

pub(super) fn violations(messages: &[Span], text: &str) -> Vec<Violation> {
    let mut groups = Groups::default();
    for (record, place) in messages.iter().enumerate() {
        let Ok(message) = Object::parse(place.of(text), place.start) else { continue };
        let role = message.owned("role").unwrap_or_default();
        groups.push(role, record, place.start, message.get("content").as_slice());
    }
    groups.violations()
}

/// Messages as they are sent, neighbours of one role joined.
#[derive(Debug, Default)]
pub(crate) struct Groups(Vec<Group>);

impl Groups {
    /// Adds a message with its contents.
    pub(crate) fn push(&mut self, role: String, record: usize, offset: usize, contents: &[Node<'_>]) {
        let blocks: Vec<Block> = contents.iter().copied().flat_map(blocks).collect();
        let empty_messages = usize::from(blocks.is_empty());
        match self.0.last_mut() {
            Some(group) if group.role == role => {
                group.blocks.extend(blocks);
                group.empty_messages = group.empty_messages.saturating_add(empty_messages);
            }
            _ => self.0.push(Group { role, record, offset, blocks, empty_messages }),
        }
    }

    /// Puts the results of every message before everything else that it holds, as clients do that join messages.
    pub(crate) fn put_results_first(&mut self) {
        for group in &mut self.0 {
            group.blocks.sort_by_key(|block| !matches!(block, Block::Result(_)));
        }
    }

    /// What the provider refuses.
    pub(crate) fn violations(&self) -> Vec<Violation> {
        broken_rules(&self.0)
    }
}

fn broken_rules(groups: &[Group]) -> Vec<Violation> {
    let mut found = Vec::new();
    if let Some(first) = groups.first().filter(|group| group.role != "user") {
        found.push(first.broken("first_not_user"));
    }
    for (index, group) in groups.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| groups.get(before));
        content_rules(group, &mut found);
        result_rules(group, before, &mut found);
        let last = index.saturating_add(1) == groups.len();
        if last && group.ends_blank() {
            found.push(group.broken("prefill_ends_blank"));
        }
        call_rules(group, groups.get(index.saturating_add(1)), &mut found);
    }
    reasoning_rule(groups, &mut found);
    found
}

/// Neighbouring messages of one role.
#[derive(Debug)]
struct Group {
    role: String,
    record: usize,
    offset: usize,
    blocks: Vec<Block>,
    empty_messages: usize,
}

#[derive(Debug)]
enum Block {
    Text { blank: bool, ends_blank: bool },
    Call(String),
    Result(String),
    Thinking,
    Other,
}

impl Group {
    const fn broken(&self, rule: &'static str) -> Violation {
        Violation::new(rule, self.record, self.offset)
    }

    fn calls(&self) -> impl Iterator<Item = &str> {
        self.blocks
            .iter()
            .filter_map(|block| if let Block::Call(id) = block { Some(id.as_str()) } else { None })
    }

    fn results(&self) -> impl Iterator<Item = &str> {
        self.blocks
            .iter()
            .filter_map(|block| if let Block::Result(id) = block { Some(id.as_str()) } else { None })
    }

    fn ends_blank(&self) -> bool {
        self.role == "assistant" && matches!(self.blocks.last(), Some(Block::Text { ends_blank: true, .. }))
    }
}

fn blocks(content: Node<'_>) -> Vec<Block> {
    if let Some(text) = content.string() {
        return if text.is_empty() { Vec::new() } else { alloc::vec![text_block(&text)] };
    }
    let nodes = content.array().ok().flatten().unwrap_or_default();
    nodes.iter().filter_map(|node| node.object().ok().flatten()).map(|block| block_of(&block)).collect()
}

fn block_of(block: &Object<'_>) -> Block {
    match block.string("type").as_deref() {
        Some("text") => text_block(&block.string("text").unwrap_or_default()),
        Some("tool_use") => Block::Call(block.owned("id").unwrap_or_default()),
        Some("tool_result") => Block::Result(block.owned("tool_use_id").unwrap_or_default()),
        Some("thinking" | "redacted_thinking") => Block::Thinking,
        _ => Block::Other,
    }
}

fn text_block(text: &str) -> Block {
    Block::Text { blank: text.trim().is_empty(), ends_blank: text.ends_with(char::is_whitespace) }
}

fn content_rules(group: &Group, found: &mut Vec<Violation>) {
    found.extend((0..group.empty_messages).map(|_| group.broken("empty_content")));
    let blank = group.blocks.iter().filter(|block| matches!(block, Block::Text { blank: true, .. }));
    found.extend(blank.map(|_| group.broken("blank_text")));
}

fn result_rules(group: &Group, before: Option<&Group>, found: &mut Vec<Violation>) {
    let mut known: Vec<&str> = before.map(|before| before.calls().collect()).unwrap_or_default();
    known.sort_unstable();
    let orphans = group.results().filter(|id| known.binary_search(id).is_err());
    found.extend(orphans.map(|_| group.broken("orphan_result")));
    let mut rest = group.blocks.iter().skip_while(|block| matches!(block, Block::Result(_)));
    if rest.any(|block| matches!(block, Block::Result(_))) {
        found.push(group.broken("result_not_first"));
    }
}

fn call_rules(group: &Group, after: Option<&Group>, found: &mut Vec<Violation>) {
    let mut answered: Vec<&str> = after.map(|after| after.results().collect()).unwrap_or_default();
    answered.sort_unstable();
    let open = group.calls().filter(|id| answered.binary_search(id).is_err());
    found.extend(open.map(|_| group.broken("unanswered_call")));
}

/// In the turn that is still going on, thinking comes first.
fn reasoning_rule(groups: &[Group], found: &mut Vec<Violation>) {
    let person = groups.iter().rposition(|group| group.role == "user" && group.blocks.iter().any(is_said));
    let current = groups.iter().skip(person.map_or(0, |index| index.saturating_add(1)));
    for group in current.filter(|group| group.role == "assistant") {
        let starts = matches!(group.blocks.first(), Some(Block::Thinking));
        if !starts && group.blocks.iter().any(|block| matches!(block, Block::Thinking)) {
            found.push(group.broken("reasoning_not_first"));
        }
    }
}

const fn is_said(block: &Block) -> bool {
    matches!(block, Block::Text { .. } | Block::Other)
}
