//! The conversations of a file, one after the other.

use core::ops::Range;
use cutctx::formats::{Document, Format, FormatError, Session, Shape};

/// A session that was read, with whatever was made on the way.
pub(crate) trait Held {
    /// The session.
    fn session(&self) -> &Session;
}

impl Held for Session {
    fn session(&self) -> &Session {
        self
    }
}

/// Reads bytes as this format, or as what they show: this conversation, or the only one.
pub(crate) type Read<'r, H> =
    &'r dyn Fn(Option<&'static dyn Format>, &[u8], Option<usize>) -> Result<H, FormatError>;

/// A conversation, and where what was read of the file begins.
#[derive(Debug)]
pub(crate) struct Piece<H> {
    pub(crate) held: H,
    /// The conversation of a file that holds several.
    pub(crate) number: Option<usize>,
    /// The byte and the number of lines in the file before it.
    pub(crate) offset: usize,
    pub(crate) lines: usize,
}

/// Hands on the conversation that is asked for, or each of them. No more than one is held at a time, and where each has
/// a record of its own the others are not read for it: a data set of many takes no longer than one long conversation.
/// Gives how many there are.
pub(crate) fn each_conversation<H: Held>(
    format: Option<&'static dyn Format>,
    bytes: &[u8],
    conversation: Option<usize>,
    read: Read<'_, H>,
    mut hand_on: impl FnMut(Piece<H>),
) -> Result<usize, FormatError> {
    let whole = match read(format, bytes, conversation) {
        Err(FormatError::SeveralConversations { conversations, .. }) if conversation.is_none() => {
            conversations
        }
        first => {
            let held = first?;
            let conversations = held.session().conversations();
            let number = conversation.filter(|_| conversations > 1);
            hand_on(Piece { held, number, offset: 0, lines: 0 });
            return Ok(conversations);
        }
    };
    let records = records(bytes, whole);
    let mut passed = Passed::default();
    for number in 0..whole {
        let alone = records.as_ref().and_then(|records| records.get(number));
        let piece = alone.and_then(|span| passed.piece(format, bytes, (number, span), read));
        let piece = if let Some(piece) = piece {
            piece
        } else {
            let held = read(format, bytes, Some(number))?;
            Piece { held, number: Some(number), offset: 0, lines: 0 }
        };
        hand_on(piece);
    }
    Ok(whole)
}

/// The records of a file, where they are as many as its conversations.
fn records(bytes: &[u8], conversations: usize) -> Option<Vec<Range<usize>>> {
    let document = Document::parse(str::from_utf8(bytes).ok()?).ok()?;
    let records: Vec<Range<usize>> = match document.shape() {
        Shape::Lines => {
            let lines = document.lines().filter(|line| !line.is_filler());
            lines.map(|line| line.span.start..line.span.end).collect()
        }
        Shape::Array(_, elements) => elements.iter().map(|node| node.start()..node.end()).collect(),
        Shape::Object(_) | Shape::Glued(..) | _ => return None,
    };
    (records.len() == conversations).then_some(records)
}

/// How far a file was gone through.
#[derive(Debug, Default)]
struct Passed {
    /// The format of the file, once a conversation of it was read.
    format: Option<&'static str>,
    offset: usize,
    lines: usize,
}

impl Passed {
    /// The conversation of one record; none where the record alone is no such thing.
    fn piece<H: Held>(
        &mut self,
        format: Option<&'static dyn Format>,
        bytes: &[u8],
        (number, span): (usize, &Range<usize>),
        read: Read<'_, H>,
    ) -> Option<Piece<H>> {
        let skipped = bytes.get(self.offset..span.start)?;
        let feeds = skipped.split(|byte| *byte == b'\n').skip(1).count();
        (self.offset, self.lines) = (span.start, self.lines.saturating_add(feeds));
        let format = match (format, self.format) {
            (Some(format), _) => format,
            (None, Some(name)) => cutctx::formats::format_named(name)?,
            // What the file is, its own shape tells.
            (None, None) => read(None, bytes, Some(number)).ok()?.session().format(),
        };
        self.format = Some(format.name());
        let held = read(Some(format), bytes.get(span.clone())?, None).ok()?;
        Some(Piece { held, number: Some(number), offset: self.offset, lines: self.lines })
    }
}
