//! Mending where a format has nothing but fates: whole turns go.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_exec::Fate;
use cutctx_types::Role;

use super::outline::Outline;
use super::plan::{Note, Step};
use crate::error::FormatError;
use crate::layout::{Going, Mend};
use crate::raw::Splices;
use crate::session::Session;

/// The edits that let results and messages go, and the notes of those that could.
pub(super) fn carried_out(
    session: &Session,
    outline: &Outline,
    steps: Vec<Step>,
) -> Result<Option<(Splices, Vec<Note>)>, FormatError> {
    let mut fates = vec![Fate::Kept; session.transcript().turns().len()];
    let mut notes = Vec::new();
    for step in steps {
        let Some(turns) = turns(&step.mend, session, outline) else { continue };
        for fate in fates.get_mut(turns).unwrap_or_default() {
            *fate = Fate::Dropped;
        }
        notes.extend(step.notes);
    }
    if notes.is_empty() {
        return Ok(None);
    }
    let splices = session.edits(&fates)?;
    Ok((!splices.is_empty()).then_some((splices, notes)))
}

/// The turns that go.
fn turns(mend: &Mend, session: &Session, outline: &Outline) -> Option<Range<usize>> {
    match mend.takes_away()? {
        Going::Part { message, part } => {
            let turn = turn_of_result(session, outline, message, part)?;
            Some(turn..turn.saturating_add(1))
        }
        Going::Message { message } => turns_of(session, outline, message),
    }
}

fn turns_of(session: &Session, outline: &Outline, message: usize) -> Option<Range<usize>> {
    let first = outline.messages.get(message)?.first_turn;
    let next = outline.messages.get(message.saturating_add(1));
    Some(first..next.map_or(session.transcript().turns().len(), |next| next.first_turn))
}

/// Each result of a message is one turn.
fn turn_of_result(session: &Session, outline: &Outline, message: usize, part: usize) -> Option<usize> {
    let results = outline.messages.get(message)?.results();
    let number = results.into_iter().position(|(index, _)| index == part)?;
    let turns = session.transcript().turns();
    let is_result = |turn: &usize| turns.get(*turn).is_some_and(|turn| turn.role() == Role::Tool);
    turns_of(session, outline, message)?.filter(is_result).nth(number)
}
