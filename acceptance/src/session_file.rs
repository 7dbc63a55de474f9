//! Reading and writing a session file in two ways: as a session, and by values, which is the yardstick.

use crate::cases::{Failure, Round, Rounds};
use alloc::sync::Arc;
use cutctx_formats::{Fate, ReadRequest, Session};
use cutctx_types::{CharRatioEstimator, Role, TranscriptTurn};
use serde_json::{Deserializer, Value};
use std::io;

/// What a masked turn says.
const STUB: &str = "[gone]";

/// How many bytes a result may have that is not masked.
const SHORT: usize = 200;

/// A way to read a file and to write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// As a session, of which all long tool results are masked.
    Session,
    /// Document by document as a [`Value`].
    Values,
}

impl Way {
    /// The way of this name, `session` or `values`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "session" => Some(Self::Session),
            "values" => Some(Self::Values),
            _ => None,
        }
    }

    /// Rounds that go this way with a file. What they make is freed within the round.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn rounds(self, bytes: &[u8]) -> Result<Rounds, Failure> {
        match self {
            Self::Session => by_session(bytes),
            Self::Values => by_values(bytes),
        }
    }
}

fn by_session(bytes: &[u8]) -> Result<Rounds, Failure> {
    let fates: Vec<Fate<'static>> = read(bytes.to_vec())?.transcript().turns().iter().map(masked).collect();
    let fates: Arc<[Fate<'static>]> = fates.into();
    both(bytes.to_vec(), &fates)?;
    let bytes = bytes.to_vec();
    Ok(Box::new(move || -> Round {
        let (bytes, fates) = (bytes.clone(), Arc::clone(&fates));
        Box::new(move || Box::new(both(bytes, &fates).is_ok()))
    }))
}

/// Long results are masked.
fn masked(turn: &TranscriptTurn) -> Fate<'static> {
    let long = turn.role() == Role::Tool && turn.content().len() > SHORT && !turn.pinned();
    if long { Fate::Masked(STUB) } else { Fate::Kept }
}

fn both(bytes: Vec<u8>, fates: &[Fate<'_>]) -> Result<(), Failure> {
    Ok(read(bytes)?.render(fates, &[])?.write_to(&mut io::sink())?)
}

/// The first conversation of a file. Where a marker of an earlier compaction or a cleared history comes again, too, only
/// the last copy is context, and all others are ballast that is passed over.
fn read(bytes: Vec<u8>) -> Result<Session, Failure> {
    let estimator = CharRatioEstimator::default();
    Ok(Session::read_with(None, bytes, &ReadRequest::new(&estimator).of_conversation(0))?)
}

fn by_values(bytes: &[u8]) -> Result<Rounds, Failure> {
    through_values(bytes)?;
    let bytes: Arc<[u8]> = bytes.into();
    Ok(Box::new(move || -> Round {
        let bytes = Arc::clone(&bytes);
        Box::new(move || Box::new(through_values(&bytes).is_ok()))
    }))
}

fn through_values(bytes: &[u8]) -> serde_json::Result<()> {
    for value in Deserializer::from_slice(bytes).into_iter::<Value>() {
        serde_json::to_writer(io::sink(), &value?)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::SessionKind;

    #[test]
    fn both_ways_go_through_a_made_up_session() {
        let bytes = SessionKind::Pi.bytes(50_000).unwrap();
        for way in [Way::Session, Way::Values] {
            assert!(*way.rounds(&bytes).unwrap()()().downcast::<bool>().unwrap());
        }
    }

    #[test]
    fn what_is_no_session_is_refused() {
        assert!(Way::Session.rounds(b"[1]").is_err());
        assert!(Way::Values.rounds(b"[1").is_err());
    }
}
