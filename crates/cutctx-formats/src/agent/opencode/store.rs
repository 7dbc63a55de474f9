//! Records of the storage, one after the other.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use cutctx_types::Transcript;

use super::NAME;
use super::message::{Message, Reader, start};
use super::write::{Form, Sessions};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::{Container, LayoutBuilder};
use crate::raw::Span;
use crate::request::ReadRequest;
use crate::shapes::{Records, records};

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let records = records(document)?;
    let sessions = sessions(&records);
    let count = sessions.len();
    let chosen = request.choose(count, document.start())?;
    let found =
        sessions.into_iter().nth(chosen).map(|messages| stored(messages, &records)).unwrap_or_default();
    let mut builder = LayoutBuilder::new(NAME, request);
    let messages: Vec<&Message<'_>> = found.iter().map(|stored| &stored.message).collect();
    let start = start(&messages);
    if !start.marks.is_empty() {
        builder = builder.without_first_user();
    }
    let spine = builder.list(Container::Lines, found.iter().map(|stored| stored.place).collect());
    let mut reader = Reader::new(builder, Sessions { form: Form::Store, ..Sessions::default() });
    for (index, stored) in found.iter().enumerate() {
        let unit = spine.unit(index);
        let list = reader.builder.list_in(unit, Container::Lines, stored.parts.clone(), None);
        if start.marks.last() == Some(&index) {
            reader.builder.mark(unit);
        } else if start.marks.contains(&index) {
            reader.builder.anchor(unit);
        }
        reader.counts = start.counts(index);
        let mut ballast = Vec::new();
        if index >= start.first {
            ballast = reader.message(&stored.message, unit, list)?;
        } else {
            reader.pass(&stored.message);
        }
        let records = ballast.into_iter().filter_map(|part| stored.parts.get(part).copied());
        reader.sessions.ballast.push(records.collect());
    }
    let (mapped, layout) = reader.builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(reader.sessions)).of(count))
}

/// The messages of each session, in the order of their ids; sessions in the order in which the file names them first.
fn sessions(records: &Records<'_>) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sessions: Vec<Vec<usize>> = Vec::new();
    for (record, object) in records.objects.iter().enumerate() {
        let Some(session) = object.get("sessionID") else { continue };
        let place = *places.entry(session.text()).or_insert(sessions.len());
        if place == sessions.len() {
            sessions.push(Vec::new());
        }
        let is_message = object.has("role") && object.has("id");
        if let Some(messages) = sessions.get_mut(place).filter(|_| is_message) {
            messages.push(record);
        }
    }
    sessions.retain(|messages| !messages.is_empty());
    for messages in &mut sessions {
        messages.sort_by_key(|record| id_of(records, *record));
    }
    sessions
}

fn id_of<'a>(records: &Records<'a>, record: usize) -> &'a str {
    records.objects.get(record).and_then(|object| object.get("id")).map(|id| id.text()).unwrap_or_default()
}

/// A message of the storage: its record and those of its parts.
struct Stored<'a> {
    message: Message<'a>,
    place: Span,
    parts: Vec<Span>,
}

fn stored<'a>(messages: Vec<usize>, records: &Records<'a>) -> Vec<Stored<'a>> {
    let mut parts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (record, object) in records.objects.iter().enumerate() {
        if let Some(message) = object.get("messageID").filter(|_| object.has("type")) {
            parts.entry(message.text()).or_default().push(record);
        }
    }
    let place = |record: usize| records.places.get(record).copied().unwrap_or_default();
    let object = |record: usize| records.objects.get(record).cloned().unwrap_or_default();
    let stored = messages.into_iter().map(|record| {
        let mut own = parts.remove(id_of(records, record)).unwrap_or_default();
        own.sort_by_key(|part| id_of(records, *part));
        let message = Message { info: object(record), parts: own.iter().map(|part| object(*part)).collect() };
        Stored { message, place: place(record), parts: own.into_iter().map(place).collect() }
    });
    stored.collect()
}
