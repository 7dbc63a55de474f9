//! A chain of version 1.0.0 as the reference's description has it: by ids, with everything looked up again.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPlan, CompactionPolicy, PolicyError, Survey};
use cutctx_policies::BoxedPolicy;
use cutctx_types::{
    Action, InvalidValue, PlanDraft, Role, SummarizationRequest, Transcript, TranscriptTurn, TurnAction,
};

pub(crate) struct SlowChain {
    pub(crate) name: String,
    pub(crate) members: Vec<BoxedPolicy>,
}

/// A group's id, its turns' ids, its target and its prompt.
type Group = (String, Vec<String>, u64, Arc<str>);

struct Book<'t> {
    turns: &'t [TranscriptTurn],
    fates: Vec<(String, Action)>,
    groups: Vec<Group>,
}

impl CompactionPolicy for SlowChain {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.name)
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn admit(&self, _: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        Ok(())
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let turns = survey.turns();
        let fates = turns.iter().map(|turn| (turn.turn_id().to_string(), Action::Keep)).collect();
        let mut book = Book { turns, fates, groups: Vec::new() };
        let mut projection = survey.transcript().clone();
        let mut ratio = None;
        for member in &self.members {
            if projection.token_estimate() <= survey.budget().max_tokens() {
                break;
            }
            let view = Survey::new(&projection, survey.budget())?;
            let plan = CompactionPlan::check(member.propose(&view)?, &view)?;
            ratio = ratio.or(plan.estimator_ratio());
            book.absorb(&plan)?;
            projection = Transcript::new(book.projected()).map_err(InvalidValue::from)?;
        }
        book.reconcile();
        let requests = book.requests()?;
        let actions = turns.iter().zip(&book.fates);
        let actions = actions.map(|(turn, (_, fate))| TurnAction::new(turn.turn_id().clone(), fate.clone()));
        Ok(PlanDraft::new(self.name.clone(), self.version(), actions.collect())
            .with_requests(requests)
            .with_estimator_ratio(ratio))
    }
}

impl Book<'_> {
    fn absorb(&mut self, plan: &CompactionPlan) -> Result<(), InvalidValue> {
        for TurnAction { turn_id, action, .. } in plan.actions() {
            if *action == Action::Keep {
                continue;
            }
            let behind = turn_id.strip_prefix("summary:").map(str::to_string);
            let concerned = match &behind {
                None => vec![turn_id.to_string()],
                Some(group) => {
                    let group = self.groups.iter().find(|(id, ..)| id == group);
                    group.map(|(_, turns, ..)| turns.clone()).unwrap_or_default()
                }
            };
            for (id, fate) in &mut self.fates {
                if concerned.contains(id) {
                    *fate = action.clone();
                }
            }
            if action.removes() {
                self.groups.retain(|(id, ..)| Some(id) != behind.as_ref());
            }
        }
        for request in plan.summarization_requests() {
            let id = request.group_id().to_string();
            let turns = self.turns_in(&id);
            SummarizationRequest::new(
                id.clone(),
                turns.iter().map(|id| Arc::from(id.as_str())).collect(),
                0,
                "p",
            )?;
            self.groups.retain(|(other, ..)| *other != id);
            self.groups.push((id, turns, request.target_tokens(), request.prompt_id().clone()));
        }
        Ok(())
    }

    /// The ids of the turns whose fate is this group.
    fn turns_in(&self, group: &str) -> Vec<String> {
        let those =
            self.fates.iter().filter(|(_, fate)| fate.group().is_some_and(|own| own.as_ref() == group));
        those.map(|(id, _)| id.clone()).collect()
    }

    fn projected(&self) -> Vec<TranscriptTurn> {
        let mut projected = Vec::new();
        for (turn, (id, fate)) in self.turns.iter().zip(&self.fates) {
            match fate {
                Action::Keep => projected.push(turn.clone()),
                Action::Mask(stub) => {
                    projected.push(turn.clone().with_content(stub.content.clone(), stub.token_estimate));
                }
                Action::Summarize { group } => {
                    let group = self.groups.iter().find(|(own, ..)| own == group.as_ref());
                    let Some((group, turns, target, _)) = group else { continue };
                    if turns.first() == Some(id) {
                        let id = format!("summary:{group}");
                        projected.push(TranscriptTurn::new(id, Role::Assistant, "", *target).unwrap());
                    }
                }
                Action::Drop | Action::Trim(_) => {}
            }
        }
        projected
    }

    fn reconcile(&mut self) {
        for position in 0..self.turns.len() {
            let call = self.turns[position].tool_call_id();
            let members: Vec<usize> = (0..self.turns.len())
                .filter(|other| {
                    *other == position || (call.is_some() && self.turns[*other].tool_call_id() == call)
                })
                .collect();
            let fates = || members.iter().map(|member| &self.fates[*member].1);
            let common = if fates().any(|fate| *fate == Action::Drop) {
                Some(Action::Drop)
            } else {
                fates().find(|fate| fate.removes()).cloned()
            };
            for member in members.iter().filter(|_| common.is_some()) {
                self.fates[*member].1 = common.clone().unwrap();
            }
        }
        let groups = core::mem::take(&mut self.groups);
        self.groups = groups
            .into_iter()
            .map(|(id, _, target, prompt)| (id.clone(), self.turns_in(&id), target, prompt))
            .filter(|(_, turns, ..)| !turns.is_empty())
            .collect();
    }

    fn requests(&self) -> Result<Vec<SummarizationRequest>, InvalidValue> {
        let place = |id: &String| self.fates.iter().position(|(own, _)| own == id);
        let mut groups = self.groups.clone();
        groups.sort_by_key(|(_, turns, ..)| turns.first().and_then(place));
        let request = |(id, turns, target, prompt): Group| {
            let turns = turns.iter().map(|id| Arc::from(id.as_str())).collect();
            Ok(SummarizationRequest::new(id, turns, target, prompt)?)
        };
        groups.into_iter().map(request).collect()
    }
}
