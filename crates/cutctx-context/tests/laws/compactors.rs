//! Compactors that do what they should not.

use alloc::borrow::Cow;
use alloc::sync::Arc;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CompactionFailure, CompactionRequest, CompactionResult,
    CompactionStep, ContextCompactor, ExtractiveCompactor,
};
use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_messages::{SpokenText, atomic_prefix_counts};
use cutctx_policies::{ObservationMaskingPolicy, default_chain};
use cutctx_types::{Action, CharRatioEstimator, Code, PlanDraft, TurnAction, TurnReplacement};

/// How a compactor answers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    /// It gives no summary.
    Fails,
    /// Its summary is far longer than it may be.
    Overshoots,
    /// Its summary stands for the first half of what it was given.
    Half,
    /// It claims to stand for more than it was given.
    Lies,
    /// It does not prove that it took in the summary before.
    Forgets,
}

/// A compactor of one manner.
#[derive(Debug)]
pub(crate) struct Odd(pub(crate) Manner);

impl ContextCompactor for Odd {
    fn name(&self) -> &'static str {
        "Odd"
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        let given = request.messages.len();
        let words = |count: usize| SpokenText::new("what was said before. ".repeat(count)).unwrap();
        let result = match self.0 {
            Manner::Fails => {
                let failure = CompactionFailure::new(Code::new("COMPACTOR_FAILURE"), "as always");
                return CompactionStep::Done(Err(failure));
            }
            Manner::Overshoots => CompactionResult::new(words(2_000), given),
            Manner::Half => {
                let ends = atomic_prefix_counts(&request.messages).unwrap_or_default();
                let half = ends.get(ends.len() / 2).copied().unwrap_or(given);
                CompactionResult::new(words(4), half)
            }
            Manner::Lies => CompactionResult::new(words(4), given.saturating_add(1)),
            Manner::Forgets => return CompactionStep::Done(Ok(CompactionResult::new(words(4), given))),
        };
        CompactionStep::Done(Ok(match &request.existing_summary {
            Some(existing) => result.representing(existing),
            None => result,
        }))
    }
}

/// A policy that masks whatever it may, calls among it.
struct MaskAll;

impl CompactionPolicy for MaskAll {
    fn name(&self) -> Cow<'_, str> {
        "mask_all".into()
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let over = survey.goal().is_some();
        let actions = survey.turns().iter().enumerate().map(|(position, turn)| {
            let masks = over && !survey.is_untouchable(position) && turn.token_estimate() > 2;
            let stub = Action::Mask(TurnReplacement::new("[gone]", 2));
            TurnAction::new(turn.turn_id().clone(), if masks { stub } else { Action::Keep })
        });
        Ok(PlanDraft::new(self.name(), self.version(), actions.collect()))
    }
}

/// The ways in which a policy may be made.
pub(crate) const WAYS: usize = 10;

/// A policy made in one of the ways.
pub(crate) fn policy(way: usize, window: u64) -> BudgetedContextPolicy {
    let settings = BudgetedContextSettings::for_window(window);
    let plain = || BudgetedContextPolicy::new(settings.clone()).unwrap();
    let with = |compactor: Arc<dyn ContextCompactor>| {
        let estimator = Arc::new(CharRatioEstimator::default());
        BudgetedContextPolicy::with(settings.clone(), compactor, estimator).unwrap()
    };
    match way {
        0 => plain(),
        1 => with(Arc::new(ExtractiveCompactor::default())),
        2 => with(Arc::new(Odd(Manner::Fails))),
        3 => with(Arc::new(Odd(Manner::Overshoots))),
        4 => with(Arc::new(Odd(Manner::Half))),
        5 => with(Arc::new(Odd(Manner::Lies))),
        6 => with(Arc::new(Odd(Manner::Forgets))),
        7 => plain().planning_with(Arc::new(ObservationMaskingPolicy::new())),
        8 => plain().planning_with(Arc::new(MaskAll)),
        _ => with(Arc::new(ExtractiveCompactor::default()))
            .planning_with(Arc::new(default_chain("any").unwrap())),
    }
}
