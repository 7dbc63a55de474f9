//! Rollouts to turns.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;

use cutctx_messages::{MessageView, Origin, PartView};
use cutctx_types::{Role, Transcript};

use super::index::{Index, Record, Start, first_text};
use super::spelling::Rollout;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::layout::{Container, Draft, LayoutBuilder, List, Place};
use crate::provider::{Gatherer, Item, tail};
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;

/// The format's name in errors.
const NAME: &str = "codex-rollout";

/// How many bytes of a text's end are compared.
const END: usize = 24;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let index = Index::new(document)?;
    let text = document.text();
    let mut builder = LayoutBuilder::new(NAME, request);
    if !matches!(index.start, Start::File) {
        builder = builder.without_first_user();
    }
    let container = match index.start {
        Start::File | Start::Summary => Container::Lines,
        Start::History(array, count, _) => Container::ArrayThenLines(array, count),
    };
    let list = builder.list(container, index.records.iter().map(|record| record.span).collect());
    push_prompt(&index, text, &mut builder)?;
    if matches!(index.start, Start::Summary) {
        builder.start_at(0);
        let first = index.records.first().map(|record| record.span).unwrap_or_default();
        builder.mark_at(first, Some(list.unit(0)));
        push_summary(&index, list, text, &mut builder)?;
    }
    let reader = Reader::new(&index, list, text);
    if let Start::History(history, ..) = index.start {
        builder.mark_at(history, reader.summary(&index).map(|place| list.unit(place)));
    }
    let mut gatherer = Gatherer::new(builder, NAME, text);
    let summarized = usize::from(matches!(index.start, Start::Summary));
    for place in index.live.iter().copied().filter(|place| *place >= summarized) {
        if let Some(record) = index.records.get(place) {
            reader.push(record, place, &mut gatherer)?;
        }
    }
    let (mapped, layout) = gatherer.finish()?;
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(Rollout::new(&index))))
}

fn string_at(span: Span, text: &str) -> Option<Cow<'_, str>> {
    Node::trusted(span.of(text), span.start).string().filter(|text| !text.is_empty())
}

fn push_prompt(index: &Index, text: &str, builder: &mut LayoutBuilder<'_>) -> Result<(), FormatError> {
    let prompt = index.prompt.and_then(|place| Some((string_at(place, text)?, place)));
    let Some((prompt, place)) = prompt else { return Ok(()) };
    let message = MessageView::new(Role::System, vec![PartView::Text(prompt)]).with_id("instructions");
    Ok(builder.push(Draft::fixed_at(message, place))?)
}

/// The summary that a compaction left as a text: when it goes it becomes an empty one.
fn push_summary(
    index: &Index,
    list: List,
    text: &str,
    builder: &mut LayoutBuilder<'_>,
) -> Result<(), FormatError> {
    let value = index.records.first().filter(|_| index.live.first() == Some(&0)).map(|record| record.item);
    let Some((value, said)) = value.and_then(|value| Some((value, string_at(value, text)?))) else {
        return Ok(());
    };
    let mut draft = Draft::new(Role::User, list.unit(0));
    draft.message.origin = Origin::Harness;
    let place = Place::text(list.unit(0), value).blanked(value, r#""""#);
    draft.add(PartView::Text(said), place);
    Ok(builder.push(draft)?)
}

/// Reads items one by one.
struct Reader<'a> {
    text: &'a str,
    list: List,
    /// How many records stand in the replacement history, and how the summary ends that is shown for it.
    history: usize,
    shown: Option<String>,
}

impl<'a> Reader<'a> {
    fn new(index: &Index, list: List, text: &'a str) -> Self {
        let (history, shown) = index.history();
        let shown = string_at(shown, text).map(|shown| String::from(tail(&shown, END)));
        Self { text, list, history, shown }
    }

    /// Adds an item. Codex leaves out what it cannot read.
    fn push(
        &self,
        record: &Record,
        place: usize,
        gatherer: &mut Gatherer<'_, 'a>,
    ) -> Result<(), FormatError> {
        let Ok(object) = Object::parse(record.item.of(self.text), record.item.start) else { return Ok(()) };
        let mut item = Item::new(&object, record.kind, (self.list, place));
        item.aborted = record.aborted;
        item.usage = record.usage;
        item.origin = self.is_summary(&object, place).then_some(Origin::Harness);
        let pushed = gatherer.push(&item);
        if let Err(FormatError::Record { .. }) = pushed { Ok(()) } else { pushed }
    }

    /// The message of the history that a compaction left in which it shows its summary.
    fn summary(&self, index: &Index) -> Option<usize> {
        let items = index.records.iter().take(self.history).map(|record| record.item);
        let objects = items.map(|item| Object::parse(item.of(self.text), item.start).ok());
        objects.enumerate().find_map(|(place, item)| self.is_summary(&item?, place).then_some(place))
    }

    /// Whether a message is a summary: one of ours, or the one that a compaction shows as its own.
    fn is_summary(&self, item: &Object<'_>, place: usize) -> bool {
        let shown = self.shown.as_deref().filter(|_| place < self.history);
        let is_shown = |shown: &str| first_text(item).is_some_and(|said| said.ends_with(shown));
        item.has("summary_of") || shown.is_some_and(is_shown)
    }
}
