//! The kernel and the slow oracle say the same about legal, broken and garbage drafts.

use crate::oracle::{Finding, Ruling, rule};
use alloc::collections::BTreeSet;
use cutctx_invariants::strategy::{
    self, Attempt, Mischief, broken_attempts, garbage_attempts, legal_attempts, mischievous_attempts,
};
use cutctx_invariants::{CompactionPlan, Rejected};
use cutctx_types::{Coded, Details};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value;

/// Through text: `serde_json::Value` cannot be made of 128-bit numbers directly.
fn value(details: &Details) -> Value {
    serde_json::from_str(&serde_json::to_string(details).unwrap()).unwrap()
}

fn findings(rejected: &Rejected) -> Vec<Finding> {
    let finding = |violation: &cutctx_invariants::Violation| Finding {
        rule: violation.rule(),
        code: violation.code().as_str(),
        details: value(&violation.details()),
    };
    rejected.violations().map(finding).collect()
}

fn kernel(attempt: &Attempt) -> Ruling {
    match attempt.scenario.survey() {
        Err(error) => Ruling::Unsatisfiable(value(&error.details())),
        Ok(survey) => match CompactionPlan::check(attempt.draft.clone(), &survey) {
            Err(rejected) => Ruling::Broken(findings(&rejected)),
            Ok(plan) => Ruling::Accepted(
                plan.tokens_before().into(),
                plan.tokens_after_estimate().into(),
                plan.budget_unmet(),
            ),
        },
    }
}

fn oracle(attempt: &Attempt) -> Ruling {
    rule(&attempt.scenario.transcript, &attempt.scenario.budget, &attempt.draft)
}

proptest! {
    #[test]
    fn legal_drafts_are_accepted_with_the_oracles_figures(attempt in legal_attempts()) {
        let ruling = kernel(&attempt);
        prop_assert!(matches!(ruling, Ruling::Accepted(..)), "{:?}", ruling);
        prop_assert_eq!(ruling, oracle(&attempt));
    }

    #[test]
    fn broken_drafts_break_the_rules_that_the_oracle_names(attempt in broken_attempts()) {
        let ruling = kernel(&attempt);
        prop_assert!(!matches!(ruling, Ruling::Accepted(..)), "{:?}", ruling);
        prop_assert_eq!(ruling, oracle(&attempt));
    }

    #[test]
    fn mischief_that_finds_nothing_to_harm_leaves_a_draft_legal(
        (mischief, attempt) in mischievous_attempts(),
    ) {
        prop_assert_eq!(kernel(&attempt), oracle(&attempt), "{:?}", mischief);
    }

    #[test]
    fn garbage_is_judged_as_the_oracle_judges_it(attempt in garbage_attempts()) {
        prop_assert_eq!(kernel(&attempt), oracle(&attempt));
    }

    #[test]
    fn code_and_details_of_a_rejection_are_those_of_its_first_violation(attempt in broken_attempts()) {
        let Ok(survey) = attempt.scenario.survey() else { return Ok(()) };
        let rejected = CompactionPlan::check(attempt.draft, &survey).unwrap_err();
        prop_assert_eq!(rejected.code(), rejected.first().code());
        prop_assert_eq!(rejected.details(), rejected.first().details());
        let rules: Vec<&str> = rejected.violations().map(cutctx_invariants::Violation::rule).collect();
        let distinct: BTreeSet<&str> = rules.iter().copied().collect();
        prop_assert_eq!(rules.len(), distinct.len(), "a rule reports once");
    }
}

/// The rule that a mischief is aimed at.
fn aimed_at(mischief: Mischief) -> &'static str {
    match mischief {
        Mischief::LowerBudget => "floor",
        Mischief::ForgetAction | Mischief::RepeatAction | Mischief::InventAction | Mischief::SwapActions => {
            "coverage"
        }
        Mischief::TouchUntouchable => "untouchable",
        Mischief::SplitExchange | Mischief::MixExchange => "exchange",
        Mischief::RepeatRequest => "repeated-request",
        Mischief::ForgetRequest | Mischief::InventRequest => "groups-and-requests",
        Mischief::MisnameRequestTurns => "request-turns",
        Mischief::TakeSummaryId => "summary-id",
        Mischief::SwapRequests => "request-order",
        Mischief::ClaimBefore | Mischief::ClaimAfter | Mischief::ClaimUnmet | Mischief::Overflow => "figures",
        Mischief::SpoilRatio => "estimator-ratio",
        Mischief::MisorderParts
        | Mischief::MisplaceRange
        | Mischief::DividePart
        | Mischief::TrimToNothing
        | Mischief::TrimNothingAway
        | Mischief::TrimDearer => "trim",
        other => panic!("{other:?} is aimed at nothing"),
    }
}

fn first_rule(attempt: &Attempt) -> Option<&'static str> {
    match kernel(attempt) {
        Ruling::Unsatisfiable(_) => Some("floor"),
        Ruling::Broken(findings) => findings.first().map(|finding| finding.rule),
        Ruling::Accepted(..) => None,
    }
}

#[test]
fn every_mischief_finds_its_mark_and_no_other() {
    let mut runner = TestRunner::deterministic();
    let strategy = mischievous_attempts();
    let mut hits: BTreeSet<String> = BTreeSet::new();
    for _ in 0..4_000 {
        let (mischief, attempt) = strategy.new_tree(&mut runner).unwrap().current();
        if let Some(rule) = first_rule(&attempt) {
            // A trim that keeps a turn of a group may empty the turn's request of its sense; nothing else can
            // come before the rule that is aimed at.
            assert_eq!(rule, aimed_at(mischief), "{mischief:?}");
            hits.insert(format!("{mischief:?}"));
        }
    }
    let all: BTreeSet<String> = Mischief::ALL.iter().map(|mischief| format!("{mischief:?}")).collect();
    assert_eq!(hits, all);
}

#[test]
fn the_strategies_make_the_odd_cases_they_promise() {
    let mut runner = TestRunner::deterministic();
    let strategy = strategy::scenarios();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for _ in 0..600 {
        let scenario = strategy.new_tree(&mut runner).unwrap().current();
        let turns = scenario.transcript.turns();
        let mut note = |name, holds: bool| {
            if holds {
                seen.insert(name);
            }
        };
        note("empty transcript", turns.is_empty());
        note(
            "lone result",
            turns.iter().any(|turn| turn.role().as_str() == "tool" && turn.tool_call_id().is_none()),
        );
        note("empty call id", turns.iter().filter(|turn| turn.tool_call_id() == Some("")).count() > 1);
        note("pin", turns.iter().any(cutctx_types::TranscriptTurn::pinned));
        note("late system turn", turns.iter().skip(1).any(|turn| turn.role().as_str() == "system"));
        note("free turn", turns.iter().any(|turn| turn.token_estimate() == 0));
        note("earlier summary", turns.iter().any(|turn| turn.turn_id().starts_with("summary:")));
        note("NUL id", turns.iter().any(|turn| turn.turn_id().contains('\0')));
        note("NUL content", turns.iter().any(|turn| turn.content().contains('\0')));
        note("emoji", turns.iter().any(|turn| turn.content().contains('\u{1F600}')));
        note(
            "opaque part",
            turns.iter().flat_map(cutctx_types::TranscriptTurn::parts).any(|part| part.kind.is_indivisible()),
        );
        note("target", scenario.budget.target_tokens().is_some());
        note("unsatisfiable", scenario.survey().is_err());
        if let Ok(survey) = scenario.survey() {
            let spread = |members: &&[usize]| members.windows(2).any(|pair| pair[1] > pair[0] + 1);
            note("interleaved", survey.exchanges().iter().any(|members| spread(&members)));
            note("parallel", survey.exchanges().iter().any(|members| members.len() > 2));
            note("locked only", survey.floor().locked > 0);
            note("fits", survey.goal().is_none());
            note("over", survey.goal().is_some());
        }
    }
    assert_eq!(seen.len(), 18, "{seen:?}");
}
