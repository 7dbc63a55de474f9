//! What every provider understands of a conversation, well formed.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_messages::{ChangeKind, Media, MediaKind, MessageView, Normalizer, PartView};
use cutctx_types::Role;

use super::loss::{LossKind, Losses};
use super::turns::{opened, taken_apart, trimmed};
use super::{Target, ids, owned};

/// A conversation, ready to be spelled.
#[derive(Debug)]
pub(super) struct Neutral {
    /// The system prompts before everything else.
    pub(super) system: Vec<String>,
    pub(super) turns: Vec<Turn>,
}

/// A message.
#[derive(Debug)]
pub(super) struct Turn {
    pub(super) side: Side,
    pub(super) blocks: Vec<Block>,
    /// The message that it came from, or the first of them.
    pub(super) message: usize,
}

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    System,
    User,
    Model,
}

/// A part of a message.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Call { id: String, name: String, json: String },
    Result(Outcome),
    Media(Media<'static>),
}

/// The result of a call.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) media: Vec<Media<'static>>,
    pub(super) is_error: bool,
}

impl Neutral {
    pub(super) fn new(messages: &[MessageView<'_>], target: Target, losses: &mut Losses) -> Self {
        let start = messages.iter().take_while(|message| message.role == Role::System).count();
        let (system, rest) = messages.split_at_checked(start).unwrap_or((messages, &[]));
        let system = system.iter().flat_map(|message| &message.parts).filter_map(text_of);
        let system = system.filter(|text| !text.trim().is_empty()).map(String::from).collect();
        let (plain, origins) = plain(rest, start, target, losses);
        let normalized = Normalizer::new().closing_pending().run(plain);
        for change in &normalized.changes {
            let message = origins.get(change.message).copied().unwrap_or_default();
            if let Some(kind) = loss_of(change.kind) {
                losses.note(kind, message);
            }
        }
        let mut turns = taken_apart(normalized.messages, &origins, target, losses);
        ids::respell(&mut turns, target.dialect(), losses);
        if target.joins() {
            opened(&mut turns, losses);
            trimmed(&mut turns, losses);
        }
        Self { system, turns }
    }
}

fn text_of<'p>(part: &'p PartView<'_>) -> Option<&'p str> {
    if let PartView::Text(text) = part { Some(text) } else { None }
}

/// What became of a message by normalising it that is to be told.
const fn loss_of(kind: ChangeKind) -> Option<LossKind> {
    match kind {
        ChangeKind::CompletedCall => Some(LossKind::AnsweredCall),
        ChangeKind::RemovedOrphanResult => Some(LossKind::OrphanResult),
        ChangeKind::RemovedDuplicateResult | ChangeKind::RemovedProvisionalResult => {
            Some(LossKind::FurtherResult)
        }
        ChangeKind::RemovedToolContent => Some(LossKind::OtherBlock),
        ChangeKind::MergedMessage { .. }
        | ChangeKind::SplitMessage
        | ChangeKind::MovedResult { .. }
        | ChangeKind::RemovedCall
        | _ => None,
    }
}

/// The messages with what can be carried over, and the message that each came from.
fn plain(
    messages: &[MessageView<'_>],
    start: usize,
    target: Target,
    losses: &mut Losses,
) -> (Vec<MessageView<'static>>, Vec<usize>) {
    let (mut plain, mut origins) = (Vec::new(), Vec::new());
    for (index, message) in messages.iter().enumerate() {
        let index = index.saturating_add(start);
        let mut parts = Vec::new();
        for part in &message.parts {
            match refusal(part, message.role) {
                Some(kind) => losses.note(kind, index),
                None => parts.extend(owned::part(part)),
            }
        }
        let role = message.role;
        if role == Role::System && target.joins() && !parts.is_empty() {
            losses.note(LossKind::SystemInMiddle, index);
        }
        for (role, parts) in by_role(role, parts) {
            plain.push(MessageView::new(role, parts));
            origins.push(index);
        }
    }
    (plain, origins)
}

/// Results stand in messages of their own, before what else the user's side says.
fn by_role(role: Role, parts: Vec<PartView<'static>>) -> Vec<(Role, Vec<PartView<'static>>)> {
    let is_result = |part: &PartView<'_>| matches!(part, PartView::ToolResult(_));
    let (results, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_result);
    let other = if role == Role::Tool { Role::User } else { role };
    let both = [(Role::Tool, results), (other, others)];
    both.into_iter().filter(|(_, parts)| !parts.is_empty()).collect()
}

/// Why no provider can be given a part.
fn refusal(part: &PartView<'_>, role: Role) -> Option<LossKind> {
    match part {
        PartView::Text(text) => text.trim().is_empty().then_some(LossKind::BlankText),
        PartView::Reasoning(_) => Some(LossKind::Reasoning),
        PartView::OpaqueReasoning { .. } => Some(LossKind::SignedReasoning),
        PartView::ToolCall(call) if call.server_side => Some(LossKind::ServerCall),
        PartView::ToolCall(_) if role != Role::Assistant => Some(LossKind::OtherBlock),
        PartView::ToolResult(_) if role == Role::Assistant => Some(LossKind::ServerResult),
        PartView::ToolCall(_) | PartView::ToolResult(_) => None,
        PartView::Media(media) => refused_media(media, role),
        _ => Some(LossKind::OtherBlock),
    }
}

fn refused_media(media: &Media<'_>, role: Role) -> Option<LossKind> {
    if media.is_server_result() {
        return Some(LossKind::ServerResult);
    }
    match media.kind {
        MediaKind::Image | MediaKind::Document | MediaKind::Audio
            if role == Role::User || role == Role::Tool =>
        {
            None
        }
        MediaKind::Image | MediaKind::Document | MediaKind::Audio => Some(LossKind::Media),
        MediaKind::Other | _ => Some(LossKind::OtherBlock),
    }
}
