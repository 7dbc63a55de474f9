//! A chain as one would write it without a thought for speed: a list of things that stand, each with the
//! turns behind it.

use core::ops::Range;
use cutctx_invariants::{CompactionPlan, CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_policies::BoxedPolicy;
use cutctx_types::{
    Action, InvalidValue, KeptPart, PlanDraft, Role, SummarizationRequest, Transcript, TranscriptTurn, Trim,
    TurnAction,
};
use std::borrow::Cow;
use std::sync::Arc;

pub(crate) struct SlowChain {
    pub(crate) depth: usize,
    pub(crate) members: Vec<BoxedPolicy>,
}

/// Something that stands.
#[derive(Clone)]
struct Thing {
    /// What a member sees.
    shown: TranscriptTurn,
    /// The positions of the turns behind it.
    behind: Vec<usize>,
    /// The prompt of the summary that it stands in for.
    prompt: Option<Arc<str>>,
    /// Whether it is a stand-in of this chain or of one around it.
    is_stand_in: bool,
    /// What the plan says of the one turn behind it.
    action: Action,
    /// The one turn behind it as the transcript has it.
    original: Option<TranscriptTurn>,
    /// By byte of what is shown: which byte of the turn it is, if it is none of a mark.
    origins: Vec<Option<usize>>,
    ratio: Option<f64>,
}

impl CompactionPolicy for SlowChain {
    fn name(&self) -> Cow<'_, str> {
        "slow".into()
    }

    fn version(&self) -> &'static str {
        "0.1.0"
    }

    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        self.members.iter().for_each(|member| member.lower_locked(survey, costs));
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let mut things = things_of(survey);
        let mut named = 0;
        for member in &self.members {
            let tokens: u64 = things.iter().map(|thing| thing.shown.token_estimate()).sum();
            if survey.goal().is_none_or(|goal| tokens <= goal) {
                break;
            }
            let plan = plan_for(member, &things, survey)?;
            things = self.after(&things, &plan, &mut named);
        }
        self.keep_promise(survey, &mut things, &mut named);
        Ok(self.draft(survey, &things)?)
    }
}

fn things_of(survey: &Survey<'_>) -> Vec<Thing> {
    let thing = |(position, turn): (usize, &TranscriptTurn)| Thing {
        shown: turn.clone(),
        behind: vec![position],
        prompt: None,
        is_stand_in: survey.is_stand_in(position),
        action: Action::Keep,
        original: survey.original(position).cloned(),
        origins: (0..turn.content().len()).map(Some).collect(),
        ratio: None,
    };
    survey.turns().iter().enumerate().map(thing).collect()
}

fn plan_for(
    member: &BoxedPolicy,
    things: &[Thing],
    survey: &Survey<'_>,
) -> Result<CompactionPlan, PolicyError> {
    let shown = things.iter().map(|thing| thing.shown.clone()).collect();
    let transcript = Transcript::new(shown).map_err(InvalidValue::from)?;
    let stand_ins = things.iter().map(|thing| thing.is_stand_in).collect();
    let originals = things.iter().enumerate();
    let originals = originals.filter_map(|(place, thing)| Some((place, thing.original.clone()?))).collect();
    let survey = Survey::continuing(&transcript, survey.budget(), stand_ins)?.with_originals(originals);
    Ok(CompactionPlan::check(member.propose(&survey)?, &survey)?)
}

impl SlowChain {
    /// Where the goal is not reached and a locked turn costs more than some member alone would leave it at: what a
    /// member alone makes shorter, or all that it does where that reaches the goal.
    fn keep_promise(&self, survey: &Survey<'_>, things: &mut Vec<Thing>, named: &mut usize) {
        let tokens: u64 = things.iter().map(|thing| thing.shown.token_estimate()).sum();
        let Some(goal) = survey.goal().filter(|goal| tokens > *goal) else { return };
        let mut promised = survey.locked_costs();
        self.lower_locked(survey, &mut promised);
        let cost_at = |things: &[Thing], at: usize| {
            let alone = things.iter().find(|thing| thing.behind == [at]);
            alone.map_or(0, |thing| thing.shown.token_estimate())
        };
        if promised.iter().all(|(at, cost)| cost_at(things, at) <= cost) {
            return;
        }
        for member in &self.members {
            let Ok(plan) = plan_for(member, &things_of(survey), survey) else { continue };
            if plan.tokens_after_estimate() <= goal {
                *things = self.after(&things_of(survey), &plan, named);
                return;
            }
            for (at, _) in promised.iter().filter(|(at, _)| !survey.is_stand_in(*at)) {
                let action = &plan.actions()[at].action;
                let cost = match action {
                    Action::Mask(stub) => stub.token_estimate,
                    Action::Trim(trim) => trim.token_estimate,
                    _ => continue,
                };
                let thing = things.iter_mut().find(|thing| thing.behind == [at]).unwrap();
                if cost < thing.shown.token_estimate() {
                    thing.shown = thing.shown.clone().with_content("", cost);
                    (thing.action, thing.ratio) = (action.clone(), plan.estimator_ratio());
                }
            }
        }
    }

    fn after(&self, things: &[Thing], plan: &CompactionPlan, named: &mut usize) -> Vec<Thing> {
        let mut after: Vec<Thing> = Vec::new();
        for (thing, action) in things.iter().zip(plan.actions()) {
            match &action.action {
                Action::Drop => {}
                Action::Summarize { group } => {
                    let is_first =
                        plan.actions().iter().position(|other| other.action.group() == Some(group))
                            == things.iter().position(|other| other.behind == thing.behind);
                    if is_first {
                        after.push(self.group(things, plan, group, named));
                    }
                }
                shortened => after.push(shorten(thing, shortened, plan.estimator_ratio())),
            }
        }
        after
    }

    fn group(&self, things: &[Thing], plan: &CompactionPlan, group: &Arc<str>, named: &mut usize) -> Thing {
        let inside =
            things.iter().zip(plan.actions()).filter(|(_, action)| action.action.group() == Some(group));
        let mut behind: Vec<usize> = inside.flat_map(|(thing, _)| thing.behind.clone()).collect();
        behind.sort_unstable();
        let request =
            plan.summarization_requests().iter().find(|request| request.group_id() == group).unwrap();
        *named += 1;
        let id = format!("slow {} {named}", self.depth);
        Thing {
            shown: TranscriptTurn::new(id, Role::Assistant, "", request.target_tokens()).unwrap(),
            behind,
            prompt: Some(request.prompt_id().clone()),
            is_stand_in: true,
            original: None,
            origins: Vec::new(),
            action: Action::Keep,
            ratio: None,
        }
    }

    fn draft(&self, survey: &Survey<'_>, things: &[Thing]) -> Result<PlanDraft, InvalidValue> {
        let ids = |positions: &[usize]| -> Vec<Arc<str>> {
            positions.iter().map(|position| survey.turns()[*position].turn_id().clone()).collect()
        };
        let action_at = |position: usize| match things.iter().find(|thing| thing.behind.contains(&position)) {
            None => Action::Drop,
            Some(thing) if thing.prompt.is_some() => {
                Action::Summarize { group: thing.shown.turn_id().clone() }
            }
            Some(thing) => thing.action.clone(),
        };
        let mut requests: Vec<(usize, SummarizationRequest)> = Vec::new();
        for thing in things {
            let Some(prompt) = thing.prompt.clone() else { continue };
            let (id, target) = (thing.shown.turn_id().clone(), thing.shown.token_estimate());
            let request = SummarizationRequest::new(id, ids(&thing.behind), target, prompt)?;
            requests.push((thing.behind[0], request));
        }
        requests.sort_by_key(|(first, _)| *first);
        let turns = survey.turns().iter().enumerate();
        let actions = turns.map(|(at, turn)| TurnAction::new(turn.turn_id().clone(), action_at(at)));
        Ok(PlanDraft::new(self.name(), self.version(), actions.collect())
            .with_requests(requests.into_iter().map(|(_, request)| request).collect())
            .with_estimator_ratio(common_ratio(things)))
    }
}

fn shorten(thing: &Thing, action: &Action, ratio: Option<f64>) -> Thing {
    let mut thing = thing.clone();
    match action {
        Action::Mask(stub) if !thing.is_stand_in => {
            thing.shown = thing.shown.with_content(stub.content.clone(), stub.token_estimate);
            (thing.action, thing.ratio) = (action.clone(), ratio);
        }
        Action::Trim(trim) if !thing.is_stand_in && !matches!(thing.action, Action::Mask(_)) => {
            return trimmed(&thing, trim).unwrap_or(thing);
        }
        _ => {}
    }
    thing
}

/// Goes over what is shown byte by byte; nothing where only marks would stay. The scripts keep one range.
fn trimmed(thing: &Thing, trim: &Trim) -> Option<Thing> {
    let range = trim.kept[0].ranges[0].clone();
    let stays = |at: &usize| range.contains(at);
    let content = thing.shown.content();
    let origins: Vec<Option<usize>> = (0..content.len()).filter(stays).map(|at| thing.origins[at]).collect();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for origin in origins.iter().flatten() {
        match ranges.last_mut().filter(|last| last.end == *origin) {
            Some(last) => last.end += 1,
            None => ranges.push(*origin..*origin + 1),
        }
    }
    if ranges.is_empty() {
        return None;
    }
    let mut cut = thing.clone();
    let text = [content.get(range.clone()).unwrap(), "\n…"].concat();
    cut.origins =
        origins.into_iter().chain(["\n…".len()].into_iter().flat_map(|length| vec![None; length])).collect();
    cut.shown = cut.shown.with_content(text, trim.token_estimate);
    cut.action = Action::Trim(Trim::new(vec![KeptPart::new(0, ranges)], trim.token_estimate));
    Some(cut)
}

fn common_ratio(things: &[Thing]) -> Option<f64> {
    let masked =
        things.iter().filter(|thing| matches!(thing.action, Action::Mask(_)) && thing.prompt.is_none());
    let mut ratios: Vec<Option<u64>> = masked.map(|thing| thing.ratio.map(f64::to_bits)).collect();
    ratios.dedup();
    if ratios.len() == 1 { ratios[0].map(f64::from_bits) } else { None }
}
