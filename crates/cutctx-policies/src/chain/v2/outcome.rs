//! What a chain proposes once its members have had their say.

use super::work::{Group, Removal, State, Work};
use crate::chain::PolicyChain;
use crate::proposal::Proposal;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::PolicyError;
use cutctx_types::{Action, InvalidValue, PlanDraft, SummarizationRequest};

/// One draft over the real turns.
pub(super) fn draft(work: &Work<'_, '_>, chain: &PolicyChain) -> Result<PlanDraft, PolicyError> {
    let ratio = common_ratio(work);
    let (proposal, requests) = settle(work)?;
    Ok(proposal.into_draft(chain).with_requests(requests).with_estimator_ratio(ratio))
}

/// The ratio behind all stubs, where there are stubs and they share one.
fn common_ratio(work: &Work<'_, '_>) -> Option<f64> {
    let mut ratios = work.states().iter().filter_map(|state| match state {
        State::Masked { ratio, .. } => Some(*ratio),
        State::Kept | State::Trimmed(_) | State::Removed(_) => None,
    });
    let first = ratios.next()??;
    let is_same = |ratio: Option<f64>| ratio.is_some_and(|ratio| ratio.to_bits() == first.to_bits());
    ratios.all(is_same).then_some(first)
}

fn settle(work: &Work<'_, '_>) -> Result<(Proposal, Vec<SummarizationRequest>), InvalidValue> {
    let mut proposal = Proposal::keeping(work.survey());
    let mut members = Members::of(work.groups());
    for (position, turn) in work.survey().turns().iter().enumerate() {
        match work.state(position) {
            State::Kept => {}
            State::Masked { replacement, .. } => proposal.set(position, Action::Mask(replacement.clone())),
            State::Trimmed(trim) => proposal.set(position, Action::Trim(trim.clone())),
            State::Removed(removal) => {
                proposal.set(position, members.removed(*removal, turn.turn_id()));
            }
        }
    }
    Ok((proposal, members.requests()?))
}

/// The turns behind each group that still stands.
struct Members<'g> {
    groups: &'g [Group],
    /// By group: where its turns end up.
    ends: Vec<Option<usize>>,
    /// By group: its turns in order.
    turn_ids: Vec<Vec<Arc<str>>>,
    /// The groups in order of their first turns.
    order: Vec<usize>,
}

impl<'g> Members<'g> {
    fn of(groups: &'g [Group]) -> Self {
        let turn_ids = groups.iter().map(|_| Vec::new()).collect();
        Self { groups, ends: ends_of(groups), turn_ids, order: Vec::new() }
    }

    /// What happens to a removed turn, which is counted to its group where that still stands.
    fn removed(&mut self, removal: Removal, turn_id: &Arc<str>) -> Action {
        let end = end_of(removal, &self.ends);
        let standing = end.and_then(|end| self.groups.get(end).zip(self.turn_ids.get_mut(end)));
        let (Some(end), Some((group, turn_ids))) = (end, standing) else { return Action::Drop };
        if turn_ids.is_empty() {
            self.order.push(end);
        }
        turn_ids.push(Arc::clone(turn_id));
        Action::Summarize { group: Arc::clone(&group.id) }
    }

    fn requests(mut self) -> Result<Vec<SummarizationRequest>, InvalidValue> {
        let mut requests = Vec::with_capacity(self.order.len());
        for number in self.order {
            let turn_ids = self.turn_ids.get_mut(number).map(core::mem::take).unwrap_or_default();
            let Some(group) = self.groups.get(number) else { continue };
            let (id, prompt_id) = (Arc::clone(&group.id), Arc::clone(&group.prompt_id));
            requests.push(SummarizationRequest::new(id, turn_ids, group.target, prompt_id)?);
        }
        Ok(requests)
    }
}

/// By group: the standing group that its turns are in at last; `None` where they are dropped.
fn ends_of(groups: &[Group]) -> Vec<Option<usize>> {
    let mut ends: Vec<Option<usize>> = (0..groups.len()).map(Some).collect();
    // A group goes into a later one only, so the later ends are known first.
    for (number, group) in groups.iter().enumerate().rev() {
        let Some(removal) = group.removal else { continue };
        let end = end_of(removal, &ends);
        if let Some(slot) = ends.get_mut(number) {
            *slot = end;
        }
    }
    ends
}

fn end_of(removal: Removal, ends: &[Option<usize>]) -> Option<usize> {
    match removal {
        Removal::Dropped => None,
        Removal::Folded { into } => ends.get(into).copied().flatten(),
    }
}
