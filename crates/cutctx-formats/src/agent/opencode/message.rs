//! Messages with their parts to turns.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, Origin, PartView, ResultView};
use cutctx_types::{Role, TurnError};

use super::write::{Cleared, MessagePlace, Sessions};
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, List, Place, Unit};
use crate::raw::{Node, Object, Span};
use crate::shapes::{MadeIds, array_in, call_at, object_in, with_source};
use crate::usage::Usage;

/// What the model sees in the place of an output that opencode has cleared.
const CLEARED: &str = "[Old tool result content cleared]";

/// A message and its parts, in the order in which opencode sends them.
pub(super) struct Message<'a> {
    pub(super) info: Object<'a>,
    pub(super) parts: Vec<Object<'a>>,
}

/// The messages from which on the context begins, and those that mark the place.
pub(super) struct Start {
    pub(super) first: usize,
    /// The message with the part `compaction`, and the one that answers it.
    pub(super) marks: Vec<usize>,
}

impl Start {
    /// Whether what was counted for a message is about the context: not from before the compaction, nor its own.
    pub(super) fn counts(&self, index: usize) -> bool {
        self.marks.iter().all(|mark| index > *mark)
    }
}

/// Where the context of these messages begins: after the last finished compaction, or with what it says it keeps.
pub(super) fn start(messages: &[&Message<'_>]) -> Start {
    let summaries = messages.iter().enumerate().filter(|(_, message)| is_summary(&message.info));
    for (summary, message) in summaries.rev() {
        let parent = message.info.string("parentID");
        let asked = messages.get(..summary).unwrap_or_default().iter().rposition(|asked| {
            asked.info.string("id") == parent && asked.parts.iter().any(|part| is(part, "compaction"))
        });
        let Some(asked) = asked else { continue };
        let parts = messages.get(asked).map(|asked| asked.parts.as_slice()).unwrap_or_default();
        let tail = parts.iter().find_map(|part| part.string("tail_start_id"));
        let kept = tail.and_then(|tail| {
            messages.iter().position(|message| message.info.string("id").as_deref() == Some(tail.as_ref()))
        });
        return Start { first: kept.unwrap_or(asked).min(asked), marks: alloc::vec![asked, summary] };
    }
    Start { first: 0, marks: Vec::new() }
}

fn is_summary(info: &Object<'_>) -> bool {
    is_role(info, "assistant")
        && info.get("summary").is_some_and(|summary| summary.is_true())
        && info.has("finish")
        && info.get("error").is_none_or(|error| error.is_null())
}

fn is_role(info: &Object<'_>, role: &str) -> bool {
    info.get("role").is_some_and(|found| found.is_string(role))
}

/// Whether a part is of this type.
pub(super) fn is(part: &Object<'_>, kind: &str) -> bool {
    part.get("type").is_some_and(|found| found.is_string(kind))
}

/// Makes turns of messages.
pub(super) struct Reader<'r> {
    pub(super) builder: LayoutBuilder<'r>,
    pub(super) ids: MadeIds,
    pub(super) sessions: Sessions,
    /// Whether what providers counted is still about this context.
    pub(super) counts: bool,
    /// When an output of those that were read was cleared last.
    cleared_at: u64,
}

impl<'r> Reader<'r> {
    pub(super) fn new(builder: LayoutBuilder<'r>, sessions: Sessions) -> Self {
        Self { builder, ids: MadeIds::default(), sessions, counts: true, cleared_at: 0 }
    }

    /// Reads a message that stands at `unit` and whose parts are the elements of `list`. Gives the parts that are no
    /// context.
    pub(super) fn message(
        &mut self,
        message: &Message<'_>,
        unit: Unit,
        list: List,
    ) -> Result<Vec<usize>, TurnError> {
        let info = &message.info;
        self.sessions.turns.push((self.builder.turn_count(), self.sessions.messages.len()));
        self.pass(message);
        let held = if is_role(info, "user") {
            self.user(message, unit, list)?
        } else if is_role(info, "assistant") && is_sent(message) {
            self.steps(message, Some(unit), list)?
        } else {
            Vec::new()
        };
        Ok((0..message.parts.len()).filter(|part| held.binary_search(part).is_err()).collect())
    }

    /// Passes a message that is no context.
    pub(super) fn pass(&mut self, message: &Message<'_>) {
        self.sessions.messages.push(MessagePlace::new(message));
    }

    /// Gives the parts that are context.
    fn user(&mut self, message: &Message<'_>, unit: Unit, list: List) -> Result<Vec<usize>, TurnError> {
        let mut draft = draft(message, Role::User, unit, list);
        let mut held = Vec::new();
        for (index, part) in message.parts.iter().enumerate() {
            if let Some((view, place)) = spoken(part, list.unit(index)) {
                draft.add(view, place);
                held.push(index);
            }
        }
        let mut said = message.parts.iter().filter(|part| is(part, "text")).peekable();
        let marks = message.parts.iter().any(|part| is(part, "compaction"));
        if marks || (said.peek().is_some() && said.all(|part| is_true(part, "synthetic"))) {
            draft.message.origin = Origin::Harness;
        }
        draft.message.pinned = marks;
        if !held.is_empty() {
            self.builder.push(draft)?;
        }
        Ok(held)
    }

    /// Reads the steps of a message of the model; without a record, each part is one. Gives the parts that are context.
    pub(super) fn steps(
        &mut self,
        message: &Message<'_>,
        record: Option<Unit>,
        list: List,
    ) -> Result<Vec<usize>, TurnError> {
        let at = |index: usize| record.unwrap_or(list.unit(index));
        let mut step = draft(message, Role::Assistant, at(0), list);
        let (mut answers, mut held) = (Vec::new(), Vec::new());
        for (index, part) in message.parts.iter().enumerate() {
            if is(part, "step-start") || is(part, "step-finish") {
                step.cost(self.usage(part, message));
                let next = draft(message, Role::Assistant, at(index), list);
                let done = core::mem::replace(&mut step, next);
                self.step(done, core::mem::take(&mut answers))?;
                continue;
            }
            let place = list.unit(index);
            let uttered = if is(part, "tool") {
                let (call, stands) = self.call(part, place);
                answers.push((part.clone(), call.call_id.clone(), place));
                Some((PartView::ToolCall(call), stands))
            } else {
                uttered(part, place)
            };
            if let Some((view, place)) = uttered {
                step.add(view, place);
                held.push(index);
            }
        }
        if !message.parts.iter().any(|part| is(part, "step-finish")) {
            step.cost(self.usage(&message.info, message));
        }
        self.step(step, answers)?;
        Ok(held)
    }

    /// What the provider counted, as a step or a message has it. What was cleared since was part of the count.
    fn usage(&self, holder: &Object<'_>, message: &Message<'_>) -> Option<Usage> {
        let created = object_in(&message.info, "time").and_then(|time| time.get("created")?.unsigned());
        let holds = self.counts && created.unwrap_or(u64::MAX) >= self.cleared_at;
        object_in(holder, "tokens").filter(|_| holds).and_then(|tokens| Usage::of_opencode(&tokens))
    }

    fn call<'a>(&mut self, part: &Object<'a>, unit: Unit) -> (CallView<'a>, Place) {
        let name = part.string("tool").unwrap_or_default();
        let id = self.ids.call(part.string("callID"), &name);
        let input = object_in(part, "state").and_then(|state| state.get("input"));
        match call_at(id.clone(), name.clone(), input, unit) {
            (PartView::ToolCall(call), place) => (call, place),
            (_, place) => (CallView::new(id, name, "{}"), place),
        }
    }

    /// A step, and then the results of its calls.
    fn step(&mut self, step: Draft<'_>, answers: Vec<Answer<'_>>) -> Result<(), TurnError> {
        if step.message.parts.is_empty() {
            return Ok(());
        }
        self.builder.push(step)?;
        let Some((_, _, unit)) = answers.first() else { return Ok(()) };
        let mut draft = Draft::new(Role::Tool, *unit);
        for (part, id, place) in answers {
            let turn = self.builder.turn_count().saturating_add(draft.message.parts.len());
            let Some(state) = object_in(&part, "state") else { continue };
            let Some((views, place, failed)) = self.result(&state, place, turn) else { continue };
            let result = ResultView::with_parts(id, views).with_name(part.owned("tool")).with_error(failed);
            draft.add(PartView::ToolResult(result), place);
        }
        if draft.message.parts.is_empty() { Ok(()) } else { self.builder.push(draft) }
    }

    /// What a tool's state says as its result; none while it is at work.
    fn result<'a>(
        &mut self,
        state: &Object<'a>,
        unit: Unit,
        turn: usize,
    ) -> Option<(Vec<PartView<'a>>, Place, bool)> {
        let failed = match state.string("status").as_deref() {
            Some("completed" | "success") => false,
            Some("error") => true,
            _ => return None,
        };
        let output = output_of(state, failed)?;
        let text = output.string()?;
        let place = Place::result(unit, output.span(), Frame::BARE);
        if let Some(cleared) = cleared(state, turn) {
            self.sessions.cleared.push(cleared);
            let time = object_in(state, "time").and_then(|time| time.get("compacted")?.unsigned());
            self.cleared_at = self.cleared_at.max(time.unwrap_or(u64::MAX));
            return Some((alloc::vec![PartView::text(CLEARED)], place, failed));
        }
        let attachments = array_in(state, "attachments").unwrap_or_default();
        let mut parts = alloc::vec![PartView::Text(text)];
        if attachments.is_empty() {
            return Some((parts, place, failed));
        }
        let list = state.get("attachments").map(|list| list.span()).unwrap_or_default();
        let elements = attachments.iter().map(Node::span).collect();
        let list = self.builder.list_in(unit, Container::Array(list), elements, None);
        let place = place.with_media(list, 0, parts.len());
        let files = attachments.iter().map(|file| file.object().ok().flatten().unwrap_or_default());
        parts.extend(files.map(|file| PartView::Media(file_medium(&file))));
        Some((parts, place, failed))
    }
}

/// A part with a call, the call's id, and the place of the part.
type Answer<'a> = (Object<'a>, Cow<'a, str>, Unit);

fn draft<'a>(message: &Message<'a>, role: Role, unit: Unit, list: List) -> Draft<'a> {
    let mut draft = Draft::new(role, unit).adding(Adding::Said(list));
    if let Some(id) = message.info.string("id").filter(|id| !id.is_empty()) {
        draft.message = draft.message.with_id(id.as_ref());
    }
    draft
}

fn is_true(part: &Object<'_>, key: &str) -> bool {
    part.get(key).is_some_and(|flag| flag.is_true())
}

/// Whether opencode sends a message of the model: one that failed only when it was aborted and says something.
fn is_sent(message: &Message<'_>) -> bool {
    let Some(error) = message.info.get("error").filter(|error| !error.is_null()) else { return true };
    let name = error.object().ok().flatten().and_then(|error| error.get("name"));
    name.is_some_and(|name| name.is_string("MessageAbortedError"))
        && message.parts.iter().any(|part| !is(part, "step-start") && !is(part, "reasoning"))
}

/// A part of a person's message that the model sees.
fn spoken<'a>(part: &Object<'a>, unit: Unit) -> Option<(PartView<'a>, Place)> {
    match part.string("type").as_deref()? {
        "text" if !is_true(part, "ignored") => text_at(part, unit),
        "file" => {
            let mime = part.string("mime").unwrap_or_default();
            let told = matches!(mime.as_ref(), "text/plain" | "application/x-directory");
            (!told).then(|| (PartView::Media(file_medium(part)), Place::media(unit)))
        }
        "compaction" | "subtask" => {
            let kind = part.string("type").unwrap_or_default();
            Some((PartView::Media(Media::new(MediaKind::Other).with_label(kind)), Place::media(unit)))
        }
        _ => None,
    }
}

/// A text or reasoning of the model.
fn uttered<'a>(part: &Object<'a>, unit: Unit) -> Option<(PartView<'a>, Place)> {
    match part.string("type").as_deref()? {
        "text" => text_at(part, unit),
        "reasoning" => {
            let (text, span) = part.get("text").and_then(|text| Some((text.string()?, text.span())))?;
            match hidden_bytes(part) {
                Some(hidden_bytes) => {
                    Some((PartView::OpaqueReasoning { text, hidden_bytes }, Place::opaque(unit)))
                }
                None if text.is_empty() => None,
                None => Some((PartView::Reasoning(text), Place::reasoning(unit, span))),
            }
        }
        _ => None,
    }
}

fn text_at<'a>(part: &Object<'a>, unit: Unit) -> Option<(PartView<'a>, Place)> {
    let text = part.get("text")?;
    Some((PartView::Text(text.string()?), Place::text(unit, text.span())))
}

/// The bytes of a provider's encrypted reasoning; those of a signature count as none. `None` when there is neither.
fn hidden_bytes(part: &Object<'_>) -> Option<u64> {
    let metadata = object_in(part, "metadata")?;
    metadata.members().iter().find_map(|member| {
        let provider = member.value.object().ok()??;
        let filled =
            |key: &str| provider.get(key).filter(|value| value.string().is_some_and(|text| !text.is_empty()));
        let hidden = filled("reasoningEncryptedContent").or_else(|| filled("redactedData"));
        match hidden {
            Some(hidden) => Some(u64::try_from(hidden.length_in_file()).unwrap_or(u64::MAX)),
            None => filled("signature").map(|_| 0),
        }
    })
}

fn file_medium<'a>(file: &Object<'a>) -> Media<'a> {
    let mime = file.string("mime").unwrap_or_default();
    let kind = match mime.split('/').next() {
        Some("image") => MediaKind::Image,
        Some("audio") => MediaKind::Audio,
        _ => MediaKind::Document,
    };
    with_source(Media::new(kind).with_label(mime), None, file.string("url"))
}

/// The JSON string of a tool's output or error.
fn output_of<'a>(state: &Object<'a>, failed: bool) -> Option<Node<'a>> {
    if !failed {
        return state.get("output");
    }
    let metadata = object_in(state, "metadata");
    let interrupted = metadata.filter(|metadata| is_true(metadata, "interrupted"));
    let output = interrupted.and_then(|metadata| metadata.get("output"));
    output.filter(|output| output.string().is_some()).or_else(|| state.get("error"))
}

/// An output that opencode has cleared: the mark is a time.
fn cleared(state: &Object<'_>, turn: usize) -> Option<Cleared> {
    let time = object_in(state, "time")?;
    time.get("compacted").filter(|mark| !mark.is_null() && mark.text() != "0")?;
    let others = time.members().iter().filter(|member| !member.key.is_string("compacted"));
    let others: Vec<String> =
        others.map(|member| [member.key.text(), ":", member.value.text()].concat()).collect();
    Some(Cleared { turn, time: time.span(), without: ["{", &others.join(","), "}"].concat() })
}

impl MessagePlace {
    fn new(message: &Message<'_>) -> Self {
        let span =
            |object: &Object<'_>, key: &str| object.get(key).map_or_else(Span::default, |value| value.span());
        let info = &message.info;
        let created = object_in(info, "time").and_then(|time| time.get("created"));
        Self {
            id: span(info, "id"),
            session: span(info, "sessionID"),
            created: created.map(|created| created.span()).unwrap_or_default(),
            agent: span(info, "agent"),
            model: span(info, "model"),
            parts: message.parts.iter().map(|part| span(part, "id")).collect(),
        }
    }
}
