//! Anthropic content to message parts.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, PartView, ResultView};
use cutctx_types::Role;

use crate::error::RecordFault;
use crate::outcome::SlotKind;
use crate::raw::{Node, Object, Span, compact};

/// What a message's content holds.
#[derive(Debug, Default)]
pub(crate) struct Content<'a> {
    pub(crate) parts: Vec<PartView<'a>>,
    /// One place a part: the block, or the whole string.
    pub(crate) places: Vec<(Span, SlotKind)>,
    /// Whether a block stands for everything before it, as the provider's own compaction does.
    pub(crate) has_compaction: bool,
}

impl<'a> Content<'a> {
    fn push(&mut self, span: Span, (part, kind): (PartView<'a>, SlotKind)) {
        self.parts.push(part);
        self.places.push((span, kind));
    }
}

/// Reads the content of a message of this role.
pub(crate) fn read_content(content: Node<'_>, role: Role) -> Result<Content<'_>, RecordFault> {
    let mut read = Content::default();
    if let Some(text) = content.string() {
        read.push(content.span(), (PartView::Text(text), SlotKind::Text));
        return Ok(read);
    }
    let Ok(Some(blocks)) = content.objects() else { return Err(RecordFault::Field("content")) };
    read_blocks(&blocks, role)
}

/// Reads the blocks of a message of this role.
pub(super) fn read_blocks<'a>(blocks: &[Option<Object<'a>>], role: Role) -> Result<Content<'a>, RecordFault> {
    let mut read = Content::default();
    for block in blocks {
        let block = block.as_ref().ok_or(RecordFault::NotAnObject)?;
        let kind = block.string("type").ok_or(RecordFault::Field("type"))?;
        read.has_compaction |= kind == "compaction";
        read.push(block.span(), read_block(block, kind, role)?);
    }
    Ok(read)
}

fn read_block<'a>(
    block: &Object<'a>,
    kind: Cow<'a, str>,
    role: Role,
) -> Result<(PartView<'a>, SlotKind), RecordFault> {
    Ok(match kind.as_ref() {
        "text" => (PartView::Text(text_of(block, "text")?), SlotKind::Text),
        "thinking" => thinking(block)?,
        "redacted_thinking" => (hidden(block), SlotKind::Opaque),
        "compaction" => {
            let text = block.string("content").unwrap_or_default();
            (PartView::OpaqueReasoning { text, hidden_bytes: 0 }, SlotKind::Opaque)
        }
        "tool_use" => (PartView::ToolCall(call(block)?), SlotKind::Call),
        "server_tool_use" | "mcp_tool_use" => {
            (PartView::ToolCall(call(block)?.on_server()), SlotKind::Server)
        }
        "tool_result" if role != Role::Assistant => (PartView::ToolResult(result(block)?), SlotKind::Result),
        name if name.ends_with("tool_result") => {
            (PartView::Media(block_medium(block, kind)), SlotKind::Server)
        }
        _ => (PartView::Media(medium(block, kind)), SlotKind::Media),
    })
}

fn text_of<'a>(block: &Object<'a>, key: &'static str) -> Result<Cow<'a, str>, RecordFault> {
    block.string(key).ok_or(RecordFault::Field(key))
}

/// Thinking with a signature is checked by the provider and must not be cut.
fn thinking<'a>(block: &Object<'a>) -> Result<(PartView<'a>, SlotKind), RecordFault> {
    let text = text_of(block, "thinking")?;
    if block.string("signature").is_some_and(|signature| !signature.is_empty()) {
        Ok((PartView::OpaqueReasoning { text, hidden_bytes: 0 }, SlotKind::Opaque))
    } else {
        Ok((PartView::Reasoning(text), SlotKind::Reasoning))
    }
}

fn hidden<'a>(block: &Object<'a>) -> PartView<'a> {
    let hidden_bytes = block.get("data").map_or(0, |data| data.length_in_file());
    let hidden_bytes = u64::try_from(hidden_bytes).unwrap_or(u64::MAX);
    PartView::OpaqueReasoning { text: Cow::Borrowed(""), hidden_bytes }
}

fn call<'a>(block: &Object<'a>) -> Result<CallView<'a>, RecordFault> {
    let input =
        block.get("input").map_or_else(|| Cow::Borrowed("{}"), |input| Cow::Owned(compact(input.text())));
    Ok(CallView::new(block.string("id").unwrap_or_default(), text_of(block, "name")?, input))
}

fn result<'a>(block: &Object<'a>) -> Result<ResultView<'a>, RecordFault> {
    let id = block.string("tool_use_id").unwrap_or_default();
    let Some(content) = block.get("content").filter(|content| !content.is_null()) else {
        return Ok(ResultView::with_parts(id, Vec::new()));
    };
    if let Some(text) = content.string() {
        return Ok(ResultView::new(id, text));
    }
    let Ok(Some(blocks)) = content.objects() else { return Err(RecordFault::Field("content")) };
    let parts = blocks.into_iter().map(result_part).collect::<Result<_, _>>()?;
    Ok(ResultView::with_parts(id, parts))
}

fn result_part(block: Option<Object<'_>>) -> Result<PartView<'_>, RecordFault> {
    let block = block.ok_or(RecordFault::NotAnObject)?;
    let kind = block.string("type").ok_or(RecordFault::Field("type"))?;
    if kind == "text" {
        text_of(&block, "text").map(PartView::Text)
    } else {
        Ok(PartView::Media(medium(&block, kind)))
    }
}

fn medium<'a>(block: &Object<'a>, kind: Cow<'a, str>) -> Media<'a> {
    let source = block.get("source").and_then(|source| source.object().ok().flatten()).unwrap_or_default();
    let medium = match kind.as_ref() {
        "image" => Media::new(MediaKind::Image),
        "document" if !source.get("type").is_some_and(|kind| kind.is_string("text")) => {
            Media::new(MediaKind::Document)
        }
        _ => return block_medium(block, kind),
    };
    let medium = match source.string("media_type") {
        Some(label) => medium.with_label(label),
        None => medium,
    };
    with_source(medium, &source)
}

/// The data itself, a link, or the provider's id of a file.
fn with_source<'a>(medium: Media<'a>, source: &Object<'a>) -> Media<'a> {
    if let Some(data) = source.get("data") {
        let length = data.length_in_file().saturating_sub(2);
        return match data.string() {
            Some(text) => medium.with_base64_data(text).with_base64(length),
            None => medium.with_base64(length),
        };
    }
    match (source.string("url"), source.string("file_id")) {
        (Some(url), _) => medium.with_url(url),
        (None, Some(id)) => medium.with_file_id(id),
        (None, None) => medium,
    }
}

fn block_medium<'a>(block: &Object<'a>, kind: Cow<'a, str>) -> Media<'a> {
    let bytes = u64::try_from(block.length_in_file()).unwrap_or(u64::MAX);
    Media::new(MediaKind::Other).with_label(kind).with_bytes(bytes)
}
