//! Chat messages to turns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, PartView, ResultView};
use cutctx_types::{Role, Transcript};

use super::Chat;
use crate::document::Document;
use crate::error::{FormatError, RecordFault};
use crate::format::Reading;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, List, Place, Unit};
use crate::provider::conversations::Conversations;
use crate::provider::data_link::{by_link, detail, sized};
use crate::provider::message_list::{MessageList, require_list};
use crate::raw::{Member, Node, Object, compact};
use crate::request::ReadRequest;

/// The format's name in errors.
const NAME: &str = "openai-chat";

/// A message that has no content yet gets one.
const CONTENT: Frame = Frame { before: r#""content":"#, after: "" };

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    match Conversations::find(document) {
        Some(conversations) => {
            let chosen = request.choose(conversations.count(), document.start())?;
            let list = conversations.messages(chosen, NAME, document)?;
            Ok(read_list(&list, document, request)?.of(conversations.count()))
        }
        None => read_list(require_list(document)?, document, request),
    }
}

fn read_list(
    list: &MessageList<'_>,
    document: &Document<'_>,
    request: &ReadRequest<'_>,
) -> Result<Reading, FormatError> {
    let mut builder = LayoutBuilder::new(NAME, request);
    let records = builder.list(list.container, list.messages.iter().map(|(record, _)| *record).collect());
    for (index, (_, node)) in list.messages.iter().enumerate() {
        let message = Reader { builder: &mut builder, record: records.unit(index) };
        let draft = message
            .draft(*node)
            .map_err(|fault| FormatError::record(NAME, fault, node.start(), index, document.text()))?;
        builder.push(draft)?;
    }
    let (mapped, layout) = builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Chat)))
}

/// Reads one message.
struct Reader<'b, 'r> {
    builder: &'b mut LayoutBuilder<'r>,
    record: Unit,
}

/// What a message's content is.
enum Content<'a> {
    /// There is no such member.
    Missing,
    /// `null` or a string.
    Single(Node<'a>),
    /// A list of parts.
    Parts(Node<'a>, Vec<Node<'a>>, List),
}

impl Reader<'_, '_> {
    fn draft(mut self, node: Node<'_>) -> Result<Draft<'_>, RecordFault> {
        let message = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
        let role = match message.string("role").as_deref() {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool" | "function") => Role::Tool,
            _ => return Err(RecordFault::Role),
        };
        let content = self.content(&message)?;
        let adding = self.adding(&message, &content);
        let mut draft = Draft::new(role, self.record).adding(adding);
        match role {
            Role::Assistant => self.assistant(&message, &content, &mut draft)?,
            Role::Tool => self.result(&message, &content, &mut draft)?,
            Role::System | Role::User => self.said(&content, &mut draft)?,
        }
        Ok(draft)
    }

    fn content<'a>(&mut self, message: &Object<'a>) -> Result<Content<'a>, RecordFault> {
        let Some(content) = message.get("content") else { return Ok(Content::Missing) };
        if content.is_null() || content.string().is_some() {
            return Ok(Content::Single(content));
        }
        let Ok(Some(parts)) = content.array() else { return Err(RecordFault::Field("content")) };
        let spans = parts.iter().map(Node::span).collect();
        let list = self.builder.list_in(self.record, Container::Array(content.span()), spans, Some(r#""""#));
        Ok(Content::Parts(content, parts, list))
    }

    /// Where a text goes that the message has no place for.
    fn adding(&mut self, message: &Object<'_>, content: &Content<'_>) -> Adding {
        match content {
            Content::Missing => Adding::Element(self.members(message), CONTENT),
            Content::Single(content) => Adding::Value(content.span(), Frame::BARE),
            Content::Parts(_, _, list) => Adding::Element(*list, Frame::TEXT_BLOCK),
        }
    }

    /// The members of the message as a list, for those that may go.
    fn members(&mut self, message: &Object<'_>) -> List {
        let spans = message.members().iter().map(Member::span).collect();
        self.builder.list_in(self.record, Container::Array(message.span()), spans, None)
    }

    fn said<'a>(&self, content: &Content<'a>, draft: &mut Draft<'a>) -> Result<(), RecordFault> {
        match content {
            Content::Missing => {}
            Content::Single(content) => {
                if let Some(text) = content.string() {
                    let place = Place::text(self.record, content.span()).blanked(content.span(), r#""""#);
                    draft.add(PartView::Text(text), place);
                }
            }
            Content::Parts(_, parts, list) => {
                for (index, node) in parts.iter().enumerate() {
                    let (part, place) = content_part(*node, list.unit(index))?;
                    draft.add(part, place);
                }
            }
        }
        Ok(())
    }

    fn assistant<'a>(
        &mut self,
        message: &Object<'a>,
        content: &Content<'a>,
        draft: &mut Draft<'a>,
    ) -> Result<(), RecordFault> {
        self.texts_beside(message, &["reasoning_content", "reasoning"], draft);
        self.said(content, draft)?;
        self.texts_beside(message, &["refusal"], draft);
        for call in calls_of(message)? {
            self.call(read_call(call)?, call, draft);
        }
        if let Some(call) = message.get("function_call").filter(|call| !call.is_null()) {
            self.call(read_function(call, Cow::Borrowed(""))?, call, draft);
        }
        Ok(())
    }

    /// Texts that are members of the message itself; they go with their key.
    fn texts_beside<'a>(&mut self, message: &Object<'a>, keys: &[&str], draft: &mut Draft<'a>) {
        for key in keys {
            let Some((value, text)) = message.get(key).and_then(|value| Some((value, value.string()?)))
            else {
                continue;
            };
            let place = message.members().iter().position(|member| member.value.span() == value.span());
            let unit = self.members(message).unit(place.unwrap_or(usize::MAX));
            if *key == "refusal" {
                draft.add(PartView::Text(text), Place::text(unit, value.span()));
            } else {
                draft.add(PartView::Reasoning(text), Place::reasoning(unit, value.span()));
            }
        }
    }

    fn call<'a>(&self, call: CallView<'a>, node: Node<'a>, draft: &mut Draft<'a>) {
        let arguments = arguments_of(node);
        let empty = if arguments.is_some_and(|value| value.string().is_some()) { r#""{}""# } else { "{}" };
        let place = Place::call(self.record, arguments.map(|value| value.span()), empty);
        draft.add(PartView::ToolCall(call), place);
    }

    /// A tool message is one result, whose parts are those of its content.
    fn result<'a>(
        &self,
        message: &Object<'a>,
        content: &Content<'a>,
        draft: &mut Draft<'a>,
    ) -> Result<(), RecordFault> {
        let id = message.string("tool_call_id").unwrap_or_default();
        let (parts, place) = match content {
            Content::Missing => (Vec::new(), Place::silent_result(self.record)),
            Content::Single(content) => {
                let place = Place::result(self.record, content.span(), Frame::BARE);
                (content.string().map(PartView::Text).into_iter().collect(), place)
            }
            Content::Parts(content, parts, _) => {
                let place = Place::result(self.record, content.span(), Frame::BARE);
                let read = parts.iter().map(|node| Ok(content_part(*node, self.record)?.0));
                (read.collect::<Result<_, _>>()?, place.made_of(content.span(), Frame::TEXT_BLOCK))
            }
        };
        let result = ResultView::with_parts(id, parts).with_name(message.owned("name"));
        draft.add(PartView::ToolResult(result), place);
        Ok(())
    }
}

fn content_part(node: Node<'_>, unit: Unit) -> Result<(PartView<'_>, Place), RecordFault> {
    if let Some(text) = node.string() {
        return Ok((PartView::Text(text), Place::text(unit, node.span())));
    }
    let part = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let kind = part.string("type").ok_or(RecordFault::Field("type"))?;
    Ok(match kind.as_ref() {
        "text" => {
            let text = part.get("text").ok_or(RecordFault::Field("text"))?;
            let said = text.string().ok_or(RecordFault::Field("text"))?;
            (PartView::Text(said), Place::text(unit, text.span()))
        }
        "tool_use" | "tool_result" => return Err(RecordFault::ForeignBlock),
        "thinking" => {
            let text = thinking(&part)?;
            (PartView::OpaqueReasoning { text, hidden_bytes: 0 }, Place::opaque(unit))
        }
        _ => (PartView::Media(medium(&part, kind, node)), Place::media(unit)),
    })
}

/// Mistral's reasoning: a list of text parts.
fn thinking<'a>(part: &Object<'a>) -> Result<Cow<'a, str>, RecordFault> {
    let field = part.get("thinking").ok_or(RecordFault::Field("thinking"))?;
    let pieces = field.array().ok().flatten().ok_or(RecordFault::Field("thinking"))?;
    let texts = pieces.iter().filter_map(|piece| piece.object().ok()??.string("text"));
    Ok(Cow::Owned(texts.collect::<Vec<_>>().concat()))
}

fn medium<'a>(part: &Object<'a>, kind: Cow<'a, str>, node: Node<'a>) -> Media<'a> {
    let inner = |key: &str| part.get(key).and_then(|value| value.object().ok().flatten()).unwrap_or_default();
    match kind.as_ref() {
        "image_url" => {
            let image = inner("image_url");
            let url = image.get("url").or_else(|| part.get("image_url"));
            by_link(Media::new(MediaKind::Image).with_detail(detail(&image)), url)
        }
        "input_audio" => sized(Media::new(MediaKind::Audio), inner("input_audio").get("data")),
        "file" => by_link(Media::new(MediaKind::Document), inner("file").get("file_data")),
        "document_url" => by_link(Media::new(MediaKind::Document), part.get("document_url")),
        _ => {
            let bytes = u64::try_from(node.length_in_file()).unwrap_or(u64::MAX);
            Media::new(MediaKind::Other).with_label(kind).with_bytes(bytes)
        }
    }
}

fn calls_of<'a>(message: &Object<'a>) -> Result<Vec<Node<'a>>, RecordFault> {
    match message.get("tool_calls").filter(|calls| !calls.is_null()) {
        None => Ok(Vec::new()),
        Some(calls) => calls.array().ok().flatten().ok_or(RecordFault::Field("tool_calls")),
    }
}

fn read_call(node: Node<'_>) -> Result<CallView<'_>, RecordFault> {
    let call = node.object().ok().flatten().ok_or(RecordFault::NotAnObject)?;
    let id = call.string("id").unwrap_or_default();
    match call.get("function") {
        Some(function) => read_function(function, id),
        None => Ok(CallView::new(id, call.string("type").unwrap_or_default(), Cow::Borrowed(""))),
    }
}

/// The arguments of a call, of today's shape or the old one's.
fn arguments_of(node: Node<'_>) -> Option<Node<'_>> {
    let call = node.object().ok().flatten()?;
    let function = call.get("function").and_then(|function| function.object().ok().flatten());
    function.unwrap_or(call).get("arguments")
}

fn read_function<'a>(node: Node<'a>, id: Cow<'a, str>) -> Result<CallView<'a>, RecordFault> {
    let function = node.object().ok().flatten().ok_or(RecordFault::Field("function"))?;
    let name = function.string("name").unwrap_or_default();
    let arguments = function.get("arguments").map_or(Cow::Borrowed(""), |arguments| {
        arguments.string().unwrap_or_else(|| Cow::Owned(compact(arguments.text())))
    });
    Ok(CallView::new(id, name, arguments))
}
