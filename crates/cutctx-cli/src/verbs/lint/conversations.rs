//! The conversations of a file, one after the other.

use crate::loaded::{estimator, of_conversation};
use core::ops::Range;
use cutctx::formats::{Document, Format, FormatError, ReadRequest, Session, Shape};

/// A conversation, and where what was read of the file begins.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) session: Session,
    /// The conversation of a file that holds several.
    pub(super) number: Option<usize>,
    /// The byte and the number of lines in the file before it.
    pub(super) offset: usize,
    pub(super) lines: usize,
}

/// Hands on the conversation that is asked for, or each of them. No more than one is held at a time, and where each has
/// a record of its own the others are not read for it: a data set of many takes no longer than one long conversation.
/// Gives how many there are.
pub(super) fn each_conversation(
    format: Option<&'static dyn Format>,
    bytes: &[u8],
    conversation: Option<usize>,
    mut hand_on: impl FnMut(&Piece),
) -> Result<usize, FormatError> {
    let whole = match read(format, bytes, conversation) {
        Err(FormatError::SeveralConversations { conversations, .. }) if conversation.is_none() => {
            conversations
        }
        read => {
            let session = read?;
            let number = conversation.filter(|_| session.conversations() > 1);
            let conversations = session.conversations();
            hand_on(&Piece { session, number, offset: 0, lines: 0 });
            return Ok(conversations);
        }
    };
    let records = records(bytes, whole);
    let mut passed = Passed::default();
    for number in 0..whole {
        let alone = records.as_ref().and_then(|records| records.get(number));
        let piece = alone.and_then(|span| passed.piece(format, bytes, number, span));
        let piece = if let Some(piece) = piece {
            piece
        } else {
            let session = read(format, bytes, Some(number))?;
            Piece { session, number: Some(number), offset: 0, lines: 0 }
        };
        hand_on(&piece);
    }
    Ok(whole)
}

fn read(
    format: Option<&'static dyn Format>,
    bytes: &[u8],
    conversation: Option<usize>,
) -> Result<Session, FormatError> {
    let estimator = estimator();
    Session::read_with(format, bytes, &of_conversation(ReadRequest::new(&estimator), conversation))
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
    fn piece(
        &mut self,
        format: Option<&'static dyn Format>,
        bytes: &[u8],
        number: usize,
        span: &Range<usize>,
    ) -> Option<Piece> {
        let skipped = bytes.get(self.offset..span.start)?;
        let feeds = skipped.split(|byte| *byte == b'\n').skip(1).count();
        (self.offset, self.lines) = (span.start, self.lines.saturating_add(feeds));
        let format = match (format, self.format) {
            (Some(format), _) => format,
            (None, Some(name)) => cutctx::formats::format_named(name)?,
            // What the file is, its own shape tells.
            (None, None) => read(None, bytes, Some(number)).ok()?.format(),
        };
        self.format = Some(format.name());
        let session = read(Some(format), bytes.get(span.clone())?, None).ok()?;
        Some(Piece { session, number: Some(number), offset: self.offset, lines: self.lines })
    }
}
