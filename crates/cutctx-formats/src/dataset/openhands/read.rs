//! Events to messages.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use cutctx_messages::{CallView, Media, MediaKind, Origin, PartView, ResultView};
use cutctx_types::Role;

use super::copies::{Repeated, What};
use super::event::{Kind, Response, deed, field, number};
use super::write::{Events, Form};
use super::{Log, NAME};
use crate::dataset::chat::{Chat, Found, finished};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::{Adding, Container, Draft, Frame, LayoutBuilder, Place, Unit};
use crate::raw::{Member, Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{MadeIds, array_in, object_in, with_source};

/// An action without a thought gets one.
const THOUGHT: Frame = Frame { before: r#""thought":"#, after: "" };

/// An event, what it means, and where it stands.
struct Event<'a> {
    object: Object<'a>,
    kind: Kind,
    unit: Unit,
    response: Response<'a>,
    /// Whether it was read with an earlier one.
    taken: bool,
}

/// Reads a log.
pub(super) struct Reader<'r> {
    chat: Chat<'r>,
    copies: Vec<Repeated>,
    /// Whether nobody has said anything yet.
    begins: bool,
    /// Whether the agent spoke last, without a call.
    agent_spoke: bool,
}

impl<'r> Reader<'r> {
    pub(super) fn read(
        log: &Log<'_>,
        document: &Document<'_>,
        request: &'r ReadRequest<'r>,
    ) -> Result<Reading, FormatError> {
        let mut builder = LayoutBuilder::new(NAME, request);
        let (events, pairs) = events(log, &mut builder);
        let form = Form::of(pairs, events.first().map(|event| &event.object));
        let ids: Vec<_> =
            events.iter().filter_map(|event| event.object.get("id")).map(|id| id.span()).collect();
        let times: Vec<_> = log.events.iter().map(|(_, node)| time(*node)).collect();
        let chat = Chat { builder, ids: MadeIds::default() };
        let mut reader = Self { chat, copies: Vec::new(), begins: true, agent_spoke: false };
        reader.all(events)?;
        let Self { chat, copies, .. } = reader;
        let (transcript, layout) = finished(chat)?;
        let spelling = Events::new(form, copies, (ids, times), document.text());
        Ok(Reading::new(transcript, layout.spelled(spelling)))
    }

    fn all(&mut self, mut events: Vec<Event<'_>>) -> Result<(), FormatError> {
        let forgotten = forgotten(&events);
        let last = events.iter().rposition(|event| event.kind == Kind::Condensation);
        for event in &mut events {
            event.taken =
                event.object.get("id").and_then(|id| id.unsigned()).is_some_and(|id| holds(&forgotten, id));
        }
        for index in 0..events.len() {
            let Some(event) = events.get(index).filter(|event| !event.taken) else { continue };
            match event.kind {
                Kind::Message => self.message(&event.object, event.unit)?,
                Kind::System => {
                    self.say(Role::System, Origin::Person, field(&event.object, "content"), event.unit)?;
                }
                Kind::Finish => self.finish(&event.object, event.unit)?,
                Kind::Result => self.result(&event.object, event.unit)?,
                Kind::Condensation if Some(index) == last => self.summary(&event.object, event.unit)?,
                Kind::Condensation | Kind::Ballast => {}
                Kind::Call => self.call(index, &mut events)?,
            }
        }
        Ok(())
    }

    fn message(&mut self, event: &Object<'_>, unit: Unit) -> Result<(), FormatError> {
        let by_person = match event.string("source").as_deref() {
            Some(source) => source == "user",
            None => self.begins || self.agent_spoke,
        };
        self.begins = false;
        self.agent_spoke = !by_person;
        let role = if by_person { Role::User } else { Role::Assistant };
        let mut draft = self.chat.blocks().draft(role, field(event, "content"), unit);
        self.pictures(event, unit, &mut draft);
        self.chat.builder.push(draft)?;
        Ok(())
    }

    /// The pictures that a message names.
    fn pictures<'a>(&mut self, event: &Object<'a>, unit: Unit, draft: &mut Draft<'a>) {
        let named = ["image_urls", "images_urls"].iter().find_map(|key| Found::at(field(event, key)?));
        let Some(found) = named else { return };
        let spans = found.messages.iter().map(Node::span).collect();
        let list = self.chat.builder.list_in(unit, Container::Array(found.list), spans, None);
        for (index, url) in found.messages.iter().enumerate() {
            let picture = with_source(Media::new(MediaKind::Image), None, url.string());
            draft.add(PartView::Media(picture), Place::media(list.unit(index)));
        }
    }

    fn say(
        &mut self,
        role: Role,
        origin: Origin,
        content: Option<Node<'_>>,
        unit: Unit,
    ) -> Result<(), FormatError> {
        let mut draft = self.chat.blocks().draft(role, content, unit);
        draft.message.origin = origin;
        self.chat.builder.push(draft)?;
        Ok(())
    }

    /// What the agent says at its end: its thought, and its last word.
    fn finish(&mut self, event: &Object<'_>, unit: Unit) -> Result<(), FormatError> {
        let mut draft = Draft::new(Role::Assistant, unit);
        for key in ["thought", "final_thought"] {
            let value = field(event, key).and_then(|value| Some((value.string()?, value.span())));
            if let Some((text, span)) = value.filter(|(text, _)| !text.is_empty()) {
                draft.add(PartView::Text(text), Place::text(unit, span).blanked(span, r#""""#));
            }
        }
        self.agent_spoke = true;
        if !draft.message.parts.is_empty() {
            self.chat.builder.push(draft)?;
        }
        Ok(())
    }

    /// The summary of what was forgotten. Its event marks what is forgotten and stays.
    fn summary(&mut self, event: &Object<'_>, unit: Unit) -> Result<(), FormatError> {
        self.chat.builder.mark(unit);
        let summary = field(event, "summary");
        match summary.filter(|summary| summary.string().is_some_and(|text| !text.is_empty())) {
            Some(summary) => self.say(Role::User, Origin::Harness, Some(summary), unit),
            None => Ok(()),
        }
    }

    fn result(&mut self, event: &Object<'_>, unit: Unit) -> Result<(), FormatError> {
        self.agent_spoke = false;
        let observation = event.string("observation");
        let failed = matches!(observation.as_deref(), Some("error" | "user_rejected"));
        let id = self.chat.ids.result(number(event, "cause"), None);
        let content = event.get("content").and_then(|content| Some((content.string()?, content.span())));
        let mut draft = Draft::new(Role::Tool, unit);
        let (parts, place) = match content {
            Some((text, span)) => (vec![PartView::Text(text)], Place::result(unit, span, Frame::BARE)),
            None => (Vec::new(), Place::silent_result(unit)),
        };
        draft.add(PartView::ToolResult(ResultView::with_parts(id, parts).with_error(failed)), place);
        self.chat.builder.push(draft)?;
        Ok(())
    }

    /// The call at this index with all others of its response.
    fn call(&mut self, index: usize, events: &mut [Event<'_>]) -> Result<(), FormatError> {
        let turn = self.chat.builder.turn_count();
        let members = siblings(index, events);
        let Some(unit) = events.get(index).map(|event| event.unit) else { return Ok(()) };
        let mut draft = Draft::new(Role::Assistant, unit);
        if let Some(adding) = self.texts(&members, events, turn, &mut draft) {
            draft = draft.adding(adding);
        }
        let mut places = places(&members, events);
        for event in members.iter().filter_map(|member| events.get(*member)) {
            let part = draft.message.parts.len();
            let id = self.chat.ids.call(number(&event.object, "id"), "");
            let (view, place) = called(event, id);
            draft.add(PartView::ToolCall(view), place);
            let own = event.response.own().and_then(|own| places.remove(own)).unwrap_or_default();
            self.repeat_arguments(event, own, (turn, part));
        }
        for member in members {
            if let Some(event) = events.get_mut(member) {
                event.taken = true;
            }
        }
        self.agent_spoke = false;
        self.begins = false;
        self.chat.builder.push(draft)?;
        Ok(())
    }

    /// What the agent says with its calls, and where a stub goes when it says nothing.
    fn texts<'a>(
        &mut self,
        members: &[usize],
        events: &[Event<'a>],
        turn: usize,
        draft: &mut Draft<'a>,
    ) -> Option<Adding> {
        let places = members.iter().filter_map(|member| events.get(*member)).flat_map(spoken);
        let mut adding = None;
        let mut said: Option<Cow<'a, str>> = None;
        for (unit, value) in places {
            let Some(text) = value.string() else { continue };
            if text.is_empty() {
                adding = adding.or(Some(Adding::Value(value.span(), Frame::BARE)));
                continue;
            }
            match &said {
                None => {
                    let place = Place::text(unit, value.span()).blanked(value.span(), r#""""#);
                    draft.add(PartView::Text(text.clone()), place);
                    said = Some(text);
                }
                Some(first) if *first == text => {
                    let span = value.span();
                    self.copies.push(Repeated { turn, part: 0, what: What::Text, span, leads: true });
                }
                Some(_) => {
                    let place = Place::text(unit, value.span()).blanked(value.span(), r#""""#);
                    draft.add(PartView::Text(text), place);
                }
            }
        }
        if said.is_some() { None } else { adding.or_else(|| self.new_thought(members, events)) }
    }

    /// A thought for an action that has none.
    fn new_thought(&mut self, members: &[usize], events: &[Event<'_>]) -> Option<Adding> {
        let event = events.get(*members.first()?)?;
        let holder = event.holder();
        let spans = holder.members().iter().map(Member::span).collect();
        let list = self.chat.builder.list_in(event.unit, Container::Array(holder.span()), spans, None);
        Some(Adding::Element(list, THOUGHT))
    }

    /// Notes the other places of a call's arguments: those in the responses of its siblings, and a thought.
    fn repeat_arguments(&mut self, event: &Event<'_>, places: Vec<Span>, (turn, part): (usize, usize)) {
        let Some(arguments) = event.response.own_arguments() else { return };
        let mut repeat = |none, span| {
            self.copies.push(Repeated { turn, part, what: What::Arguments(none), span, leads: false });
        };
        for place in places.into_iter().filter(|place| *place != arguments.span()) {
            repeat(r#""{}""#, place);
        }
        if let Some(thought) = field(&event.object, "thought").filter(|_| event.thinks()) {
            repeat(r#""""#, thought.span());
        }
    }
}

/// The places of the arguments of all calls in the responses of some events, by call.
fn places<'a>(members: &[usize], events: &[Event<'a>]) -> BTreeMap<Cow<'a, str>, Vec<Span>> {
    let mut places: BTreeMap<Cow<'a, str>, Vec<Span>> = BTreeMap::new();
    for event in members.iter().filter_map(|member| events.get(*member)) {
        for (id, arguments) in &event.response.arguments {
            places.entry(id.clone()).or_default().push(arguments.span());
        }
    }
    places
}

impl<'a> Event<'a> {
    /// Whether its thought is what it calls its tool with.
    fn thinks(&self) -> bool {
        self.object.get("action").is_some_and(|action| action.is_string("think"))
            && self.response.own_arguments().is_some()
    }

    /// The object that holds what an action says.
    fn holder(&self) -> Object<'a> {
        object_in(&self.object, "args").unwrap_or_else(|| self.object.clone())
    }
}

/// The places at which an action says something: its thought, and the content of its response.
fn spoken<'a>(event: &Event<'a>) -> Vec<(Unit, Node<'a>)> {
    let thought = field(&event.object, "thought").filter(|_| !event.thinks());
    thought.into_iter().chain(event.response.content).map(|value| (event.unit, value)).collect()
}

/// The call of an action.
fn called<'a>(event: &Event<'a>, id: Cow<'a, str>) -> (CallView<'a>, Place) {
    let action = event.object.string("action").unwrap_or_default();
    let name = event.response.tool.clone().unwrap_or(action);
    if let Some(arguments) = event.response.own_arguments() {
        let view = CallView::new(id, name, arguments.string().unwrap_or_default());
        return (view, Place::call(event.unit, Some(arguments.span()), r#""{}""#));
    }
    let deed = deed(&event.object);
    let view = CallView::new(id, name, deed.and_then(|deed| deed.string()).unwrap_or_default());
    (view, Place::call(event.unit, deed.map(|deed| deed.span()), r#""""#))
}

/// The actions of the same response as the one at `index`, as long as nothing but observations stands between.
fn siblings(index: usize, events: &[Event<'_>]) -> Vec<usize> {
    let id = events.get(index).and_then(|event| event.response.id.clone());
    let mut found = vec![index];
    let Some(id) = id else { return found };
    for (at, event) in events.iter().enumerate().skip(index.saturating_add(1)) {
        match event.kind {
            Kind::Call if event.taken => {}
            Kind::Call if event.response.id.as_ref() == Some(&id) => found.push(at),
            Kind::Ballast | Kind::Result | Kind::Condensation => {}
            Kind::Call | Kind::Message | Kind::System | Kind::Finish => break,
        }
    }
    found
}

/// The events of a log; those that stand in pairs have lists of their own.
fn events<'a>(log: &Log<'a>, builder: &mut LayoutBuilder<'_>) -> (Vec<Event<'a>>, bool) {
    let list = builder.list(log.container, log.events.iter().map(|(span, _)| *span).collect());
    let (mut events, mut pairs) = (Vec::with_capacity(log.events.len()), false);
    for (index, (_, node)) in log.events.iter().enumerate() {
        let unit = list.unit(index);
        match Found::at(*node) {
            None => events.extend(event(*node, unit)),
            Some(pair) => {
                pairs = true;
                let spans = pair.messages.iter().map(Node::span).collect();
                let inner = builder.list_in(unit, Container::Array(pair.list), spans, None);
                let of_pair = pair.messages.iter().enumerate();
                events.extend(of_pair.filter_map(|(index, node)| event(*node, inner.unit(index))));
            }
        }
    }
    (events, pairs)
}

fn event(node: Node<'_>, unit: Unit) -> Option<Event<'_>> {
    let object = node.object().ok()??;
    let (kind, response) = (Kind::of(&object), Response::of(&object));
    Some(Event { object, kind, unit, response, taken: false })
}

fn time(node: Node<'_>) -> Span {
    let event = node.object().ok().flatten().unwrap_or_default();
    event.get("timestamp").map(|time| time.span()).unwrap_or_default()
}

/// The ids that condensations forget, as ranges in order.
fn forgotten(events: &[Event<'_>]) -> Vec<(u64, u64)> {
    let mut ranges = Vec::new();
    for event in events.iter().filter(|event| event.kind == Kind::Condensation) {
        let args = object_in(&event.object, "args").unwrap_or_else(|| event.object.clone());
        let end = |key: &str| args.get(key).and_then(|id| id.unsigned());
        ranges.extend(end("forgotten_events_start_id").zip(end("forgotten_events_end_id")));
        let ids = array_in(&args, "forgotten_event_ids").unwrap_or_default();
        ranges.extend(ids.iter().filter_map(Node::unsigned).map(|id| (id, id)));
    }
    ranges.sort_unstable();
    let mut joined: Vec<(u64, u64)> = Vec::with_capacity(ranges.len());
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(open) if start <= open.1 => open.1 = open.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// Whether ranges in order, of which no two overlap, hold an id.
fn holds(ranges: &[(u64, u64)], id: u64) -> bool {
    let next = ranges.partition_point(|(_, end)| *end < id);
    ranges.get(next).is_some_and(|(start, _)| *start <= id)
}
