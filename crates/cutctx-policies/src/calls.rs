//! Which call a result answers, and what the call said.

use alloc::collections::BTreeMap;
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
/// the result names; where it names none, the only call of that turn. A call is taken apart once, however many results
/// answer it.
pub(crate) struct Calls<'t> {
    all: Vec<Call<'t>>,
    answered: Vec<Option<usize>>,
    /// By caller, part and, where the text tells no tool, the tool that the result names: the call.
    known: BTreeMap<(usize, usize, &'t str), Option<usize>>,
}

/// The turn of an exchange that spoke last.
#[derive(Debug, Clone, Copy)]
struct Caller<'t> {
    position: usize,
    turn: &'t TranscriptTurn,
    /// Its only call, if it has one alone.
    only: Option<usize>,
    /// What stands in the text in place of that call, if its part is empty.
    spoken: Option<&'t str>,
}

impl<'t> Calls<'t> {
    /// The calls of a surveyed transcript, as they were before anything was done to the turns.
    pub(crate) fn of(survey: &'t Survey<'_>) -> Self {
        let mut callers: Vec<Option<Caller<'_>>> = alloc::vec![None; survey.exchanges().len()];
        let answered = Vec::with_capacity(survey.turns().len());
        let mut calls = Self { all: Vec::new(), answered, known: BTreeMap::new() };
        for (position, turn) in survey.turns().iter().enumerate() {
            let caller = survey.exchanges().of(position).and_then(|exchange| callers.get_mut(exchange));
            let call = match (turn.role(), caller) {
                (Role::Assistant, Some(caller)) => {
                    *caller = survey.original(position).map(|turn| Caller::of(position, turn));
                    None
                }
                (Role::Tool, Some(Some(caller))) => calls.number_of(caller, turn),
                _ => None,
            };
            calls.answered.push(call);
        }
        calls
    }

    /// All calls that are answered.
    pub(crate) fn all(&self) -> &[Call<'t>] {
        &self.all
    }

    /// The call that the result at a position answers, where it is known.
    pub(crate) fn answered_by(&self, position: usize) -> Option<&Call<'t>> {
        self.all.get(self.number_answered_by(position)?)
    }

    /// Its place among all calls.
    pub(crate) fn number_answered_by(&self, position: usize) -> Option<usize> {
        self.answered.get(position).copied().flatten()
    }

    fn number_of(&mut self, caller: &Caller<'t>, result: &'t TranscriptTurn) -> Option<usize> {
        let part = result.answers().and_then(|part| usize::try_from(part).ok()).or(caller.only)?;
        let text = call_text(caller.turn, part)?;
        let named = result.tool_name();
        let key = (caller.position, part, named.filter(|_| text.is_empty()).unwrap_or_default());
        let known = self.known.get(&key).copied();
        let number = known.unwrap_or_else(|| {
            let number = caller.call(part, text, named).map(|call| self.add(call));
            self.known.insert(key, number);
            number
        })?;
        let tool = self.all.get(number)?.tool;
        named.is_none_or(|named| named == tool).then_some(number)
    }

    fn add(&mut self, call: Call<'t>) -> usize {
        self.all.push(call);
        self.all.len().saturating_sub(1)
    }
}

impl<'t> Caller<'t> {
    fn of(position: usize, turn: &'t TranscriptTurn) -> Self {
        let only = only_call(turn);
        let is_empty = only.and_then(|part| call_text(turn, part)).is_some_and(str::is_empty);
        let spoken = if is_empty { spoken(turn.content()) } else { None };
        Self { position, turn, only, spoken }
    }

    /// The call that a part is, which reads so; `named` is the tool that its result names.
    fn call(&self, part: usize, text: &'t str, named: Option<&'t str>) -> Option<Call<'t>> {
        let (tool, arguments) = match spelled(text) {
            Some((tool, arguments)) => (tool, text.get(arguments)?),
            // One call alone can stand in the text.
            None if text.is_empty() && self.only == Some(part) => (named?, self.spoken?),
            None => return None,
        };
        Some(Call { turn: self.position, part, tool, arguments })
    }
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
    use alloc::format;
    use alloc::vec;
    use cutctx_types::{CompactionBudget, Part, Transcript};

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
    fn a_call_that_many_results_answer_is_taken_apart_once() {
        let call = "[call read {}]";
        let part = Part::new(PartKind::CallArguments, call.len(), 3);
        let caller = TranscriptTurn::new("a", Role::Assistant, call, 3).unwrap().with_tool_call_id("c");
        let mut turns = vec![caller.with_parts(vec![part]).unwrap()];
        for (number, tool) in [None, Some("read"), Some("write"), None].into_iter().enumerate() {
            let result = TranscriptTurn::new(format!("r{number}"), Role::Tool, "x", 1).unwrap();
            let result = result.with_tool_call_id("c").with_answers(0);
            turns.push(match tool {
                Some(tool) => result.with_tool_name(tool),
                None => result,
            });
        }
        let transcript = Transcript::new(turns).unwrap();
        let survey = Survey::new(&transcript, &CompactionBudget::new(100)).unwrap();
        let calls = Calls::of(&survey);
        let answered: Vec<_> = (0..5).map(|position| calls.number_answered_by(position)).collect();
        assert_eq!(answered, [None, Some(0), Some(0), None, Some(0)]);
        assert_eq!(calls.all().len(), 1);
    }

    #[test]
    fn a_spoken_command_is_what_the_last_fence_holds() {
        assert_eq!(spoken("look:\n```bash\ncat a.py\n```\n"), Some("cat a.py"));
        assert_eq!(spoken("no fence"), None);
        assert_eq!(spoken("```"), None);
    }
}
