//! The context's messages to turns.

use alloc::vec::Vec;

use cutctx_messages::{MessageView, Origin, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::NAME;
use super::history::{History, Item, ItemKind};
use super::write::{Log, Step};
use crate::agent::earlier_summary::EarlierSummary;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Adding, Container, Draft, LayoutBuilder, List, Place, Unit};
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Records, array_in, call_at, object_in, records, result_content};

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Records { places, objects } = records(document)?;
    let mut history = History::default();
    for (record, object) in objects.iter().enumerate() {
        history.line(object, record);
    }
    let items = history.finish();
    let mut builder = LayoutBuilder::new(NAME, request);
    if items.iter().any(|item| item.kind == ItemKind::Summary) {
        builder = builder.without_first_user();
    }
    let list = builder.list(Container::Lines, places.clone());
    let log = Log { places, ..Log::default() };
    let mut reader = Reader { builder, list, objects: &objects, ids: MadeIds::default(), log };
    reader.system_prompt()?;
    for item in &items {
        reader.item(item)?;
    }
    let (mapped, layout) = reader.builder.finish();
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(reader.log)))
}

struct Reader<'o, 'a, 'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    objects: &'o [Object<'a>],
    ids: MadeIds,
    log: Log,
}

impl<'a> Reader<'_, 'a, '_> {
    fn system_prompt(&mut self) -> Result<(), TurnError> {
        let config =
            |line: &&Object<'a>| line.get("type").is_some_and(|kind| kind.is_string("config.update"));
        let mut prompts = self.objects.iter().rev().filter(config).filter_map(|line| {
            let prompt = line.get("systemPrompt")?;
            Some((prompt.string()?, prompt.span()))
        });
        let Some((prompt, place)) = prompts.next().filter(|(prompt, _)| !prompt.is_empty()) else {
            return Ok(());
        };
        let parts = alloc::vec![PartView::Text(prompt)];
        self.builder.push(Draft::fixed_at(MessageView::new(Role::System, parts), place))
    }

    fn item(&mut self, item: &Item) -> Result<(), TurnError> {
        let objects = self.objects;
        let Some(line) = objects.get(item.record) else { return Ok(()) };
        let unit = self.list.unit(item.record);
        match item.kind {
            ItemKind::Prompt | ItemKind::Message => self.message(line, item, unit),
            ItemKind::Step => self.step(item),
            ItemKind::Result => self.result(line, item.kept, unit),
            ItemKind::Summary => self.summary(line, unit),
        }
    }

    fn message(&mut self, line: &Object<'a>, item: &Item, unit: Unit) -> Result<(), TurnError> {
        let message = object_in(line, "message").unwrap_or_default();
        let role = match message.string("role").as_deref() {
            Some("assistant") => Role::Assistant,
            Some("tool") => return self.tool_message(&message, unit),
            Some("system") => Role::System,
            _ => Role::User,
        };
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        let mut draft = blocks.draft(role, message.get("content"), unit);
        self.tool_calls(&message, unit, &mut draft);
        draft.message.pinned = item.kept;
        let origin = origin_of_message(&draft.message);
        let injected = origin == Origin::Person && item.kind == ItemKind::Message;
        draft.message.origin = if injected { Origin::Harness } else { origin };
        self.builder.push(draft)
    }

    fn tool_calls(&mut self, message: &Object<'a>, unit: Unit, draft: &mut Draft<'a>) {
        let calls = array_in(message, "toolCalls").unwrap_or_default();
        let place = message.get("toolCalls").map(|calls| calls.span()).unwrap_or_default();
        let spans = calls.iter().map(Node::span).collect();
        let list = self.builder.list_in(unit, Container::Array(place), spans, None);
        for (index, node) in calls.into_iter().enumerate() {
            let Some(call) = node.object().ok().flatten() else { continue };
            let function = object_in(&call, "function").unwrap_or_else(|| call.clone());
            let name = function.string("name").unwrap_or_default();
            let id = self.ids.call(call.string("id"), &name);
            let (part, place) = call_at(id, name, function.get("arguments"), list.unit(index));
            draft.add(part, place);
        }
    }

    fn tool_message(&mut self, message: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        let id = self.ids.result(message.string("toolCallId"), None);
        let (parts, place) = result_content(message.get("content"), unit);
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(ResultView::with_parts(id, parts)), place);
        self.builder.push(draft)
    }

    /// The parts are lines of their own; the line that begins the step goes when all of them do.
    fn step(&mut self, item: &Item) -> Result<(), TurnError> {
        if item.parts.is_empty() {
            return Ok(());
        }
        let begin = self.list.unit(item.record);
        let begins = !item.parts.contains(&item.record);
        let place = |record: &usize| self.log.places.get(*record).copied().unwrap_or_default();
        let spans: Vec<Span> = item.parts.iter().map(place).collect();
        let list =
            if begins { Some(self.builder.list_in(begin, Container::Lines, spans, None)) } else { None };
        let mut draft = Draft::new(Role::Assistant, begin);
        draft.message.pinned = item.kept;
        if let Some(list) = list {
            draft = draft.adding(Adding::Said(list));
        }
        for (index, record) in item.parts.iter().enumerate() {
            let unit = list.map_or(self.list.unit(*record), |list| list.unit(index));
            let event = self.objects.get(*record).and_then(|line| object_in(line, "event"));
            if let Some((part, place)) = event.and_then(|event| self.part(&event, unit)) {
                draft.add(part, place);
            }
        }
        let event =
            self.objects.get(item.record).and_then(|line| object_in(line, "event")).unwrap_or_default();
        let time = self.objects.get(item.record).and_then(|line| line.get("time"));
        let first = self.builder.turn_count();
        self.log.steps.push(Step::new(first, item, &event, time));
        self.builder.push(draft)
    }

    fn part(&mut self, event: &Object<'a>, unit: Unit) -> Option<(PartView<'a>, Place)> {
        if event.get("type").is_some_and(|kind| kind.is_string("tool.call")) {
            let name = event.string("name").unwrap_or_default();
            let id = self.ids.call(event.string("toolCallId"), &name);
            return Some(call_at(id, name, event.get("args"), unit));
        }
        let part = event.get("part")?;
        Some(Blocks { builder: &mut self.builder, ids: &mut self.ids }.block(part, unit))
    }

    fn result(&mut self, line: &Object<'a>, pinned: bool, unit: Unit) -> Result<(), TurnError> {
        let event = object_in(line, "event").unwrap_or_default();
        let result = object_in(&event, "result").unwrap_or_default();
        let id = self.ids.result(event.string("toolCallId"), None);
        let (parts, place) = result_content(result.get("output"), unit);
        let failed = result.get("isError").is_some_and(|flag| flag.is_true());
        let mut draft = Draft::new(Role::Tool, unit);
        draft.message.pinned = pinned;
        draft.add(PartView::ToolResult(ResultView::with_parts(id, parts).with_error(failed)), place);
        self.builder.push(draft)
    }

    fn summary(&mut self, line: &Object<'a>, unit: Unit) -> Result<(), TurnError> {
        self.builder.mark(unit);
        let text = ["contextSummary", "summary"].iter().find_map(|key| line.get(key));
        let said = text.and_then(|text| Some((text.string()?, text.span())));
        let Some((said, text)) = said.filter(|(said, _)| !said.is_empty()) else { return Ok(()) };
        self.log.earlier = Some(EarlierSummary { turn: self.builder.turn_count(), text });
        let mut draft = Draft::new(Role::User, unit);
        draft.message.origin = Origin::Harness;
        draft.add(PartView::Text(said), Place::text(unit, text));
        self.builder.push(draft)
    }
}
