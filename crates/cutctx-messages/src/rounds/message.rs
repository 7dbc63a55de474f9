//! What rounds are read from.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::Role;

use crate::call::CallState;
use crate::message::Message;
use crate::part::{MessagePart, ToolResultPart};
use crate::text::DurableText;
use crate::view::{MessageView, PartView, ResultView};

/// What a part is to the round that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a part is a call, a result or neither")]
pub enum PartRole<'m> {
    /// A call that the application answers.
    Call {
        /// The call's id.
        id: &'m str,
        /// What is known to have become of it.
        state: Option<CallState>,
    },
    /// The result of a call.
    Result {
        /// The call's id.
        id: &'m str,
        /// Whether another result is to follow.
        provisional: bool,
    },
    /// Anything else, calls on the provider's side among it.
    Other,
}

/// A message as rounds see it: a speaker and parts that can be moved.
///
/// [`check_context`](crate::check_context) and [`normalize`](crate::normalize()) work on any type that implements it. It
/// is implemented for [`Message`] and for [`MessageView`]: the one holds its results in messages of the role `tool`,
/// the other also in the user's, as some providers want it.
pub trait RoundMessage: Sized {
    /// A part.
    type Part;

    /// What a message is besides its parts.
    type Frame: Clone;

    /// Who speaks.
    fn role(&self) -> Role;

    /// Whether the message must not go.
    fn is_pinned(&self) -> bool;

    /// How many parts there are.
    fn part_count(&self) -> usize;

    /// What a part is to its round; [`PartRole::Other`] where there is no such part. A call counts in messages of the
    /// assistant only, a result everywhere else.
    fn part_role(&self, part: usize) -> PartRole<'_>;

    /// The message in pieces.
    fn into_pieces(self) -> (Self::Frame, Vec<Self::Part>);

    /// A message out of pieces: a frame, and parts of messages of its role.
    fn from_pieces(frame: Self::Frame, parts: Vec<Self::Part>) -> Self;

    /// The frame pinned.
    fn pin(frame: Self::Frame) -> Self::Frame;

    /// The frame for the answer to the message of this frame.
    fn answer_frame(call: &Self::Frame) -> Self::Frame;

    /// The result that stands for one that never came, saying this. `None` when the part is no call.
    fn not_completed(call: &Self::Part, text: &DurableText) -> Option<Self::Part>;
}

impl RoundMessage for Message {
    type Part = MessagePart;
    type Frame = Role;

    fn role(&self) -> Role {
        Self::role(self)
    }

    fn is_pinned(&self) -> bool {
        false
    }

    fn part_count(&self) -> usize {
        self.content().len()
    }

    fn part_role(&self, part: usize) -> PartRole<'_> {
        match self.content().get(part) {
            Some(MessagePart::ToolCall(call)) => PartRole::Call { id: &call.tool_call_id, state: None },
            Some(MessagePart::ToolResult(result)) => {
                PartRole::Result { id: &result.tool_call_id, provisional: false }
            }
            _ => PartRole::Other,
        }
    }

    fn into_pieces(self) -> (Role, Vec<MessagePart>) {
        (Self::role(&self), self.content().to_vec())
    }

    fn from_pieces(role: Role, parts: Vec<MessagePart>) -> Self {
        Self::of_checked(role, parts)
    }

    fn pin(role: Role) -> Role {
        role
    }

    fn answer_frame(_: &Role) -> Role {
        Role::Tool
    }

    fn not_completed(call: &MessagePart, text: &DurableText) -> Option<MessagePart> {
        let MessagePart::ToolCall(call) = call else { return None };
        Some(ToolResultPart::in_place_of(call, text.clone()).into())
    }
}

impl<'a> RoundMessage for MessageView<'a> {
    type Part = PartView<'a>;
    type Frame = Self;

    fn role(&self) -> Role {
        self.role
    }

    fn is_pinned(&self) -> bool {
        self.pinned
    }

    fn part_count(&self) -> usize {
        self.parts.len()
    }

    fn part_role(&self, part: usize) -> PartRole<'_> {
        let assistant = self.role == Role::Assistant;
        match self.parts.get(part) {
            Some(PartView::ToolCall(call)) if assistant && !call.server_side => {
                PartRole::Call { id: &call.call_id, state: call.state }
            }
            Some(PartView::ToolResult(result)) if !assistant => {
                PartRole::Result { id: &result.call_id, provisional: result.provisional }
            }
            _ => PartRole::Other,
        }
    }

    fn into_pieces(mut self) -> (Self, Vec<PartView<'a>>) {
        let parts = core::mem::take(&mut self.parts);
        (self, parts)
    }

    fn from_pieces(mut frame: Self, parts: Vec<PartView<'a>>) -> Self {
        frame.parts = parts;
        frame
    }

    fn pin(frame: Self) -> Self {
        frame.with_pinned(true)
    }

    fn answer_frame(_: &Self) -> Self {
        Self::new(Role::Tool, Vec::new())
    }

    fn not_completed(call: &PartView<'a>, text: &DurableText) -> Option<PartView<'a>> {
        let PartView::ToolCall(call) = call else { return None };
        let text = String::from(&**text);
        let result = ResultView::new(call.call_id.clone(), text).with_error(true);
        Some(PartView::ToolResult(result.with_name(Some(call.name.as_ref().into()))))
    }
}
