//! Parts of contents.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, PartView, ResultView};

use crate::error::RecordFault;
use crate::layout::{Frame, Place, Unit};
use crate::raw::{Member, Node, Object, Span, compact};
use crate::shapes::{array_in, object_in};

/// A response that is no text becomes one with an output.
const OUTPUT: Frame = Frame { before: r#"{"output":"#, after: "}" };
/// A response that is missing comes with an output.
const NEW_RESPONSE: Frame = Frame { before: r#","response":{"output":"#, after: "}" };

/// The object under a key that has two spellings.
pub(super) fn either<'a>(part: &Object<'a>, camel: &str, snake: &str) -> Option<Object<'a>> {
    object_in(part, camel).or_else(|| object_in(part, snake))
}

/// The function call of a part.
pub(super) fn call_of<'a>(part: &Object<'a>) -> Option<Object<'a>> {
    either(part, "functionCall", "function_call")
}

/// The function response of a part.
pub(super) fn response_of<'a>(part: &Object<'a>) -> Option<Object<'a>> {
    either(part, "functionResponse", "function_response")
}

/// The signature of a part: which member of it, and how long it is.
pub(super) fn signature(part: &Object<'_>) -> Option<(usize, u64)> {
    let is_signature = |member: &Member<'_>| {
        let key = member.key.text();
        matches!(key, r#""thoughtSignature""# | r#""thought_signature""#)
            && member.value.string().is_some_and(|signature| !signature.is_empty())
    };
    let place = part.members().iter().rposition(is_signature)?;
    let length = part.members().get(place)?.value.length_in_file();
    Some((place, u64::try_from(length).unwrap_or(u64::MAX)))
}

/// Whether a part is a thought.
pub(super) fn is_thought(part: &Object<'_>) -> bool {
    part.get("thought").is_some_and(|thought| thought.is_true())
}

/// A call and where it stands. The arguments of one that is `held` stay whatever its turn becomes.
pub(super) fn call<'a>(call: &Object<'a>, id: Cow<'a, str>, unit: Unit, held: bool) -> (PartView<'a>, Place) {
    let arguments = call.get("args").filter(|arguments| !arguments.is_null());
    let text = arguments.map_or(Cow::Borrowed("{}"), |value| Cow::Owned(compact(value.text())));
    let place = Place::call(unit, arguments.map(|value| value.span()).filter(|_| !held), "{}");
    (PartView::ToolCall(CallView::new(id, call.string("name").unwrap_or_default(), text)), place)
}

/// A response and what it is made of.
pub(super) struct Response<'a> {
    pub(super) view: ResultView<'a>,
    pub(super) place: Place,
    /// The list of its media, when it has any, and the first of them among its parts.
    pub(super) media: Option<(Span, Vec<Span>, usize)>,
}

/// A response to a call.
pub(super) fn response<'a>(response: &Object<'a>, id: Cow<'a, str>, unit: Unit) -> Response<'a> {
    let Said { text, place, failed } = said(response);
    let media = array_in(response, "parts").unwrap_or_default();
    let mut parts: Vec<PartView<'a>> = text.into_iter().map(PartView::Text).collect();
    let first = parts.len();
    parts.extend(media.iter().map(|node| PartView::Media(medium_of_node(*node))));
    let list = response.get("parts").map(|list| list.span()).filter(|_| !media.is_empty());
    let view = ResultView::with_parts(id, parts).with_name(response.owned("name")).with_error(failed);
    let media = list.map(|list| (list, media.iter().map(Node::span).collect(), first));
    Response { view, place: Place::result(unit, place.0, place.1), media }
}

/// What a response says, and where.
struct Said<'a> {
    text: Option<Cow<'a, str>>,
    place: (Span, Frame),
    failed: bool,
}

/// One text under one name is that text; everything else is its JSON.
fn said<'a>(response: &Object<'a>) -> Said<'a> {
    let Some(value) = response.get("response") else {
        let end = response.members().last().map_or(response.span().start, |last| last.value.end());
        return Said { text: None, place: (Span::at(end), NEW_RESPONSE), failed: false };
    };
    let object = value.object().ok().flatten().unwrap_or_default();
    let failed = object.has("error");
    if let [only] = object.members()
        && let Some(text) = only.value.string()
    {
        return Said { text: Some(text), place: (only.value.span(), Frame::BARE), failed };
    }
    let text = Some(Cow::Owned(compact(value.text()))).filter(|_| !object.members().is_empty());
    Said { text, place: (value.span(), OUTPUT), failed }
}

/// A text, a thought, data, or what the provider ran itself.
pub(super) fn other<'a>(part: &Object<'a>, unit: Unit) -> Result<(PartView<'a>, Place), RecordFault> {
    if let Some(text) = part.get("text") {
        let said = text.string().ok_or(RecordFault::Field("text"))?;
        return Ok(match (is_thought(part), signature(part)) {
            (true, Some((_, hidden_bytes))) => {
                (PartView::OpaqueReasoning { text: said, hidden_bytes }, Place::opaque(unit))
            }
            (true, None) => (PartView::Reasoning(said), Place::reasoning(unit, text.span())),
            (false, _) => (PartView::Text(said), Place::text(unit, text.span())),
        });
    }
    let media = PartView::Media(medium(part));
    Ok((media, if is_of_server(part) { Place::server(unit) } else { Place::media(unit) }))
}

/// Code that the provider ran itself, or what came of it.
fn is_of_server(part: &Object<'_>) -> bool {
    let keys = ["executableCode", "executable_code", "codeExecutionResult", "code_execution_result"];
    keys.iter().any(|key| part.has(key))
}

fn medium_of_node(node: Node<'_>) -> Media<'_> {
    medium(&node.object().ok().flatten().unwrap_or_default())
}

/// Data in the file or behind a link; anything else counts by its bytes.
fn medium<'a>(part: &Object<'a>) -> Media<'a> {
    let data = either(part, "inlineData", "inline_data");
    let Some(source) = data.or_else(|| either(part, "fileData", "file_data")) else {
        let bytes = u64::try_from(part.length_in_file()).unwrap_or(u64::MAX);
        let label = part.members().first().and_then(|first| first.key.string()).unwrap_or_default();
        return Media::new(MediaKind::Other).with_label(label).with_bytes(bytes);
    };
    let label = source.string("mimeType").or_else(|| source.string("mime_type")).unwrap_or_default();
    let kind = match label.split('/').next() {
        Some("image") => MediaKind::Image,
        Some("audio") => MediaKind::Audio,
        _ => MediaKind::Document,
    };
    let media = Media::new(kind).with_label(label);
    let uri = source.string("fileUri").or_else(|| source.string("file_uri"));
    match (source.string("data"), uri) {
        (Some(data), _) => media.with_base64_data(data),
        (None, Some(uri)) => media.with_url(uri),
        (None, None) => media,
    }
}
