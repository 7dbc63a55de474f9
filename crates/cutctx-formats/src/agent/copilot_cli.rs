//! Event logs of the GitHub Copilot CLI (`events.jsonl`).
//!
//! # What is context
//!
//! `user.message` (its `transformedContent`, which is what the model is sent), `assistant.message` with its
//! `toolRequests`, `tool.execution_complete` with its `result.content` or `error`, and `system.message`. A finished
//! compaction (`session.compaction_complete` with `summaryContent`) ends what is context; its summary is a turn. All
//! other events stay: starts and ends of turns, hooks, permissions, information, `detailedContent`.
//! `tool.execution_start` repeats a call for the user interface; it goes when the message with the call goes.
//! A `session.truncation` does not say what it took out, so nothing is taken for gone because of it.
//!
//! # What is written
//!
//! Lines go and texts change; `parentId` names the nearest event above that stays. Opaque reasoning stays whole or goes.
//! The event of a compaction stays, and a new summary takes the place of its text. A summary is a message of the user.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{Origin, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::earlier_summary::EarlierSummary;
use super::parent_links::ParentLinks;
use crate::document::{Document, Shape};
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of;
use crate::layout::{Adding, Container, Draft, Edited, Frame, LayoutBuilder, List, Place, Spelling, Unit};
use crate::raw::{Member, Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::blocks;
use crate::shapes::{
    MadeIds, Records, array_in, call_at, fresh_id, object_in, records, result_content, uuid,
};
use crate::source::Worth;
use crate::view::View;

/// The format of the Copilot CLI's event logs.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct CopilotCli;

/// The format's name.
const NAME: &str = "copilot-cli";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "the event log of a GitHub Copilot CLI session",
    told_by: "lines with a dotted `type`, `data`, `id`, `parentId` and `timestamp`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many lines are looked at.
const SAMPLE: usize = 8;

/// The keys of the links.
const LINKS: (&str, &str) = ("id", "parentId");

/// An event whose data is worth this.
macro_rules! event {
    ($data:expr) => {
        Worth::Members(&[
            ("type", Worth::Whole),
            ("id", Worth::Whole),
            ("parentId", Worth::Whole),
            ("timestamp", Worth::Whole),
            ("data", $data),
        ])
    };
}

/// What the reader, the links and the spelling look at, event by event. Members of the model's messages may go one by
/// one, so all of them count.
static LINE: Worth = Worth::ByType(
    &[
        ("system.message", event!(SAID)),
        ("user.message", event!(SAID)),
        ("assistant.message", event!(MODEL)),
        ("tool.execution_start", event!(Worth::Members(&[("toolCallId", Worth::Whole)]))),
        ("tool.execution_complete", event!(ANSWER)),
        ("session.compaction_complete", event!(COMPACTION)),
    ],
    &event!(Worth::Members(&[])),
);

const SAID: Worth = Worth::Members(&[("content", Worth::Said), ("transformedContent", Worth::Said)]);

const MODEL: Worth = Worth::All(&[
    ("content", Worth::Text),
    ("reasoningText", Worth::Text),
    ("reasoningOpaque", Worth::Text),
    ("encryptedContent", Worth::Text),
    ("toolRequests", Worth::List(&Worth::All(&[("arguments", Worth::Arguments)]))),
]);

const ANSWER: Worth = Worth::Members(&[
    ("toolCallId", Worth::Whole),
    ("success", Worth::Whole),
    ("error", Worth::Whole),
    ("result", Worth::Members(&[("content", blocks::RESULT)])),
]);

const COMPACTION: Worth = Worth::Members(&[("success", Worth::Whole), ("summaryContent", Worth::Text)]);

impl Format for CopilotCli {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        let lines = matches!(document.shape(), Shape::Lines | Shape::Object(_));
        (lines && document.sample(SAMPLE).iter().any(is_event)).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Records { places, objects } = records(document)?;
        let mut links = ParentLinks::new(&objects, LINKS, &[]);
        links.chain = (0..objects.len()).collect();
        let compaction = objects.iter().rposition(is_compaction);
        let mut builder = LayoutBuilder::new(NAME, request);
        if compaction.is_some() {
            builder = builder.without_first_user();
        }
        let list = builder.list(Container::Lines, places.clone());
        let events =
            Events { places, links, earlier: None, starts: starts(&objects), makers: BTreeMap::new() };
        let mut reader = Reader { builder, list, ids: MadeIds::default(), events };
        let first = compaction.unwrap_or(0);
        for (index, object) in objects.iter().enumerate() {
            if index >= first || is(object, "system.message") {
                reader.event(object, index)?;
            }
        }
        let (mapped, layout) = reader.builder.finish();
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(reader.events)))
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

fn is_event(line: &Object<'_>) -> bool {
    ["data", "id", "parentId", "timestamp"].iter().all(|key| line.has(key))
        && line.string("type").is_some_and(|kind| kind.contains('.'))
}

fn is(event: &Object<'_>, kind: &str) -> bool {
    event.get("type").is_some_and(|found| found.is_string(kind))
}

fn is_compaction(event: &Object<'_>) -> bool {
    is(event, "session.compaction_complete")
        && object_in(event, "data").is_some_and(|data| {
            data.get("success").is_none_or(|success| success.is_true())
                && data.string("summaryContent").is_some()
        })
}

/// The events that say that a call is carried out, by the call.
fn starts(objects: &[Object<'_>]) -> BTreeMap<String, Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, event) in objects.iter().enumerate().filter(|(_, event)| is(event, "tool.execution_start")) {
        if let Some(id) = object_in(event, "data").and_then(|data| data.owned("toolCallId")) {
            found.entry(id).or_default().push(index);
        }
    }
    found
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    ids: MadeIds,
    events: Events,
}

impl Reader<'_> {
    fn event(&mut self, event: &Object<'_>, index: usize) -> Result<(), TurnError> {
        let unit = self.list.unit(index);
        let Some(data) = object_in(event, "data") else { return Ok(()) };
        match event.string("type").as_deref() {
            Some("system.message") => self.said(&data, &["content"], Role::System, unit),
            Some("user.message") => self.said(&data, &["transformedContent", "content"], Role::User, unit),
            Some("assistant.message") => self.model(&data, index),
            Some("tool.execution_complete") => self.result(&data, unit),
            Some("session.compaction_complete") if is_compaction(event) => self.summary(&data, unit),
            _ => Ok(()),
        }
    }

    fn said(&mut self, data: &Object<'_>, keys: &[&str], role: Role, unit: Unit) -> Result<(), TurnError> {
        let text = keys.iter().find_map(|key| data.get(key).filter(|text| text.string().is_some()));
        let Some((said, span)) = text.and_then(|text| Some((text.string()?, text.span()))) else {
            return Ok(());
        };
        let mut draft = Draft::new(role, unit);
        draft.message.origin = origin_of(&said);
        draft.add(PartView::Text(said), Place::text(unit, span));
        self.builder.push(draft)
    }

    fn model(&mut self, data: &Object<'_>, index: usize) -> Result<(), TurnError> {
        let unit = self.list.unit(index);
        let spans: Vec<Span> = data.members().iter().map(Member::span).collect();
        let members = self.builder.list_in(unit, Container::Array(data.span()), spans, None);
        let mut draft = Draft::new(Role::Assistant, unit);
        reasoning(data, members, &mut draft);
        if let Some(content) = data.get("content") {
            draft = draft.adding(Adding::Value(content.span(), Frame::BARE));
            if let Some(text) = content.string().filter(|text| !text.is_empty()) {
                let place = Place::text(unit, content.span()).blanked(content.span(), r#""""#);
                draft.add(PartView::Text(text), place);
            }
        }
        let calls = array_in(data, "toolRequests").unwrap_or_default();
        let place = data.get("toolRequests").map(|calls| calls.span()).unwrap_or_default();
        let list =
            self.builder.list_in(unit, Container::Array(place), calls.iter().map(Node::span).collect(), None);
        for (number, call) in calls.iter().enumerate() {
            let Some(call) = call.object().ok().flatten() else { continue };
            let name = call.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("toolCallId"), &name);
            self.events.makers.insert(String::from(id.as_ref()), index);
            let (part, place) = call_at(id, name, call.get("arguments"), list.unit(number));
            draft.add(part, place);
        }
        if draft.message.parts.is_empty() { Ok(()) } else { self.builder.push(draft) }
    }

    fn result(&mut self, data: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        let content = object_in(data, "result").and_then(|result| result.get("content"));
        let error =
            object_in(data, "error").and_then(|error| error.get("message")).or_else(|| data.get("error"));
        let failed = data.get("success").is_some_and(|success| success.text() == "false");
        let id = self.ids.result(data.string("toolCallId"), None);
        let (parts, place) = result_content(content.or(error), unit);
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(ResultView::with_parts(id, parts).with_error(failed)), place);
        self.builder.push(draft)
    }

    fn summary(&mut self, data: &Object<'_>, unit: Unit) -> Result<(), TurnError> {
        self.builder.mark(unit);
        let text = data.get("summaryContent").filter(|text| !text.is_string(""));
        let Some(text) = text else { return Ok(()) };
        self.events.earlier = Some(EarlierSummary { turn: self.builder.turn_count(), text: text.span() });
        let mut draft = Draft::new(Role::User, unit);
        draft.message.origin = Origin::Harness;
        draft.add(PartView::Text(text.string().unwrap_or_default()), Place::text(unit, text.span()));
        self.builder.push(draft)
    }
}

/// Reasoning that comes with opaque data is opaque itself.
fn reasoning<'a>(data: &Object<'a>, members: List, draft: &mut Draft<'a>) {
    let hidden = |key: &str| matches!(key, "reasoningOpaque" | "encryptedContent");
    let signed = data.members().iter().any(|member| {
        member.key.string().is_some_and(|key| hidden(key.as_ref()))
            && member.value.string().is_some_and(|value| !value.is_empty())
    });
    for (index, member) in data.members().iter().enumerate() {
        let (Some(key), Some(text)) = (member.key.string(), member.value.string()) else { continue };
        let unit = members.unit(index);
        if hidden(key.as_ref()) && !text.is_empty() {
            let hidden_bytes = u64::try_from(member.value.length_in_file()).unwrap_or(u64::MAX);
            draft.add(PartView::OpaqueReasoning { text: "".into(), hidden_bytes }, Place::opaque(unit));
        } else if key == "reasoningText" && signed {
            draft.add(PartView::OpaqueReasoning { text, hidden_bytes: 0 }, Place::opaque(unit));
        } else if key == "reasoningText" && !text.is_empty() {
            draft.add(PartView::Reasoning(text), Place::reasoning(unit, member.value.span()));
        }
    }
}

/// What is needed to write a log back.
#[derive(Debug)]
struct Events {
    places: Vec<Span>,
    links: ParentLinks,
    earlier: Option<EarlierSummary>,
    /// The events that start a call, and the message that makes it.
    starts: BTreeMap<String, Vec<usize>>,
    makers: BTreeMap<String, usize>,
}

impl Spelling for Events {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        if self.earlier.is_some_and(|earlier| earlier.is_followed_by(group, view)) {
            return String::new();
        }
        let id = quoted(&fresh_id(group, uuid, |id| self.links.is_taken(id, view.text())));
        let place = self.places.get(before).or_else(|| self.places.last()).copied().unwrap_or_default();
        let event = Node::leading(place.of(view.text()), place.start).and_then(|node| node.object().ok()?);
        let time = event.and_then(|event| event.get("timestamp")).map_or(r#""""#, |time| time.text());
        let said = quoted(text);
        let data =
            [r#"{"content":"#, &said, r#","transformedContent":"#, &said, r#","attachments":[]}"#].concat();
        [
            r#"{"type":"user.message","data":"#,
            &data,
            r#","id":"#,
            &id,
            r#","timestamp":"#,
            time,
            r#","parentId":null}"#,
        ]
        .concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        if let Some(earlier) = &self.earlier {
            earlier.finish(edited, view)?;
        }
        for (call, maker) in &self.makers {
            if edited.gone.get(*maker) != Some(&true) {
                continue;
            }
            for start in self.starts.get(call).into_iter().flatten().filter(|start| *start > maker) {
                if let Some(flag) = edited.gone.get_mut(*start) {
                    *flag = true;
                }
            }
        }
        self.links.mend(edited, view.text());
        Ok(())
    }
}
