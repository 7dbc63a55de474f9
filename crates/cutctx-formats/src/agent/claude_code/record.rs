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
    /// The JSON string of its id; empty without one.
    pub(super) uuid: Span,
    /// The value of `parentUuid`; empty without one.
    pub(super) parent: Span,
    /// The value of `sourceToolAssistantUUID`: the assistant line whose call a result answers.
    pub(super) source: Span,
    /// The JSON string of the API message's id; empty without one.
    pub(super) message_id: Span,
    /// The value of the message's content; empty without one.
    pub(super) content: Span,
}

impl Record {
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
        uuid: string_span(fields.uuid),
        parent: span(fields.parent),
        source: span(fields.source),
        message_id: string_span(message.id),
        content: span(message.content),
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
}

impl<'a> MessageFields<'a> {
    fn of(message: &Object<'a>) -> Self {
        let mut fields = Self::default();
        for member in message.members() {
            match member.key.text() {
                r#""id""# => fields.id = Some(member.value),
                r#""model""# => fields.model = Some(member.value),
                r#""content""# => fields.content = Some(member.value),
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

fn span(node: Option<Node<'_>>) -> Span {
    node.map(|node| node.span()).unwrap_or_default()
}

fn string_span(node: Option<Node<'_>>) -> Span {
    span(node.filter(|node| node.kind() == JsonKind::String))
}
