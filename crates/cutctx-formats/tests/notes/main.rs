//! What writing a session says that it did beside the fates of the turns, and the rules for signed reasoning.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
#[expect(dead_code, reason = "only some of it is needed here")]
#[path = "../hammer/dice.rs"]
mod dice;
#[cfg(test)]
#[path = "../hammer/fates.rs"]
mod fates;
#[cfg(test)]
mod law;
#[cfg(test)]
mod reasoning;
#[cfg(test)]
mod said;

#[cfg(test)]
use cutctx_formats::{Fate, NoteKind, RenderRequest, Rendered, Session, SignedReasoning};
#[cfg(test)]
use cutctx_types::CharRatioEstimator;

/// The session that a text holds.
#[cfg(test)]
fn read(text: impl Into<String>) -> Session {
    Session::read(text.into(), &CharRatioEstimator::default()).unwrap()
}

/// The session with the turns of these numbers dropped, under a rule.
#[cfg(test)]
fn without<'s>(session: &'s Session, gone: &[usize], rule: SignedReasoning) -> Rendered<'s> {
    let turns = 0..session.transcript().turns().len();
    let fate = |turn| if gone.contains(&turn) { Fate::Dropped } else { Fate::Kept };
    let fates: Vec<Fate<'_>> = turns.map(fate).collect();
    let estimator = CharRatioEstimator::default();
    session.render_as(&RenderRequest::new(&fates, &estimator).with_signed_reasoning(Some(rule))).unwrap()
}

/// The notes as kind, count, line and line of where it went.
#[cfg(test)]
fn notes(rendered: &Rendered<'_>) -> Vec<(NoteKind, usize, usize, Option<usize>)> {
    let notes = rendered.notes().iter();
    notes.map(|note| (note.kind, note.count, note.at.line, note.to.map(|to| to.line))).collect()
}
