//! The messages that a summary is to stand for.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{Message, SpokenText, TextPart};
use cutctx_types::{Role, TranscriptTurn};

use super::super::asking::Material;
use super::super::ledger::{Ledger, Place};
use super::super::machine::WantedSummary;
use super::source::Messages;
use crate::compaction::without_peer_content;

impl Material {
    /// What stands at the wanted positions, as the source has it. A summary that stands first is taken in.
    pub(super) fn of_messages(wanted: &WantedSummary, ledger: &Ledger, source: &Messages) -> Self {
        let mut material = Self { total: source.as_slice().len(), ..Self::default() };
        let mut last = None;
        for (position, done) in wanted.positions.iter().zip(1_usize..) {
            let Some(shown) = ledger.shown().get(*position) else { continue };
            match &shown.place {
                Place::Summary(_) if done == 1 && wanted.positions.len() > 1 => {
                    material.existing = SpokenText::new(Arc::clone(shown.turn.content())).ok();
                }
                Place::Summary(_) => material.push(earlier(&shown.turn), done),
                Place::Source(turn) => {
                    let Some((at, message)) = source.message_of(*turn) else { continue };
                    material.range.0 = if last.is_none() { at } else { material.range.0 };
                    material.range.1 = at.saturating_add(1);
                    let message = (last != Some(at)).then(|| without_peer_content(message));
                    material.push(message, done);
                    last = Some(at);
                }
            }
        }
        material
    }

    /// Puts a message at the end, where there is one; with it so many positions are done.
    pub(in super::super) fn push(&mut self, message: Option<Message>, done: usize) {
        match message {
            Some(message) => {
                self.messages.push(message);
                self.ends.push(done);
            }
            None => {
                if let Some(end) = self.ends.last_mut() {
                    *end = done;
                }
            }
        }
    }
}

/// A summary among what is summarized.
fn earlier(summary: &TranscriptTurn) -> Option<Message> {
    let text = TextPart::new(Arc::clone(summary.content())).ok()?;
    Message::new(Role::User, Vec::from([text.into()])).ok()
}
