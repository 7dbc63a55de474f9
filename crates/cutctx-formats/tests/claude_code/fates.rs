//! Simple fates that respect exchanges and pins.

use alloc::collections::BTreeMap;

use cutctx_formats::{Fate, Session};
use cutctx_types::{Role, TranscriptTurn};

/// What is done to turns that may be touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Drop,
    Mask,
    Summarize,
    Mixed,
}

/// The name of the group of all summarized turns.
pub(crate) const GROUP: &str = "group-1";

/// Touches exchanges, oldest first, until the budget (in tokens) is met, but never pinned ones or the last four turns.
pub(crate) fn to_budget<'f>(session: &Session, budget: u64, manner: Manner) -> Vec<Fate<'f>> {
    let turns = session.transcript().turns();
    let mut fates = vec![Fate::Kept; turns.len()];
    let mut left = session.transcript().token_estimate();
    let mut round = 0_usize;
    for unit in units(turns) {
        let locked = unit.iter().any(|turn| is_locked(turns, *turn));
        if left <= budget || locked {
            continue;
        }
        let manner = match (manner, round % 3) {
            (Manner::Mixed, 0) => Manner::Mask,
            (Manner::Mixed, 1) => Manner::Drop,
            (Manner::Mixed, _) => Manner::Summarize,
            (manner, _) => manner,
        };
        round += 1;
        for turn in unit {
            if let Some(fate) = fate(&turns[turn], manner) {
                fates[turn] = fate;
                left -= turns[turn].token_estimate();
            }
        }
    }
    fates
}

fn is_locked(turns: &[TranscriptTurn], turn: usize) -> bool {
    turns[turn].pinned() || turns[turn].role() == Role::System || turn + 4 >= turns.len()
}

fn fate<'f>(turn: &TranscriptTurn, manner: Manner) -> Option<Fate<'f>> {
    match manner {
        Manner::Drop => Some(Fate::Dropped),
        Manner::Summarize => Some(Fate::SummarizedInto(GROUP)),
        Manner::Mask => (turn.role() != Role::User).then_some(Fate::Masked("[gone]")),
        Manner::Mixed => None,
    }
}

/// Exchanges as lists of turns; everything else alone.
pub(crate) fn units(turns: &[TranscriptTurn]) -> Vec<Vec<usize>> {
    let mut units: Vec<Vec<usize>> = Vec::new();
    let mut of_exchange: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, turn) in turns.iter().enumerate() {
        match turn.tool_call_id() {
            Some(id) if of_exchange.contains_key(id) => units[of_exchange[id]].push(at),
            Some(id) => {
                of_exchange.insert(id, units.len());
                units.push(vec![at]);
            }
            None => units.push(vec![at]),
        }
    }
    units
}
