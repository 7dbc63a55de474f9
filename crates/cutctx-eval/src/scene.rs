//! One session at one cut: what was, what came, and what a view is asked for.

use crate::cut;
use crate::index::TurnIndex;
use crate::recall::{Hits, Recall, Tally};
use crate::share::Share;
use crate::stop_words::StopWords;
use crate::targets::Targets;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use cutctx::types::TranscriptError;
use cutctx::{Role, Transcript, TranscriptTurn};

/// A session at a cut.
#[derive(Debug)]
pub(crate) struct Scene {
    /// What a policy sees.
    pub(crate) prefix: Transcript,
    pub(crate) targets: Targets,
    /// The targets in each turn of the prefix.
    pub(crate) hits: Vec<Hits>,
}

impl Scene {
    /// Cuts a session, of which `index` holds an entry a turn. The last `tail` turns before the cut are protected, so
    /// what stands there is no target on their account.
    pub(crate) fn new(
        transcript: &Transcript,
        index: &[TurnIndex],
        at: Share,
        tail: usize,
        stop_words: &StopWords,
    ) -> Result<Self, TranscriptError> {
        let position = cut::position(transcript, at);
        let prefix = cut::prefix(transcript, position)?;
        let turns = transcript.turns().iter().zip(index).take(position.saturating_sub(tail));
        let body = turns.filter(|(turn, _)| turn.role() != Role::System).map(|(_, index)| index);
        let body: Vec<&TurnIndex> = body.collect();
        let continuation = index.get(position..).unwrap_or_default();
        let targets = Targets::of(&body, continuation, stop_words);
        let hits = index.iter().take(position).map(|turn| Hits::of(turn, &targets)).collect();
        Ok(Self { prefix, targets, hits })
    }

    /// Whether the continuation uses nothing of what was.
    pub(crate) fn asks_nothing(&self) -> bool {
        self.targets.names.is_empty() && self.targets.blocks.is_empty()
    }

    /// What a view has of the targets. Turns that are what they were are not read again.
    pub(crate) fn recall(&self, view: &[TranscriptTurn]) -> Recall {
        let originals = self.prefix.turns().iter().zip(&self.hits);
        let originals: BTreeMap<&str, (&TranscriptTurn, &Hits)> =
            originals.map(|(turn, hits)| (turn.turn_id().as_ref(), (turn, hits))).collect();
        let mut tally = Tally::new(&self.targets);
        for turn in view {
            match originals.get(turn.turn_id().as_ref()) {
                Some((original, hits)) if says_the_same(original, turn) => tally.add(hits),
                _ => tally.add(&Hits::of(&TurnIndex::of(turn), &self.targets)),
            }
        }
        tally.recall()
    }
}

fn says_the_same(original: &TranscriptTurn, turn: &TranscriptTurn) -> bool {
    Arc::ptr_eq(original.content(), turn.content()) && original.parts() == turn.parts()
}
