//! Ids for new things that clash with the id of no turn.

use alloc::collections::BTreeSet;
use alloc::sync::Arc;
use cutctx_invariants::Survey;
use cutctx_types::TranscriptTurn;

/// The ids after a prefix that can no longer be given out: with the prefix they are the ids of turns,
/// or they were given out already.
#[derive(Debug)]
pub(crate) struct FreeIds {
    taken: BTreeSet<Arc<str>>,
}

impl FreeIds {
    /// What the turns of a survey leave free after a prefix.
    pub(crate) fn after(prefix: &str, survey: &Survey<'_>) -> Self {
        let ids = survey.turns().iter().map(TranscriptTurn::turn_id);
        Self { taken: ids.filter_map(|id| id.strip_prefix(prefix)).map(Arc::from).collect() }
    }

    /// Gives out the first free one of a series of candidates, which must not repeat itself for ever.
    pub(crate) fn give_out(&mut self, candidate: impl FnMut(u64) -> Arc<str>) -> Arc<str> {
        let mut candidates = (0_u64..).map(candidate);
        loop {
            if let Some(id) = candidates.next().filter(|id| self.taken.insert(Arc::clone(id))) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx_types::{CompactionBudget, Role, Transcript};

    #[test]
    fn an_id_is_given_out_once_and_never_one_that_a_turn_has() {
        let turns = vec![TranscriptTurn::new("summary:g0", Role::User, "", 1).unwrap()];
        let transcript = Transcript::new(turns).unwrap();
        let survey = Survey::new(&transcript, &CompactionBudget::new(9)).unwrap();
        let mut ids = FreeIds::after("summary:", &survey);
        let mut next = || ids.give_out(|attempt| format!("g{attempt}").into());
        assert_eq!((next().as_ref(), next().as_ref()), ("g1", "g2"));
    }
}
