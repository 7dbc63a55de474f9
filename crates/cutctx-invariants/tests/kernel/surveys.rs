//! The survey against naive grouping and summing.

use crate::oracle::{exchange_of, is_clippable, is_untouchable};
use alloc::borrow::Cow;
use cutctx_invariants::strategy::{Scenario, satisfiable_scenarios, scenarios};
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Coded, CompactionBudget, PlanDraft, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;

/// Whether the turn at a position is in an exchange with an untouchable turn.
fn is_locked(scenario: &Scenario, position: usize) -> bool {
    let turns = scenario.transcript.turns();
    exchange_of(turns, position).iter().any(|member| is_untouchable(turns, &scenario.budget, *member))
}

fn sum(scenario: &Scenario, wanted: impl Fn(usize, &TranscriptTurn) -> bool) -> u64 {
    let turns = scenario.transcript.turns().iter().enumerate();
    turns.filter(|(position, turn)| wanted(*position, turn)).map(|(_, turn)| turn.token_estimate()).sum()
}

proptest! {
    #[test]
    fn exchanges_are_the_naive_groups_in_order_of_first_members(scenario in satisfiable_scenarios()) {
        let survey = scenario.survey().unwrap();
        let turns = scenario.transcript.turns();
        let mut naive: Vec<Vec<usize>> = Vec::new();
        for position in 0..turns.len() {
            let members = exchange_of(turns, position);
            if members[0] == position {
                naive.push(members);
            }
        }
        let exchanges = survey.exchanges();
        let found: Vec<Vec<usize>> = exchanges.iter().map(<[usize]>::to_vec).collect();
        prop_assert_eq!(&found, &naive);
        prop_assert_eq!(exchanges.len(), naive.len());
        prop_assert_eq!(exchanges.is_empty(), turns.is_empty());
        for position in 0..turns.len() {
            let number = naive.iter().position(|members| members.contains(&position));
            prop_assert_eq!(exchanges.of(position), number);
        }
        prop_assert_eq!(exchanges.of(turns.len()), None);
        prop_assert!(exchanges.members(naive.len()).is_empty());
    }

    #[test]
    fn untouchable_and_removable_follow_from_roles_pins_tail_and_calls(scenario in satisfiable_scenarios()) {
        let survey = scenario.survey().unwrap();
        let turns = scenario.transcript.turns();
        for position in 0..turns.len() {
            let untouchable = is_untouchable(turns, &scenario.budget, position);
            prop_assert_eq!(survey.is_untouchable(position), untouchable);
            let clippable = is_clippable(turns, &scenario.budget, position);
            prop_assert_eq!(survey.is_clippable(position), clippable);
            prop_assert!(untouchable || !clippable);
            prop_assert_eq!(survey.is_removable(position), !is_locked(&scenario, position));
        }
        let all = (0..turns.len()).filter(|position| is_untouchable(turns, &scenario.budget, *position));
        prop_assert_eq!(survey.untouchable_turns(), all.count());
        prop_assert!(survey.is_untouchable(turns.len()) && !survey.is_removable(turns.len()));
        prop_assert!(!survey.is_clippable(turns.len()));
    }

    #[test]
    fn the_floor_counts_every_turn_once_at_its_first_reason(scenario in satisfiable_scenarios()) {
        let floor = scenario.survey().unwrap().floor();
        let turns = scenario.transcript.turns();
        let untouchable = |position| is_untouchable(turns, &scenario.budget, position);
        prop_assert_eq!(floor.system, sum(&scenario, |_, turn| turn.role() == Role::System));
        let pinned = sum(&scenario, |_, turn| turn.role() != Role::System && turn.pinned());
        prop_assert_eq!(floor.pinned, pinned);
        prop_assert_eq!(floor.untouchable(), sum(&scenario, |position, _| untouchable(position)));
        prop_assert_eq!(floor.total(), sum(&scenario, |position, _| is_locked(&scenario, position)));
    }

    #[test]
    fn a_budget_is_refused_exactly_below_the_untouchable_turns(scenario in scenarios()) {
        let turns = scenario.transcript.turns();
        let clippable = |position| is_clippable(turns, &scenario.budget, position);
        let floor = sum(&scenario, |position, _| {
            is_untouchable(turns, &scenario.budget, position) && !clippable(position)
        });
        let refused = scenario.survey().err();
        prop_assert_eq!(refused.is_some(), floor > scenario.budget.max_tokens());
        if let Some(error) = refused {
            prop_assert_eq!(error.untouchable_tokens, floor);
            let total = sum(&scenario, |position, _| is_locked(&scenario, position) && !clippable(position));
            prop_assert_eq!(error.floor.total(), total);
            prop_assert!(!error.is_by_locked_turns());
        }
    }

    #[test]
    fn a_budget_is_admitted_exactly_from_the_locked_floor_on(scenario in satisfiable_scenarios()) {
        let survey = scenario.survey().unwrap();
        let mut costs = survey.locked_costs();
        let locked = sum(&scenario, |position, _| is_locked(&scenario, position));
        prop_assert_eq!(costs.total(), locked.saturating_sub(survey.floor().untouchable()));
        let refused = survey.admit(&costs).err();
        prop_assert_eq!(refused.is_some(), locked > scenario.budget.max_tokens());
        if let Some(error) = refused.filter(|_| !scenario.budget.clip_active()) {
            prop_assert!(error.is_by_locked_turns());
            let details = serde_json::to_value(error.details()).unwrap();
            prop_assert_eq!(details["locked_tokens"].as_u64(), Some(error.floor.locked));
        }
        costs.lower(|_| Some(0));
        let mut clippable = survey.clippable_costs();
        let turns = scenario.transcript.turns();
        let may_clip = |position| is_clippable(turns, &scenario.budget, position);
        prop_assert_eq!(clippable.total(), sum(&scenario, |position, _| may_clip(position)));
        clippable.lower(|_| Some(0));
        let floor = survey.floor_clipped(&clippable);
        let pinned = sum(&scenario, |at, turn| turn.role() != Role::System && turn.pinned() && !may_clip(at));
        prop_assert_eq!(floor.pinned, pinned);
        let admitted = survey.admit_clipped(&costs, &clippable).is_ok();
        prop_assert!(admitted, "what can be shortened to nothing is no hindrance");
    }

    #[test]
    fn costs_are_lowered_never_raised(scenario in satisfiable_scenarios(), least in 0_u64..40) {
        let survey = scenario.survey().unwrap();
        let mut costs = survey.locked_costs();
        costs.lower(|position| (position % 2 == 0).then_some(least));
        for (position, cost) in costs.iter() {
            let tokens = scenario.transcript.turns()[position].token_estimate();
            prop_assert_eq!(cost, if position % 2 == 0 { tokens.min(least) } else { tokens });
        }
    }

    #[test]
    fn the_goal_is_the_target_once_the_maximum_is_exceeded(scenario in satisfiable_scenarios()) {
        let survey = scenario.survey().unwrap();
        let (total, max) = (scenario.transcript.token_estimate(), scenario.budget.max_tokens());
        let target = scenario.budget.target_tokens().unwrap_or(max);
        prop_assert_eq!(survey.goal(), if total > max { Some(target) } else { None });
        let again = Survey::continuing(&scenario.transcript, &scenario.budget, vec![true]).unwrap();
        prop_assert_eq!(again.goal(), if total > target { Some(target) } else { None });
        prop_assert!(again.continues() && again.is_stand_in(0) && !again.is_stand_in(1));
    }
}

/// A policy that must not be asked.
struct NeverAsked;

impl CompactionPolicy for NeverAsked {
    fn name(&self) -> Cow<'_, str> {
        panic!("asked for its name")
    }

    fn version(&self) -> &'static str {
        panic!("asked for its version")
    }

    #[expect(clippy::panic_in_result_fn, reason = "the panic is what the test is about")]
    fn propose(&self, _: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        panic!("asked to propose")
    }
}

fn transcript() -> Transcript {
    let turn = |id: &str, role, tokens| TranscriptTurn::new(id, role, "", tokens).unwrap();
    let turns = vec![
        turn("s", Role::System, 5),
        turn("p", Role::User, 3).with_pinned(true),
        turn("a", Role::Assistant, 7).with_tool_call_id("c"),
        turn("u", Role::User, 100),
        turn("t", Role::Tool, 2).with_tool_call_id("c"),
    ];
    Transcript::new(turns).unwrap()
}

#[test]
fn an_unsatisfiable_budget_is_told_before_the_policy_is_asked() {
    let budget = CompactionBudget::new(9).with_protected_recent_turns(1);
    let error = NeverAsked.decide(&transcript(), &budget).unwrap_err();
    assert_eq!(error.code().as_str(), "COMPACTION_BUDGET_UNSATISFIABLE");
    let details = serde_json::to_string(&error.details()).unwrap();
    let expected =
        r#"{"untouchable_tokens":10,"max_tokens":9,"untouchable_turn_count":3,"protected_recent_turns":1}"#;
    assert_eq!(details, expected);
}

#[test]
fn a_budget_between_the_floors_is_told_before_the_policy_is_asked() {
    let budget = CompactionBudget::new(16).with_protected_recent_turns(1);
    let PolicyError::Unsatisfiable(error) = NeverAsked.decide(&transcript(), &budget).unwrap_err() else {
        panic!("it fails for another reason")
    };
    let BudgetUnsatisfiable { floor, .. } = error;
    assert_eq!((floor.system, floor.pinned, floor.tail, floor.locked), (5, 3, 2, 7));
    assert_eq!(floor.total(), 17);
    assert!(error.is_by_locked_turns());
}

#[test]
fn an_empty_transcript_fits_an_empty_budget() {
    let (transcript, budget) = (Transcript::new(vec![]).unwrap(), CompactionBudget::new(0));
    let survey = Survey::new(&transcript, &budget).unwrap();
    assert_eq!((survey.goal(), survey.floor().total()), (None, 0));
    assert!(survey.admit(&survey.locked_costs()).is_ok());
}
