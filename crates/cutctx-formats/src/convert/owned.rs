//! Messages that outlive the file that they were read from.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use cutctx_messages::{CallView, Media, MediaSource, MessageView, PartView, ResultView};

use crate::request::{Observer, Seen};

/// Keeps the messages that a reader reports, with the byte at which each begins.
#[derive(Debug, Default)]
pub(super) struct Collector(RefCell<(Vec<MessageView<'static>>, Vec<Option<usize>>)>);

impl Collector {
    pub(super) fn collected(self) -> (Vec<MessageView<'static>>, Vec<Option<usize>>) {
        self.0.into_inner()
    }
}

impl Observer for Collector {
    fn message(&self, seen: &Seen<'_>) {
        let mut collected = self.0.borrow_mut();
        let parts = seen.message.parts.iter().filter_map(part).collect();
        collected.0.push(MessageView::new(seen.message.role, parts));
        collected.1.push((!seen.span.is_empty()).then_some(seen.span.start));
    }
}

fn own(text: &str) -> Cow<'static, str> {
    Cow::Owned(String::from(text))
}

pub(super) fn part(part: &PartView<'_>) -> Option<PartView<'static>> {
    Some(match part {
        PartView::Text(text) => PartView::Text(own(text)),
        PartView::Reasoning(text) => PartView::Reasoning(own(text)),
        PartView::OpaqueReasoning { text, hidden_bytes } => {
            PartView::OpaqueReasoning { text: own(text), hidden_bytes: *hidden_bytes }
        }
        PartView::ToolCall(call) => PartView::ToolCall(owned_call(call)),
        PartView::ToolResult(result) => PartView::ToolResult(owned_result(result)),
        PartView::Media(media) => PartView::Media(owned_media(media)),
        _ => return None,
    })
}

fn owned_call(call: &CallView<'_>) -> CallView<'static> {
    let mut owned = CallView::new(own(&call.call_id), own(&call.name), own(&call.arguments));
    owned.server_side = call.server_side;
    owned.state = call.state;
    owned
}

fn owned_result(result: &ResultView<'_>) -> ResultView<'static> {
    let parts = result.parts.iter().filter_map(part).collect();
    let mut owned = ResultView::with_parts(own(&result.call_id), parts);
    owned.name.clone_from(&result.name);
    owned.is_error = result.is_error;
    owned.provisional = result.provisional;
    owned
}

fn owned_media(media: &Media<'_>) -> Media<'static> {
    let mut owned = Media::new(media.kind);
    owned.label = media.label.as_deref().map(own);
    owned.bytes = media.bytes;
    owned.detail = media.detail;
    owned.source = match &media.source {
        MediaSource::Base64(data) => MediaSource::Base64(own(data)),
        MediaSource::Url(url) => MediaSource::Url(own(url)),
        MediaSource::File(id) => MediaSource::File(own(id)),
        MediaSource::Elsewhere | _ => MediaSource::Elsewhere,
    };
    owned
}
