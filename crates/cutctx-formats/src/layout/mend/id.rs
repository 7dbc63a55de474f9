//! Where the id of a call stands.

use alloc::vec::Vec;

use crate::raw::{Kind, Node, Span};

/// The keys under which ids of calls stand.
const KEYS: [&str; 5] = ["id", "call_id", "tool_call_id", "tool_use_id", "toolUseId"];

/// What tools are given and give; ids in there are none of ours.
const CLOSED: [&str; 6] = ["arguments", "input", "args", "content", "response", "output"];

/// How deep ids stand within a record, at most: a record, its list of calls, a call, what is called.
const DEPTH: usize = 4;

/// The JSON string in an element that names the call of this id; of several the last one before `arguments`, and
/// where there are none the first one.
pub(super) fn id_of(element: &str, start: usize, id: &str, arguments: Option<Span>) -> Option<Span> {
    let leading = element.len().saturating_sub(element.trim_start().len());
    let node = Node::trusted(element.trim(), start.saturating_add(leading));
    let mut found = Vec::new();
    collect(node, id, DEPTH, &mut found);
    let holds = |span: &&(Span, Span)| {
        arguments.is_none_or(|inside| span.1.start <= inside.start && inside.end <= span.1.end)
    };
    found.iter().filter(holds).min_by_key(|(_, around)| around.len()).map(|(span, _)| *span)
}

/// The strings that are this id, each with the object around it.
fn collect(node: Node<'_>, id: &str, depth: usize, found: &mut Vec<(Span, Span)>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match node.kind() {
        Kind::Object => {
            let Ok(Some(object)) = node.object() else { return };
            for key in KEYS {
                if let Some(value) = object.get(key).filter(|value| value.is_string(id)) {
                    found.push((value.span(), node.span()));
                }
            }
            for member in object.members() {
                if !CLOSED.iter().any(|key| member.key.is_string(key)) {
                    collect(member.value, id, depth, found);
                }
            }
        }
        Kind::Array => {
            for element in node.array().ok().flatten().unwrap_or_default() {
                collect(element, id, depth, found);
            }
        }
        Kind::String | Kind::Number | Kind::Bool | Kind::Null => {}
    }
}
