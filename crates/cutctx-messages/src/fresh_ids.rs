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
        let wanted = if nth == 0 { numbered(message) } else { format!("m{message}.{nth}").into() };
        self.give_out(wanted)
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

/// The digits of the largest number, and a letter.
const LONGEST: usize = 21;

/// `m` and this number, as `format!` writes it: most turns get such an id, and writing it so takes a third of the time.
fn numbered(message: usize) -> Arc<str> {
    let mut digits = [0; LONGEST];
    let mut rest = message;
    let mut length = 0_usize;
    for digit in digits.iter_mut().rev() {
        let last = rest.checked_rem(10).and_then(|last| u8::try_from(last).ok()).unwrap_or_default();
        *digit = b'0'.saturating_add(last);
        rest /= 10;
        length = length.saturating_add(1);
        if rest == 0 {
            break;
        }
    }
    let letter = LONGEST.saturating_sub(length).saturating_sub(1);
    if let Some(first) = digits.get_mut(letter) {
        *first = b'm';
    }
    core::str::from_utf8(digits.get(letter..).unwrap_or_default()).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, 4_096, 99_999, usize::MAX] {
            assert_eq!(*numbered(number), *format!("m{number}"));
        }
    }
}
