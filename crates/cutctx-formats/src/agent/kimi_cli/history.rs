//! Which lines make up the context, as the tool replays them.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::raw::Object;
use crate::shapes::object_in;

/// A message of the context.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    /// The line that begins it, and the lines of its parts.
    pub(super) record: usize,
    pub(super) parts: Vec<usize>,
    /// The line that ends a step.
    pub(super) end: Option<usize>,
    /// Whether it is pinned: an earlier compaction keeps it, messages wait for it behind what came later, or it is the
    /// result of a call that was compacted away, without which the call would stay open.
    pub(super) kept: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// Said by a person.
    Prompt,
    /// Said by somebody else.
    Message,
    Step,
    Result,
    Summary,
}

/// Replays a log.
#[derive(Default)]
pub(super) struct History<'a> {
    items: Vec<Item>,
    /// The items that are context, in order.
    context: Vec<usize>,
    /// The item of each open step.
    steps: BTreeMap<&'a str, usize>,
    /// Calls without a result yet, and the steps that made them where these are context; messages wait for them.
    open: BTreeMap<&'a str, Option<usize>>,
    waiting: Vec<usize>,
}

impl<'a> History<'a> {
    pub(super) fn line(&mut self, line: &Object<'a>, record: usize) {
        match line.string("type").as_deref() {
            Some("context.append_message") => self.message(line, record),
            Some("context.append_loop_event") => {
                if let Some(event) = object_in(line, "event") {
                    self.event(&event, record);
                }
            }
            Some("context.clear") => {
                self.context.clear();
                self.forget();
            }
            Some("context.undo") => self.undo(line),
            Some("context.apply_compaction") => self.compact(line, record),
            _ => {}
        }
    }

    /// The messages in order.
    pub(super) fn finish(mut self) -> Vec<Item> {
        self.context.append(&mut self.waiting);
        let items = &self.items;
        self.context.iter().filter_map(|item| items.get(*item).cloned()).collect()
    }

    fn add(&mut self, kind: ItemKind, record: usize) -> usize {
        self.items.push(Item { kind, record, parts: Vec::new(), end: None, kept: false });
        self.items.len().saturating_sub(1)
    }

    fn message(&mut self, line: &Object<'a>, record: usize) {
        let message = object_in(line, "message").unwrap_or_default();
        let user = message.get("role").is_some_and(|role| role.is_string("user"));
        let origin = object_in(&message, "origin").and_then(|origin| origin.string("kind"));
        let person = origin.is_none_or(|kind| matches!(kind.as_ref(), "user" | "system_trigger"));
        let item = self.add(if user && person { ItemKind::Prompt } else { ItemKind::Message }, record);
        if self.open.is_empty() { self.context.push(item) } else { self.waiting.push(item) }
    }

    fn event(&mut self, event: &Object<'a>, record: usize) {
        let text = |key: &str| event.get(key).map(|value| value.text()).unwrap_or_default();
        match event.string("type").as_deref() {
            Some("step.begin") => {
                let item = self.add(ItemKind::Step, record);
                self.steps.insert(text("uuid"), item);
                self.pass_waiting();
                self.context.push(item);
            }
            Some("step.end") => {
                let step = self.steps.remove(text("uuid"));
                if let Some(step) = step.and_then(|step| self.items.get_mut(step)) {
                    step.end = Some(record);
                }
                self.flush();
            }
            Some("content.part") => {
                self.part(text("stepUuid"), record);
            }
            Some("tool.call") => {
                let step = self.part(text("stepUuid"), record);
                self.open.insert(text("toolCallId"), Some(step));
            }
            Some("tool.result") => {
                let item = self.add(ItemKind::Result, record);
                self.context.push(item);
                let step = self.open.remove(text("toolCallId"));
                if step.is_none() {
                    self.pass_waiting();
                }
                if let Some(item) = self.items.get_mut(item).filter(|_| step == Some(None)) {
                    item.kept = true;
                }
                self.flush();
            }
            _ => {}
        }
    }

    /// A part of a step; a step that begins nowhere begins with its first part.
    fn part(&mut self, step: &'a str, record: usize) -> usize {
        let item = self.steps.get(step).copied().unwrap_or_else(|| {
            let item = self.add(ItemKind::Step, record);
            self.steps.insert(step, item);
            self.pass_waiting();
            self.context.push(item);
            item
        });
        if let Some(item) = self.items.get_mut(item) {
            item.parts.push(record);
        }
        item
    }

    /// Something comes before messages that wait: the steps that they wait for stay, because without them the messages
    /// would come first.
    fn pass_waiting(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        for step in self.open.values().flatten() {
            if let Some(item) = self.items.get_mut(*step) {
                item.kept = true;
            }
        }
    }

    fn flush(&mut self) {
        if self.open.is_empty() {
            self.context.append(&mut self.waiting);
        }
    }

    fn forget(&mut self) {
        self.steps.clear();
        self.open.clear();
        self.waiting.clear();
    }

    /// Takes back the last prompts, so many of them, with all that follows.
    fn undo(&mut self, line: &Object<'a>) {
        let count = line.get("count").and_then(|count| usize::try_from(count.unsigned()?).ok()).unwrap_or(1);
        let prompts = self.context.iter().enumerate().filter(|(_, item)| self.is(**item, ItemKind::Prompt));
        let place = prompts.rev().nth(count.saturating_sub(1)).map(|(place, _)| place);
        if let Some(place) = place.filter(|_| count > 0) {
            self.context.truncate(place);
            self.forget();
        }
    }

    fn is(&self, item: usize, kind: ItemKind) -> bool {
        self.items.get(item).is_some_and(|item| item.kind == kind)
    }

    fn compact(&mut self, line: &Object<'a>, record: usize) {
        let number = |key: &str| line.get(key).and_then(|count| usize::try_from(count.unsigned()?).ok());
        self.steps.clear();
        self.open.values_mut().for_each(|step| *step = None);
        let summary = self.add(ItemKind::Summary, record);
        let Some(kept) = number("keptUserMessageCount") else {
            let counted = number("compactedCount").unwrap_or(self.context.len()).min(self.context.len());
            let tail = self.context.split_off(counted);
            self.context = core::iter::once(summary).chain(tail).collect();
            return;
        };
        let prompts: Vec<usize> =
            self.context.iter().copied().filter(|item| self.is(*item, ItemKind::Prompt)).collect();
        let head = number("keptHeadUserMessageCount").unwrap_or(0).min(kept);
        let last = prompts.len().saturating_sub(kept.saturating_sub(head));
        let chosen = prompts.iter().enumerate().filter(|(place, _)| *place < head || *place >= last);
        self.context = chosen.map(|(_, item)| *item).collect();
        for item in &self.context {
            if let Some(item) = self.items.get_mut(*item) {
                item.kept = true;
            }
        }
        self.context.push(summary);
    }
}
