//! The output of `opencode run --format json`: events with parts.

use alloc::vec::Vec;

use cutctx_types::Transcript;

use super::NAME;
use super::message::{Message, Reader};
use super::write::{Form, MessagePlace, Sessions};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::{Container, LayoutBuilder};
use crate::raw::{Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{Records, object_in, records};

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Records { places, objects } = records(document)?;
    let mut builder = LayoutBuilder::new(NAME, request);
    let spine = builder.list(Container::Lines, places);
    let mut reader = Reader::new(builder, Sessions { form: Form::Run, ..Sessions::default() });
    let parts: Vec<Object<'_>> =
        objects.iter().map(|event| object_in(event, "part").unwrap_or_default()).collect();
    reader.sessions.turns.push((0, 0));
    reader.sessions.messages.push(place(&objects, &parts));
    reader.steps(&Message { info: Object::default(), parts }, None, spine)?;
    let (mapped, layout) = reader.builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(reader.sessions)))
}

/// Where the run's session, message and time stand.
fn place(events: &[Object<'_>], parts: &[Object<'_>]) -> MessagePlace {
    let first = |objects: &[Object<'_>], key: &str| {
        objects.iter().find_map(|object| object.get(key)).map(|value| value.span()).unwrap_or_default()
    };
    MessagePlace {
        id: first(parts, "messageID"),
        session: first(events, "sessionID"),
        created: first(events, "timestamp"),
        agent: Span::default(),
        model: Span::default(),
        parts: parts.iter().map(|part| part.get("id").map(|id| id.span()).unwrap_or_default()).collect(),
    }
}
