//! Blocks that are objects named by their one key.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, PartView, ResultView};

use crate::error::RecordFault;
use crate::layout::{Frame, Place, Unit};
use crate::raw::{Object, Span, compact};

/// The key of a block that marks up to where the prompt is cached.
pub(super) const CACHE_POINT: &str = "cachePoint";

/// The content of a result that is one text.
const CONTENT: Frame = Frame { before: r#"[{"text":"#, after: "}]" };
/// A result without content gets some.
const NEW_CONTENT: Frame = Frame { before: r#","content":[{"text":"#, after: "}]" };

/// What a block says.
pub(super) fn part<'a>(block: &Object<'a>) -> Result<PartView<'a>, RecordFault> {
    if let Some(text) = block.get("text") {
        return Ok(PartView::Text(text.string().ok_or(RecordFault::Field("text"))?));
    }
    if let Some(call) = inner(block, "toolUse") {
        return Ok(PartView::ToolCall(read_call(&call)));
    }
    if let Some(result) = inner(block, "toolResult") {
        return Ok(PartView::ToolResult(read_result(&result)?));
    }
    match inner(block, "reasoningContent") {
        Some(reasoning) => Ok(read_reasoning(&reasoning)),
        None => Ok(PartView::Media(medium(block))),
    }
}

/// Where a block stands.
pub(super) fn place(block: &Object<'_>, unit: Unit) -> Place {
    if let Some(text) = block.get("text") {
        return Place::text(unit, text.span());
    }
    if let Some(call) = inner(block, "toolUse") {
        return Place::call(unit, call.get("input").map(|input| input.span()), "{}");
    }
    if let Some(result) = inner(block, "toolResult") {
        return result_place(&result, unit);
    }
    match inner(block, "reasoningContent").map(|reasoning| plain_reasoning(&reasoning)) {
        Some(Some(text)) => Place::reasoning(unit, text),
        Some(None) => Place::opaque(unit),
        None => Place::media(unit),
    }
}

fn inner<'a>(block: &Object<'a>, key: &str) -> Option<Object<'a>> {
    block.get(key)?.object().ok()?
}

fn read_call<'a>(call: &Object<'a>) -> CallView<'a> {
    let input = call.get("input").map_or(Cow::Borrowed("{}"), |input| Cow::Owned(compact(input.text())));
    let name = call.string("name").unwrap_or_default();
    CallView::new(call.string("toolUseId").unwrap_or_default(), name, input)
}

fn read_result<'a>(result: &Object<'a>) -> Result<ResultView<'a>, RecordFault> {
    let id = result.string("toolUseId").unwrap_or_default();
    let content = result.get("content").filter(|content| !content.is_null());
    let blocks = match content {
        Some(content) => content.objects().ok().flatten().ok_or(RecordFault::Field("content"))?,
        None => Vec::new(),
    };
    let parts = blocks.into_iter().map(|block| result_part(&block.ok_or(RecordFault::NotAnObject)?));
    let failed = result.get("status").is_some_and(|status| status.is_string("error"));
    Ok(ResultView::with_parts(id, parts.collect::<Result<_, _>>()?).with_error(failed))
}

/// JSON in a result is text to the model.
fn result_part<'a>(block: &Object<'a>) -> Result<PartView<'a>, RecordFault> {
    match block.get("json") {
        Some(json) => Ok(PartView::Text(Cow::Owned(compact(json.text())))),
        None => part(block),
    }
}

fn result_place(result: &Object<'_>, unit: Unit) -> Place {
    if let Some(content) = result.get("content") {
        return Place::result(unit, content.span(), CONTENT).made_of(content.span(), Frame::TEXT_MEMBER);
    }
    let end = result.members().last().map_or(result.span().start, |last| last.value.end());
    Place::result(unit, Span::at(end), NEW_CONTENT)
}

/// Reasoning with a signature, or redacted, is checked by the provider and must not be cut.
fn read_reasoning<'a>(reasoning: &Object<'a>) -> PartView<'a> {
    let text = inner(reasoning, "reasoningText").and_then(|text| text.string("text"));
    if plain_reasoning(reasoning).is_some() {
        return PartView::Reasoning(text.unwrap_or_default());
    }
    let hidden_bytes = reasoning.get("redactedContent").map_or(0, |data| data.length_in_file());
    let hidden_bytes = u64::try_from(hidden_bytes).unwrap_or(u64::MAX);
    PartView::OpaqueReasoning { text: text.unwrap_or_default(), hidden_bytes }
}

/// The text of reasoning that has no signature.
fn plain_reasoning(reasoning: &Object<'_>) -> Option<Span> {
    let text = inner(reasoning, "reasoningText")?;
    let signed = text.string("signature").is_some_and(|signature| !signature.is_empty());
    text.get("text").filter(|text| !signed && text.string().is_some()).map(|text| text.span())
}

/// A picture, a document or a video with its data or its place; any other block counts by its bytes.
fn medium<'a>(block: &Object<'a>) -> Media<'a> {
    let kinds = [
        ("image", MediaKind::Image),
        ("document", MediaKind::Document),
        ("video", MediaKind::Document),
        ("audio", MediaKind::Audio),
    ];
    for (key, kind) in kinds {
        let Some(medium) = inner(block, key) else { continue };
        let media = Media::new(kind).with_label(medium.string("format").unwrap_or(Cow::Borrowed(key)));
        let source = inner(&medium, "source").unwrap_or_default();
        if let Some(bytes) = source.string("bytes") {
            return media.with_base64_data(bytes);
        }
        let uri = inner(&source, "s3Location").and_then(|location| location.string("uri"));
        return match uri {
            Some(uri) => media.with_url(uri),
            None => media,
        };
    }
    let bytes = u64::try_from(block.length_in_file()).unwrap_or(u64::MAX);
    let label = block.members().first().and_then(|first| first.key.string()).unwrap_or_default();
    Media::new(MediaKind::Other).with_label(label).with_bytes(bytes)
}
