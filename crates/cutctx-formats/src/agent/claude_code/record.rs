//! One line of a session file: what it is and where its fields stand.

use alloc::vec::Vec;

use crate::raw::{Kind as JsonKind, Nested, Node, Object, Span};

/// The fields that name another record, beside `parentUuid`.
const LINKS: [&str; 3] = [r#""logicalParentUuid""#, r#""sourceToolAssistantUUID""#, r#""leafUuid""#];

/// What a record is to the context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line of a user message: what a person or the harness says, or a tool result.
    User,
    /// A line of an assistant message.
    Assistant,
    /// An assistant line that the harness wrote in the model's place, such as an API error. The model never sees it.
    Notice,
    /// What precedes this record is no context any more.
    Boundary,
    /// Everything else: progress, snapshots, titles, system notices, lines that cannot be read as messages.
    Other,
}

/// A line that has an id or names another record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    /// The line with its line feed.
    pub(super) line: Span,
    pub(super) kind: Kind,
    /// Whether it belongs to a sub-agent's side chain.
    pub(super) side: bool,
    /// Whether the line says that the harness wrote what stands in the user's place.
    pub(super) harness: bool,
    uuid: Within,
    parent: Within,
    source: Within,
    message_id: Within,
    content: Within,
    usage: Within,
}

/// A stretch of a line, in half the room of a span; a value that begins or goes on beyond 4 GiB is taken for none.
#[derive(Debug, Clone, Copy, Default)]
struct Within {
    start: u32,
    length: u32,
}

impl Within {
    fn of(node: Option<Node<'_>>, line: Span) -> Self {
        let within = |node: Node<'_>| {
            let start = u32::try_from(node.start().saturating_sub(line.start)).ok()?;
            Some(Self { start, length: u32::try_from(node.span().len()).ok()? })
        };
        node.and_then(within).unwrap_or_default()
    }

    fn span(self, line: Span) -> Span {
        let wide = |narrow: u32| usize::try_from(narrow).unwrap_or(usize::MAX);
        if self.length == 0 {
            return Span::default();
        }
        let start = line.start.saturating_add(wide(self.start));
        Span { start, end: start.saturating_add(wide(self.length)) }
    }
}

impl Record {
    /// The JSON string of its id; empty without one.
    pub(super) fn uuid(&self) -> Span {
        self.uuid.span(self.line)
    }

    /// The value of `parentUuid`; empty without one.
    pub(super) fn parent(&self) -> Span {
        self.parent.span(self.line)
    }

    /// The value of `sourceToolAssistantUUID`: the assistant line whose call a result answers.
    pub(super) fn source(&self) -> Span {
        self.source.span(self.line)
    }

    /// The JSON string of the API message's id; empty without one.
    pub(super) fn message_id(&self) -> Span {
        self.message_id.span(self.line)
    }

    /// The value of the message's content; empty without one.
    pub(super) fn content(&self) -> Span {
        self.content.span(self.line)
    }

    /// What the provider counted for the message, as far as it was known when the line was written; empty without it.
    pub(super) fn usage(&self) -> Span {
        self.usage.span(self.line)
    }

    /// Whether it is a line of a message that the model is sent.
    pub(super) const fn is_context(&self) -> bool {
        matches!(self.kind, Kind::User | Kind::Assistant)
    }

    /// Whether the conversation can end with it.
    pub(super) const fn is_said(&self) -> bool {
        !matches!(self.kind, Kind::Other)
    }
}

/// Under which key a line has its message, as JSON text.
pub(super) const MESSAGE: &str = r#""message""#;

/// Reads a line and its message. The links that it has, besides to its parent, are added to `links`.
pub(super) fn read((object, message): &Nested<'_>, line: Span, links: &mut Vec<Span>) -> Record {
    let fields = Fields::of(object, links);
    let message = message.as_ref().map(MessageFields::of).unwrap_or_default();
    let kind = fields.kind(&message);
    Record {
        line,
        kind,
        side: is_true(fields.side),
        harness: is_true(fields.meta) || is_true(fields.summary),
        uuid: Within::of(string(fields.uuid), line),
        parent: Within::of(fields.parent, line),
        source: Within::of(fields.source, line),
        message_id: Within::of(string(message.id), line),
        content: Within::of(message.content, line),
        usage: Within::of(message.usage.filter(|usage| usage.kind() == JsonKind::Object), line),
    }
}

/// The messages from before a compaction that stay context, as its marker names them: ids as JSON strings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Preserved {
    /// The first of them.
    pub(super) head: Span,
    /// The record that they follow now.
    pub(super) anchor: Span,
    /// The last of them.
    pub(super) tail: Span,
}

impl Preserved {
    /// What the marker of a compaction says.
    pub(super) fn of(boundary: &Object<'_>) -> Option<Self> {
        let metadata = boundary.get("compactMetadata")?.object().ok()??;
        let segment = metadata.get("preservedSegment")?.object().ok()??;
        let id = |key: &str| segment.get(key).map(|id| id.span());
        Some(Self { head: id("headUuid")?, anchor: id("anchorUuid")?, tail: id("tailUuid")? })
    }
}

/// The fields of a line that matter here, each the last of its name.
#[derive(Debug, Default)]
struct Fields<'a> {
    kind: Option<Node<'a>>,
    subtype: Option<Node<'a>>,
    uuid: Option<Node<'a>>,
    parent: Option<Node<'a>>,
    source: Option<Node<'a>>,
    side: Option<Node<'a>>,
    meta: Option<Node<'a>>,
    summary: Option<Node<'a>>,
    api_error: Option<Node<'a>>,
}

impl<'a> Fields<'a> {
    fn of(object: &Object<'a>, links: &mut Vec<Span>) -> Self {
        let mut fields = Self::default();
        for member in object.members() {
            let key = member.key.text();
            if let Some(field) = fields.named(key) {
                *field = Some(member.value);
            }
            if LINKS.contains(&key) && member.value.kind() == JsonKind::String {
                links.push(member.value.span());
            }
        }
        fields
    }

    fn named(&mut self, key: &str) -> Option<&mut Option<Node<'a>>> {
        Some(match key {
            r#""type""# => &mut self.kind,
            r#""subtype""# => &mut self.subtype,
            r#""uuid""# => &mut self.uuid,
            r#""parentUuid""# => &mut self.parent,
            r#""sourceToolAssistantUUID""# => &mut self.source,
            r#""isSidechain""# => &mut self.side,
            r#""isMeta""# => &mut self.meta,
            r#""isCompactSummary""# => &mut self.summary,
            r#""isApiErrorMessage""# => &mut self.api_error,
            _ => return None,
        })
    }

    fn kind(&self, message: &MessageFields<'_>) -> Kind {
        let readable = message
            .content
            .is_some_and(|content| matches!(content.kind(), JsonKind::String | JsonKind::Array));
        match self.kind.map_or("", |kind| kind.text()) {
            r#""user""# if readable => Kind::User,
            r#""assistant""# if readable && (is_true(self.api_error) || message.is_synthetic()) => {
                Kind::Notice
            }
            r#""assistant""# if readable => Kind::Assistant,
            r#""system""# if is(self.subtype, r#""compact_boundary""#) => Kind::Boundary,
            _ => Kind::Other,
        }
    }
}

/// The fields of a line's message that matter here.
#[derive(Debug, Default)]
struct MessageFields<'a> {
    id: Option<Node<'a>>,
    model: Option<Node<'a>>,
    content: Option<Node<'a>>,
    usage: Option<Node<'a>>,
}

impl<'a> MessageFields<'a> {
    fn of(message: &Object<'a>) -> Self {
        let mut fields = Self::default();
        for member in message.members() {
            match member.key.text() {
                r#""id""# => fields.id = Some(member.value),
                r#""model""# => fields.model = Some(member.value),
                r#""content""# => fields.content = Some(member.value),
                r#""usage""# => fields.usage = Some(member.value),
                _ => {}
            }
        }
        fields
    }

    fn is_synthetic(&self) -> bool {
        is(self.model, r#""<synthetic>""#)
    }
}

fn is(node: Option<Node<'_>>, text: &str) -> bool {
    node.is_some_and(|node| node.text() == text)
}

fn is_true(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| node.is_true())
}

fn string(node: Option<Node<'_>>) -> Option<Node<'_>> {
    node.filter(|node| node.kind() == JsonKind::String)
}
