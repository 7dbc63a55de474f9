//! Durable messages as views.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::Message;
use crate::json::{DurableObject, DurableValue};
use crate::media::{Media, MediaKind};
use crate::part::{
    AttachmentKind, CitationPart, FileAttachment, HostedToolCallPart, MessagePart, PeerContentPart,
    ThinkingPart, ToolCallPart, ToolResultPart,
};
use crate::view::{CallView, MessageView, PartView, ResultView};

/// A view has one part for each part of the message, in order, and borrows its texts:
///
/// * text and peer content are text; a message that holds peer content is pinned, for it is never summarized;
/// * thinking is reasoning, opaque where the provider wants something back with it; provider state is opaque reasoning
///   without text;
/// * a call's arguments are its JSON, the one text that is written anew; where they were taken out, the note that a
///   model is shown;
/// * a result is its text and the files among its artifacts; other artifacts and the structured form are not for the
///   model;
/// * a file is a medium, known by its artifact's id;
/// * a call of a provider's own tool is one that the server answers, a citation a block without text;
/// * structured output, a copy for people, is an empty text.
impl<'m> From<&'m Message> for MessageView<'m> {
    fn from(message: &'m Message) -> Self {
        let parts: Vec<PartView<'m>> = message.content().iter().map(PartView::from).collect();
        let peer = message.content().iter().any(|part| matches!(part, MessagePart::PeerContent(_)));
        Self::new(message.role(), parts).with_pinned(peer)
    }
}

impl<'m> From<&'m MessagePart> for PartView<'m> {
    fn from(part: &'m MessagePart) -> Self {
        match part {
            MessagePart::Text(part) => Self::text(&*part.text),
            MessagePart::PeerContent(PeerContentPart { text, .. }) => Self::text(&**text),
            MessagePart::Thinking(part) => reasoning(part),
            MessagePart::ProviderState(part) => {
                Self::OpaqueReasoning { text: Cow::Borrowed(""), hidden_bytes: bytes_of(&part.state) }
            }
            MessagePart::ToolCall(part) => Self::ToolCall(call(part)),
            MessagePart::ToolResult(part) => Self::ToolResult(result(part)),
            MessagePart::File(part) => Self::Media(medium(&part.attachment)),
            MessagePart::StructuredOutput(_) => Self::text(""),
            MessagePart::HostedToolCall(part) => Self::ToolCall(hosted_call(part)),
            MessagePart::Citation(part) => Self::Media(citation(part)),
        }
    }
}

fn reasoning(part: &ThinkingPart) -> PartView<'_> {
    let text = Cow::Borrowed(&*part.text);
    match &part.provider_state {
        None => PartView::Reasoning(text),
        Some(state) => PartView::OpaqueReasoning { text, hidden_bytes: bytes_of(state) },
    }
}

fn call(part: &ToolCallPart) -> CallView<'_> {
    CallView::new(&*part.tool_call_id, &*part.tool_name, part.shown_arguments().to_json())
}

fn hosted_call(part: &HostedToolCallPart) -> CallView<'_> {
    let asked =
        if part.action == DurableValue::NULL { Cow::Borrowed("") } else { part.action.to_json().into() };
    CallView::new(&*part.call_id, part.hosted_tool.as_str(), asked).on_server()
}

fn result(part: &ToolResultPart) -> ResultView<'_> {
    let text = PartView::text(&*part.content);
    let artifacts = part.artifacts.as_slice().iter();
    let files = artifacts.filter_map(|artifact| Some((artifact, FileAttachment::from_artifact(artifact)?)));
    let media = files.map(|(artifact, file)| match file {
        Ok(file) => medium_owned(&file),
        Err(_) => Media::new(MediaKind::Other).with_label("file").with_bytes(bytes_of(artifact)),
    });
    let parts = core::iter::once(text).chain(media.map(PartView::Media)).collect();
    let name = Some(part.tool_name.shared().as_ref().into());
    ResultView::with_parts(&*part.tool_call_id, parts).with_error(part.is_error).with_name(name)
}

fn medium(file: &FileAttachment) -> Media<'_> {
    described(file).with_file_id(&**file.artifact_id())
}

/// A file that is read out of an artifact does not outlive the reading.
fn medium_owned<'m>(file: &FileAttachment) -> Media<'m> {
    described(file).with_file_id(String::from(&**file.artifact_id()))
}

fn described<'m>(file: &FileAttachment) -> Media<'m> {
    let kind = match file.kind() {
        AttachmentKind::Image => MediaKind::Image,
        AttachmentKind::Document => MediaKind::Document,
    };
    Media::new(kind).with_label(file.content_type()).with_bytes(file.size_bytes())
}

fn citation(part: &CitationPart) -> Media<'_> {
    let title = part.title.as_deref().map_or(0, str::len);
    let bytes = part.url.len().saturating_add(title);
    Media::new(MediaKind::Other).with_label("citation").with_bytes(u64::try_from(bytes).unwrap_or(u64::MAX))
}

fn bytes_of(object: &DurableObject) -> u64 {
    u64::try_from(object.size().bytes).unwrap_or(u64::MAX)
}
