//! The conformance kit catches a wrong policy for every law, and lets right ones pass.

use alloc::borrow::Cow;
use core::cell::Cell;
use cutctx_invariants::conformance::{Conformance, Law, LawBroken, assert_conforms, check_policy};
use cutctx_invariants::{CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{
    Action, CompactionBudget, InvalidValue, PlanDraft, Role, SummarizationRequest, Transcript,
    TranscriptTurn, TurnAction, TurnReplacement,
};

/// A policy that is two functions: one decides each turn, one may finish the draft.
struct Scripted {
    act: fn(&Survey<'_>, usize, &TranscriptTurn) -> Action,
    finish: fn(PlanDraft, &Survey<'_>) -> Result<PlanDraft, PolicyError>,
    decide: Option<Decide>,
}

/// Takes the place of deciding by the book.
type Decide = fn(&Scripted, &Transcript, &CompactionBudget) -> Result<CompactionPlan, PolicyError>;

impl Scripted {
    fn new(act: fn(&Survey<'_>, usize, &TranscriptTurn) -> Action) -> Self {
        Self { act, finish: |draft, _| Ok(draft), decide: None }
    }
}

impl CompactionPolicy for Scripted {
    fn name(&self) -> Cow<'_, str> {
        "scripted".into()
    }

    fn version(&self) -> &'static str {
        "0.1.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let turns = survey.turns().iter().enumerate();
        let actions = turns.map(|(position, turn)| {
            TurnAction::new(turn.turn_id().clone(), (self.act)(survey, position, turn))
        });
        (self.finish)(PlanDraft::new(self.name(), self.version(), actions.collect()), survey)
    }

    fn decide(
        &self,
        transcript: &Transcript,
        budget: &CompactionBudget,
    ) -> Result<CompactionPlan, PolicyError> {
        if let Some(decide) = self.decide {
            return decide(self, transcript, budget);
        }
        let survey = Survey::new(transcript, budget)?;
        self.admit(&survey)?;
        Ok(CompactionPlan::check(self.propose(&survey)?, &survey)?)
    }
}

fn drop_all(survey: &Survey<'_>, position: usize, _: &TranscriptTurn) -> Action {
    if survey.goal().is_some() && survey.is_removable(position) { Action::Drop } else { Action::Keep }
}

/// One group for everything that may go, with a target of nothing.
fn fold_all(survey: &Survey<'_>, position: usize, _: &TranscriptTurn) -> Action {
    if survey.goal().is_some() && survey.is_removable(position) {
        Action::Summarize { group: "all of it".into() }
    } else {
        Action::Keep
    }
}

#[expect(clippy::unnecessary_wraps, reason = "it finishes a draft, which may fail in other scripts")]
fn request_all(draft: PlanDraft, _: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
    let folded = draft.actions.iter().filter(|action| action.action.removes());
    let ids: Vec<_> = folded.map(|action| action.turn_id.clone()).collect();
    let request = SummarizationRequest::new("all of it", ids, 0, "brief");
    Ok(draft.with_requests(request.into_iter().collect()))
}

fn caught(policy: &dyn CompactionPolicy, law: Law) -> LawBroken {
    let broken = Conformance::of(policy).only(law).with_cases(256).check().unwrap_err();
    assert_eq!(broken.law(), law, "{broken}");
    assert!(broken.to_string().starts_with(&format!("the law `{}` is broken: ", law.name())));
    broken
}

#[test]
fn a_policy_that_drops_all_it_may_keeps_every_law_and_meets_every_budget() {
    let policy = Scripted::new(drop_all);
    assert_conforms(&policy);
    Conformance::of(&policy).with(Law::MeetsBudget).with_cases(256).check().unwrap();
}

#[test]
fn a_policy_that_folds_all_it_may_keeps_every_law() {
    let policy = Scripted { finish: request_all, ..Scripted::new(fold_all) };
    check_policy(&policy).unwrap();
}

#[test]
fn a_policy_that_does_nothing_keeps_the_general_laws_and_fails_to_meet_budgets() {
    let policy = Scripted::new(|_, _, _| Action::Keep);
    assert_conforms(&policy);
    caught(&policy, Law::MeetsBudget);
}

/// Drops every other time it is asked.
struct Fickle(Cell<bool>);

impl CompactionPolicy for Fickle {
    fn name(&self) -> Cow<'_, str> {
        "fickle".into()
    }

    fn version(&self) -> &'static str {
        "0.1.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        self.0.set(!self.0.get());
        let mood = self.0.get();
        let act = if mood { drop_all } else { |_: &Survey<'_>, _: usize, _: &TranscriptTurn| Action::Keep };
        let mut draft = Scripted::new(act).propose(survey)?;
        draft.policy_name = "fickle".into();
        Ok(draft)
    }
}

#[test]
fn a_fickle_policy_is_caught() {
    let broken = caught(&Fickle(Cell::new(false)), Law::Deterministic);
    assert!(broken.reason().starts_with("asked twice"), "{broken}");
    assert!(broken.turn_ids().len() <= 2, "{broken}");
}

#[test]
fn a_policy_that_looks_at_addresses_is_caught() {
    // The address of the first turn's text differs between a transcript and its equal copy.
    let policy = Scripted::new(|survey, position, _| {
        let address = survey.turns().first().map_or(0, |turn| turn.turn_id().as_ptr() as usize);
        let odd = (address / 8).count_ones() % 2 == 1;
        if odd { drop_all(survey, position, &survey.turns()[position]) } else { Action::Keep }
    });
    let broken = caught(&policy, Law::Deterministic);
    assert!(broken.reason().starts_with("asked about an equal copy"), "{broken}");
}

#[test]
fn a_policy_whose_drafts_break_rules_is_caught() {
    let policy =
        Scripted::new(|survey, _, _| if survey.goal().is_some() { Action::Drop } else { Action::Keep });
    let broken = caught(&policy, Law::Accepted);
    assert!(broken.turn_ids().len() <= 2, "{broken}");
    assert!(broken.scenario().is_some());
}

#[test]
fn a_policy_that_gives_up_is_caught() {
    let policy = Scripted {
        finish: |draft, survey| match survey.goal() {
            Some(_) => Err(InvalidValue::Overflow { quantity: "the patience" }.into()),
            None => Ok(draft),
        },
        ..Scripted::new(drop_all)
    };
    caught(&policy, Law::FloorIsEnough);
    Conformance::of(&policy).without(Law::FloorIsEnough).check().unwrap();
}

#[test]
fn a_policy_that_signs_with_another_name_is_caught() {
    let policy = Scripted {
        finish: |mut draft, _| {
            draft.policy_version = "9.9.9".into();
            Ok(draft)
        },
        ..Scripted::new(drop_all)
    };
    caught(&policy, Law::Faithful);
}

/// Decides about another transcript than it was given.
fn about(
    policy: &Scripted,
    transcript: &Transcript,
    budget: &CompactionBudget,
    change: impl Fn(&TranscriptTurn) -> TranscriptTurn,
) -> Result<CompactionPlan, PolicyError> {
    let other =
        Transcript::new(transcript.turns().iter().map(change).collect()).map_err(InvalidValue::from)?;
    let survey = Survey::new(&other, budget)?;
    Ok(CompactionPlan::check(policy.propose(&survey)?, &survey)?)
}

#[test]
fn a_policy_that_plans_for_another_transcript_is_caught_by_its_figures() {
    let policy = Scripted {
        decide: Some(|policy, transcript, budget| {
            about(policy, transcript, budget, |turn| {
                turn.clone().with_content(turn.content().clone(), turn.token_estimate() / 2)
            })
        }),
        ..Scripted::new(drop_all)
    };
    caught(&policy, Law::Figures);
    caught(&policy, Law::Faithful);
}

fn plain(turn: &TranscriptTurn, role: Role) -> TranscriptTurn {
    TranscriptTurn::new(turn.turn_id().clone(), role, turn.content().clone(), turn.token_estimate()).unwrap()
}

#[test]
fn a_policy_that_unpins_turns_behind_the_kernels_back_is_caught() {
    let policy = Scripted {
        decide: Some(|policy, transcript, budget| {
            let bare = budget.with_protected_recent_turns(0);
            about(policy, transcript, &bare, |turn| plain(turn, Role::User))
        }),
        ..Scripted::new(drop_all)
    };
    caught(&policy, Law::Untouchable);
}

#[test]
fn a_policy_that_unties_calls_behind_the_kernels_back_is_caught() {
    let policy = Scripted {
        decide: Some(|policy, transcript, budget| {
            about(policy, transcript, budget, |turn| plain(turn, turn.role()).with_pinned(turn.pinned()))
        }),
        ..Scripted::new(|survey, position, turn| {
            if turn.role() == Role::Tool { drop_all(survey, position, turn) } else { Action::Keep }
        })
    };
    let broken = caught(&policy, Law::WholeExchanges);
    assert_eq!(broken.turn_ids().len(), 2, "{broken}");
}

fn mask_with(text: &str, tokens: u64) -> Action {
    Action::Mask(TurnReplacement::new(text, tokens))
}

#[test]
fn a_policy_whose_stubs_cost_more_than_they_save_is_caught() {
    let policy = Scripted::new(|survey, position, _| {
        let mask = survey.goal().is_some() && !survey.is_untouchable(position);
        if mask { mask_with("[cut]", 3) } else { Action::Keep }
    });
    let broken = caught(&policy, Law::NoGrowth);
    assert!(broken.turn_ids().len() <= 2, "{broken}");
    Conformance::of(&policy).without(Law::NoGrowth).check().unwrap();
}

#[test]
fn a_policy_whose_stubs_quote_one_character_is_caught() {
    let policy = Scripted::new(|survey, position, turn| {
        let first = turn.content().chars().next().map(String::from).unwrap_or_default();
        let mask = survey.goal().is_some() && !survey.is_untouchable(position);
        if mask && turn.token_estimate() > 0 { mask_with(&first, 1) } else { Action::Keep }
    });
    caught(&policy, Law::NoText);
    Conformance::of(&policy).without(Law::NoText).check().unwrap();
}

#[test]
fn a_policy_that_names_groups_after_text_is_caught() {
    let policy = Scripted {
        finish: |mut draft, survey| {
            draft.policy_name = survey.turns().first().map_or("x".into(), |turn| turn.content().to_string());
            Ok(draft)
        },
        ..Scripted::new(drop_all)
    };
    caught(&policy, Law::NoText);
}

#[test]
fn a_policy_that_reads_metadata_is_caught() {
    let policy = Scripted::new(|survey, position, turn| {
        if turn.metadata().is_empty() { drop_all(survey, position, turn) } else { Action::Keep }
    });
    // It may separate exchanges as well; the law is about metadata alone.
    caught(&policy, Law::MetadataIsIgnored);
}

#[test]
fn a_policy_that_never_rests_is_caught() {
    let policy = Scripted::new(
        |survey, position, _| {
            if survey.is_removable(position) { Action::Drop } else { Action::Keep }
        },
    );
    caught(&policy, Law::FitsIsNoOp);
}

#[test]
fn a_policy_that_cannot_leave_its_own_summaries_alone_is_caught() {
    let policy = Scripted {
        finish: request_all,
        ..Scripted::new(|survey, position, turn| {
            let own = turn.turn_id().as_ref() == "summary:all of it";
            if own && survey.is_removable(position) { Action::Drop } else { fold_all(survey, position, turn) }
        })
    };
    caught(&policy, Law::Idempotent);
    Conformance::of(&policy).only(Law::FitsIsNoOp).check().unwrap();
}

#[test]
fn a_policy_that_panics_is_caught_without_ending_the_trial() {
    let policy = Scripted::new(|survey, position, turn| {
        assert!(survey.turns().len() < 3, "more than I can count");
        drop_all(survey, position, turn)
    });
    let broken = check_policy(&policy).unwrap_err();
    assert!(broken.reason().contains("more than I can count"), "{broken}");
    assert_eq!(broken.turn_ids().len(), 3, "{broken}");
}

#[test]
fn a_broken_law_is_told_with_ids_roles_and_tokens_but_without_text() {
    let policy =
        Scripted::new(
            |_, _, turn| {
                if turn.content().contains("word") { mask_with("", 9_999_999) } else { Action::Keep }
            },
        );
    let broken = Conformance::of(&policy).check().unwrap_err();
    let told = format!("{broken} {broken:?}");
    assert!(!told.contains("word"), "{told}");
    assert!(broken.to_string().contains(" tokens, "), "{broken}");
}

#[test]
fn the_assertion_panics_with_the_name_of_the_law() {
    let policy = Scripted::new(|_, _, _| Action::Drop);
    let panic = std::panic::catch_unwind(|| assert_conforms(&policy)).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.starts_with("the law `accepted` is broken: "), "{message}");
}

#[test]
fn a_trial_can_be_printed() {
    let policy = Scripted::new(drop_all);
    let trial = Conformance::of(&policy).only(Law::NoText).with_cases(7);
    let printed = format!("{trial:?}");
    assert_eq!(printed, r#"Conformance { policy: "scripted", laws: [NoText], cases: 7 }"#);
}
