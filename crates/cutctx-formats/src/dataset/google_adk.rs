//! Sessions of Google's Agent Development Kit.
//!
//! # What is context
//!
//! The `events` that have a `content` with parts, in snake or camel case. Parts of responses are results, paired by id
//! or by name. A `partial` event is a piece of a later one. An event whose `actions` hold a `compaction` stands for all
//! events of the time that it covers: what it says is a turn of the model, the events are no turns any more. It stays in
//! the file whatever becomes of what it says.
//!
//! # What is ballast
//!
//! The session's `state`, the `actions` of events, and events that only change the state.
//!
//! # What is written
//!
//! Events go and parts change. A summary is an event of the person, at the time of the event after it.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::{Role, Transcript};

use super::chat::{Found, lacks};
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::layout::{Container, LayoutBuilder, Spelling, Unit};
use crate::raw::{Node, Object, quoted};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, Parts, Stamps, array_in, object_in, short};
use crate::view::View;

/// The format of ADK's sessions.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct GoogleAdk;

/// The format's name.
const NAME: &str = "google-adk";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session of Google's Agent Development Kit",
    told_by: "`events` beside `app_name` or `appName`",
    evidence: Evidence::Sessions,
    dialect: Dialect::Free,
};

impl Format for GoogleAdk {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let Shape::Object(session) = document.shape() else { return None };
        let named = session.has("app_name") || session.has("appName");
        (named && session.has("events")).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let found = match document.shape() {
            Shape::Object(session) => Found::under(session, "events"),
            Shape::Array(..) | Shape::Lines | Shape::Glued(..) => None,
        };
        let found = found.ok_or_else(|| lacks(NAME, "events", document))?;
        let mut builder = LayoutBuilder::new(NAME, request);
        let spans = found.messages.iter().map(Node::span).collect();
        let list = builder.list(Container::Array(found.list), spans);
        let events: Vec<Option<Object<'_>>> =
            found.messages.iter().map(|node| node.object().ok().flatten()).collect();
        let covered = Covered::by(&events);
        let mut reader = Reader { builder, ids: MadeIds::default() };
        for (index, event) in events.iter().enumerate() {
            if let Some(event) = event.as_ref().filter(|event| !covered.holds(event)) {
                reader.event(event, list.unit(index))?;
            }
        }
        let (mapped, layout) = reader.builder.finish();
        let stamps = Stamps::new(&events, ("id", "timestamp"), document.text());
        let camel = events.iter().flatten().any(|event| event.has("invocationId"));
        let spelling = Events { stamps, camel };
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(spelling)))
    }
}

fn either<'a>(object: &Object<'a>, snake: &str, camel: &str) -> Option<Node<'a>> {
    object.get(snake).or_else(|| object.get(camel)).filter(|value| !value.is_null())
}

fn compaction<'a>(event: &Object<'a>) -> Option<Object<'a>> {
    object_in(&object_in(event, "actions")?, "compaction")
}

fn seconds(value: Option<Node<'_>>) -> Option<f64> {
    value?.text().parse().ok()
}

/// The times that compactions cover, from and to.
struct Covered(Vec<(f64, f64)>);

impl Covered {
    /// Overlapping times as one, in order.
    fn by(events: &[Option<Object<'_>>]) -> Self {
        let times = |event: &Object<'_>| {
            let compaction = compaction(event)?;
            let from = seconds(either(&compaction, "start_timestamp", "startTimestamp"))?;
            Some((from, seconds(either(&compaction, "end_timestamp", "endTimestamp"))?))
        };
        let mut found: Vec<(f64, f64)> = events.iter().flatten().filter_map(times).collect();
        found.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut joined: Vec<(f64, f64)> = Vec::with_capacity(found.len());
        for (from, to) in found {
            match joined.last_mut() {
                Some(open) if from <= open.1 => open.1 = open.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        Self(joined)
    }

    /// Whether what an event says stands in a compaction.
    fn holds(&self, event: &Object<'_>) -> bool {
        let Some(time) = seconds(event.get("timestamp")).filter(|_| compaction(event).is_none()) else {
            return false;
        };
        let next = self.0.partition_point(|(_, to)| *to < time);
        self.0.get(next).is_some_and(|(from, _)| *from <= time)
    }
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    ids: MadeIds,
}

impl Reader<'_> {
    fn event(&mut self, event: &Object<'_>, unit: Unit) -> Result<(), FormatError> {
        if event.get("partial").is_some_and(|partial| partial.is_true()) {
            return Ok(());
        }
        let compacted = compaction(event).and_then(|compaction| {
            either(&compaction, "compacted_content", "compactedContent")?.object().ok()?
        });
        let own = || object_in(event, "content").map(|content| (role(event, &content), content));
        if compaction(event).is_some() {
            self.builder.mark(unit);
        }
        let said = compacted.map(|content| (Role::Assistant, content)).or_else(own);
        let Some((role, content)) = said else { return Ok(()) };
        if array_in(&content, "parts").is_none_or(|parts| parts.is_empty()) {
            return Ok(());
        }
        let mut parts = Parts { builder: &mut self.builder, ids: &mut self.ids };
        let draft = parts.draft(role, content.get("parts"), unit, None);
        Ok(self.builder.push(draft)?)
    }
}

/// What an agent's event says in the person's role are results.
fn role(event: &Object<'_>, content: &Object<'_>) -> Role {
    let by_person = event.get("author").is_none_or(|author| author.is_string("user"));
    match content.string("role").as_deref() {
        Some("model") => Role::Assistant,
        Some("function") => Role::Tool,
        Some(_) => Role::User,
        None if by_person => Role::User,
        None => Role::Assistant,
    }
}

/// How events are spelled.
#[derive(Debug)]
struct Events {
    stamps: Stamps,
    camel: bool,
}

impl Spelling for Events {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let id = self.stamps.id(group, short, view.text());
        let time = self.stamps.time(before, view.text()).unwrap_or("0");
        let invocation = if self.camel { "invocationId" } else { "invocation_id" };
        let said = quoted(text);
        [
            r#"{"content":{"parts":[{"text":"#,
            &said,
            r#"}],"role":"user"},""#,
            invocation,
            r#"":"#,
            &id,
            r#","author":"user","actions":{},"id":"#,
            &id,
            r#","timestamp":"#,
            time,
            "}",
        ]
        .concat()
    }
}
