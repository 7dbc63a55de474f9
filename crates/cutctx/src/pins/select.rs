//! Which turns a pin names.

use super::beginnings::Beginnings;
use super::{Pin, PinError, TODO_TOOLS};
use alloc::collections::BTreeMap;
use cutctx_types::{Role, TranscriptTurn};

/// The name that stands for all tools of the table.
const WHOLE_TABLE: &str = "todo";

/// A transcript's turns, with what is needed to find some of them.
#[derive(Debug)]
pub(super) struct Selection<'t> {
    turns: &'t [TranscriptTurn],
    ids: Option<Beginnings<'t>>,
    /// The newest result of each tool; empty where no pin asks for one.
    latest: BTreeMap<&'t str, usize>,
}

impl<'t> Selection<'t> {
    /// Prepares what these pins will ask for.
    pub(super) fn of(turns: &'t [TranscriptTurn], pins: &[Pin]) -> Self {
        let names_ids = pins.iter().any(|pin| matches!(pin, Pin::Turn(_)));
        let asks_latest = pins.iter().any(|pin| matches!(pin, Pin::Latest(_)));
        Self {
            turns,
            ids: names_ids.then(|| Beginnings::of(turns)),
            latest: if asks_latest { latest_results(turns) } else { BTreeMap::new() },
        }
    }

    /// The positions of the turns that a pin names, in order.
    pub(super) fn named_by(&self, pin: &Pin) -> Result<Vec<usize>, PinError> {
        let is_user = |turn: &TranscriptTurn| turn.role() == Role::User;
        Ok(match pin {
            Pin::Turn(id) => vec![self.turn(id)?],
            Pin::FirstUser => self.turns.iter().position(is_user).into_iter().collect(),
            Pin::LastUser => self.turns.iter().rposition(is_user).into_iter().collect(),
            Pin::Role(role) => self.all(|turn| turn.role() == *role),
            Pin::Tool(names) => self.all(|turn| turn.tool_name().is_some_and(|name| has(names, name))),
            Pin::Regex(pattern) => self.all(|turn| pattern.is_match(turn.content())),
            Pin::Latest(names) => self.latest(names),
        })
    }

    fn turn(&self, id: &str) -> Result<usize, PinError> {
        let unknown = || PinError::NoSuchTurn { turn_id: id.into() };
        self.ids.as_ref().ok_or_else(unknown)?.find(id)
    }

    fn all(&self, is_named: impl Fn(&TranscriptTurn) -> bool) -> Vec<usize> {
        self.turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| is_named(turn))
            .map(|(position, _)| position)
            .collect()
    }

    fn latest(&self, names: &[String]) -> Vec<usize> {
        let table = if has(names, WHOLE_TABLE) { TODO_TOOLS } else { &[] };
        let wanted = names.iter().map(String::as_str).chain(table.iter().copied());
        let mut found: Vec<usize> = wanted.filter_map(|name| self.latest.get(name).copied()).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn latest_results(turns: &[TranscriptTurn]) -> BTreeMap<&str, usize> {
    let results = turns.iter().enumerate().filter(|(_, turn)| turn.role() == Role::Tool);
    results.filter_map(|(position, turn)| Some((turn.tool_name()?, position))).collect()
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|known| known == name)
}
