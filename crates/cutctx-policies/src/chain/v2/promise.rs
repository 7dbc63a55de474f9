//! What was promised of locked turns.
//!
//! A budget is admitted at what the best member alone makes of each locked turn. In a row a member sees what the ones
//! before it have left, and may then be able to do less: what they cut cannot be cut otherwise, and a share that was
//! rounded up is rounded up again.

use super::super::PolicyChain;
use super::plan_of;
use super::work::Work;
use cutctx_invariants::CompactionPolicy;

/// Gives locked turns the cost that the budget was admitted at, where the members in a row did not.
pub(super) fn kept<'s, 't>(chain: &PolicyChain, mut work: Work<'s, 't>, goal: u64) -> Work<'s, 't> {
    if !is_broken(chain, &work) {
        return work;
    }
    for member in chain.members() {
        // One that has no plan of its own has made no promise.
        let Ok(plan) = plan_of(member, work.survey()) else { continue };
        if plan.tokens_after_estimate() <= goal {
            let mut alone = Work::on(work.survey());
            alone.absorb(plan);
            return alone;
        }
        work.take_cheaper(plan);
    }
    work
}

/// Whether a locked turn costs more than some member alone would leave it at.
fn is_broken(chain: &PolicyChain, work: &Work<'_, '_>) -> bool {
    let mut promised = work.survey().locked_costs();
    chain.lower_locked(work.survey(), &mut promised);
    promised.iter().any(|(position, cost)| work.cost_at(position) > cost)
}
