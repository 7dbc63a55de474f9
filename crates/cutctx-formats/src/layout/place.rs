//! Where one part of a message stands.

use alloc::string::String;

use crate::outcome::SlotKind;
use crate::raw::{Span, quoted};

/// A list of the file, as [`LayoutBuilder::list`](super::LayoutBuilder::list) gives it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct List(pub(super) usize);

/// An element of a list: what goes when everything in it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    pub(super) list: List,
    pub(super) element: usize,
}

impl List {
    /// The element with this index.
    #[must_use]
    pub const fn unit(self, element: usize) -> Unit {
        Unit { list: self, element }
    }
}

/// What stands before and after the JSON string of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a frame has two sides")]
pub struct Frame {
    /// JSON text before the string.
    pub before: &'static str,
    /// JSON text after it.
    pub after: &'static str,
}

impl Frame {
    /// The string alone.
    pub const BARE: Self = Self { before: "", after: "" };
    /// `{"type":"text","text":…}`
    pub const TEXT_BLOCK: Self = Self { before: r#"{"type":"text","text":"#, after: "}" };
    /// `{"text":…}`
    pub const TEXT_MEMBER: Self = Self { before: r#"{"text":"#, after: "}" };

    /// The text in this frame, as JSON.
    #[must_use]
    pub fn of(&self, text: &str) -> String {
        [self.before, &quoted(text), self.after].concat()
    }
}

/// Where a part stands in the file, and what happens there when it changes or goes.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub(super) kind: SlotKind,
    pub(super) unit: Unit,
    /// The JSON value that says its text.
    pub(super) text: Option<(Span, Frame)>,
    /// The JSON value of a call's arguments, and how none are spelled.
    pub(super) arguments: Option<(Span, &'static str)>,
    /// What stays when the part goes and its unit does not.
    pub(super) gone: Option<(Span, &'static str)>,
    /// The array of a result's parts, and how a text is spelled in it.
    pub(super) inner: Option<(Span, Frame)>,
    /// The media of a result that stand apart from its text.
    pub(super) media: Option<Media>,
}

/// Parts of a result that are the elements of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Media {
    pub(super) list: List,
    /// The first of them in the list.
    pub(super) element: usize,
    /// The first of them in the result.
    pub(super) part: usize,
}

impl Place {
    const fn new(kind: SlotKind, unit: Unit) -> Self {
        Self { kind, unit, text: None, arguments: None, gone: None, inner: None, media: None }
    }

    /// A text: `string` is the JSON string that says it.
    #[must_use]
    pub const fn text(unit: Unit, string: Span) -> Self {
        Self::new(SlotKind::Text, unit).said_at(string, Frame::BARE)
    }

    /// Reasoning that may be cut.
    #[must_use]
    pub const fn reasoning(unit: Unit, string: Span) -> Self {
        Self::new(SlotKind::Reasoning, unit).said_at(string, Frame::BARE)
    }

    /// Signed or encrypted reasoning: whole or gone.
    #[must_use]
    pub const fn opaque(unit: Unit) -> Self {
        Self::new(SlotKind::Opaque, unit)
    }

    /// A call that a client answers; `arguments` is the JSON value of its arguments and `none` how no arguments are
    /// spelled there: `{}` or `"{}"`.
    #[must_use]
    pub const fn call(unit: Unit, arguments: Option<Span>, none: &'static str) -> Self {
        let mut place = Self::new(SlotKind::Call, unit);
        place.arguments = match arguments {
            Some(span) => Some((span, none)),
            None => None,
        };
        place
    }

    /// A call that the provider runs, or the result of one.
    #[must_use]
    pub const fn server(unit: Unit) -> Self {
        Self::new(SlotKind::Server, unit)
    }

    /// A tool result; `value` is the JSON value that says it, which a text takes in this frame.
    #[must_use]
    pub const fn result(unit: Unit, value: Span, frame: Frame) -> Self {
        Self::new(SlotKind::Result, unit).said_at(value, frame)
    }

    /// A tool result that has no text to change.
    #[must_use]
    pub const fn silent_result(unit: Unit) -> Self {
        Self::new(SlotKind::Result, unit)
    }

    /// A medium or an unknown block.
    #[must_use]
    pub const fn media(unit: Unit) -> Self {
        Self::new(SlotKind::Media, unit)
    }

    /// The place of a message without parts: as a text, it has no value to change.
    pub(super) const fn saying_nothing(mut self) -> Self {
        self.kind = SlotKind::Text;
        self
    }

    /// The JSON value that says the part; `None` where it is the whole unit or there is none.
    pub(super) fn value(&self) -> Option<Span> {
        let text = self.text.map(|(span, _)| span);
        let arguments = self.arguments.map(|(span, _)| span);
        text.or(arguments).or(self.inner.map(|(span, _)| span)).or(self.gone.map(|(span, _)| span))
    }

    /// Whether a new text belongs here although no value says one yet.
    pub(super) fn wants_text(&self) -> bool {
        self.text.is_none() && matches!(self.kind, SlotKind::Text | SlotKind::Result)
    }

    /// With another JSON value that says its text, which a text takes in this frame.
    #[must_use]
    pub const fn said_at(mut self, value: Span, frame: Frame) -> Self {
        self.text = Some((value, frame));
        self
    }

    /// A part that is no element of a list of its own: when it goes and what it stands in does not, `value` becomes
    /// `spelling`, such as `""` or `null`.
    #[must_use]
    pub const fn blanked(mut self, value: Span, spelling: &'static str) -> Self {
        self.gone = Some((value, spelling));
        self
    }

    /// A result whose parts from `part` on are media that stand apart from its text: they are the elements of this list
    /// from `element` on. Those that do not stay leave the list.
    #[must_use]
    pub const fn with_media(mut self, list: List, element: usize, part: usize) -> Self {
        self.media = Some(Media { list, element, part });
        self
    }

    /// A result made of several parts, the elements of `array`; of which some stay as they are and a text is spelled
    /// in this frame.
    #[must_use]
    pub const fn made_of(mut self, array: Span, frame: Frame) -> Self {
        self.inner = Some((array, frame));
        self
    }
}

/// Where a text goes for which a message has no place yet.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Adding {
    /// A new element of this list, in this frame.
    Element(List, Frame),
    /// The value of this place, in this frame.
    Value(Span, Frame),
    /// A new element of this list, spelled by [`Spelling::said`](super::Spelling::said).
    Said(List),
    /// A record of its own in the list of messages ([`Spelling::said`](super::Spelling::said)).
    Record,
}
