//! Fates that a legal plan could hold.

use alloc::collections::BTreeMap;

use cutctx_formats::Fate;
use cutctx_types::{Role, Transcript, TranscriptTurn};

use crate::dice::Dice;

const STUB: &str = "[gone]";

/// Masks and drops for some exchanges: system turns, pins and the last turns stay, and what belongs together goes
/// together.
pub(crate) fn legal(transcript: &Transcript, dice: &mut Dice) -> Vec<Fate<'static>> {
    let turns = transcript.turns();
    let tail = turns.len().saturating_sub(1 + dice.roll(4));
    let is_free =
        |index: usize, turn: &TranscriptTurn| turn.role() != Role::System && !turn.pinned() && index < tail;
    let mut fates = vec![Fate::Kept; turns.len()];
    for members in exchanges(turns) {
        let all_free = members.iter().all(|index| is_free(*index, &turns[*index]));
        match dice.roll(4) {
            0 if all_free => members.iter().for_each(|index| fates[*index] = Fate::Dropped),
            1 => {
                let free = members.iter().filter(|index| is_free(**index, &turns[**index]));
                let results = free.filter(|index| is_worth_a_mask(&turns[**index]));
                results.for_each(|index| fates[*index] = Fate::Masked(STUB));
            }
            _ => {}
        }
    }
    fates
}

/// What is shorter than the stub is never masked.
fn is_worth_a_mask(turn: &TranscriptTurn) -> bool {
    turn.role() == Role::Tool && turn.content().len() > STUB.len()
}

fn exchanges(turns: &[TranscriptTurn]) -> Vec<Vec<usize>> {
    let mut exchanges: BTreeMap<(bool, &str), Vec<usize>> = BTreeMap::new();
    for (index, turn) in turns.iter().enumerate() {
        let key = turn.tool_call_id().map_or((false, &**turn.turn_id()), |call| (true, call));
        exchanges.entry(key).or_default().push(index);
    }
    let mut exchanges: Vec<Vec<usize>> = exchanges.into_values().collect();
    exchanges.sort();
    exchanges
}
