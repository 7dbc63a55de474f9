//! The account.

use crate::cases::{continued, plan, transcript};
use crate::generated::{Case, cases as generated};
use cutctx_exec::{Account, Applied, CompactionExecutor, KeptReason, Summaries, TurnFate};
use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{Action, CachePrices, CacheVerdict, Role, TranscriptTurn};
use proptest::prelude::*;
use serde_json::json;

fn account() -> Account {
    let newcomer = TranscriptTurn::new("n", Role::User, "and then", 3).unwrap();
    let summaries = Summaries::none().with("g", "twenty characters !!");
    CompactionExecutor::new().apply(&continued([newcomer]), &plan(), &summaries).unwrap().account
}

#[test]
fn every_turn_has_its_fate_and_reason() {
    let kept = |reason| TurnFate::Kept { reason };
    let folded = || TurnFate::Summarized { group: "g".into() };
    let expected = [
        ("s", kept(KeptReason::System)),
        ("u1", folded()),
        ("a1", folded()),
        ("a2", TurnFate::Dropped),
        ("t2", TurnFate::Dropped),
        ("a3", kept(KeptReason::Pinned)),
        ("t3", TurnFate::Masked),
        ("t4", kept(KeptReason::LockedByExchange)),
        ("u5", kept(KeptReason::PolicyKept)),
        ("a5", kept(KeptReason::ProtectedTail)),
        ("n", TurnFate::Appended),
    ];
    let account = account();
    let told: Vec<_> = account.turns.iter().map(|turn| (&*turn.turn_id, turn.fate.clone())).collect();
    assert_eq!(told, expected);
}

#[test]
fn its_json_is_flat_and_holds_every_figure() {
    let mut json = serde_json::to_value(account()).unwrap();
    let turns = json["turns"].take();
    assert_eq!(
        json!([turns[0], turns[1], turns[6]]),
        json!([
            {"turn_id": "s", "fate": "kept", "reason": "system", "tokens_before": 2, "tokens_after": 2, "tokens_freed": 0},
            {"turn_id": "u1", "fate": "summarized", "group": "g", "tokens_before": 10, "tokens_after": 0, "tokens_freed": 10},
            {"turn_id": "t3", "fate": "masked", "tokens_before": 50, "tokens_after": 1, "tokens_freed": 49},
        ])
    );
    assert_eq!(
        json,
        json!({
            "turns": null,
            "fates": {"kept": 5, "masked": 1, "trimmed": 0, "summarized": 2, "dropped": 2, "appended": 1},
            "summaries": [{
                "group_id": "g", "turn_id": "summary:g", "replaced_turns": 2,
                "tokens_before": 30, "target_tokens": 4, "tokens": 5,
            }],
            "overruns": [{"group_id": "g", "target_tokens": 4, "measured_tokens": 5}],
            "unused_summary_groups": [],
            "appended_turn_ids": ["n"],
            "first_changed_position": 1,
            "tokens_before_change": 2,
            "tokens_after_change": 39,
            "cache": {
                "prices": {"read": 100, "write": 1250, "minimum_tokens": 1024},
                "first_changed_position": 1, "tokens_before_change": 2, "tokens_invalidated": 148,
                "tokens_reread": 39, "tokens_freed": 109, "pays_back_after_steps": 0, "verdict": "at_once",
            },
            "floor": {"system": 2, "pinned": 6, "tail": 9, "locked": 57},
            "tokens_before": 150,
            "tokens_after_measured": 41,
            "max_tokens": 50,
            "over_budget": false,
        })
    );
}

#[test]
fn a_plan_that_keeps_everything_changes_nothing() {
    let transcript = transcript();
    let budget = cutctx_types::CompactionBudget::new(1_000);
    let survey = Survey::new(&transcript, &budget).unwrap();
    let mut draft = plan().into_draft();
    draft.summarization_requests.clear();
    draft.actions.iter_mut().for_each(|action| action.action = Action::Keep);
    let plan = CompactionPlan::check(draft, &survey).unwrap();
    let Applied { compacted, account, .. } =
        CompactionExecutor::new().apply(&transcript, &plan, &Summaries::none()).unwrap();
    assert_eq!(compacted.turns, transcript.turns());
    assert_eq!(account.first_changed_position, None);
    assert_eq!((account.tokens_before_change, account.tokens_after_change), (147, 0));
    assert_eq!(account.cache.verdict, CacheVerdict::Unchanged);
}

#[test]
fn the_cache_is_reckoned_at_the_prices_given_and_with_what_came_since() {
    let prices = CachePrices::new(100, 1_250).unwrap();
    let newcomer = TranscriptTurn::new("n", Role::User, "and then", 3).unwrap();
    let summaries = Summaries::none().with("g", "twenty characters !!");
    let executor = CompactionExecutor::new().with_cache_prices(prices);
    let cache = executor.apply(&continued([newcomer]), &plan(), &summaries).unwrap().account.cache;
    // (1.25 - 0.1) x 39 against 0.1 x 109 a step.
    assert_eq!((cache.tokens_reread, cache.tokens_freed, cache.pays_back_after_steps), (39, 109, Some(5)));
    assert_eq!((cache.prices, cache.verdict), (prices, CacheVerdict::PaysBack));
}

fn check_figures(case: &Case, applied: &Applied) -> Result<(), TestCaseError> {
    let (account, view) = (&applied.account, &applied.compacted.turns);
    prop_assert_eq!(account.fates.total(), case.transcript.len());
    prop_assert_eq!(account.turns.len(), case.transcript.len());
    let view_tokens: u64 = view.iter().map(TranscriptTurn::token_estimate).sum();
    let staying: u64 = account.turns.iter().map(|turn| turn.tokens_after).sum();
    let summaries: u64 = account.summaries.iter().map(|summary| summary.tokens).sum();
    prop_assert_eq!(account.tokens_after_measured, view_tokens);
    prop_assert_eq!(staying + summaries, view_tokens);
    prop_assert_eq!(account.tokens_before_change + account.tokens_after_change, view_tokens);
    prop_assert_eq!(account.over_budget, view_tokens > account.max_tokens);
    let folded: u64 = account
        .turns
        .iter()
        .filter(|turn| matches!(turn.fate, TurnFate::Summarized { .. }))
        .map(|turn| turn.tokens_before)
        .sum();
    prop_assert_eq!(account.summaries.iter().map(|summary| summary.tokens_before).sum::<u64>(), folded);
    Ok(())
}

/// How many turns at the beginning are the same before and after, found by comparing them.
fn common_beginning(case: &Case, applied: &Applied) -> usize {
    let pairs = case.transcript.turns().iter().zip(&applied.compacted.turns);
    pairs.take_while(|(before, after)| before == after).count()
}

proptest! {
    #[test]
    fn the_figures_add_up(case in generated(true)) {
        let executors = [CompactionExecutor::new(), CompactionExecutor::reference()];
        for executor in executors {
            let applied = executor.apply(&case.transcript, &case.plan, &case.summaries).unwrap();
            check_figures(&case, &applied)?;
        }
    }

    #[test]
    fn the_first_changed_position_is_where_view_and_transcript_part(case in generated(true)) {
        let applied = CompactionExecutor::new().apply(&case.transcript, &case.plan, &case.summaries).unwrap();
        let same = common_beginning(&case, &applied);
        match applied.account.first_changed_position {
            None => prop_assert_eq!(&applied.compacted.turns, case.transcript.turns()),
            Some(position) => {
                prop_assert_eq!(position, same);
                let prefix: u64 = case.transcript.turns()[..same].iter().map(TranscriptTurn::token_estimate).sum();
                prop_assert_eq!(applied.account.tokens_before_change, prefix);
            }
        }
    }

    #[test]
    fn the_kept_turns_make_up_the_floor_where_nothing_locked_was_shortened(case in generated(true)) {
        let applied = CompactionExecutor::new().apply(&case.transcript, &case.plan, &case.summaries).unwrap();
        let kept_for = |reason| -> u64 {
            let fate = TurnFate::Kept { reason };
            applied.account.turns.iter().filter(|turn| turn.fate == fate).map(|turn| turn.tokens_before).sum()
        };
        let floor = applied.account.floor;
        prop_assert_eq!(kept_for(KeptReason::System), floor.system);
        prop_assert_eq!(kept_for(KeptReason::Pinned), floor.pinned);
        prop_assert_eq!(kept_for(KeptReason::ProtectedTail), floor.tail);
        prop_assert!(kept_for(KeptReason::LockedByExchange) <= floor.locked);
    }
}
