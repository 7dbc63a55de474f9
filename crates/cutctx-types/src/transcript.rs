//! A whole transcript.

use crate::classes::{all_distinct, classify};
use crate::code::{Code, Coded, Details, capped_ids};
use crate::turn::{TranscriptTurn, TurnError};
use crate::wire::WireTranscript;
use alloc::sync::Arc;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A list of turns with distinct ids and a total that fits 64 bits. Cloning shares the turns.
///
/// Because the total was checked, any sum over some of its turns is safe.
///
/// ```
/// use cutctx_types::{Coded, Role, Transcript, TranscriptTurn};
/// let turn = TranscriptTurn::new("u1", Role::User, "again", 2)?;
/// let error = Transcript::new(vec![turn.clone(), turn]).unwrap_err();
/// assert_eq!(error.code().as_str(), "VALIDATION_ERROR");
/// # Ok::<(), cutctx_types::TurnError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WireTranscript")]
pub struct Transcript {
    /// Behind a pointer to a list, not a slice: making one must not copy the turns.
    turns: Arc<Vec<TranscriptTurn>>,
    #[serde(skip)]
    total: u64,
}

impl Transcript {
    /// A transcript of these turns; none is fine.
    ///
    /// # Errors
    ///
    /// [`TranscriptError::DuplicateTurnIds`] when an id occurs twice,
    /// [`TranscriptError::TotalOverflow`] when the estimates add up to more than `u64::MAX`.
    pub fn new(turns: Vec<TranscriptTurn>) -> Result<Self, TranscriptError> {
        refuse_duplicates(&turns)?;
        let total = turns
            .iter()
            .try_fold(0_u64, |sum, turn| sum.checked_add(turn.token_estimate()))
            .ok_or(TranscriptError::TotalOverflow { turns: turns.len() })?;
        Ok(Self { turns: Arc::new(turns), total })
    }

    /// The turns in order.
    #[must_use]
    pub fn turns(&self) -> &[TranscriptTurn] {
        &self.turns
    }

    /// The turns, taken out of the transcript; copied where another one shares them.
    #[must_use]
    pub fn into_turns(self) -> Vec<TranscriptTurn> {
        Arc::try_unwrap(self.turns).unwrap_or_else(|shared| shared.as_ref().clone())
    }

    /// How many turns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.turns.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// The sum of the turns' estimates, in tokens.
    #[must_use]
    pub const fn token_estimate(&self) -> u64 {
        self.total
    }

    /// Whether both share the same turns in memory, which makes comparing them needless.
    #[must_use]
    pub fn shares_turns_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.turns, &other.turns)
    }
}

fn refuse_duplicates(turns: &[TranscriptTurn]) -> Result<(), TranscriptError> {
    let ids = turns.iter().map(|turn| turn.turn_id().as_ref());
    if all_distinct(ids.clone()) {
        return Ok(());
    }
    let class_of = classify(ids.map(Some));
    Err(TranscriptError::DuplicateTurnIds { duplicate_turn_ids: repeated_ids(turns, &class_of) })
}

/// The distinct ids that occur more than once, sorted and capped.
fn repeated_ids(turns: &[TranscriptTurn], class_of: &[usize]) -> Vec<Arc<str>> {
    let mut by_class: Vec<(usize, &Arc<str>)> =
        class_of.iter().copied().zip(turns.iter().map(TranscriptTurn::turn_id)).collect();
    by_class.sort_by_key(|(class, _)| *class);
    let groups = by_class.chunk_by(|left, right| left.0 == right.0);
    capped_ids(groups.filter_map(|group| match group {
        [(_, id), _, ..] => Some(Arc::clone(id)),
        _ => None,
    }))
}

/// Why a list of turns is no transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// One of the turns is refused.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// Ids occur more than once.
    #[error("a transcript repeats {} turn ids, at the least", duplicate_turn_ids.len())]
    DuplicateTurnIds {
        /// The distinct repeated ids, sorted, at most ten.
        duplicate_turn_ids: Vec<Arc<str>>,
    },
    /// The estimates add up to more than 64 bits hold.
    #[error("the estimates of {turns} turns add up to more than 64 bits hold")]
    TotalOverflow {
        /// How many turns there are.
        turns: usize,
    },
}

impl Coded for TranscriptError {
    fn code(&self) -> Code {
        match self {
            Self::Turn(error) => error.code(),
            Self::DuplicateTurnIds { .. } => Code::VALIDATION_ERROR,
            Self::TotalOverflow { .. } => Code::TOKEN_OVERFLOW,
        }
    }

    fn details(&self) -> Details {
        match self {
            Self::Turn(error) => error.details(),
            Self::DuplicateTurnIds { duplicate_turn_ids } => {
                Details::none().with("duplicate_turn_ids", duplicate_turn_ids.clone())
            }
            Self::TotalOverflow { turns } => Details::none().with("turns", *turns),
        }
    }
}
