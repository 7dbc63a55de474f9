//! Short spellings of messages.

use cutctx_messages::{
    CallView, DurableObject, Message, MessagePart, MessageView, PartView, ResultView, TextPart, ToolCallPart,
    ToolResultPart,
};
use cutctx_types::Role;

pub(crate) fn text(text: &str) -> MessagePart {
    TextPart::new(text).unwrap().into()
}

pub(crate) fn call(id: &str) -> MessagePart {
    ToolCallPart::new(id, "look", DurableObject::empty()).unwrap().into()
}

pub(crate) fn result(id: &str) -> MessagePart {
    ToolResultPart::new(id, "look", "seen").unwrap().into()
}

pub(crate) fn says(role: Role, said: &str) -> Message {
    Message::new(role, vec![text(said)]).unwrap()
}

pub(crate) fn calls(ids: &[&str]) -> Message {
    Message::new(Role::Assistant, ids.iter().map(|id| call(id)).collect()).unwrap()
}

pub(crate) fn results(ids: &[&str]) -> Message {
    Message::new(Role::Tool, ids.iter().map(|id| result(id)).collect()).unwrap()
}

pub(crate) fn view(role: Role, parts: Vec<PartView<'static>>) -> MessageView<'static> {
    MessageView::new(role, parts)
}

pub(crate) fn call_view(id: &'static str) -> CallView<'static> {
    CallView::new(id, "look", "{}")
}

pub(crate) fn calls_view(ids: &[&'static str]) -> MessageView<'static> {
    view(Role::Assistant, ids.iter().map(|id| PartView::ToolCall(call_view(id))).collect())
}

pub(crate) fn result_view(id: &'static str) -> PartView<'static> {
    PartView::ToolResult(ResultView::new(id, "seen"))
}

pub(crate) fn says_view(role: Role, said: &'static str) -> MessageView<'static> {
    view(role, vec![PartView::text(said)])
}
