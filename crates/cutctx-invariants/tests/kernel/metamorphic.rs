//! Changes of an input whose effect on the verdict is known.

use cutctx_invariants::strategy::{Attempt, Scenario, attempts, legal_attempts};
use cutctx_invariants::{CompactionPlan, Rejected, Survey, Violation};
use cutctx_types::{
    Action, CompactionBudget, PlanDraft, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
};
use proptest::prelude::*;

fn check(scenario: &Scenario, draft: PlanDraft) -> Option<Result<CompactionPlan, Rejected>> {
    let survey = Survey::new(&scenario.transcript, &scenario.budget).ok()?;
    Some(CompactionPlan::check(draft, &survey))
}

fn budget(scenario: &Scenario, max: u64) -> CompactionBudget {
    CompactionBudget::new(max)
        .with_protected_recent_turns(scenario.budget.protected_recent_turns())
        .with_clip_active(scenario.budget.clip_active())
}

fn with_turns(scenario: &Scenario, change: impl Fn(usize, TranscriptTurn) -> TranscriptTurn) -> Scenario {
    let turns = scenario.transcript.turns().iter().cloned().enumerate();
    let turns = turns.map(|(position, turn)| change(position, turn)).collect();
    Scenario::new(Transcript::new(turns).unwrap(), scenario.budget)
}

/// The turn without a call id; there is no way to take one away but to build anew.
fn without_call(turn: &TranscriptTurn) -> TranscriptTurn {
    TranscriptTurn::new(turn.turn_id().clone(), turn.role(), turn.content().clone(), turn.token_estimate())
        .unwrap()
        .pinned_like(turn)
        .with_parts(turn.parts().to_vec())
        .unwrap()
}

fn renamed(id: &str) -> String {
    format!("{id}\u{301}!")
}

fn rename_turn(turn: &TranscriptTurn) -> TranscriptTurn {
    let mut other = TranscriptTurn::new(
        renamed(turn.turn_id()),
        turn.role(),
        turn.content().clone(),
        turn.token_estimate(),
    )
    .unwrap()
    .pinned_like(turn)
    .with_parts(turn.parts().to_vec())
    .unwrap();
    if let Some(call) = turn.tool_call_id() {
        other = other.with_tool_call_id(renamed(call));
    }
    other
}

fn rename_draft(draft: &PlanDraft) -> PlanDraft {
    let rename_action = |action: &TurnAction| {
        let what = match &action.action {
            Action::Summarize { group } => Action::Summarize { group: renamed(group).into() },
            other @ (Action::Keep | Action::Mask(_) | Action::Drop | Action::Trim(_)) => other.clone(),
        };
        TurnAction::new(renamed(&action.turn_id), what)
    };
    let rename_request = |request: &SummarizationRequest| {
        let turns = request.turn_ids().iter().map(|id| renamed(id).into()).collect();
        SummarizationRequest::new(
            renamed(request.group_id()),
            turns,
            request.target_tokens(),
            request.prompt_id().clone(),
        )
        .unwrap()
    };
    let mut other = draft.clone();
    other.actions = draft.actions.iter().map(rename_action).collect();
    other.summarization_requests = draft.summarization_requests.iter().map(rename_request).collect();
    other
}

fn rules(verdict: Option<&Result<CompactionPlan, Rejected>>) -> Vec<&'static str> {
    match verdict {
        None => vec!["floor"],
        Some(Ok(_)) => vec![],
        Some(Err(rejected)) => rejected.violations().map(Violation::rule).collect(),
    }
}

proptest! {
    #[test]
    fn raising_the_budget_rejects_no_accepted_plan_but_for_its_claim(
        attempt in legal_attempts(), more in any::<u64>(),
    ) {
        let Attempt { scenario, draft, .. } = attempt;
        let max = scenario.budget.max_tokens().saturating_add(more);
        let raised = Scenario::new(scenario.transcript.clone(), budget(&scenario, max));
        match check(&raised, draft).unwrap() {
            Ok(plan) => prop_assert_eq!(plan.budget_unmet(), plan.tokens_after_estimate() > max),
            Err(rejected) => {
                let first = rejected.first();
                let claimed = matches!(first, Violation::BudgetUnmet { declared: true, .. });
                prop_assert!(claimed, "{:?}", rejected);
                prop_assert_eq!(rejected.violations().count(), 1);
            }
        }
    }

    #[test]
    fn renaming_everything_commutes_with_judging(attempt in attempts()) {
        let Attempt { scenario, draft, .. } = attempt;
        let other = with_turns(&scenario, |_, turn| rename_turn(&turn));
        let (verdict, renamed) = (check(&scenario, draft.clone()), check(&other, rename_draft(&draft)));
        prop_assert_eq!(rules(verdict.as_ref()), rules(renamed.as_ref()));
        if let (Some(Ok(plan)), Some(Ok(other))) = (verdict, renamed) {
            prop_assert_eq!(plan.tokens_after_estimate(), other.tokens_after_estimate());
            prop_assert_eq!(plan.budget_unmet(), other.budget_unmet());
        }
    }

    #[test]
    fn pinning_a_kept_turn_changes_nothing_and_pinning_another_is_a_violation(
        attempt in legal_attempts(), at in any::<prop::sample::Index>(),
    ) {
        let Attempt { scenario, draft, .. } = attempt;
        prop_assume!(!scenario.transcript.is_empty());
        let at = at.index(scenario.transcript.len());
        let pinned =
            with_turns(&scenario, |position, turn| if position == at { turn.with_pinned(true) } else { turn });
        let Some(verdict) = check(&pinned, draft.clone()) else { return Ok(()) };
        if draft.actions[at].action == Action::Keep {
            prop_assert!(verdict.is_ok());
        } else {
            prop_assert_eq!(verdict.unwrap_err().first().rule(), "untouchable");
        }
    }

    #[test]
    fn protecting_fewer_turns_rejects_no_accepted_plan(attempt in legal_attempts(), fewer in 0_u64..4) {
        let Attempt { scenario, draft, .. } = attempt;
        let protected = scenario.budget.protected_recent_turns().min(fewer);
        let less = scenario.budget.with_protected_recent_turns(protected);
        let other = Scenario::new(scenario.transcript, less);
        prop_assert!(check(&other, draft).unwrap().is_ok());
    }

    #[test]
    fn untying_exchanges_rejects_no_accepted_plan(attempt in legal_attempts()) {
        let Attempt { scenario, draft, .. } = attempt;
        let untied = with_turns(&scenario, |_, turn| without_call(&turn));
        prop_assert!(check(&untied, draft).unwrap().is_ok());
    }

    #[test]
    fn an_accepted_plan_is_accepted_again_with_the_same_bytes(attempt in legal_attempts()) {
        let plan = check(&attempt.scenario, attempt.draft).unwrap().unwrap();
        let again = check(&attempt.scenario, plan.clone().into_draft()).unwrap().unwrap();
        prop_assert_eq!(plan.canonical_json(), again.canonical_json());
        prop_assert_eq!(plan, again);
    }

    #[test]
    fn every_turn_has_exactly_one_fate(attempt in legal_attempts()) {
        let plan = check(&attempt.scenario, attempt.draft).unwrap().unwrap();
        let planned: Vec<_> = plan.actions().iter().map(|action| action.turn_id.clone()).collect();
        let turns: Vec<_> = plan.transcript().turns().iter().map(|turn| turn.turn_id().clone()).collect();
        prop_assert_eq!(planned, turns);
        let folded = plan.actions().iter().filter(|action| action.action.group().is_some()).count();
        let requested: usize = plan.summarization_requests().iter().map(|r| r.turn_ids().len()).sum();
        prop_assert_eq!(folded, requested);
    }
}
