//! The laws, on sessions in which every one of these policies finds something to do.

use super::session::Session;
use cutctx_invariants::conformance::{Law, applied};
use cutctx_invariants::strategy::Scenario;
use cutctx_policies::{
    BoxedPolicy, CallArgumentsPolicy, ClipPolicy, DropOldestPolicy, FailedResultsPolicy, LatestStatePolicy,
    ObservationMaskingPolicy, OldReasoningPolicy, OpaqueReasoningPolicy, PolicyChain, RepeatedResultsPolicy,
    StaleBy, StaleReadsPolicy, StubForm,
};
use cutctx_types::{Action, ActionKind, CompactionBudget, PartKind, Role, Transcript};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeSet;

/// A word of every text that a turn says, and of nothing else.
const MARKER: &str = "quokka";

/// The texts of which sessions are made.
fn texts() -> Vec<String> {
    let words = ["漢字 ", "e\u{301}\u{1f468}\u{200d}\u{1f469} ", "line\n", "\u{1b}[31mred\u{1b}[0m\n"];
    let text = |(number, word): (usize, &&str)| {
        format!("{MARKER} {number}\n{}{MARKER}", word.repeat(30 * (number + 1)))
    };
    let mut texts: Vec<String> = words.iter().enumerate().map(text).collect();
    texts.extend([String::new(), format!("Error: {MARKER} at {}", "some line ".repeat(40))]);
    texts
}

fn arguments(kind: u8, number: u8) -> (&'static str, String) {
    let text = serde_json::to_string(&texts()[usize::from(number % 4)]).unwrap();
    match kind {
        0 => ("Read", format!(r#"{{"file_path":"{MARKER}/{}"}}"#, number % 3)),
        1 => ("Read", format!(r#"{{"file_path":"{MARKER}/{}","offset":{}}}"#, number % 3, number % 2)),
        2 => ("bash", format!(r#"{{"command":"cat {MARKER}/{}"}}"#, number % 3)),
        3 => ("Write", format!(r#"{{"file_path":"{MARKER}/{}","content":{text}}}"#, number % 3)),
        4 => ("TodoWrite", format!(r#"{{"todos":[{text}]}}"#)),
        _ => ("odd", text),
    }
}

#[derive(Debug, Clone)]
enum Step {
    Calls(Vec<(u8, u8, u8)>, bool),
    Think(bool, bool),
    Say(u8, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let call = (0_u8..6, 0_u8..12, 0_u8..6);
    let step = prop_oneof![
        5 => (prop::collection::vec(call, 1..4), prop::bool::weighted(0.2)).prop_map(|(calls, failed)| Step::Calls(calls, failed)),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(opaque, alone)| Step::Think(opaque, alone)),
        2 => (0_u8..6, any::<bool>()).prop_map(|(text, user)| Step::Say(text, user)),
    ];
    prop::collection::vec(step, 1..12)
}

fn session(steps: &[Step]) -> Transcript {
    let texts = texts();
    let text = |number: u8| texts[usize::from(number)].as_str();
    let grown = steps.iter().fold(Session::default(), |session, step| match step {
        Step::Calls(calls, failed) => {
            let spelled: Vec<_> = calls.iter().map(|(kind, number, _)| arguments(*kind, *number)).collect();
            let calls: Vec<_> = spelled
                .iter()
                .zip(calls)
                .map(|((tool, arguments), (_, _, result))| (*tool, arguments.as_str(), text(*result)))
                .collect();
            let session = session.calls(&calls);
            if *failed { session.failed() } else { session }
        }
        Step::Think(opaque, alone) => {
            let kind = if *opaque { PartKind::OpaqueReasoning } else { PartKind::Reasoning };
            let parts = [(kind, text(0)), (PartKind::Text, text(1))];
            session.turn(&parts[..if *alone { 1 } else { 2 }])
        }
        Step::Say(number, user) => {
            session.said(if *user { Role::User } else { Role::Assistant }, text(*number))
        }
    });
    grown.done()
}

/// Every policy of the kind, with limits that these texts pass.
fn policies() -> Vec<BoxedPolicy> {
    vec![
        Box::new(OpaqueReasoningPolicy::new()),
        Box::new(RepeatedResultsPolicy::new()),
        Box::new(StaleReadsPolicy::new()),
        Box::new(StaleReadsPolicy::new().with_stale_by(StaleBy::PathOrWrite)),
        Box::new(FailedResultsPolicy::new()),
        Box::new(LatestStatePolicy::new()),
        Box::new(OldReasoningPolicy::new().with_keep_recent_turns(1)),
        Box::new(ClipPolicy::new().with_limits(150, 50, 40).unwrap()),
        Box::new(CallArgumentsPolicy::new().with_limits(100, 30, 20).unwrap()),
        Box::new(ObservationMaskingPolicy::new().with_stub(StubForm::Short).unwrap()),
    ]
}

fn chain(members: Vec<BoxedPolicy>) -> BoxedPolicy {
    Box::new(PolicyChain::new(members).unwrap())
}

/// Each alone, all in a row, all in a row backwards with dropping behind them, and chains in a chain.
fn contestants() -> Vec<BoxedPolicy> {
    let mut contestants = policies();
    contestants.push(chain(policies()));
    let mut backwards: Vec<BoxedPolicy> = policies().into_iter().rev().collect();
    backwards.push(Box::new(DropOldestPolicy::new()));
    contestants.push(chain(backwards));
    let (mut first, second) = (policies(), policies().into_iter().take(6).collect());
    let last = first.split_off(6);
    contestants.push(chain(vec![chain(first), chain(last), chain(second)]));
    contestants
}

fn budget(transcript: &Transcript, share: u64, target: u64, protected: u64) -> CompactionBudget {
    let max = transcript.token_estimate() * share / 100;
    CompactionBudget::new(max).with_protected_recent_turns(protected).with_target(max * target / 100).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn the_laws_hold_for_each_and_for_chains_of_them(
        steps in steps(),
        share in 0_u64..100,
        target in 0_u64..=100,
        protected in 0_u64..5,
    ) {
        let transcript = session(&steps);
        let budget = budget(&transcript, share, target, protected);
        let scenario = Scenario::new(transcript, budget);
        for policy in contestants() {
            for law in Law::GENERAL {
                let outcome = law.check(&*policy, &scenario);
                prop_assert!(outcome.is_ok(), "{}: {law}: {outcome:?}", policy.name());
            }
        }
    }

    #[test]
    fn no_text_of_a_turn_stands_in_a_plan_nor_in_what_is_printed_of_one(steps in steps(), share in 0_u64..100) {
        let transcript = session(&steps);
        let budget = budget(&transcript, share, 50, 1);
        for policy in contestants() {
            let (json, shown) = match policy.decide(&transcript, &budget) {
                Ok(plan) => (plan.canonical_json(), format!("{plan:?}")),
                Err(error) => (error.to_string(), format!("{error:?}")),
            };
            prop_assert!(!json.contains(MARKER) && !shown.contains(MARKER), "{}", policy.name());
        }
    }

    #[test]
    fn working_on_a_view_that_is_still_too_large_does_no_harm(steps in steps()) {
        // Nothing that was cut is cut again, and no stub loses its digest.
        let transcript = session(&steps);
        for policy in contestants() {
            let budget = budget(&transcript, 99, 0, 0);
            let Ok(plan) = policy.decide(&transcript, &budget) else { continue };
            let view = applied(&plan).unwrap();
            let tight = CompactionBudget::new(view.token_estimate().saturating_sub(1)).with_protected_recent_turns(0);
            let Ok(again) = policy.decide(&view, &tight) else { continue };
            let pairs = view.turns().iter().zip(again.actions());
            for (turn, action) in pairs {
                let is_stub = cutctx_policies::MaskStub::parse(turn.content()).is_some();
                let is_shortened = matches!(action.action, Action::Mask(_) | Action::Trim(_));
                prop_assert!(!(is_stub && is_shortened), "{}", policy.name());
            }
        }
    }
}

#[test]
fn the_sessions_of_these_laws_give_every_policy_something_to_do() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut did: Vec<BTreeSet<ActionKind>> = vec![BTreeSet::new(); contestants().len()];
    for _ in 0..200 {
        let steps = steps().new_tree(&mut runner).unwrap().current();
        let transcript = session(&steps);
        for (policy, did) in contestants().iter().zip(&mut did) {
            let Ok(plan) = policy.decide(&transcript, &budget(&transcript, 60, 50, 1)) else { continue };
            did.extend(plan.actions().iter().map(|action| action.action.kind()));
        }
    }
    let names: Vec<_> = contestants().iter().map(|policy| policy.name().into_owned()).collect();
    for (name, did) in names.iter().zip(&did) {
        assert!(did.len() > 1, "{name} did nothing");
    }
    let all = &did[policies().len()];
    assert!(all.contains(&ActionKind::Trim) && all.contains(&ActionKind::Mask), "{all:?}");
}
