//! Which lines of a rollout are context.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::Origin;

use crate::document::Document;
use crate::error::FormatError;
use crate::injected::origin_of;
use crate::provider::{ItemKind, item_kind};
use crate::raw::{Line, Node, Object, Span};
use crate::usage::Usage;

/// An item, or the summary that an earlier compaction left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    /// The line, or the place in the replacement history.
    pub(super) span: Span,
    /// The item's object, or the summary's JSON string.
    pub(super) item: Span,
    /// The JSON value of the time stamp; empty where there is none.
    pub(super) stamp: Span,
    pub(super) kind: ItemKind,
    /// Whether the item stands in a `payload`.
    pub(super) wrapped: bool,
    /// Whether it is a call that was stopped.
    pub(super) aborted: bool,
    /// What the provider counted for the request that this item is the first answer to.
    pub(super) usage: Option<Usage>,
}

/// Where the context of a rollout starts.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// With the file.
    File,
    /// With the summary of a compaction, the first record.
    Summary,
    /// With the history that a compaction left: the array, and how many records stand in it. The value is what screens
    /// show as its summary.
    History(Span, usize, Span),
}

/// What a rollout holds that is context, from the last compaction on.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) records: Vec<Record>,
    /// The records that are context, in order: not those that were rolled back.
    pub(super) live: Vec<usize>,
    pub(super) start: Start,
    /// The JSON string of the base instructions.
    pub(super) prompt: Option<Span>,
    /// The records before this one are out of reach of an abort.
    settled: usize,
    /// The records before this one belong to requests that are counted already, or to none.
    counted: usize,
    /// The JSON of the last count: it is often written twice.
    count: Span,
}

impl Index {
    pub(super) fn new(document: &Document<'_>) -> Result<Self, FormatError> {
        let mut index = Self {
            records: Vec::new(),
            live: Vec::new(),
            start: Start::File,
            prompt: None,
            settled: 0,
            counted: 0,
            count: Span::default(),
        };
        for line in document.lines().filter(|line| !line.is_filler()) {
            let nested = line.object_with_inner(r#""payload""#);
            let nested = nested.map_err(|error| FormatError::syntax(error, document.text()))?;
            if let Some((object, payload)) = nested {
                index.note(&line, &object, payload.as_ref(), document.text());
            }
        }
        Ok(index)
    }

    fn note(&mut self, line: &Line<'_>, object: &Object<'_>, payload: Option<&Object<'_>>, text: &str) {
        let stamp = object.get("timestamp").map(|stamp| stamp.span()).unwrap_or_default();
        let Some(payload) = payload else {
            if !object.has("record_type") && (object.has("type") || object.has("role")) {
                self.add_item(line.span, object, stamp, false);
            }
            return;
        };
        match object.string("type").as_deref() {
            Some("response_item") => self.add_item(line.span, payload, stamp, true),
            Some("compacted") => self.start_over(line.span, payload, stamp),
            Some("event_msg") => self.note_event(payload, text),
            Some("session_meta") if self.prompt.is_none() => {
                let prompt = payload.get("base_instructions").and_then(|prompt| prompt.object().ok()?);
                self.prompt = prompt.and_then(|prompt| Some(prompt.get("text")?.span()));
            }
            _ => {}
        }
    }

    fn add_item(&mut self, span: Span, item: &Object<'_>, stamp: Span, wrapped: bool) {
        let Some(kind) = item_kind(item).filter(|kind| !is_ballast(*kind)) else { return };
        self.add(Record { span, item: item.span(), stamp, kind, wrapped, aborted: false, usage: None });
    }

    fn add(&mut self, record: Record) {
        self.live.push(self.records.len());
        self.records.push(record);
        if record.kind == ItemKind::User {
            self.settled = self.records.len();
        }
    }

    /// A compaction: what it left takes the place of everything before.
    fn start_over(&mut self, span: Span, payload: &Object<'_>, stamp: Span) {
        self.records.clear();
        self.live.clear();
        self.settled = 0;
        let message = payload.get("message").map(|message| message.span()).unwrap_or_default();
        let history = payload.get("replacement_history").and_then(|list| Some((list, list.array().ok()??)));
        let Some((list, items)) = history else {
            let kind = ItemKind::User;
            self.add(Record { span, item: message, stamp, kind, wrapped: true, aborted: false, usage: None });
            self.counted = self.records.len();
            self.start = Start::Summary;
            return;
        };
        self.start = Start::History(list.span(), items.len(), message);
        for node in items {
            let kind = node.object().ok().flatten().and_then(|item| item_kind(&item));
            let kind = kind.unwrap_or(ItemKind::Ballast);
            let (span, item) = (node.span(), node.span());
            self.add(Record { span, item, stamp, kind, wrapped: false, aborted: false, usage: None });
            if is_ballast(kind) {
                self.live.pop();
            }
        }
        self.counted = self.records.len();
    }

    fn note_event(&mut self, event: &Object<'_>, text: &str) {
        match event.string("type").as_deref() {
            Some("turn_aborted") => {
                let open = self.records.iter_mut().skip(self.settled);
                open.filter(|record| record.kind == ItemKind::Call).for_each(|call| call.aborted = true);
                self.settled = self.records.len();
            }
            Some("thread_rolled_back") => {
                self.roll_back(event.get("num_turns").and_then(|turns| turns.unsigned()).unwrap_or(0), text);
            }
            Some("token_count") => self.note_usage(event, text),
            _ => {}
        }
    }

    /// A count is of the request whose answer was written last. Outputs of its calls may stand before the count.
    fn note_usage(&mut self, event: &Object<'_>, text: &str) {
        let Some(info) = event.get("info").and_then(|info| info.object().ok()?) else { return };
        if self.count.of(text) == info.span().of(text) {
            return;
        }
        self.count = info.span();
        let last = info.get("last_token_usage").and_then(|usage| usage.object().ok()?);
        let usage = last.and_then(|usage| Usage::of_codex(&usage));
        let first = self.first_of_answer();
        if let Some(record) = first.and_then(|first| self.records.get_mut(first)) {
            record.usage = usage;
        }
        self.counted = self.records.len();
    }

    /// The first item of the answer that was written last, unless it is counted.
    fn first_of_answer(&self) -> Option<usize> {
        let open = self.records.iter().enumerate().skip(self.counted).rev();
        let mut answer = open.skip_while(|(_, record)| record.kind == ItemKind::Output);
        let is_answer = |record: &Record| is_answer(record.kind);
        answer.by_ref().map_while(|(place, record)| is_answer(record).then_some(place)).last()
    }

    /// Takes so many requests of a person out of the context, with all that follows them.
    fn roll_back(&mut self, turns: u64, text: &str) {
        let mut left = turns;
        while left > 0
            && let Some(index) = self.live.pop()
        {
            let record = self.records.get(index);
            if record.is_some_and(|record| record.is_request(text)) {
                left = left.saturating_sub(1);
            }
        }
        self.settled = self.records.len();
        self.counted = self.records.len();
    }

    /// The records in the replacement history, and the value of the summary that is shown for it.
    pub(super) const fn history(&self) -> (usize, Span) {
        match self.start {
            Start::History(_, count, shown) => (count, shown),
            Start::File | Start::Summary => (0, Span { start: 0, end: 0 }),
        }
    }
}

impl Record {
    /// Whether a person asks for something here.
    fn is_request(&self, text: &str) -> bool {
        let said = || first_text(&Object::parse(self.item.of(text), self.item.start).ok()?);
        self.kind == ItemKind::User && said().is_none_or(|said| origin_of(&said) == Origin::Person)
    }
}

/// The first text of a message.
pub(super) fn first_text<'a>(item: &Object<'a>) -> Option<Cow<'a, str>> {
    let content = item.get("content")?;
    let first = || Node::object(content.array().ok()??.first()?).ok()??.string("text");
    content.string().or_else(first)
}

/// Whether the model says it.
const fn is_answer(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Answer { .. }
            | ItemKind::Reasoning
            | ItemKind::Call
            | ItemKind::Server
            | ItemKind::ServerSearch
    )
}

/// Codex sends nothing that it does not know.
const fn is_ballast(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Ballast | ItemKind::Unknown)
}
