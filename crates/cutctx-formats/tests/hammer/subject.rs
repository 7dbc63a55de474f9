//! What is done with one file, damaged or not.

use core::ops::AddAssign;

use cutctx_formats::salvage::salvage;
use cutctx_formats::{Fate, Format, FormatError, Session, Violation, formats};
use cutctx_types::{CharRatioEstimator, Coded};

use crate::dice::Dice;
use crate::fates::legal;

/// How far a case got.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) read: usize,
    pub(crate) refused: usize,
    pub(crate) rendered: usize,
    pub(crate) salvaged: usize,
}

impl AddAssign for Reached {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.refused += other.refused;
        self.rendered += other.rendered;
        self.salvaged += other.salvaged;
    }
}

/// Everything that can be done with a file.
pub(crate) fn treat(bytes: &[u8], dice: &mut Dice) -> Reached {
    let mut reached = Reached::default();
    let salvaged = salvage(bytes);
    assert!(salvaged.work() <= 20 * bytes.len() + 64, "the work of salvaging");
    read(None, bytes, dice, &mut reached);
    if !salvaged.edits().is_empty() {
        reached.salvaged += 1;
        assert!(salvage(salvaged.bytes()).is_sound(), "salvaging twice");
        read(None, salvaged.bytes(), dice, &mut reached);
    }
    if let Some(format) = formats().get(dice.roll(3 * formats().len())) {
        read(Some(*format), bytes, dice, &mut reached);
    }
    reached
}

fn open(format: Option<&'static dyn Format>, bytes: &[u8]) -> Result<Session, FormatError> {
    let estimator = CharRatioEstimator::default();
    match format {
        Some(format) => Session::read_as(format, bytes, &estimator),
        None => Session::read(bytes, &estimator),
    }
}

fn read(format: Option<&'static dyn Format>, bytes: &[u8], dice: &mut Dice, reached: &mut Reached) {
    let session = match open(format, bytes) {
        Ok(session) => session,
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.code().as_str().is_empty());
            reached.refused += 1;
            return;
        }
    };
    reached.read += 1;
    assert!(session.violations().iter().all(|violation| violation.offset <= bytes.len()));
    comes_back(&session, bytes);
    for _ in 0..2 {
        reached.rendered += usize::from(changes(&session, dice));
    }
}

/// Rendering an untouched session gives the bytes that were read.
fn comes_back(session: &Session, bytes: &[u8]) {
    let kept = vec![Fate::Kept; session.transcript().turns().len()];
    let mut written = Vec::new();
    session.render(&kept, &[]).unwrap().write_to(&mut written).unwrap();
    assert!(written == bytes, "get-put");
}

/// What is rendered with legal fates can be read again, and comes back in turn.
fn changes(session: &Session, dice: &mut Dice) -> bool {
    let fates = legal(session.transcript(), dice);
    let text = match session.render(&fates, &[]) {
        Ok(rendered) => rendered.to_text(),
        Err(FormatError::Unchangeable { .. }) => return false,
        Err(error) => panic!("rendering legal fates: {error}"),
    };
    match open(Some(session.format()), text.as_bytes()) {
        Ok(again) => {
            // Where results are out of place, or calls without any, taking one exchange out can make or undo an
            // accidental match.
            let waits = |violation: &Violation| violation.rule.name == "call_in_flight";
            let is_regular = session.violations().is_empty() && !session.lint().iter().any(waits);
            assert!(!is_regular || said(&again, &[]) == said(session, &fates), "put-get");
            comes_back(&again, text.as_bytes());
        }
        Err(FormatError::Empty) => {}
        Err(error) => panic!("reading what was rendered: {error}"),
    }
    true
}

/// What the turns say under these fates, as one text: where a turn between two messages of the assistant is gone, a format
/// may read them as one.
fn said(session: &Session, fates: &[Fate<'_>]) -> String {
    let turns = session.transcript().turns().iter().enumerate();
    let text = turns.map(|(index, turn)| match fates.get(index) {
        Some(Fate::Dropped) => "",
        Some(Fate::Masked(stub)) => stub,
        _ => turn.content(),
    });
    text.collect()
}
