//! The shipped policies on sessions: what they plan is written, read again, and needs no second plan.

use cutctx_formats::{Fate, Session};
use cutctx_invariants::CompactionPolicy;
use cutctx_policies::{DropOldestPolicy, ObservationMaskingPolicy, PolicyChain, default_chain};
use cutctx_types::CompactionBudget;

use super::lines::session;
use super::{corpus, laws};

#[test]
fn plans_for_half_and_a_quarter_keep_the_laws_on_the_example() {
    let planned = all_plans(include_str!("../../../../examples/claude-code.jsonl"));
    assert!(planned > 0, "no plan changed anything");
}

#[test]
fn plans_for_half_and_a_quarter_keep_the_laws_on_the_test_data() {
    for (name, file) in corpus::files(".jsonl") {
        eprintln!("{name}: {} plans", all_plans(&file));
    }
}

/// How many plans changed something.
fn all_plans(file: &str) -> usize {
    let mask_then_drop =
        PolicyChain::new(vec![Box::new(ObservationMaskingPolicy::new()), Box::new(DropOldestPolicy::new())]);
    let policies: [(PolicyChain, u64); 2] =
        [(mask_then_drop.unwrap(), 4), (default_chain("session-summary").unwrap(), 4)];
    let read = session(file);
    let mut changed = 0;
    for (policy, protected) in &policies {
        for share in [2, 4] {
            let budget = CompactionBudget::new((read.transcript().token_estimate() / share).max(1))
                .with_protected_recent_turns(*protected);
            changed += usize::from(plan(&read, file, policy, &budget));
        }
    }
    changed
}

/// Whether there was a plan and it changed something. A locked floor over the budget is no plan.
fn plan(read: &Session, file: &str, policy: &PolicyChain, budget: &CompactionBudget) -> bool {
    let Ok(plan) = policy.decide(read.transcript(), budget) else { return false };
    let fates = cutctx_exec::fates_with_appended(&plan, 0);
    let groups: Vec<&str> =
        plan.summarization_requests().iter().map(|request| &**request.group_id()).collect();
    let after = laws::planned(read, file, &fates, &groups);
    if plan.tokens_after_estimate() <= budget.max_tokens() && groups.is_empty() {
        assert!(after.transcript().token_estimate() <= budget.max_tokens());
        let second = policy.decide(after.transcript(), budget).unwrap();
        assert!(cutctx_exec::fates_with_appended(&second, 0).iter().all(|fate| *fate == Fate::Kept));
    }
    fates.iter().any(|fate| *fate != Fate::Kept)
}
