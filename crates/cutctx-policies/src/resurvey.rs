//! Another look at the turns of a survey.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ptr;
use cutctx_invariants::{BudgetUnsatisfiable, Survey};
use cutctx_types::{CompactionBudget, Transcript};

/// The survey of a transcript with the very turns of another survey, perhaps pinned, under a budget: as far in the
/// making of a plan as the other.
pub(crate) fn resurveyed<'t>(
    survey: &Survey<'_>,
    transcript: &'t Transcript,
    budget: &CompactionBudget,
) -> Result<Survey<'t>, BudgetUnsatisfiable> {
    if !survey.continues() {
        return Survey::new(transcript, budget);
    }
    let stand_ins: Vec<bool> = (0..transcript.len()).map(|position| survey.is_stand_in(position)).collect();
    let originals: BTreeMap<_, _> = survey
        .turns()
        .iter()
        .enumerate()
        .filter_map(|(position, turn)| {
            let original = survey.original(position).filter(|original| !ptr::eq(*original, turn))?;
            Some((position, original.clone()))
        })
        .collect();
    Ok(Survey::continuing(transcript, budget, stand_ins)?.with_originals(originals))
}
