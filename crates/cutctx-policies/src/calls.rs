//! Which call a result answers, and what the call said.

use alloc::vec::Vec;
use core::ops::Range;
use cutctx_invariants::Survey;
use cutctx_types::{PartKind, Role, TranscriptTurn};

/// A tool call as the turn that made it tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Call<'t> {
    /// The position of the turn that made it.
    pub(crate) turn: usize,
    /// Its part of that turn.
    pub(crate) part: usize,
    /// The tool.
    pub(crate) tool: &'t str,
    /// Its arguments: JSON as a rule, or what the model wrote in their place.
    pub(crate) arguments: &'t str,
}

/// The calls that the results of a transcript answer.
///
/// The calling turn is the nearest assistant's turn before the result in its exchange, and the part is the one that
/// the result names; where it names none, the only call of that turn.
pub(crate) struct Calls<'t> {
    answered: Vec<Option<Call<'t>>>,
}

/// The turn of an exchange that spoke last.
#[derive(Debug, Clone, Copy)]
struct Caller {
    position: usize,
    /// Its only call, if it has one alone.
    only: Option<usize>,
}

impl<'t> Calls<'t> {
    /// The calls of a surveyed transcript, as they were before anything was done to the turns.
    pub(crate) fn of(survey: &'t Survey<'_>) -> Self {
        let mut callers: Vec<Option<Caller>> = alloc::vec![None; survey.exchanges().len()];
        let mut answered = Vec::with_capacity(survey.turns().len());
        for (position, turn) in survey.turns().iter().enumerate() {
            let caller = survey.exchanges().of(position).and_then(|exchange| callers.get_mut(exchange));
            let call = match (turn.role(), caller) {
                (Role::Assistant, Some(caller)) => {
                    *caller =
                        survey.original(position).map(|turn| Caller { position, only: only_call(turn) });
                    None
                }
                (Role::Tool, Some(Some(caller))) => call_of(survey, *caller, turn),
                _ => None,
            };
            answered.push(call);
        }
        Self { answered }
    }

    /// The call that the result at a position answers, where it is known.
    pub(crate) fn answered_by(&self, position: usize) -> Option<&Call<'t>> {
        self.answered.get(position)?.as_ref()
    }
}

fn call_of<'t>(survey: &'t Survey<'_>, caller: Caller, result: &'t TranscriptTurn) -> Option<Call<'t>> {
    let turn = survey.original(caller.position)?;
    let part = result.answers().and_then(|part| usize::try_from(part).ok()).or(caller.only)?;
    let text = call_text(turn, part)?;
    let (tool, arguments) = match spelled(text) {
        Some((tool, arguments)) => (tool, text.get(arguments)?),
        // One call alone can stand in the text.
        None if text.is_empty() && caller.only == Some(part) => {
            (result.tool_name()?, spoken(turn.content())?)
        }
        None => return None,
    };
    let is_same = result.tool_name().is_none_or(|named| named == tool);
    is_same.then_some(Call { turn: caller.position, part, tool, arguments })
}

/// What a part of a turn says, if it is a call.
fn call_text(turn: &TranscriptTurn, part: usize) -> Option<&str> {
    let start =
        part.checked_sub(1).and_then(|before| turn.parts().get(before)).map_or(0, |before| before.end);
    let part = turn.parts().get(part).filter(|part| part.kind == PartKind::CallArguments)?;
    turn.content().get(start..part.end)
}

/// The index of the only call of a turn.
fn only_call(turn: &TranscriptTurn) -> Option<usize> {
    let mut calls = turn.parts().iter().enumerate().filter(|(_, part)| part.kind == PartKind::CallArguments);
    let (only, _) = calls.next()?;
    calls.next().is_none().then_some(only)
}

/// The tool of a call that reads `[call tool arguments]`, and where in that text the arguments stand.
pub(crate) fn spelled(text: &str) -> Option<(&str, Range<usize>)> {
    const BEGIN: &str = "[call ";
    let (tool, _) = text.strip_prefix(BEGIN)?.split_once(' ')?;
    let start = BEGIN.len().saturating_add(tool.len()).saturating_add(1);
    let end = text.strip_suffix(']')?.len();
    (start <= end).then_some((tool, start..end))
}

/// The command of a call that stands in the text of a turn, as agents without calls of their own write it: what the
/// last fence holds.
fn spoken(text: &str) -> Option<&str> {
    let (before, _) = text.rsplit_once("```")?;
    let (_, fenced) = before.rsplit_once("```")?;
    let (_language, command) = fenced.split_once('\n')?;
    Some(command.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_taken_apart() {
        let text = r#"[call read {"path":"a"}]"#;
        assert_eq!(
            spelled(text).map(|(tool, range)| (tool, text.get(range).unwrap())),
            Some(("read", r#"{"path":"a"}"#))
        );
        for odd in ["", "[call read]", "read {}", "[call ", "[call read {}"] {
            assert_eq!(spelled(odd), None, "{odd}");
        }
    }

    #[test]
    fn a_spoken_command_is_what_the_last_fence_holds() {
        assert_eq!(spoken("look:\n```bash\ncat a.py\n```\n"), Some("cat a.py"));
        assert_eq!(spoken("no fence"), None);
        assert_eq!(spoken("```"), None);
    }
}
