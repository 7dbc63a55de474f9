//! Items to messages: the items of one response become one.

use alloc::vec::Vec;

use cutctx_messages::{Mapped, Origin, PartView};
use cutctx_types::Role;

use super::call::{add_call, add_server};
use super::content::{INPUT, OUTPUT, add_content, block, joined_texts};
use super::item::ItemKind;
use super::output::{SCREENSHOT, output_draft};
use crate::error::{FormatError, Place as FilePlace, RecordFault};
use crate::injected::origin_of_message;
use crate::layout::{Adding, Draft, Layout, LayoutBuilder, List, Place, Unit};
use crate::raw::{Node, Object, Span};
use crate::usage::Usage;

/// Gathers items into messages.
pub(crate) struct Gatherer<'b, 'a> {
    builder: LayoutBuilder<'b>,
    text: &'a str,
    format: &'static str,
    response: Option<Response<'a>>,
    /// The outputs that are pictures of a screen, each with its turn.
    screenshots: Vec<(usize, Span)>,
}

/// A response of which more may follow.
struct Response<'a> {
    draft: Draft<'a>,
    reasons: bool,
    /// Whether an item carries the id of a stored one.
    is_stored: bool,
    last: ItemKind,
}

/// An item and what is known about it from elsewhere.
pub(crate) struct Item<'i, 'a> {
    /// Its members.
    pub(crate) object: &'i Object<'a>,
    /// Its kind.
    pub(crate) kind: ItemKind,
    /// The list it stands in and its number there.
    pub(crate) place: (List, usize),
    /// Whether the call that it is was stopped.
    pub(crate) aborted: bool,
    /// Where the words of a user come from, when they do not tell it themselves.
    pub(crate) origin: Option<Origin>,
    /// What the provider counted for the request that it is the first answer to.
    pub(crate) usage: Option<Usage>,
}

impl<'i, 'a> Item<'i, 'a> {
    /// An item of which no more is known.
    pub(crate) const fn new(object: &'i Object<'a>, kind: ItemKind, place: (List, usize)) -> Self {
        Self { object, kind, place, aborted: false, origin: None, usage: None }
    }

    const fn unit(&self) -> Unit {
        self.place.0.unit(self.place.1)
    }

    fn node(&self, text: &'a str) -> Node<'a> {
        Node::trusted(self.object.span().of(text), self.object.span().start)
    }
}

impl<'b, 'a> Gatherer<'b, 'a> {
    /// Gathers items of this text.
    pub(crate) const fn new(builder: LayoutBuilder<'b>, format: &'static str, text: &'a str) -> Self {
        Self { builder, text, format, response: None, screenshots: Vec::new() }
    }

    /// Adds the next item.
    ///
    /// # Errors
    ///
    /// When it cannot be read; nothing of it is kept then.
    pub(crate) fn push(&mut self, item: &Item<'_, 'a>) -> Result<(), FormatError> {
        match item.kind {
            ItemKind::Ballast => Ok(()),
            ItemKind::Answer { .. }
            | ItemKind::Reasoning
            | ItemKind::Call
            | ItemKind::Server
            | ItemKind::ServerSearch
            | ItemKind::Unknown => self.respond(item),
            ItemKind::User
            | ItemKind::System
            | ItemKind::Quote
            | ItemKind::Output
            | ItemKind::Tools
            | ItemKind::Compaction => {
                let draft = self.lone_draft(item).map_err(|fault| self.faulty(item, fault))?;
                self.flush()?;
                if item.kind == ItemKind::Compaction {
                    self.builder.mark_at(item.object.span(), Some(item.unit()));
                }
                self.note_screenshot(item);
                Ok(self.builder.push(draft)?)
            }
        }
    }

    fn note_screenshot(&mut self, item: &Item<'_, 'a>) {
        let shows = item.object.get("type").is_some_and(|kind| kind.is_string(SCREENSHOT));
        if let Some(output) = item.object.get("output").filter(|_| shows) {
            self.screenshots.push((self.builder.turn_count(), output.span()));
        }
    }

    /// The outputs so far that are pictures of a screen, each with its turn.
    pub(super) fn screenshots(&self) -> Vec<(usize, Span)> {
        self.screenshots.clone()
    }

    fn faulty(&self, item: &Item<'_, 'a>, fault: RecordFault) -> FormatError {
        let at = FilePlace::of(item.object.span().start, self.text);
        FormatError::Record { format: self.format, at, record: item.place.1, fault }
    }

    /// A message that is one item.
    fn lone_draft(&mut self, item: &Item<'_, 'a>) -> Result<Draft<'a>, RecordFault> {
        let (unit, node) = (item.unit(), item.node(self.text));
        match item.kind {
            ItemKind::Output => Ok(output_draft(item.object, node, unit)),
            ItemKind::Tools => {
                let mut draft = Draft::new(Role::System, unit);
                let tools = item.object.get("tools").unwrap_or(node);
                draft.add(PartView::Media(block("additional_tools", tools)), Place::media(unit));
                Ok(draft)
            }
            ItemKind::Compaction => Ok(compaction(item.object, unit)),
            ItemKind::Quote => self.message(item, Role::Assistant),
            ItemKind::System => self.message(item, Role::System),
            ItemKind::User
            | ItemKind::Answer { .. }
            | ItemKind::Reasoning
            | ItemKind::Call
            | ItemKind::Server
            | ItemKind::ServerSearch
            | ItemKind::Ballast
            | ItemKind::Unknown => {
                let mut draft = self.message(item, Role::User)?;
                draft.message.origin = item.origin.unwrap_or_else(|| origin_of_message(&draft.message));
                Ok(draft)
            }
        }
    }

    fn message(&mut self, item: &Item<'_, 'a>, role: Role) -> Result<Draft<'a>, RecordFault> {
        let frame = if role == Role::Assistant { OUTPUT } else { INPUT };
        let mut draft = Draft::new(role, item.unit());
        let adding = add_content(item.object, item.unit(), frame, &mut self.builder, &mut draft)?;
        Ok(draft.adding(adding))
    }

    /// Adds an item to the response that it belongs to.
    fn respond(&mut self, item: &Item<'_, 'a>) -> Result<(), FormatError> {
        if !self.response.as_ref().is_some_and(|response| response.goes_on_with(item.kind)) {
            self.flush()?;
        }
        let new =
            || Response::new(Draft::new(Role::Assistant, item.unit()).adding(Adding::Record), item.kind);
        let mut response = self.response.take().unwrap_or_else(new);
        let read = self.read_into(item, &mut response);
        if read.is_ok() {
            response.note(item);
            response.draft.cost(item.usage);
        }
        if !response.draft.message.parts.is_empty() {
            self.response = Some(response);
        }
        read.map_err(|fault| self.faulty(item, fault))
    }

    /// What the provider ran is bound to the reasoning that led to it.
    fn read_into(&mut self, item: &Item<'_, 'a>, response: &mut Response<'a>) -> Result<(), RecordFault> {
        let (unit, node) = (item.unit(), item.node(self.text));
        let server = if response.reasons { Place::opaque(unit) } else { Place::media(unit) };
        let draft = &mut response.draft;
        if let ItemKind::Answer { .. } = item.kind {
            add_content(item.object, unit, OUTPUT, &mut self.builder, draft)?;
        } else if item.kind == ItemKind::Reasoning {
            draft.add(reasoning(item.object), Place::opaque(unit));
        } else if item.kind == ItemKind::Call {
            add_call(item.object, unit, item.aborted, draft);
        } else {
            add_server(item.object, node, server, draft);
        }
        draft.message.pinned |= item.kind == ItemKind::ServerSearch;
        Ok(())
    }

    /// The turns and the layout.
    pub(crate) fn finish(mut self) -> Result<(Mapped, Layout), FormatError> {
        self.flush()?;
        Ok(self.builder.finish())
    }

    fn flush(&mut self) -> Result<(), FormatError> {
        if let Some(mut response) = self.response.take() {
            if response.reasons && response.is_stored {
                response.draft.hold_reasoning();
            }
            self.builder.push(response.draft)?;
        }
        Ok(())
    }
}

impl<'a> Response<'a> {
    const fn new(draft: Draft<'a>, first: ItemKind) -> Self {
        Self { draft, reasons: false, is_stored: false, last: first }
    }

    /// Whether an item of this kind belongs to this response still.
    fn goes_on_with(&self, next: ItemKind) -> bool {
        if next == ItemKind::Reasoning {
            return self.last == ItemKind::Reasoning;
        }
        if let ItemKind::Answer { .. } = next {
            let answered = matches!(self.last, ItemKind::Answer { .. });
            return !answered && (self.reasons || self.last != ItemKind::Call);
        }
        self.last != (ItemKind::Answer { last: true })
    }

    fn note(&mut self, item: &Item<'_, 'a>) {
        self.reasons |= item.kind == ItemKind::Reasoning;
        self.is_stored |= item.object.get("id").is_some_and(|id| !id.is_null());
        self.last = item.kind;
    }
}

/// What can be read of reasoning, and how much cannot.
fn reasoning<'a>(item: &Object<'a>) -> PartView<'a> {
    let summary = joined_texts(item.get("summary"));
    let content = joined_texts(item.get("content"));
    let text = match (summary.is_empty(), content.is_empty()) {
        (_, true) => summary,
        (true, false) => content,
        (false, false) => [summary.as_ref(), content.as_ref()].join("\n").into(),
    };
    PartView::OpaqueReasoning { text, hidden_bytes: hidden_bytes(item) }
}

fn compaction<'a>(item: &Object<'a>, unit: Unit) -> Draft<'a> {
    let mut draft = Draft::new(Role::Assistant, unit);
    draft.message.pinned = true;
    let part = PartView::OpaqueReasoning { text: "".into(), hidden_bytes: hidden_bytes(item) };
    draft.add(part, Place::opaque(unit));
    draft
}

/// The length of the encrypted text of an item.
fn hidden_bytes(item: &Object<'_>) -> u64 {
    let content = item.get("encrypted_content").filter(|content| !content.is_null());
    let length = content.map_or(0, |content| content.length_in_file().saturating_sub(2));
    u64::try_from(length).unwrap_or(u64::MAX)
}
