//! Calls: those that a client answers and those that the provider runs.

use alloc::borrow::Cow;
use alloc::string::String;

use cutctx_messages::{CallState, CallView, Media, MediaKind, PartView};

use super::content::{as_text, block};
use crate::layout::{Draft, Place, Unit};
use crate::provider::data_link::sized;
use crate::raw::{Kind, Node, Object};

/// A shell action that does nothing.
const NO_SHELL: &str = r#"{"type":"exec","command":[],"env":{}}"#;

/// An action on a computer that does nothing.
const NO_ACTION: &str = r#"{"type":"wait"}"#;

/// A patch that changes nothing.
const NO_PATCH: &str = r#"{"type":"update_file","path":"","diff":""}"#;

/// Adds a call that the client answers; `aborted` when the file says that it was stopped.
pub(super) fn add_call<'a>(item: &Object<'a>, unit: Unit, aborted: bool, draft: &mut Draft<'a>) {
    let kind = item.string("type").unwrap_or_default();
    let (arguments, place) = match kind.as_ref() {
        "custom_tool_call" => {
            let input = item.get("input");
            (input.map(as_text), Place::call(unit, input.map(|input| input.span()), r#""""#))
        }
        "local_shell_call" => shell(item, "command", NO_SHELL, unit),
        "shell_call" => shell(item, "commands", r#"{"commands":[]}"#, unit),
        "computer_call" => whole(item.get("action"), NO_ACTION, unit),
        "apply_patch_call" => whole(item.get("operation"), NO_PATCH, unit),
        "mcp_approval_request" => (item.get("arguments").map(as_text), Place::call(unit, None, "")),
        _ => {
            let arguments = item.get("arguments");
            let none = arguments.map_or("{}", |arguments| spelled_like(arguments));
            (arguments.map(as_text), Place::call(unit, arguments.map(|value| value.span()), none))
        }
    };
    if matches!(kind.as_ref(), "tool_search_call" | "mcp_approval_request") {
        draft.message.pinned = true;
    }
    let call = CallView::new(call_id(item), name(item, &kind), arguments.unwrap_or_default());
    let call = if kind == "mcp_approval_request" { call.in_state(CallState::AwaitingPerson) } else { call };
    let call = if aborted { call.in_state(CallState::Aborted) } else { call };
    draft.add(PartView::ToolCall(call), place);
}

/// No arguments, in the kind of value that the arguments are.
fn spelled_like(arguments: Node<'_>) -> &'static str {
    if arguments.kind() == Kind::String { r#""{}""# } else { "{}" }
}

/// Arguments that are one object, which says nothing when it is spelled as none.
fn whole<'a>(arguments: Option<Node<'a>>, none: &'static str, unit: Unit) -> (Option<Cow<'a, str>>, Place) {
    let said = arguments.map(as_text).filter(|said| said != none);
    (said, Place::call(unit, arguments.map(|arguments| arguments.span()), none))
}

/// A shell call says its commands; the rest of its action is how they are run.
fn shell<'a>(
    item: &Object<'a>,
    commands: &str,
    none: &'static str,
    unit: Unit,
) -> (Option<Cow<'a, str>>, Place) {
    let action = item.get("action");
    let said = action.and_then(|action| action.object().ok()??.get(commands));
    let said = said.map(as_text).filter(|said| said != "[]");
    (said, Place::call(unit, action.map(|action| action.span()), none))
}

/// The id that the answer names.
fn call_id<'a>(item: &Object<'a>) -> Cow<'a, str> {
    item.string("call_id").or_else(|| item.string("id")).unwrap_or_default()
}

/// The tool, or what the item is.
fn name<'a>(item: &Object<'a>, kind: &str) -> Cow<'a, str> {
    let function = || item.get("function")?.object().ok()??.string("name");
    let kind = || Cow::Owned(String::from(kind.strip_suffix("_call").unwrap_or(kind)));
    item.string("name").or_else(function).unwrap_or_else(kind)
}

/// Adds a call that the provider ran, with the result that stands in the same item, or something unknown.
pub(super) fn add_server<'a>(item: &Object<'a>, node: Node<'a>, place: Place, draft: &mut Draft<'a>) {
    let kind = item.string("type").unwrap_or_default();
    draft.message.pinned |= kind == "item_reference";
    if !kind.ends_with("_call") {
        return draft.add(PartView::Media(block(kind, node)), place);
    }
    let said = ["action", "queries", "code", "arguments", "input"].iter().find_map(|key| item.get(key));
    let said = said.filter(|said| !said.is_null()).map(as_text).unwrap_or_default();
    draft.add(PartView::ToolCall(CallView::new(call_id(item), name(item, &kind), said).on_server()), place);
    if kind == "image_generation_call" {
        return draft.add(PartView::Media(sized(Media::new(MediaKind::Image), item.get("result"))), place);
    }
    let result = ["outputs", "results", "output", "error"].iter().find_map(|key| item.get(key));
    if let Some(result) = result.filter(|result| !result.is_null()) {
        draft.add(PartView::Media(block("result", result)), place);
    }
}
