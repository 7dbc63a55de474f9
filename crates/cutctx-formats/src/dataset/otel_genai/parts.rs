//! Messages with parts, in the spellings of the conventions and of Vercel's AI SDK.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{PartView, ResultView};
use cutctx_types::Role;

use super::find::{attribute, speaker};
use super::say_system;
use crate::dataset::chat::{Chat, Fault, Found, Records, first_of, role_of};
use crate::error::RecordFault;
use crate::layout::{Adding, Container, Draft, Frame, Place, Unit};
use crate::raw::{Node, Object, compact};
use crate::shapes::{call_at, medium, object_in, result_content};

/// How messages are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `{role, parts}`
    Parts,
    /// `{role, content}`
    Content,
    /// Events whose attributes are lists of keys and values.
    Listed,
}

impl Form {
    /// A message of the person.
    pub(super) const fn summary(self) -> Frame {
        match self {
            Self::Parts => {
                Frame { before: r#"{"role":"user","parts":[{"type":"text","content":"#, after: "}]}" }
            }
            Self::Content | Self::Listed => {
                Frame { before: r#"{"role":"user","content":[{"type":"text","text":"#, after: "}]}" }
            }
        }
    }

    /// An event in which the person speaks.
    pub(super) const fn summary_event(self) -> Frame {
        match self {
            Self::Listed => Frame {
                before: r#"{"name":"gen_ai.user.message","attributes":[{"key":"content","value":{"stringValue":"#,
                after: "}}]}",
            },
            Self::Parts | Self::Content => {
                Frame { before: r#"{"name":"gen_ai.user.message","attributes":{"content":"#, after: "}}" }
            }
        }
    }

    const fn text(self) -> Frame {
        match self {
            Self::Parts => Frame { before: r#"{"type":"text","content":"#, after: "}" },
            Self::Content | Self::Listed => Frame::TEXT_BLOCK,
        }
    }
}

/// A result of Vercel's SDK that is a text.
const OUTPUT: Frame = Frame { before: r#"{"type":"text","value":"#, after: "}" };

/// Reads messages with parts.
#[derive(Debug)]
pub(super) struct Dialogue {
    /// The instructions, until they were said.
    pub(super) system: Vec<String>,
    pub(super) form: Form,
}

impl Records for Dialogue {
    fn record(&mut self, chat: &mut Chat<'_>, message: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        say_system(chat, &mut self.system)?;
        let role = role_of(message.string("role").as_deref()).ok_or(RecordFault::Role)?;
        let parts = first_of(message, &["parts", "content"]);
        let Some(found) = parts.and_then(Found::at) else {
            let draft = chat.draft(role, message, unit);
            return Ok(chat.builder.push(draft)?);
        };
        let spans = found.messages.iter().map(Node::span).collect();
        let list = chat.builder.list_in(unit, Container::Array(found.list), spans, None);
        let mut draft = Draft::new(role, unit).adding(Adding::Element(list, self.form.text()));
        for (index, node) in found.messages.iter().enumerate() {
            let (part, place) = part(chat, *node, list.unit(index));
            draft.add(part, place);
        }
        Ok(chat.builder.push(draft)?)
    }
}

fn part<'a>(chat: &mut Chat<'_>, node: Node<'a>, unit: Unit) -> (PartView<'a>, Place) {
    let part = node.object().ok().flatten().unwrap_or_default();
    let said = first_of(&part, &["content", "text"]).and_then(|value| Some((value.string()?, value.span())));
    match part.string("type").as_deref() {
        Some("tool_call" | "tool-call") => {
            let name = ["name", "toolName"].iter().find_map(|key| part.string(key)).unwrap_or_default();
            let id = chat.ids.call(["id", "toolCallId"].iter().find_map(|key| part.string(key)), &name);
            call_at(id, name, first_of(&part, &["arguments", "input", "args"]), unit)
        }
        Some("tool_call_response" | "tool-result") => result(chat, &part, unit),
        Some("reasoning" | "thinking") if said.is_some() => {
            let (text, span) = said.unwrap_or_default();
            (PartView::Reasoning(text), Place::reasoning(unit, span))
        }
        _ => match said {
            Some((text, span)) => (PartView::Text(text), Place::text(unit, span)),
            None => (PartView::Media(medium(&part, node)), Place::media(unit)),
        },
    }
}

fn result<'a>(chat: &mut Chat<'_>, part: &Object<'a>, unit: Unit) -> (PartView<'a>, Place) {
    let name = part.owned("toolName").or_else(|| part.owned("name"));
    let own = ["id", "toolCallId"].iter().find_map(|key| part.string(key));
    let id = chat.ids.result(own, name.as_deref());
    let typed = object_in(part, "output").filter(|output| output.has("type") && output.has("value"));
    let (parts, place, failed) = match typed {
        None => {
            let (parts, place) = result_content(first_of(part, &["response", "result", "output"]), unit);
            (parts, place, false)
        }
        Some(output) => {
            let failed = output.string("type").is_some_and(|kind| kind.starts_with("error"));
            let (parts, place) = typed_output(&output, unit);
            (parts, place, failed)
        }
    };
    let failed = failed || part.get("isError").is_some_and(|error| error.is_true());
    (PartView::ToolResult(ResultView::with_parts(id, parts).with_name(name).with_error(failed)), place)
}

/// An output `{type, value}`.
fn typed_output<'a>(output: &Object<'a>, unit: Unit) -> (Vec<PartView<'a>>, Place) {
    let Some(value) = output.get("value") else { return (Vec::new(), Place::silent_result(unit)) };
    if let Some(text) = value.string() {
        return (alloc::vec![PartView::Text(text)], Place::result(unit, value.span(), Frame::BARE));
    }
    let text = PartView::text(compact(value.text()));
    (alloc::vec![text], Place::result(unit, output.span(), OUTPUT))
}

/// Reads events in which somebody speaks.
#[derive(Debug)]
pub(super) struct Spoken;

impl Records for Spoken {
    fn record(&mut self, chat: &mut Chat<'_>, event: &Object<'_>, unit: Unit) -> Result<(), Fault> {
        let Some(role) = role_of(speaker(event)) else { return Ok(()) };
        let content = attribute(event, "content");
        if role == Role::Tool {
            let own = attribute(event, "id").and_then(|id| id.string());
            return chat.answer(own, &Object::default(), content, unit);
        }
        let mut draft = match object_in(event, "attributes") {
            Some(attributes) => {
                let mut draft = chat.draft(role, &attributes, unit);
                chat.calls(&attributes, unit, &mut draft);
                draft
            }
            None => chat.blocks().draft(role, content, unit),
        };
        if draft.message.parts.is_empty() {
            draft.add(PartView::text(""), Place::media(unit));
        }
        Ok(chat.builder.push(draft)?)
    }
}
