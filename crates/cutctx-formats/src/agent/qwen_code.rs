//! Session files of Qwen Code: JSON Lines that form a tree, with Gemini contents.
//!
//! # What is context
//!
//! The branch that ends in the last record that belongs to the conversation, back to its root or to the last
//! compression. Artifacts, sources and other records that only describe the session end no branch. Records of one id
//! are one message. A compression (`chat_compression`) holds the history that stands for all before it; its messages
//! are pinned, because they stand inside of a record that stays. System records, `toolCallResult` and `displayText` are
//! for the user interface and stay.
//!
//! A crash leaves records without a line feed between them; they are read as the tool reads them.
//!
//! # What is written
//!
//! Records go, parts change, and `parentUuid` names the nearest record above that stays. A summary is a record of the
//! user whose id is made from the id of its group.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::Origin;
use cutctx_types::{Role, Transcript, TurnError};

use super::parent_links::ParentLinks;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::{About, Confidence, Dialect, Evidence, Format, Reading};
use crate::injected::origin_of_message;
use crate::layout::{Container, Draft, Edited, Frame, LayoutBuilder, List, Spelling, Unit};
use crate::raw::{Node, Object, Span, quoted};
use crate::request::ReadRequest;
use crate::shapes::gemini_parts;
use crate::shapes::{MadeIds, Parts, Records, array_in, fresh_id, object_in, records, uuid};
use crate::source::Worth;
use crate::view::View;

/// The format of Qwen Code's session files.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::exhaustive_structs, reason = "a format has no state")]
pub struct QwenCode;

/// The format's name.
const NAME: &str = "qwen-code";

/// What is to be said about the format.
static ABOUT: About = About {
    name: NAME,
    describe: "a session file of Qwen Code",
    told_by: "lines with `uuid`, `parentUuid` and a `message` with `parts`",
    evidence: Evidence::Fragments,
    dialect: Dialect::Free,
};

/// How many records are looked at.
const SAMPLE: usize = 24;

/// The keys of the links.
const LINKS: (&str, &str) = ("uuid", "parentUuid");

/// Kinds of system records that do not belong to the conversation.
const ASIDE: [&str; 6] = [
    "session_artifact_event",
    "session_artifact_snapshot",
    "session_sources_snapshot",
    "managed_session_header_v1",
    "managed_session_event_v1",
    "managed_session_commit_v1",
];

/// What the reader, the links and the spelling look at.
static LINE: Worth = Worth::Members(&[
    ("type", Worth::Whole),
    ("subtype", Worth::Whole),
    ("uuid", Worth::Whole),
    ("parentUuid", Worth::Whole),
    ("timestamp", Worth::Whole),
    ("sessionId", Worth::Whole),
    ("cwd", Worth::Whole),
    ("version", Worth::Whole),
    ("gitBranch", Worth::Whole),
    ("message", Worth::Members(&[("role", Worth::Whole), ("parts", gemini_parts::WORTH)])),
    (
        "systemPayload",
        Worth::Members(&[("compressedHistory", Worth::List(&Worth::All(&[("parts", gemini_parts::WORTH)])))]),
    ),
]);

impl Format for QwenCode {
    fn about(&self) -> &About {
        &ABOUT
    }

    fn sniff(&self, document: &Document<'_>) -> Option<Confidence> {
        document.sample(SAMPLE).iter().any(is_record).then_some(Confidence::Certain)
    }

    fn read(&self, document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
        let Records { places, objects } = records(document)?;
        let mut links = ParentLinks::new(&objects, LINKS, &[]);
        let leaf = objects.iter().rposition(belongs);
        let branch = leaf.map(|leaf| links.branch(first_of(&links, &objects, leaf, document.text())));
        let branch = branch.unwrap_or_default();
        let copies = Copies::new(&objects);
        links.chain = branch.iter().flat_map(|record| copies.of(*record, &objects)).copied().collect();
        let compression = branch.iter().rposition(|record| objects.get(*record).is_some_and(is_compression));
        let mut builder = LayoutBuilder::new(NAME, request);
        if compression.is_some() {
            builder = builder.without_first_user();
        }
        let list = builder.list(Container::Lines, places.clone());
        let mut reader = Reader { builder, list, ids: MadeIds::default() };
        reader.read(&branch, &copies, &objects, compression)?;
        let (mapped, layout) = reader.builder.finish();
        let spelling = Lines { links, places };
        Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(spelling)))
    }

    fn worth(&self) -> Option<Worth> {
        Some(LINE)
    }
}

fn is_record(record: &Object<'_>) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| record.has(key));
    has(&["uuid", "parentUuid"])
        && (record.has("systemPayload")
            || object_in(record, "message").is_some_and(|message| message.has("parts")))
}

/// Whether a record can end the branch.
fn belongs(record: &Object<'_>) -> bool {
    record.has(LINKS.0) && !record.string("subtype").is_some_and(|kind| ASIDE.contains(&kind.as_ref()))
}

fn is_compression(record: &Object<'_>) -> bool {
    record.get("subtype").is_some_and(|kind| kind.is_string("chat_compression"))
        && object_in(record, "systemPayload").is_some_and(|payload| payload.has("compressedHistory"))
}

/// The first record with the id of this one.
fn first_of(links: &ParentLinks, objects: &[Object<'_>], record: usize, text: &str) -> usize {
    let id = objects.get(record).and_then(|object| object.get(LINKS.0));
    id.and_then(|id| links.record(id.text(), text)).unwrap_or(record)
}

/// The records of each id.
struct Copies<'a>(BTreeMap<&'a str, Vec<usize>>);

impl<'a> Copies<'a> {
    fn new(objects: &[Object<'a>]) -> Self {
        let mut copies: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (record, object) in objects.iter().enumerate() {
            if let Some(id) = object.get(LINKS.0) {
                copies.entry(id.text()).or_default().push(record);
            }
        }
        Self(copies)
    }

    /// The records of a record's id.
    fn of(&self, record: usize, objects: &[Object<'a>]) -> &[usize] {
        let id = objects.get(record).and_then(|object| object.get(LINKS.0));
        id.and_then(|id| self.0.get(id.text())).map(Vec::as_slice).unwrap_or_default()
    }
}

struct Reader<'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    ids: MadeIds,
}

impl Reader<'_> {
    fn read(
        &mut self,
        branch: &[usize],
        copies: &Copies<'_>,
        objects: &[Object<'_>],
        compression: Option<usize>,
    ) -> Result<(), TurnError> {
        let first = compression.map_or(0, |place| place.saturating_add(1));
        if let Some(record) = compression.and_then(|place| branch.get(place)) {
            self.compressed(*record, objects)?;
        }
        for record in branch.iter().skip(first) {
            self.message(copies.of(*record, objects), objects)?;
        }
        Ok(())
    }

    /// The history that a compression put in the place of what was before: it stays.
    fn compressed(&mut self, record: usize, objects: &[Object<'_>]) -> Result<(), TurnError> {
        let unit = self.list.unit(record);
        self.builder.mark(unit);
        let payload = objects.get(record).and_then(|record| object_in(record, "systemPayload"));
        let contents = payload.and_then(|payload| array_in(&payload, "compressedHistory"));
        for content in contents.into_iter().flatten().filter_map(|content| content.object().ok()?) {
            let mut draft = self.content(&content, unit);
            draft.message.pinned = true;
            self.builder.push(draft)?;
        }
        Ok(())
    }

    /// The records of one id as one message.
    fn message(&mut self, records: &[usize], objects: &[Object<'_>]) -> Result<(), TurnError> {
        let mut said: Option<Draft<'_>> = None;
        for record in records {
            let Some(object) = objects.get(*record) else { continue };
            let Some(message) = object_in(object, "message").filter(|_| is_sent(object)) else { continue };
            let draft = self.content(&message, self.list.unit(*record));
            match &mut said {
                Some(first) => first.append(draft),
                None => said = Some(with_id(draft, object)),
            }
        }
        let Some(mut draft) = said else { return Ok(()) };
        if draft.message.origin == Origin::Person {
            draft.message.origin = origin_of_message(&draft.message);
        }
        self.builder.push(draft)
    }

    fn content<'a>(&mut self, content: &Object<'a>, unit: Unit) -> Draft<'a> {
        let role = match content.string("role").as_deref() {
            Some("model" | "assistant") => Role::Assistant,
            _ => Role::User,
        };
        let mut parts = Parts { builder: &mut self.builder, ids: &mut self.ids };
        parts.draft(role, content.get("parts"), unit, None)
    }
}

/// Whether the message of a record is sent to the model.
fn is_sent(record: &Object<'_>) -> bool {
    let aside = |kind: &str| matches!(kind, "realtime_message" | "code_mode_tool_result");
    !record.get("type").is_some_and(|kind| kind.is_string("system"))
        && !record.string("subtype").is_some_and(|kind| aside(kind.as_ref()))
}

fn with_id<'a>(mut draft: Draft<'a>, record: &Object<'a>) -> Draft<'a> {
    if let Some(id) = record.string(LINKS.0).filter(|id| !id.is_empty()) {
        draft.message = draft.message.with_id(id.as_ref());
    }
    let harness = |kind: Cow<'_, str>| matches!(kind.as_ref(), "notification" | "cron" | "goal_runtime");
    if record.string("subtype").is_some_and(harness) {
        draft.message.origin = Origin::Harness;
    }
    draft
}

/// What is needed to write a file back.
#[derive(Debug)]
struct Lines {
    links: ParentLinks,
    places: Vec<Span>,
}

/// The fields that a summary's record repeats.
const REPEATED: [&str; 4] = ["sessionId", "cwd", "version", "gitBranch"];

impl Spelling for Lines {
    fn summary(&self, text: &str, group: &str, before: usize, view: &View<'_>) -> String {
        let id = quoted(&fresh_id(group, uuid, |id| self.links.is_taken(id, view.text())));
        let last = self.places.len().saturating_sub(1);
        let place = self.places.get(before.min(last)).copied().unwrap_or_default();
        let near = Node::leading(place.of(view.text()), place.start);
        let near = near.and_then(|node| node.object().ok()?).unwrap_or_default();
        let mut line = [r#"{"uuid":"#, &id, r#","parentUuid":null"#].concat();
        for key in REPEATED.into_iter().chain(["timestamp"]) {
            if let Some(value) = near.get(key) {
                line.extend([r#",""#, key, r#"":"#, value.text()]);
            }
        }
        let said = Frame::TEXT_MEMBER.of(text);
        [&line, r#","type":"user","message":{"role":"user","parts":["#, &said, "]}}"].concat()
    }

    fn finish(&self, edited: &mut Edited, view: &View<'_>) -> Result<(), FormatError> {
        self.links.mend(edited, view.text());
        Ok(())
    }
}
