//! Messages made by a recipe.

use alloc::vec::Vec;

use super::weave::{Draft, FrameOf, Piece, Place};
use crate::rounds::RoundMessage;
use crate::text::DurableText;

/// Makes the messages of a recipe. Messages that stay as they are are moved as a whole.
pub(super) fn rebuild<M: RoundMessage>(messages: Vec<M>, drafts: Vec<Draft>, text: &DurableText) -> Vec<M> {
    let whole = whole_messages(&messages, &drafts);
    let mut stock: Vec<Stock<M>> =
        messages.into_iter().zip(whole).map(|(message, whole)| Stock::new(message, whole)).collect();
    let stand_ins = stand_ins(&stock, &drafts, text);
    let mut stand_ins = stand_ins.into_iter();
    drafts.into_iter().filter_map(|draft| made(draft, &mut stock, &mut stand_ins)).collect()
}

/// A message given: whole, or what is left of its pieces.
enum Stock<M: RoundMessage> {
    Whole(Option<M>),
    Pieces(M::Frame, Vec<Option<M::Part>>),
}

impl<M: RoundMessage> Stock<M> {
    fn new(message: M, whole: bool) -> Self {
        if whole {
            return Self::Whole(Some(message));
        }
        let (frame, parts) = message.into_pieces();
        Self::Pieces(frame, parts.into_iter().map(Some).collect())
    }

    fn frame(&self) -> Option<&M::Frame> {
        match self {
            Self::Whole(_) => None,
            Self::Pieces(frame, _) => Some(frame),
        }
    }

    fn part(&self, part: usize) -> Option<&M::Part> {
        match self {
            Self::Whole(_) => None,
            Self::Pieces(_, parts) => parts.get(part)?.as_ref(),
        }
    }

    fn take(&mut self, part: usize) -> Option<M::Part> {
        match self {
            Self::Whole(_) => None,
            Self::Pieces(_, parts) => parts.get_mut(part)?.take(),
        }
    }
}

/// Which messages stay as they are: one draft is all of it, and no call of it is completed.
fn whole_messages<M: RoundMessage>(messages: &[M], drafts: &[Draft]) -> Vec<bool> {
    let mut whole = alloc::vec![false; messages.len()];
    for draft in drafts {
        if let FrameOf::Message(index) = draft.frame
            && let Some(message) = messages.get(index)
            && draft.is_all_of(index, message)
            && let Some(whole) = whole.get_mut(index)
        {
            *whole = true;
        }
    }
    let not_completed = drafts.iter().flat_map(|draft| &draft.pieces).filter_map(|piece| match piece {
        Piece::NotCompleted((message, _)) => Some(*message),
        Piece::Part(_) => None,
    });
    let answered = drafts.iter().filter_map(|draft| match draft.frame {
        FrameOf::AnswerTo(message) => Some(message),
        FrameOf::Message(_) => None,
    });
    for message in not_completed.chain(answered) {
        if let Some(whole) = whole.get_mut(message) {
            *whole = false;
        }
    }
    whole
}

impl Draft {
    fn is_all_of<M: RoundMessage>(&self, index: usize, message: &M) -> bool {
        let parts = (0..message.part_count()).map(|part| Piece::Part((index, part)));
        self.pieces.iter().copied().eq(parts) && (message.is_pinned() || !self.pinned)
    }
}

/// The results of calls that were not completed, in the order in which the drafts want them. They are made before the
/// calls are taken.
fn stand_ins<M: RoundMessage>(
    stock: &[Stock<M>],
    drafts: &[Draft],
    text: &DurableText,
) -> Vec<Option<M::Part>> {
    let part = |(message, part): Place| M::not_completed(stock.get(message)?.part(part)?, text);
    let pieces = drafts.iter().flat_map(|draft| &draft.pieces);
    pieces
        .filter_map(|piece| match piece {
            Piece::NotCompleted(place) => Some(part(*place)),
            Piece::Part(_) => None,
        })
        .collect()
}

fn made<M: RoundMessage>(
    draft: Draft,
    stock: &mut [Stock<M>],
    stand_ins: &mut alloc::vec::IntoIter<Option<M::Part>>,
) -> Option<M> {
    if let FrameOf::Message(index) = draft.frame
        && let Some(Stock::Whole(message)) = stock.get_mut(index)
    {
        return message.take();
    }
    let frame = match draft.frame {
        FrameOf::Message(index) => stock.get(index)?.frame()?.clone(),
        FrameOf::AnswerTo(index) => M::answer_frame(stock.get(index)?.frame()?),
    };
    let frame = if draft.pinned { M::pin(frame) } else { frame };
    let parts = draft.pieces.into_iter().filter_map(|piece| match piece {
        Piece::Part((message, part)) => stock.get_mut(message)?.take(part),
        Piece::NotCompleted(_) => stand_ins.next().flatten(),
    });
    Some(M::from_pieces(frame, parts.collect()))
}
