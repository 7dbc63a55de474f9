//! Policies that do one thing wherever the rules let them, without asking whether it is needed.

use cutctx_invariants::{CompactionPolicy, PolicyError, Survey};
use cutctx_types::{
    Action, InvalidValue, KeptPart, PlanDraft, Role, SummarizationRequest, Trim, TurnAction, TurnReplacement,
};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Script {
    /// Masks all that is not untouchable, stand-ins included.
    MaskAll { tokens: u64, ratio: Option<f64> },
    /// Masks what users say.
    MaskUsers { ratio: Option<f64> },
    /// Cuts all that is not untouchable to half its text and tokens.
    TrimAll,
    /// Drops every so many-th exchange that may go.
    DropEvery { modulus: usize },
    /// Folds the exchanges that may go, so many in a group; only the first group if told so. The
    /// groups always have the same names.
    FoldChunks { chunk: usize, target: u64, first: bool },
    /// Folds all that is no stand-in into one group of the name that `FoldChunks` uses first.
    FoldRest { target: u64 },
}

impl CompactionPolicy for Script {
    fn name(&self) -> Cow<'_, str> {
        "script".into()
    }

    fn version(&self) -> &'static str {
        "0.1.0"
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let positions = 0..survey.turns().len();
        let draft = match self {
            Self::MaskAll { .. } | Self::MaskUsers { .. } | Self::TrimAll => {
                self.draft(survey, positions.map(|position| self.shortened(survey, position)).collect())
            }
            Self::DropEvery { .. } => self.draft(survey, self.dropped(survey)),
            Self::FoldChunks { chunk, target, first } => {
                let groups = Self::numbered(survey, |exchange| {
                    let number = exchange / chunk;
                    (!first || number == 0).then_some(number)
                });
                return self.folded(survey, &groups, *target);
            }
            Self::FoldRest { target } => {
                let groups: Vec<Option<usize>> = positions
                    .map(|at| (survey.is_removable(at) && !survey.is_stand_in(at)).then_some(0))
                    .collect();
                return self.folded(survey, &groups, *target);
            }
        };
        Ok(draft)
    }
}

impl Script {
    fn draft(&self, survey: &Survey<'_>, actions: Vec<Action>) -> PlanDraft {
        let ids = survey.turns().iter().map(|turn| turn.turn_id().clone());
        let actions = ids.zip(actions).map(|(id, action)| TurnAction::new(id, action)).collect();
        PlanDraft::new(self.name(), self.version(), actions).with_estimator_ratio(match self {
            Self::MaskAll { ratio, .. } | Self::MaskUsers { ratio } => *ratio,
            _ => None,
        })
    }

    fn shortened(&self, survey: &Survey<'_>, position: usize) -> Action {
        let turn = &survey.turns()[position];
        match self {
            _ if survey.is_untouchable(position) => Action::Keep,
            Self::MaskAll { tokens, .. } => Action::Mask(TurnReplacement::new("masked", *tokens)),
            Self::MaskUsers { .. } if turn.role() == Role::User => {
                Action::Mask(TurnReplacement::new("said", 1))
            }
            Self::TrimAll if turn.content().len() > 1 && turn.content().is_char_boundary(1) => {
                let borders = (0..=turn.content().len() / 2).rev();
                let half = borders.into_iter().find(|at| turn.content().is_char_boundary(*at)).unwrap();
                let first = 0..half;
                Action::Trim(Trim::new(vec![KeptPart::new(0, vec![first])], turn.token_estimate() / 2))
            }
            _ => Action::Keep,
        }
    }

    fn dropped(&self, survey: &Survey<'_>) -> Vec<Action> {
        let Self::DropEvery { modulus } = self else { return Vec::new() };
        let goes = Self::numbered(survey, |exchange| (exchange % modulus == 0).then_some(0));
        goes.into_iter().map(|goes| if goes.is_some() { Action::Drop } else { Action::Keep }).collect()
    }

    /// By position: what a function says of the number of the turn's exchange among those that may go.
    fn numbered(survey: &Survey<'_>, of: impl Fn(usize) -> Option<usize>) -> Vec<Option<usize>> {
        let mut numbers = vec![None; survey.turns().len()];
        let exchanges = survey.exchanges();
        let may_go = (0..exchanges.len()).filter(|exchange| survey.is_removable_exchange(*exchange));
        for (number, exchange) in may_go.enumerate() {
            for member in exchanges.members(exchange) {
                numbers[*member] = of(number);
            }
        }
        numbers
    }

    fn folded(
        &self,
        survey: &Survey<'_>,
        groups: &[Option<usize>],
        target: u64,
    ) -> Result<PlanDraft, PolicyError> {
        let id = |group: usize| Arc::from(format!("g{group}"));
        let action = |group: &Option<usize>| {
            group.map_or(Action::Keep, |group| Action::Summarize { group: id(group) })
        };
        let mut turns_of: Vec<Vec<Arc<str>>> = Vec::new();
        for (turn, group) in survey.turns().iter().zip(groups) {
            if let Some(group) = *group {
                turns_of.resize(turns_of.len().max(group + 1), Vec::new());
                turns_of[group].push(turn.turn_id().clone());
            }
        }
        let request = |(group, turns): (usize, Vec<Arc<str>>)| {
            SummarizationRequest::new(id(group), turns, target, "script/prompt").map_err(InvalidValue::from)
        };
        let requests: Result<Vec<_>, InvalidValue> = turns_of.into_iter().enumerate().map(request).collect();
        Ok(self.draft(survey, groups.iter().map(action).collect()).with_requests(requests?))
    }
}
