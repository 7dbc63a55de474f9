//! Entries to turns.

use alloc::vec::Vec;

use cutctx_messages::{Origin, PartView, ResultView};
use cutctx_types::{Role, Transcript, TurnError};

use super::{Compaction, Entries, NAME};
use crate::agent::earlier_summary::EarlierSummary;
use crate::agent::parent_links::ParentLinks;
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::layout::{Container, Draft, LayoutBuilder, List, Place};
use crate::raw::Object;
use crate::request::ReadRequest;
use crate::shapes::{Blocks, MadeIds, Records, array_in, object_in, records, result_content};
use crate::usage::Usage;

/// The keys of the links.
const LINKS: (&str, &str) = ("id", "parentId");

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let Records { places, objects } = records(document)?;
    let links = links(&objects);
    let found = compaction(&objects, &links, document.text());
    let mut builder = LayoutBuilder::new(NAME, request);
    if found.is_some() {
        builder = builder.without_first_user();
    }
    let list = builder.list(Container::Lines, places.clone());
    let chain = links.chain.clone();
    let mut reader =
        Reader { builder, list, objects: &objects, ids: MadeIds::default(), counts: found.is_none() };
    let compaction = reader.read(&chain, found)?;
    let (mapped, layout) = reader.builder.finish();
    let entries = Entries { places, links, compaction };
    Ok(Reading::new(Transcript::new(mapped.turns)?, layout.spelled(entries)))
}

/// The links with the conversation: the branch of the last entry, or all entries where there are no links.
fn links(objects: &[Object<'_>]) -> ParentLinks {
    let mut links = ParentLinks::new(objects, LINKS, &[]);
    let leaf = objects.iter().rposition(|entry| entry.has("type")).unwrap_or(0);
    if !links.is_linked() {
        links.chain = (0..objects.len()).collect();
        return links;
    }
    links.chain = links.branch(leaf);
    if breaks_off(&links, objects) {
        links = ParentLinks::new(objects, LINKS, &calls(objects));
        links.chain = links.branch(leaf);
    }
    links
}

/// Whether the branch ends in an entry that names a parent which is no entry.
fn breaks_off(links: &ParentLinks, objects: &[Object<'_>]) -> bool {
    let root = links.chain.first().and_then(|root| objects.get(*root));
    root.and_then(|root| root.get(LINKS.1)).is_some_and(|parent| !parent.is_null())
}

/// The calls of all entries, as JSON text: some files name a call where they mean the entry that made it.
fn calls<'a>(objects: &[Object<'a>]) -> Vec<(&'a str, usize)> {
    let mut found = Vec::new();
    for (entry, object) in objects.iter().enumerate() {
        let blocks = object_in(object, "message").and_then(|message| array_in(&message, "content"));
        let ids = blocks.into_iter().flatten().filter_map(|block| block.object().ok()??.get("id"));
        found.extend(ids.map(|id| (id.text(), entry)));
    }
    found
}

/// The last compaction of the branch, with the entry that is kept first.
fn compaction(objects: &[Object<'_>], links: &ParentLinks, text: &str) -> Option<Compaction> {
    let is_compaction = |record: &&usize| objects.get(**record).is_some_and(|entry| is(entry, "compaction"));
    let record = links.chain.iter().rfind(is_compaction).copied()?;
    let object = objects.get(record)?;
    let by_id =
        object.get("firstKeptEntryId").and_then(|id| Some((links.record(id.text(), text)?, id.span())));
    let by_index = || {
        let index = object.get("firstKeptEntryIndex")?;
        Some((usize::try_from(index.unsigned()?).ok()?, index.span()))
    };
    Some(Compaction { record, summary: None, kept: by_id.or_else(by_index) })
}

fn is(entry: &Object<'_>, kind: &str) -> bool {
    entry.get("type").is_some_and(|found| found.is_string(kind))
}

struct Reader<'o, 'a, 'r> {
    builder: LayoutBuilder<'r>,
    list: List,
    objects: &'o [Object<'a>],
    ids: MadeIds,
    /// Whether what providers counted is still about this context.
    counts: bool,
}

impl Reader<'_, '_, '_> {
    /// The compaction's summary, what it keeps, and what follows it.
    fn read(
        &mut self,
        chain: &[usize],
        compaction: Option<Compaction>,
    ) -> Result<Option<Compaction>, TurnError> {
        let Some(mut compaction) = compaction else {
            self.push_all(chain)?;
            return Ok(None);
        };
        compaction.summary = self.summary(&compaction)?;
        let place = |record: usize| chain.iter().position(|entry| *entry == record);
        let end = place(compaction.record).unwrap_or(0);
        let start = compaction.kept.and_then(|(record, _)| place(record)).unwrap_or(end).min(end);
        self.push_all(chain.get(start..end).unwrap_or_default())?;
        self.counts = true;
        self.push_all(chain.get(end.saturating_add(1)..).unwrap_or_default())?;
        Ok(Some(compaction))
    }

    fn summary(&mut self, compaction: &Compaction) -> Result<Option<EarlierSummary>, TurnError> {
        let unit = self.list.unit(compaction.record);
        self.builder.mark(unit);
        let Some(entry) = self.objects.get(compaction.record) else { return Ok(None) };
        let said = entry.get("summary").and_then(|text| Some((text.string()?, text.span())));
        let Some((said, text)) = said.filter(|(said, _)| !said.is_empty()) else { return Ok(None) };
        let turn = self.builder.turn_count();
        let mut draft = with_id(Draft::new(Role::User, unit), entry);
        draft.message.origin = Origin::Harness;
        draft.add(PartView::Text(said), Place::text(unit, text));
        self.builder.push(draft)?;
        Ok(Some(EarlierSummary { turn, text }))
    }

    fn push_all(&mut self, records: &[usize]) -> Result<(), TurnError> {
        for record in records {
            let objects = self.objects;
            let Some(entry) = objects.get(*record) else { continue };
            if let Some(draft) = self.draft(entry, *record) {
                self.builder.push(with_id(draft, entry))?;
            }
        }
        Ok(())
    }

    fn draft<'a>(&mut self, entry: &Object<'a>, record: usize) -> Option<Draft<'a>> {
        match entry.string("type").as_deref() {
            Some("message") => self.message(&object_in(entry, "message")?, record),
            Some("custom_message") => Some(self.said(entry, record, Origin::Harness)),
            Some("branch_summary") => self.text(entry, "summary", record),
            _ => None,
        }
    }

    fn message<'a>(&mut self, message: &Object<'a>, record: usize) -> Option<Draft<'a>> {
        match message.string("role").as_deref() {
            Some("user") => {
                let mut draft = self.said(message, record, Origin::Person);
                draft.message.origin = origin_of_message(&draft.message);
                Some(draft)
            }
            Some("assistant") if !is_unfinished(message) => {
                let mut draft = self.content(message, record, Role::Assistant);
                let usage = object_in(message, "usage").and_then(|usage| Usage::of_pi(&usage));
                draft.cost(usage.filter(|_| self.counts));
                Some(draft)
            }
            Some("toolResult") => Some(self.result(message, record)),
            Some("custom" | "hookMessage") => Some(self.said(message, record, Origin::Harness)),
            Some("bashExecution")
                if !message.get("excludeFromContext").is_some_and(|flag| flag.is_true()) =>
            {
                self.text(message, "output", record)
            }
            Some("branchSummary" | "compactionSummary") => self.text(message, "summary", record),
            _ => None,
        }
    }

    fn content<'a>(&mut self, message: &Object<'a>, record: usize, role: Role) -> Draft<'a> {
        let unit = self.list.unit(record);
        let mut blocks = Blocks { builder: &mut self.builder, ids: &mut self.ids };
        blocks.draft(role, message.get("content"), unit)
    }

    fn said<'a>(&mut self, message: &Object<'a>, record: usize, origin: Origin) -> Draft<'a> {
        let mut draft = self.content(message, record, Role::User);
        draft.message.origin = origin;
        draft
    }

    /// A text that the tool puts in a person's place.
    fn text<'a>(&self, holder: &Object<'a>, key: &str, record: usize) -> Option<Draft<'a>> {
        let text = holder.get(key)?;
        let unit = self.list.unit(record);
        let mut draft = Draft::new(Role::User, unit);
        draft.message.origin = Origin::Harness;
        draft.add(PartView::Text(text.string()?), Place::text(unit, text.span()));
        Some(draft)
    }

    fn result<'a>(&mut self, message: &Object<'a>, record: usize) -> Draft<'a> {
        let unit = self.list.unit(record);
        let name = message.owned("toolName");
        let id = self.ids.result(message.string("toolCallId"), name.as_deref());
        let (parts, place) = result_content(message.get("content"), unit);
        let failed = message.get("isError").is_some_and(|flag| flag.is_true());
        let result = ResultView::with_parts(id, parts).with_name(name).with_error(failed);
        let mut draft = Draft::new(Role::Tool, unit);
        draft.add(PartView::ToolResult(result), place);
        draft
    }
}

/// Whether a message ended in an error or was aborted.
fn is_unfinished(message: &Object<'_>) -> bool {
    message.get("stopReason").is_some_and(|reason| reason.is_string("aborted") || reason.is_string("error"))
}

fn with_id<'a>(mut draft: Draft<'a>, entry: &Object<'a>) -> Draft<'a> {
    if let Some(id) = entry.string("id").filter(|id| !id.is_empty()) {
        draft.message = draft.message.with_id(id.as_ref());
    }
    draft
}
