//! The scripted policies of the vectors.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, SummarizationRequest, TurnAction, TurnReplacement};
use serde::Deserialize;

/// A policy that does one thing, whether the budget is met or not.
#[derive(Deserialize)]
pub(crate) struct Scripted {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) estimator_ratio: Option<f64>,
    #[serde(flatten)]
    pub(crate) rule: Rule,
}

#[derive(Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub(crate) enum Rule {
    /// Masks every turn that is not untouchable.
    MaskAll { content: Arc<str>, tokens: u64 },
    /// Of all exchanges, drops those of one remainder if they are removable.
    DropEvery { modulus: usize, remainder: usize },
    /// Summarizes removable exchanges, so many to a group.
    FoldChunks { chunk: usize, prefix: String, target: u64, prompt_id: Arc<str> },
}

impl CompactionPolicy for Scripted {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let actions = self.rule.actions(survey);
        let requests = self.rule.requests(survey, &actions)?;
        let turns = survey.turns().iter().zip(actions);
        let actions = turns.map(|(turn, action)| TurnAction::new(turn.turn_id().clone(), action)).collect();
        Ok(PlanDraft::new(self.name.clone(), self.version.clone(), actions)
            .with_requests(requests)
            .with_estimator_ratio(self.estimator_ratio))
    }

    fn admit(&self, _: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        Ok(())
    }
}

impl Rule {
    fn actions(&self, survey: &Survey<'_>) -> Vec<Action> {
        let mut folded = 0..;
        let of_exchange: Vec<Action> = (0..survey.exchanges().len())
            .map(|exchange| match self {
                _ if !survey.is_removable_exchange(exchange) => Action::Keep,
                Self::DropEvery { modulus, remainder } if exchange % modulus == *remainder => Action::Drop,
                Self::MaskAll { .. } | Self::DropEvery { .. } => Action::Keep,
                Self::FoldChunks { chunk, prefix, .. } => {
                    let number = folded.next().unwrap_or(0_usize) / chunk;
                    Action::Summarize { group: format!("{prefix}{number}").into() }
                }
            })
            .collect();
        (0..survey.turns().len())
            .map(|position| match self {
                Self::MaskAll { content, tokens } if !survey.is_untouchable(position) => {
                    Action::Mask(TurnReplacement::new(content.clone(), *tokens))
                }
                Self::MaskAll { .. } | Self::DropEvery { .. } | Self::FoldChunks { .. } => {
                    let exchange = survey.exchanges().of(position);
                    exchange.and_then(|exchange| of_exchange.get(exchange).cloned()).unwrap_or(Action::Keep)
                }
            })
            .collect()
    }

    fn requests(
        &self,
        survey: &Survey<'_>,
        actions: &[Action],
    ) -> Result<Vec<SummarizationRequest>, InvalidValue> {
        let Self::FoldChunks { target, prompt_id, .. } = self else { return Ok(Vec::new()) };
        let mut groups: BTreeMap<&Arc<str>, Vec<usize>> = BTreeMap::new();
        for (position, action) in actions.iter().enumerate() {
            if let Some(group) = action.group() {
                groups.entry(group).or_default().push(position);
            }
        }
        let mut groups: Vec<(&Arc<str>, Vec<usize>)> = groups.into_iter().collect();
        groups.sort_by(|left, right| left.1.cmp(&right.1));
        let request = |(group, positions): (&Arc<str>, Vec<usize>)| {
            let turns = positions.into_iter().filter_map(|position| survey.turns().get(position));
            let ids = turns.map(|turn| turn.turn_id().clone()).collect();
            Ok(SummarizationRequest::new(group.clone(), ids, *target, prompt_id.clone())?)
        };
        groups.into_iter().map(request).collect()
    }
}
