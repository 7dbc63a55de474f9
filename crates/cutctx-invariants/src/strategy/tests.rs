//! What the strategies reach: every violation, every fault of a trim.

use super::{legal_attempts, mischievous_attempts};
use crate::plan::CompactionPlan;
use crate::violation::{TrimFault, Violation};
use alloc::collections::BTreeSet;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Exhaustive on purpose: a new violation does not compile here until it has a name, and fails the test
/// until a strategy reaches it.
fn name(violation: &Violation) -> &'static str {
    match violation {
        Violation::Coverage { .. } => "coverage",
        Violation::Untouchable { .. } => "untouchable",
        Violation::SplitExchange { .. } => "split exchange",
        Violation::MixedExchange { .. } => "mixed exchange",
        Violation::RepeatedRequest { .. } => "repeated request",
        Violation::GroupsAndRequests { .. } => "groups and requests",
        Violation::RequestTurns { .. } => "request turns",
        Violation::SummaryIdTaken { .. } => "summary id taken",
        Violation::RequestOrder { .. } => "request order",
        Violation::TokensBefore { .. } => "tokens before",
        Violation::TokensAfter { .. } => "tokens after",
        Violation::BudgetUnmet { .. } => "budget unmet",
        Violation::FiguresOverflow => "figures overflow",
        Violation::EstimatorRatio { .. } => "estimator ratio",
        Violation::Trim { fault, .. } => match fault {
            TrimFault::PartOrder { .. } => "trim: part order",
            TrimFault::Range { .. } => "trim: range",
            TrimFault::Divided { .. } => "trim: divided",
            TrimFault::Nothing => "trim: nothing",
            TrimFault::Everything => "trim: everything",
            TrimFault::Dearer { .. } => "trim: dearer",
        },
    }
}

/// As many as `name` tells apart.
const NAMES: usize = 20;

#[test]
fn drafts_reach_every_violation_and_every_fault_of_a_trim() {
    let mut runner = TestRunner::deterministic();
    let strategy = mischievous_attempts();
    let mut first = BTreeSet::new();
    let mut codes = BTreeSet::new();
    for _ in 0..4_000 {
        let (_, attempt) = strategy.new_tree(&mut runner).unwrap().current();
        let Ok(survey) = attempt.scenario.survey() else { continue };
        if let Err(rejected) = CompactionPlan::check(attempt.draft, &survey) {
            first.insert(name(rejected.first()));
            codes.insert(cutctx_types::Coded::code(&rejected).as_str());
        }
    }
    assert_eq!(first.len(), NAMES, "{first:?}");
    assert_eq!(codes, BTreeSet::from(["TOKEN_OVERFLOW", "VALIDATION_ERROR"]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn legal_drafts_stay_legal_while_they_shrink(seed in any::<[u8; 32]>()) {
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
        let mut tree = legal_attempts().new_tree(&mut runner).unwrap();
        for step in 0..60 {
            let attempt = tree.current();
            prop_assert!(attempt.scenario.accepts(&attempt.draft));
            if !(if step % 3 == 2 { tree.complicate() } else { tree.simplify() }) {
                break;
            }
        }
    }
}
