//! Ids for turns, each given out once.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::sync::Arc;

use cutctx_types::TranscriptTurn;

/// The ids that turns have. Numbers alone never meet, so nothing is remembered until the first message brings an id
/// of its own along.
#[derive(Default)]
pub(crate) struct FreshIds {
    /// The ids of all turns, once there is an own one.
    taken: Option<BTreeSet<Arc<str>>>,
    /// By wanted id: the number to try next behind it. Numbers below are taken, so none is tried twice.
    next: BTreeMap<Arc<str>, usize>,
}

impl FreshIds {
    /// The id of turn `nth` of a message that has an id of its own; `turns` are those of the messages before it.
    pub(crate) fn of_own(&mut self, own: &Arc<str>, nth: usize, turns: &[TranscriptTurn]) -> Arc<str> {
        if self.taken.is_none() {
            self.taken = Some(turns.iter().map(|turn| Arc::clone(turn.turn_id())).collect());
        }
        self.give_out(if nth == 0 { Arc::clone(own) } else { format!("{own}.{nth}").into() })
    }

    /// The id of turn `nth` of a message that is known by its number alone.
    pub(crate) fn of_number(&mut self, message: usize, nth: usize) -> Arc<str> {
        let wanted = if nth == 0 { format!("m{message}") } else { format!("m{message}.{nth}") };
        self.give_out(wanted.into())
    }

    /// The wanted id, or that with the first number behind it that is free.
    fn give_out(&mut self, wanted: Arc<str>) -> Arc<str> {
        let Some(taken) = &mut self.taken else { return wanted };
        if taken.insert(Arc::clone(&wanted)) {
            return wanted;
        }
        let round = self.next.entry(Arc::clone(&wanted)).or_insert(2);
        loop {
            let id: Arc<str> = format!("{wanted}~{round}").into();
            *round = round.saturating_add(1);
            if taken.insert(Arc::clone(&id)) {
                return id;
            }
        }
    }
}
