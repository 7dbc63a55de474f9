//! What keeps the context of an agent.

use crate::stand_in::extracts;
use cutctx::{Error, PolicyError, StickyStep, StickyView, TranscriptTurn};

/// Something that keeps the context of an agent: it takes what is said, and gives what is sent.
///
/// [`StickyView`] is one. Implement it for a loop of your own, and [`replay_loop`](super::replay_loop) measures it and
/// proves that it keeps the prefix of its requests.
pub trait ContextLoop {
    /// Takes the next turn.
    fn append(&mut self, turn: TranscriptTurn);

    /// Brings the context into the shape of the next request.
    ///
    /// # Errors
    ///
    /// Whatever a compaction can fail of, but for a limit below what must be kept, which is [`Settled::Unmet`].
    fn settle(&mut self) -> Result<Settled, Box<Error>>;

    /// What is sent.
    fn turns(&self) -> &[TranscriptTurn];
}

/// What became of a context before a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a context grows, is compacted, or cannot be")]
pub enum Settled {
    /// It only grew.
    Grown,
    /// It was compacted: its prefix may have changed.
    Compacted,
    /// It should have been compacted and could not be; it only grew.
    Unmet,
}

impl ContextLoop for StickyView {
    fn append(&mut self, turn: TranscriptTurn) {
        Self::append(self, turn);
    }

    /// Summaries are extracts of the length that the plan asks for.
    fn settle(&mut self) -> Result<Settled, Box<Error>> {
        match Self::settle(self) {
            Ok(StickyStep::Compacted(_)) => Ok(Settled::Compacted),
            Ok(StickyStep::SummariesNeeded(plan)) => {
                let summaries = extracts(plan.transcript(), &plan);
                Ok(self.fulfil(*plan, &summaries).map(|_| Settled::Compacted)?)
            }
            Ok(StickyStep::Fits) => Ok(Settled::Grown),
            Ok(StickyStep::Unmet(_)) | Err(Error::Policy(PolicyError::Unsatisfiable(_))) => {
                Ok(Settled::Unmet)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn turns(&self) -> &[TranscriptTurn] {
        Self::turns(self)
    }
}
