//! The laws that every policy of version 2.0.0 keeps, on generated transcripts, judged by oracles that
//! share no code with the crate.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    clippy::std_instead_of_alloc,
    reason = "a test may be short about what cannot happen, and has std"
)]

#[cfg(test)]
#[path = "laws/contestants.rs"]
mod contestants;
#[cfg(test)]
#[path = "laws/facts.rs"]
mod facts;
#[cfg(test)]
#[path = "laws/generator.rs"]
mod generator;

#[cfg(test)]
mod tests {
    use super::contestants::{Contestant, Form, contestants};
    use super::facts::{Facts, fate_of, fulfilled, is_stub};
    use super::generator::{Case, cases, renamed};
    use cutctx_exec::CompactionExecutor;
    use cutctx_invariants::{CompactionPlan, PolicyError};
    use cutctx_types::{
        Action, CompactionBudget, SUMMARY_PREFIX, SummarizationRequest, Transcript, TranscriptTurn,
    };
    use proptest::prelude::*;

    /// Every contestant's plan for a case; none where its locked floor does not fit.
    fn plans(case: &Case) -> impl Iterator<Item = (Contestant, CompactionPlan)> {
        contestants().into_iter().filter_map(|contestant| {
            let plan = contestant.policy.decide(&case.transcript, &case.budget).ok()?;
            Some((contestant, plan))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn a_decision_fails_exactly_when_the_locked_floor_does_not_fit(case in cases()) {
            for contestant in contestants() {
                let floor = Facts::of(&case).floor_for(&contestant);
                let decision = contestant.policy.decide(&case.transcript, &case.budget);
                let fits = floor <= case.budget.max_tokens();
                prop_assert_eq!(decision.is_ok(), fits, "{}: floor {}", contestant.title, floor);
                let is_by_budget = matches!(decision, Err(PolicyError::Unsatisfiable(_)) | Ok(_));
                prop_assert!(is_by_budget, "{}", contestant.title);
            }
        }

        #[test]
        fn every_turn_has_one_fate_and_the_report_counts_each_once(case in cases()) {
            for (contestant, plan) in plans(&case) {
                let ids = case.transcript.turns().iter().map(TranscriptTurn::turn_id);
                prop_assert!(ids.eq(plan.actions().iter().map(|action| &action.turn_id)));
                let applied = CompactionExecutor::new().apply(&case.transcript, &plan, &fulfilled(&plan));
                let report = applied.unwrap().compacted.report;
                let fates = report.kept_turn_ids.len()
                    + report.masked_turn_ids.len()
                    + report.summarized_turn_ids.len()
                    + report.dropped_turn_ids.len();
                prop_assert_eq!(fates, case.transcript.len(), "{}", contestant.title);
            }
        }

        #[test]
        fn what_is_untouchable_is_kept_and_no_exchange_is_separated(case in cases()) {
            let facts = Facts::of(&case);
            for (contestant, plan) in plans(&case) {
                for (position, action) in plan.actions().iter().enumerate() {
                    let is_kept = action.action == Action::Keep;
                    prop_assert!(is_kept || !facts.is_untouchable(position), "{}", contestant.title);
                    for other in facts.exchange_of(position) {
                        let alike = fate_of(&plan, position) == fate_of(&plan, other);
                        prop_assert!(alike, "{}: {} and {}", contestant.title, position, other);
                    }
                }
            }
        }

        #[test]
        fn what_a_policy_is_told_to_leave_alone_is_left_alone(case in cases()) {
            let facts = Facts::of(&case);
            for (contestant, plan) in plans(&case) {
                for position in 0..case.transcript.len() {
                    let exempt = facts.is_exempt(position, &contestant);
                    let spared = plan.actions()[position].action == Action::Keep;
                    prop_assert!(!exempt || spared, "{}: turn {}", contestant.title, position);
                }
            }
        }

        #[test]
        fn a_stub_that_is_there_already_keeps_its_digest(case in cases()) {
            for (contestant, plan) in plans(&case) {
                for (turn, action) in case.transcript.turns().iter().zip(plan.actions()) {
                    let is_masked = matches!(action.action, Action::Mask(_));
                    prop_assert!(!is_masked || !is_stub(turn), "{}", contestant.title);
                }
            }
        }

        #[test]
        fn the_same_input_gives_the_same_bytes(case in cases()) {
            let rebuilt = Transcript::new(case.transcript.turns().to_vec()).unwrap();
            let (again, anew) = (contestants(), contestants());
            for ((contestant, again), anew) in contestants().into_iter().zip(again).zip(anew) {
                let plan = |contestant: &Contestant, transcript| {
                    let plan = contestant.policy.decide(transcript, &case.budget);
                    plan.map(|plan| plan.canonical_json()).map_err(|error| error.to_string())
                };
                let once = plan(&contestant, &case.transcript);
                prop_assert_eq!(&once, &plan(&contestant, &case.transcript), "{}", contestant.title);
                prop_assert_eq!(&once, &plan(&again, &case.transcript), "{}", contestant.title);
                prop_assert_eq!(&once, &plan(&anew, &rebuilt), "{}", contestant.title);
            }
        }

        #[test]
        fn the_figures_follow_from_the_actions(case in cases()) {
            for (contestant, plan) in plans(&case) {
                let after = Facts::of(&case).tokens_after(&plan);
                prop_assert_eq!(plan.tokens_after_estimate(), after, "{}", contestant.title);
                prop_assert_eq!(plan.tokens_before(), case.transcript.token_estimate());
                prop_assert_eq!(plan.budget_unmet(), after > case.budget.max_tokens());
            }
        }

        #[test]
        fn nothing_grows_and_every_removal_saves_something(case in cases()) {
            let facts = Facts::of(&case);
            for (contestant, plan) in plans(&case) {
                prop_assert!(plan.tokens_after_estimate() <= plan.tokens_before(), "{}", contestant.title);
                for (position, action) in plan.actions().iter().enumerate() {
                    let tokens = case.transcript.turns()[position].token_estimate();
                    match &action.action {
                        Action::Mask(stub) => prop_assert!(stub.token_estimate < tokens),
                        Action::Drop => {
                            let exchange = facts.exchange_of(position);
                            prop_assert!(facts.sum(exchange) > 0 || contestant.folds, "{}", contestant.title);
                        }
                        _ => {}
                    }
                }
                for request in plan.summarization_requests() {
                    let saved = facts.sum(facts.positions_of(request.turn_ids()));
                    prop_assert!(request.target_tokens() < saved, "{}", contestant.title);
                }
            }
        }

        #[test]
        fn nothing_is_done_to_a_transcript_that_fits(case in cases()) {
            for (contestant, plan) in plans(&case) {
                let fits = case.transcript.token_estimate() <= case.budget.max_tokens();
                let untouched = plan.actions().iter().all(|action| action.action == Action::Keep);
                prop_assert!(untouched || !fits, "{}", contestant.title);
            }
        }

        #[test]
        fn a_policy_stops_as_soon_as_the_goal_is_reached(case in cases()) {
            let facts = Facts::of(&case);
            for (contestant, plan) in plans(&case).filter(|(contestant, _)| contestant.form == Form::Single) {
                // Without its last step the plan would not have reached the goal.
                let without_the_last = plan.tokens_after_estimate() + facts.saved_by_the_last_step(&plan);
                let did_something = plan.tokens_after_estimate() < plan.tokens_before();
                let was_needed = without_the_last > case.budget.goal_tokens();
                prop_assert!(was_needed || !did_something, "{}", contestant.title);
            }
        }

        #[test]
        fn the_target_is_reached_or_nothing_is_left_to_drop(case in cases()) {
            let facts = Facts::of(&case);
            let over = case.transcript.token_estimate() > case.budget.max_tokens();
            for (contestant, plan) in plans(&case).filter(|(contestant, _)| over && contestant.drops_last) {
                let reached = plan.tokens_after_estimate() <= case.budget.goal_tokens();
                let all_gone = facts.removable_and_not_exempt(&contestant).all(|position| {
                    plan.actions()[position].action == Action::Drop
                        || facts.sum(facts.exchange_of(position)) == 0
                });
                let is_done = reached || (all_gone && plan.summarization_requests().is_empty());
                prop_assert!(is_done, "{}: {}", contestant.title, plan.canonical_json());
                // Then only exemptions can leave a plan over its budget.
                prop_assert!(!plan.budget_unmet() || contestant.exempts, "{}", contestant.title);
            }
        }

        #[test]
        fn planning_the_applied_view_again_does_nothing_while_it_fits(case in cases()) {
            for (contestant, plan) in plans(&case) {
                let applied = CompactionExecutor::new().apply(&case.transcript, &plan, &fulfilled(&plan));
                let view = applied.unwrap().compacted.into_transcript().unwrap();
                let Ok(again) = contestant.policy.decide(&view, &case.budget) else {
                    prop_assert!(plan.budget_unmet(), "{}", contestant.title);
                    continue;
                };
                let untouched = again.actions().iter().all(|action| action.action == Action::Keep);
                let fits = view.token_estimate() <= case.budget.max_tokens();
                prop_assert!(untouched || !fits, "{}", contestant.title);
                prop_assert_eq!(fits, !plan.budget_unmet(), "{}", contestant.title);
            }
        }

        #[test]
        fn a_raised_budget_is_accepted_too(case in cases(), more in 0_u64..500) {
            let raised = CompactionBudget::new(case.budget.max_tokens() + more)
                .with_protected_recent_turns(case.budget.protected_recent_turns());
            for (contestant, _) in plans(&case) {
                let decision = contestant.policy.decide(&case.transcript, &raised);
                prop_assert!(decision.is_ok(), "{}", contestant.title);
            }
        }

        #[test]
        fn renaming_turns_and_calls_renames_the_plan(case in cases()) {
            let twin = Case { transcript: renamed(&case.transcript), ..case.clone() };
            for ((contestant, plan), (same_one, other)) in plans(&case).zip(plans(&twin)) {
                prop_assert_eq!(contestant.title, same_one.title);
                prop_assert_eq!(plan.tokens_after_estimate(), other.tokens_after_estimate());
                for position in 0..plan.actions().len() {
                    let same = fate_of(&plan, position) == fate_of(&other, position);
                    prop_assert!(same, "{}: turn {}", contestant.title, position);
                }
                let targets = |plan: &CompactionPlan| -> Vec<u64> {
                    plan.summarization_requests().iter().map(SummarizationRequest::target_tokens).collect()
                };
                prop_assert_eq!(targets(&plan), targets(&other));
            }
        }

        #[test]
        fn no_summary_takes_the_id_of_a_turn_even_where_turns_are_named_after_groups(case in cases()) {
            for contestant in contestants().into_iter().filter(|contestant| contestant.folds) {
                // Renames turns one by one after the groups that were planned, as a second round would.
                let mut turns = case.transcript.turns().to_vec();
                for _ in 0..4 {
                    let transcript = Transcript::new(turns.clone()).unwrap();
                    let Ok(plan) = contestant.policy.decide(&transcript, &case.budget) else { break };
                    let Some(request) = plan.summarization_requests().first() else { break };
                    let taken = format!("{SUMMARY_PREFIX}{}", request.group_id());
                    prop_assert!(turns.iter().all(|turn| turn.turn_id().as_ref() != taken));
                    let Some(last) = turns.pop() else { break };
                    turns.push(super::generator::with_id(&last, &taken));
                }
            }
        }
    }
}
