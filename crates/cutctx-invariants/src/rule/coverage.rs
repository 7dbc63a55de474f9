//! The actions name exactly the transcript's turns, in order.

use crate::survey::Survey;
use crate::violation::Violation;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::{PlanDraft, TranscriptTurn, capped_ids, classify};

/// A mere reordering gives three empty lists.
pub(super) fn check(draft: &PlanDraft, survey: &Survey<'_>) -> Option<Violation> {
    let turns = || survey.turns().iter().map(TranscriptTurn::turn_id);
    let planned = || draft.actions.iter().map(|action| &action.turn_id);
    let same = |(left, right): (&Arc<str>, &Arc<str>)| Arc::ptr_eq(left, right) || left == right;
    if survey.turns().len() == draft.actions.len() && turns().zip(planned()).all(same) {
        return None;
    }
    Some(describe(&turns().collect::<Vec<_>>(), &planned().collect::<Vec<_>>()))
}

/// How often an id occurs on either side.
#[derive(Clone, Copy, Default)]
struct Occurrences {
    turns: usize,
    planned: usize,
}

fn describe(turns: &[&Arc<str>], planned: &[&Arc<str>]) -> Violation {
    let all = || turns.iter().chain(planned).copied();
    let classes = classify(all().map(|id| Some(id.as_ref())));
    let mut seen: Vec<(Option<&Arc<str>>, Occurrences)> = Vec::new();
    seen.resize_with(classes.len(), Default::default);
    for (item, (id, class)) in all().zip(&classes).enumerate() {
        let Some((name, occurrences)) = seen.get_mut(*class) else { continue };
        *name = Some(id);
        let side = if item < turns.len() { &mut occurrences.turns } else { &mut occurrences.planned };
        *side = side.saturating_add(1);
    }
    let those = |wanted: fn(Occurrences) -> bool| {
        let ids = seen.iter().filter(|(_, occurrences)| wanted(*occurrences));
        capped_ids(ids.filter_map(|(id, _)| id.cloned()))
    };
    Violation::Coverage {
        unplanned_turn_ids: those(|id| id.turns > 0 && id.planned == 0),
        unknown_turn_ids: those(|id| id.turns == 0 && id.planned > 0),
        repeated_turn_ids: those(|id| id.planned > 1),
    }
}
