//! Lines to turns.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use cutctx_messages::{MessageView, Origin, PartView, Placement, TurnMapper};
use cutctx_types::{Role, Transcript, TranscriptTurn, TurnError};

use super::ids::Ids;
use super::index::{Entry, EntryLine, Index};
use super::record::{self, Kind, Preserved, Record};
use super::tree::{Link, Tree};
use super::wire::{self, Wire, WireMessage};
use crate::document::Document;
use crate::error::FormatError;
use crate::format::Reading;
use crate::injected::origin_of_message;
use crate::marker::Marker;
use crate::outcome::{Slot, SlotKind};
use crate::provider::active_turn::tell_held;
use crate::provider::pin as pin_active_turn;
use crate::provider::{Content, Outline, read_content};
use crate::raw::{Node, Object, Span};
use crate::request::ReadRequest;
use crate::usage::Usage;

pub(super) fn read(document: &Document<'_>, request: &ReadRequest<'_>) -> Result<Reading, FormatError> {
    let text = document.text();
    let Scan { records, places, preserved } = scan(document)?;
    let ids = Ids::new(&records, text);
    let tree = Tree::new(&records, &ids, text, preserved);
    let links = links(places, &ids, text);
    let Wire { messages, mut copies } = wire::messages(&records, &tree, text);
    for (line, of) in twins(&records, &tree, text) {
        copies.entry(of).or_default().push(line);
    }
    let mut reader = Reader::new(&records, text, request);
    for message in &messages {
        reader.push(message)?;
    }
    reader.tell_marker(&tree);
    let (mut turns, entries, slots) = reader.finish();
    let loop_start = turns.iter().rposition(|turn| turn.role() == Role::User);
    let mut index = Index { records, tree, links, entries, slots, copies, loop_start: None };
    index.loop_start = loop_start.and_then(|turn| index.entry_of(turn));
    pin(&index, &mut turns);
    let first = loop_start.map_or(0, |turn| turn.saturating_add(1));
    tell_held(turns.get_mut(first..).unwrap_or_default());
    Ok(Reading::new(Transcript::new(turns)?, index))
}

/// All lines that are objects.
struct Scan {
    records: Vec<Record>,
    /// The fields that name other records, beside their parents, with the number of their own record.
    places: Vec<(usize, Span)>,
    /// What the last compaction kept of the messages before it.
    preserved: Option<Preserved>,
}

fn scan(document: &Document<'_>) -> Result<Scan, FormatError> {
    let mut scan = Scan { records: Vec::new(), places: Vec::new(), preserved: None };
    let mut found = Vec::new();
    for line in document.lines().filter(|line| !line.is_filler()) {
        let object = line.object_with_inner(record::MESSAGE);
        let object = object.map_err(|error| FormatError::syntax(error, document.text()))?;
        let Some(object) = object else { continue };
        let record = record::read(&object, line.span, &mut found);
        if record.kind == Kind::Boundary {
            scan.preserved = Preserved::of(&object.0);
        }
        scan.places.extend(found.drain(..).map(|place| (scan.records.len(), place)));
        scan.records.push(record);
    }
    Ok(scan)
}

fn links(places: Vec<(usize, Span)>, ids: &Ids<'_>, text: &str) -> Vec<Link> {
    let links = places
        .into_iter()
        .filter_map(|(owner, place)| Some(Link { owner, place, target: ids.get(place.of(text))? }));
    links.collect()
}

/// Lines of one id that say the same.
fn twins<'r>(
    records: &'r [Record],
    tree: &'r Tree,
    text: &'r str,
) -> impl Iterator<Item = (usize, usize)> + use<'r> {
    records.iter().enumerate().filter_map(|(line, record)| {
        let of = tree.original(line);
        let original = records.get(of).filter(|original| of != line && original.is_context())?;
        (original.content().of(text) == record.content().of(text)).then_some((line, of))
    })
}

/// Collects messages into turns, entries and slots.
struct Reader<'r> {
    records: &'r [Record],
    text: &'r str,
    request: &'r ReadRequest<'r>,
    mapper: TurnMapper<'r>,
    entries: Vec<Entry>,
    slots: Vec<Slot>,
    /// What matters of each message for the turn that is still going on.
    outlines: Vec<Outline>,
    /// The turns that no person wrote in the user's place.
    injected: Vec<(usize, Origin)>,
}

impl<'r> Reader<'r> {
    fn new(records: &'r [Record], text: &'r str, request: &'r ReadRequest<'r>) -> Self {
        Self {
            records,
            text,
            request,
            mapper: TurnMapper::new(request.estimator).pinning_last_user(),
            entries: Vec::new(),
            slots: Vec::new(),
            outlines: Vec::new(),
            injected: Vec::new(),
        }
    }

    /// Lines whose content cannot be read are left out: they stay in the file as they are.
    fn push(&mut self, wire: &WireMessage) -> Result<(), TurnError> {
        let role = if wire.kind == Kind::Assistant { Role::Assistant } else { Role::User };
        let records = self.records;
        let read = wire.lines.iter().filter_map(|line| {
            let record = records.get(*line)?;
            let node = Node::trusted(record.content().of(self.text), record.content().start);
            Some((*line, read_content(node, role).ok()?))
        });
        let contents: Vec<(usize, Content<'_>)> = read.collect();
        let Some(first) = contents.first().and_then(|(line, _)| records.get(*line)) else { return Ok(()) };
        let first_turn = self.mapper.turn_count();
        self.push_message(role, wire.kind, first, contents)?;
        if let Some(usage) = self.usage(wire) {
            self.request.spent(&usage.of_turn(first_turn));
        }
        Ok(())
    }

    /// Tells of the marker that the branch begins with; its summary is what the harness says first.
    fn tell_marker(&self, tree: &Tree) {
        let boundary = tree.chain.first().and_then(|first| self.records.get(*first));
        let Some(boundary) = boundary.filter(|_| tree.is_compacted(self.records)) else { return };
        let said =
            self.entries.first().and_then(|entry| Some((entry.lines.first()?.record, entry.turns.start)));
        let summary = said.filter(|(record, _)| self.records.get(*record).is_some_and(|said| said.harness));
        self.request.marked(&Marker::new(boundary.line, summary.map(|(_, turn)| turn)));
    }

    /// What the last line of a message tells: on those before it the answer was still being written.
    fn usage(&self, wire: &WireMessage) -> Option<Usage> {
        let mut lines = wire.lines.iter().rev().filter_map(|line| self.records.get(*line));
        let place = lines.find_map(|record| Some(record.usage()).filter(|usage| !usage.is_empty()))?;
        Usage::of_anthropic(&Object::parse(place.of(self.text), place.start).ok()?)
    }

    fn push_message(
        &mut self,
        role: Role,
        kind: Kind,
        first: &Record,
        contents: Vec<(usize, Content<'_>)>,
    ) -> Result<(), TurnError> {
        let first_turn = self.mapper.turn_count();
        let pinned = contents.iter().any(|(_, content)| content.has_compaction);
        if pinned {
            self.request.marked(&Marker::new(first.line, Some(first_turn)));
        }
        let mut parts = Vec::new();
        let mut lines = Vec::with_capacity(contents.len());
        for (line, content) in contents {
            parts.extend(content.parts);
            lines.push((line, content.places));
        }
        let mut message = MessageView::new(role, parts).with_pinned(pinned);
        if let Some(id) = id_of(first, self.text) {
            message = message.with_id(id);
        }
        if role == Role::User {
            message.origin = origin_of(first, &message);
        }
        self.request.observe(&message, first.line, first_turn);
        self.outlines.push(Outline::of(&message, first_turn));
        let placements = self.mapper.push(&message)?;
        let lines = self.place(&message, &placements, lines);
        let turns = first_turn..self.mapper.turn_count();
        if message.origin != Origin::Person {
            self.injected.extend(turns.clone().map(|turn| (turn, message.origin)));
        }
        self.entries.push(Entry { kind, lines, turns });
        Ok(())
    }

    /// The slots of a message, in one row.
    fn place(
        &mut self,
        message: &MessageView<'_>,
        placements: &[Placement],
        lines: Vec<(usize, Vec<(Span, SlotKind)>)>,
    ) -> Vec<EntryLine> {
        let mut parts = placements.iter().zip(&message.parts);
        let mut placed = Vec::with_capacity(lines.len());
        for (record, places) in lines {
            let start = self.slots.len();
            for ((span, kind), (placement, part)) in places.into_iter().zip(&mut parts) {
                let parts = if let PartView::ToolResult(result) = part { result.parts.len() } else { 1 };
                self.slots.push(Slot { span, kind, turn: placement.turn, part: placement.part, parts });
            }
            placed.push(EntryLine { record, slots: start..self.slots.len() });
        }
        placed
    }

    fn finish(self) -> (Vec<TranscriptTurn>, Vec<Entry>, Vec<Slot>) {
        let mut turns = self.mapper.finish().turns;
        pin_active_turn(&self.outlines, &mut turns);
        for (turn, origin) in self.injected {
            if let Some(turn) = turns.get_mut(turn).filter(|turn| turn.role() == Role::User) {
                let origin = if origin == Origin::Instructions { "instructions" } else { "harness" };
                let metadata = turn.metadata().clone().with("origin", origin);
                *turn = turn.clone().with_metadata(metadata);
            }
        }
        (turns, self.entries, self.slots)
    }
}

fn id_of<'t>(record: &Record, text: &'t str) -> Option<Cow<'t, str>> {
    let node = Node::trusted(record.uuid().of(text), record.uuid().start);
    node.string().filter(|id| !id.is_empty())
}

/// Who says a message in the user's place: what it says of itself tells instructions from words for the moment, and
/// the line's own marks tell the harness's words from a person's.
fn origin_of(first: &Record, message: &MessageView<'_>) -> Origin {
    let origin = origin_of_message(message);
    if origin == Origin::Person && first.harness { Origin::Harness } else { origin }
}

/// Pins the first thing said, because a conversation begins with the user, the first thing that a person said, unless a
/// compaction has taken it in already, what the branch ends in, and the messages by which the marker of a compaction
/// names those that it kept; all of them in their place.
fn pin(index: &Index, turns: &mut [TranscriptTurn]) {
    let compacted = index.tree.is_compacted(&index.records);
    let human = |turn: &TranscriptTurn| turn.role() == Role::User && turn.metadata().get("origin").is_none();
    let task = turns.iter().position(human).filter(|_| !compacted);
    let leaf = index.tree.chain.last().map(|leaf| index.stated_first(*leaf));
    let last = index.entries.iter().rfind(|entry| entry.lines.iter().any(|line| Some(line.record) == leaf));
    let named = index.entries.iter().filter(|entry| {
        entry.lines.iter().any(|line| index.tree.preserved.is_some_and(|ends| ends.contains(&line.record)))
    });
    let last: Vec<usize> = last.into_iter().chain(named).flat_map(|entry| entry.turns.clone()).collect();
    let first = turns.first().filter(|turn| turn.role() == Role::User).map(|_| 0);
    for turn in first.into_iter().chain(task).chain(last) {
        if let Some(turn) = turns.get_mut(turn).filter(|turn| !turn.pinned()) {
            *turn = turn.clone().with_pinned_in_place();
        }
    }
}
