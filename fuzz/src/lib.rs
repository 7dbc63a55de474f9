//! What the targets have in common.

use cutctx_formats::{Fate, Format, Session, formats};
use cutctx_types::{CharRatioEstimator, Role};

/// A format by the first byte of the input, or none: then the content of the rest decides.
pub fn choice(bytes: &[u8]) -> (Option<&'static dyn Format>, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (formats().get(usize::from(*first)).copied(), rest),
        None => (None, bytes),
    }
}

/// The session that the bytes are, if they are one.
pub fn read(format: Option<&'static dyn Format>, bytes: &[u8]) -> Option<Session> {
    let estimator = CharRatioEstimator::default();
    match format {
        Some(format) => Session::read_as(format, bytes, &estimator).ok(),
        None => Session::read(bytes, &estimator).ok(),
    }
}

/// Checks that an untouched session comes back byte for byte.
pub fn comes_back(session: &Session, bytes: &[u8]) {
    let kept = vec![Fate::Kept; session.transcript().turns().len()];
    let rendered = session.render(&kept, &[]).expect("an untouched session is written");
    assert_eq!(rendered.to_text().as_bytes(), bytes);
}

/// Fates that every plan could hold: some results are masked, the rest stays.
pub fn masks(session: &Session, seed: usize) -> Vec<Fate<'static>> {
    let turns = session.transcript().turns().iter().enumerate();
    let fate = turns.map(|(index, turn)| {
        let is_result = turn.role() == Role::Tool && !turn.pinned();
        if is_result && (index + seed).is_multiple_of(2) { Fate::Masked("[gone]") } else { Fate::Kept }
    });
    fate.collect()
}

/// Fates that take whole exchanges out, but for the last turns.
pub fn drops(session: &Session, seed: usize) -> Vec<Fate<'static>> {
    let turns = session.transcript().turns();
    let last = turns.len().saturating_sub(1 + seed % 4);
    let locked = |index: usize| turns[index].pinned() || turns[index].role() == Role::System || index >= last;
    let exchange = |index: usize| turns[index].tool_call_id();
    let mut kept_calls: Vec<&str> =
        (0..turns.len()).filter(|index| locked(*index)).filter_map(exchange).collect();
    kept_calls.sort_unstable();
    let is_kept = |index: usize| {
        locked(index) || exchange(index).is_some_and(|call| kept_calls.binary_search(&call).is_ok())
    };
    (0..turns.len()).map(|index| if is_kept(index) { Fate::Kept } else { Fate::Dropped }).collect()
}
