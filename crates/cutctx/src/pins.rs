//! Pins as people express them: which turns stay as they are, whatever a policy would like.
//!
//! A [`Pin`] is a value that is read from a short text:
//!
//! | text | the turns that it names |
//! |---|---|
//! | `4f1c22ab` | the turn of this id; the beginning of an id is enough where it has eight characters and no other id begins so |
//! | `turn:ID` | the same, for ids that look like another kind of pin |
//! | `first-user`, `last-user` | the first and the newest turn of the user |
//! | `role:user` | all turns of a role (`system`, `user`, `assistant`, `tool`) |
//! | `tool:Bash`, `tool:Read,Grep` | all results of these tools |
//! | `latest:TodoWrite` | the newest result of a tool; of several, with commas between them, the newest of each |
//! | `latest:todo` | the newest result of each tool that keeps a list of things to do ([`TODO_TOOLS`]) |
//! | `regex:(?i)never push` | all turns whose content the pattern matches somewhere, call arguments included |
//!
//! [`apply_pins`] pins the turns that they name, and **their exchanges**: a result is of no use without its call, so a
//! call and all its results are pinned when one of them is. Parallel calls of one message are one exchange.
//!
//! ```
//! use cutctx::pins::{Pin, apply_pins};
//! use cutctx::{Role, Transcript, TranscriptTurn};
//!
//! let turns = vec![
//!     TranscriptTurn::new("u", Role::User, "tidy up, and never push", 6)?,
//!     TranscriptTurn::new("a", Role::Assistant, "", 1)?.with_tool_call_id("c"),
//!     TranscriptTurn::new("t", Role::Tool, "two things left", 4)?.with_tool_call_id("c").with_tool_name("TodoWrite"),
//!     TranscriptTurn::new("b", Role::Assistant, "one is done", 3)?,
//! ];
//! let transcript = Transcript::new(turns)?;
//! let pins: Vec<Pin> = vec!["latest:todo".parse()?, "regex:never push".parse()?, "tool:Bash".parse()?];
//!
//! let pinned = apply_pins(&transcript, &pins)?;
//! assert_eq!(pinned.matches[0].turns, [2]);
//! assert_eq!(pinned.added, [0, 1, 2]);
//! assert!(pinned.matches[2].turns.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod beginnings;
mod error;
mod pattern;
mod pin;
mod select;

pub use cutctx_policies::TODO_TOOLS;
pub use error::PinError;
pub use pattern::Pattern;
pub use pin::Pin;

use cutctx_types::{Role, Transcript, TranscriptTurn, classify};
use select::Selection;

/// What pins did to a transcript. Turns are positions in it, counted from 0, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pinned {
    /// The transcript with the pins. Ids, text and figures are those of the transcript that was given.
    pub transcript: Transcript,
    /// What each pin names, in the order of the pins.
    pub matches: Vec<PinMatch>,
    /// The turns that were not pinned before, or for their place alone: those that the pins name, and the rest of their
    /// exchanges.
    pub added: Vec<usize>,
    /// Results that a pin names and whose call is not in the transcript. They stay, as a pin demands, but a provider
    /// refuses a result without its call: the conflict is for the caller to resolve.
    pub orphans: Vec<usize>,
}

/// The turns that one pin names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PinMatch {
    /// The pin.
    pub pin: Pin,
    /// The turns that it names itself, pinned before or not. Empty where it finds nothing.
    pub turns: Vec<usize>,
}

/// Pins the turns that these pins name, and the exchanges of those, beside the turns that are pinned already.
///
/// A pin that describes turns (by role, tool or pattern) may find none: its [`PinMatch`] is empty. A pin that names a
/// turn by its id has to find it.
///
/// # Errors
///
/// [`PinError::NoSuchTurn`] and [`PinError::Ambiguous`] for an id that is none, or the beginning of several.
pub fn apply_pins(transcript: &Transcript, pins: &[Pin]) -> Result<Pinned, PinError> {
    let turns = transcript.turns();
    let selection = Selection::of(turns, pins);
    let matches = pins
        .iter()
        .map(|pin| Ok(PinMatch { pin: pin.clone(), turns: selection.named_by(pin)? }))
        .collect::<Result<Vec<_>, PinError>>()?;
    let exchanges = classify(turns.iter().map(TranscriptTurn::tool_call_id));
    let is_named = marked(turns.len(), matches.iter().flat_map(|found| &found.turns).copied());
    let named = || positions(&is_named);
    let exchange_of = |position: usize| exchanges.get(position).copied();
    let in_pinned = marked(turns.len(), named().filter_map(exchange_of));
    let is_whole =
        |position: &usize| exchange_of(*position).is_some_and(|exchange| is_set(&in_pinned, exchange));
    let is_free = |position: &usize| turns.get(*position).is_some_and(|turn| !turn.pinned_whole());
    let added: Vec<usize> = (0..turns.len()).filter(is_whole).filter(is_free).collect();
    let orphans = orphans(turns, &exchanges, named());
    Ok(Pinned { transcript: with_pinned(transcript, &added)?, matches, added, orphans })
}

/// The pinned results whose call is not in the transcript, whatever pinned them: positions, in order. A provider refuses
/// them, and a pin keeps them.
#[must_use]
pub fn conflicts(transcript: &Transcript) -> Vec<usize> {
    let turns = transcript.turns();
    let exchanges = classify(turns.iter().map(TranscriptTurn::tool_call_id));
    let pinned = turns.iter().enumerate().filter(|(_, turn)| turn.pinned());
    orphans(turns, &exchanges, pinned.map(|(position, _)| position))
}

/// Of these turns, the results whose exchange holds no call.
fn orphans(turns: &[TranscriptTurn], exchanges: &[usize], named: impl Iterator<Item = usize>) -> Vec<usize> {
    let calls = turns.iter().zip(exchanges).filter(|(turn, _)| turn.role() == Role::Assistant);
    let has_call = marked(turns.len(), calls.map(|(_, exchange)| *exchange));
    let is_orphan = |position: &usize| {
        let is_result = turns.get(*position).is_some_and(|turn| turn.role() == Role::Tool);
        is_result && exchanges.get(*position).is_some_and(|exchange| !is_set(&has_call, *exchange))
    };
    named.filter(is_orphan).collect()
}

fn with_pinned(transcript: &Transcript, added: &[usize]) -> Result<Transcript, PinError> {
    if added.is_empty() {
        return Ok(transcript.clone());
    }
    let mut turns = transcript.turns().to_vec();
    for position in added {
        if let Some(turn) = turns.get_mut(*position) {
            *turn = turn.clone().with_pinned(true);
        }
    }
    Ok(Transcript::new(turns)?)
}

/// A mark for each number below `count`, set for those that are given.
fn marked(count: usize, numbers: impl Iterator<Item = usize>) -> Vec<bool> {
    let mut marks = vec![false; count];
    for number in numbers {
        if let Some(mark) = marks.get_mut(number) {
            *mark = true;
        }
    }
    marks
}

fn positions(marks: &[bool]) -> impl Iterator<Item = usize> {
    marks.iter().enumerate().filter(|(_, mark)| **mark).map(|(position, _)| position)
}

fn is_set(marks: &[bool], number: usize) -> bool {
    marks.get(number).copied().unwrap_or(false)
}
