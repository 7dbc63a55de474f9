//! Mending: messages and results go, and calls without a result are answered.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_exec::Fate;

use super::index::Index;
use super::render;
use super::summary::{self, Added};
use crate::layout::{Answer, Going, Mend, Mended, Piece, Target};
use crate::outcome::SlotKind;
use crate::raw::quoted;
use crate::view::View;

/// The edits that carry these out, as far as this format can.
pub(super) fn mend(index: &Index, mends: &[Mend], view: &View<'_>) -> Mended {
    let taken = index.records.iter().map(|record| record.uuid().of(view.text())).collect();
    let fates = vec![Fate::Kept; view.turns()];
    let mut work = Work { index, view, taken, made: BTreeSet::new(), fates, added: Vec::new() };
    let refused = mends.iter().enumerate().filter(|(_, mend)| work.carry_out(mend).is_none());
    let refused = refused.map(|(number, _)| number).collect();
    let Work { fates, mut added, .. } = work;
    added.sort_by_key(|record| record.before.unwrap_or(usize::MAX));
    Mended { splices: render::written(index, &view.with_fates(&fates), &added), refused }
}

struct Work<'w> {
    index: &'w Index,
    view: &'w View<'w>,
    /// The ids of all records.
    taken: BTreeSet<&'w str>,
    /// Those of new ones.
    made: BTreeSet<String>,
    fates: Vec<Fate<'w>>,
    added: Vec<Added>,
}

impl Work<'_> {
    /// `None` when it cannot be carried out; then nothing was done.
    fn carry_out(&mut self, mend: &Mend) -> Option<()> {
        if let Mend::Deliver { pieces, to } = mend {
            return self.deliver(pieces, *to);
        }
        match mend.takes_away()? {
            Going::Part { message, part } => {
                let entry = self.index.entries.get(message)?;
                let slot = self.index.slots_of(entry).get(part)?;
                let turn = slot.turn;
                (slot.kind == SlotKind::Result).then(|| self.drop_turns(turn..turn.saturating_add(1)))
            }
            Going::Message { message } => {
                let turns = self.index.entries.get(message)?.turns.clone();
                self.drop_turns(turns);
                Some(())
            }
        }
    }

    fn drop_turns(&mut self, turns: Range<usize>) {
        for fate in self.fates.get_mut(turns).unwrap_or_default() {
            *fate = Fate::Dropped;
        }
    }

    /// New results stand on a line of their own, before what follows the calls. Results that stand elsewhere stay.
    fn deliver(&mut self, pieces: &[Piece], to: Target) -> Option<()> {
        let answers: Option<Vec<&Answer>> = pieces.iter().map(answer).collect();
        let answers = answers.filter(|answers| !answers.is_empty())?;
        let next = match to {
            Target::Within(message) => message,
            Target::Behind(message) => message.saturating_add(1),
        };
        let caller = self.index.entries.get(next.checked_sub(1)?)?.lines.last()?.record;
        let line = self.index.record(caller)?.line;
        let line = self.view.original(line).ok()?;
        let blocks: Vec<String> = answers.iter().map(|answer| block(answer)).collect();
        let ids: Vec<&str> = answers.iter().map(|answer| answer.call_id.as_str()).collect();
        let before = self.first_line(next);
        let said = (&*ids.join(" "), &*blocks);
        self.added.push(summary::results(said, &line, before, (&self.taken, &mut self.made)));
        Some(())
    }

    /// The first line of the branch that belongs to this message or one behind it.
    fn first_line(&self, message: usize) -> Option<usize> {
        let lines = self.index.entries.iter().skip(message).flat_map(|entry| &entry.lines);
        lines.map(|line| line.record).find(|record| self.index.tree.is_on_chain(*record))
    }
}

const fn answer(piece: &Piece) -> Option<&Answer> {
    match piece {
        Piece::Answer(answer) => Some(answer),
        Piece::Part { .. } => None,
    }
}

/// A result that says that its call was not completed.
fn block(answer: &Answer) -> String {
    let head = [r#"{"type":"tool_result","tool_use_id":"#, &quoted(&answer.call_id)].concat();
    [&head, r#","content":"#, &quoted(&answer.text), r#","is_error":true}"#].concat()
}
