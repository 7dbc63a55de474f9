//! No text of a turn, nor of a stub, is in what the kernel prints.

use cutctx_invariants::strategy::{Attempt, Scenario, attempts};
use cutctx_invariants::{
    BudgetUnsatisfiable, CompactionPlan, CompactionPolicy, Exchanges, Floor, LockedCosts, PlanRecord,
    PolicyError, RecordError, Rejected, Survey, TrimFault, Violation, conformance, strategy,
};
use cutctx_types::{Action, Coded, PlanDraft, Transcript, TurnReplacement};
use proptest::prelude::*;

const SECRET: &str = "correct horse";

fn told<E: Coded>(error: &E) -> String {
    format!("{error} {error:?} {}", serde_json::to_string(&error.details()).unwrap())
}

/// The same attempt, with the secret in every turn and in every stub.
fn with_secrets(attempt: &Attempt) -> (Scenario, PlanDraft) {
    let turns = attempt.scenario.transcript.turns().iter();
    let turns = turns.map(|turn| turn.clone().with_content(SECRET, turn.token_estimate())).collect();
    let mut draft = attempt.draft.clone();
    for action in &mut draft.actions {
        if let Action::Mask(stub) = &mut action.action {
            *stub = TurnReplacement::new(SECRET, stub.token_estimate);
        }
    }
    (Scenario::new(Transcript::new(turns).unwrap(), attempt.scenario.budget), draft)
}

proptest! {
    #[test]
    fn neither_errors_nor_debug_outputs_show_text(attempt in attempts()) {
        let (scenario, draft) = with_secrets(&attempt);
        let mut outputs = vec![format!("{scenario:?} {draft:?} {attempt:?}")];
        match scenario.survey() {
            Err(error) => outputs.push(told(&error)),
            Ok(survey) => {
                outputs.push(format!("{survey:?} {:?}", survey.locked_costs()));
                match CompactionPlan::check(draft, &survey) {
                    Err(rejected) => outputs.push(told(&rejected)),
                    Ok(plan) => {
                        let record = PlanRecord::of(&plan, None, "chars/4");
                        outputs.push(format!("{plan:?} {record:?}"));
                        let other = Transcript::new(vec![]).unwrap();
                        outputs.extend(record.check(&other).err().map(|error| told(&error)));
                        let cut = plan.canonical_json().replace("keep", "keeep");
                        let read = CompactionPlan::from_json(&cut, &scenario.transcript, &scenario.budget);
                        outputs.extend(read.err().map(|error| told(&error)));
                    }
                }
            }
        }
        for output in outputs {
            prop_assert!(!output.contains("correct") && !output.contains("horse"), "{}", output);
        }
    }

    #[test]
    fn a_plan_without_masks_holds_no_text_at_all(attempt in strategy::legal_attempts()) {
        let (scenario, draft) = with_secrets(&attempt);
        prop_assume!(draft.actions.iter().all(|action| !matches!(action.action, Action::Mask(_))));
        if let Ok(plan) = CompactionPlan::check(draft, &scenario.survey().unwrap()) {
            prop_assert!(!plan.canonical_json().contains(SECRET));
        }
    }
}

const fn is_send_and_sync<T: Send + Sync + ?Sized>() {}

/// Fails to compile when one of the types cannot be shared between threads.
#[test]
fn all_public_types_can_be_shared_between_threads() {
    is_send_and_sync::<BudgetUnsatisfiable>();
    is_send_and_sync::<CompactionPlan>();
    is_send_and_sync::<Exchanges>();
    is_send_and_sync::<Floor>();
    is_send_and_sync::<LockedCosts>();
    is_send_and_sync::<PlanRecord>();
    is_send_and_sync::<PolicyError>();
    is_send_and_sync::<RecordError>();
    is_send_and_sync::<Rejected>();
    is_send_and_sync::<Survey<'_>>();
    is_send_and_sync::<TrimFault>();
    is_send_and_sync::<Violation>();
    is_send_and_sync::<dyn CompactionPolicy + Send + Sync>();
    is_send_and_sync::<conformance::Law>();
    is_send_and_sync::<conformance::LawBroken>();
    is_send_and_sync::<Attempt>();
    is_send_and_sync::<strategy::Mischief>();
    is_send_and_sync::<Scenario>();
}
