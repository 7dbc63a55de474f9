//! What sort of item something is.

use alloc::borrow::Cow;

use crate::raw::{Kind, Object};

/// What an item is to a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// What a user says.
    User,
    /// What a system or developer prompt says.
    System,
    /// A message that the model gave out.
    Answer {
        /// Whether nothing of the same response follows it.
        last: bool,
    },
    /// A message that a client put into the model's mouth.
    Quote,
    /// Reasoning.
    Reasoning,
    /// A call that the client answers.
    Call,
    /// The answer to one.
    Output,
    /// A call that the provider ran, or its result.
    Server,
    /// A search for tools, which loads them, when the provider runs it.
    ServerSearch,
    /// Tools that a developer adds on the way.
    Tools,
    /// What stands for everything before it.
    Compaction,
    /// What the model is not sent.
    Ballast,
    /// A kind that is not known.
    Unknown,
}

/// The kind of an item; `None` when it is none.
pub(crate) fn item_kind(item: &Object<'_>) -> Option<ItemKind> {
    let kind = item.string("type");
    Some(match kind.as_deref() {
        None | Some("message") => return message_kind(item, kind.is_some()),
        Some("reasoning") => ItemKind::Reasoning,
        Some("tool_search_call" | "tool_search_output") if is_on_server(item) => ItemKind::ServerSearch,
        Some("additional_tools") => ItemKind::Tools,
        Some("compaction" | "compaction_summary" | "context_compaction") => ItemKind::Compaction,
        Some("compaction_trigger" | "ghost_snapshot" | "other") => ItemKind::Ballast,
        Some(
            "web_search_call"
            | "file_search_call"
            | "code_interpreter_call"
            | "image_generation_call"
            | "mcp_list_tools"
            | "mcp_call"
            | "item_reference",
        ) => ItemKind::Server,
        Some("tool_search_output" | "tool_result" | "mcp_approval_response") => ItemKind::Output,
        Some("tool_call" | "mcp_approval_request") => ItemKind::Call,
        Some(kind) if kind.ends_with("_call_output") => ItemKind::Output,
        Some(kind) if kind.ends_with("_call") && item.has("call_id") => ItemKind::Call,
        Some(_) => ItemKind::Unknown,
    })
}

fn is_on_server(item: &Object<'_>) -> bool {
    item.get("execution").is_some_and(|execution| execution.is_string("server"))
        || item.get("call_id").is_none_or(|id| id.is_null())
}

fn message_kind(item: &Object<'_>, typed: bool) -> Option<ItemKind> {
    match item.string("role")?.as_ref() {
        "user" => Some(ItemKind::User),
        "system" | "developer" => Some(ItemKind::System),
        "assistant" if typed && is_list(item) => {
            let last = item.get("phase").is_some_and(|phase| phase.is_string("final_answer"));
            Some(ItemKind::Answer { last })
        }
        "assistant" => Some(ItemKind::Quote),
        _ => None,
    }
}

fn is_list(item: &Object<'_>) -> bool {
    item.get("content").is_some_and(|content| content.kind() == Kind::Array)
}

/// Whether an object is an item that only this API has.
pub(super) fn is_marked(item: &Object<'_>) -> bool {
    let kind = item.string("type").unwrap_or(Cow::Borrowed(""));
    match kind.as_ref() {
        "reasoning" => item.has("summary"),
        "message" => is_list(item) && item.has("role") && speaks_in_parts(item),
        "web_search_call"
        | "file_search_call"
        | "code_interpreter_call"
        | "image_generation_call"
        | "local_shell_call"
        | "computer_call"
        | "mcp_call"
        | "mcp_list_tools"
        | "tool_search_call" => true,
        "compaction" => item.has("encrypted_content"),
        kind if kind.ends_with("_call") => item.has("call_id"),
        kind if kind.ends_with("_call_output") => item.has("call_id") && item.has("output"),
        _ => item.has("role") && speaks_in_parts(item),
    }
}

/// Whether its content has parts that are named as this API names them.
fn speaks_in_parts(item: &Object<'_>) -> bool {
    let parts = item.get("content").and_then(|content| content.array().ok().flatten()).unwrap_or_default();
    parts
        .iter()
        .filter_map(|part| part.object().ok()??.string("type"))
        .any(|kind| matches!(kind.as_ref(), "input_text" | "output_text" | "input_image" | "input_file"))
}
