//! The laws, one function each.

use super::apply::applied;
use super::disguise::{disguised, relabelled, shows_text, twin};
use super::verdict::{Verdict, decide, essence, outputs, summary};
use crate::plan::CompactionPlan;
use crate::policy::{CompactionPolicy, PolicyError};
use crate::strategy::Scenario;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use cutctx_types::{Action, CompactionBudget, Role, SummarizationRequest, TranscriptError};

/// What a law's check gives: nothing, or what was seen instead.
type Outcome = Result<(), String>;

/// A law that a policy keeps, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Law {
    /// The same scenario gets the same answer: asked twice, and asked about an equal copy.
    Deterministic,
    /// What the policy proposes is accepted by the rules.
    Accepted,
    /// There is a plan wherever the locked floor fits the budget.
    FloorIsEnough,
    /// The plan is for the transcript and the budget that were given, under the policy's own name and
    /// version.
    Faithful,
    /// The figures follow from the actions, and the claim about the budget from the figures.
    Figures,
    /// System turns, pinned turns and the protected tail are kept.
    Untouchable,
    /// No exchange is separated.
    WholeExchanges,
    /// The view is never larger than the transcript.
    NoGrowth,
    /// No text of a turn, not even one character, is in a plan, an error or a `Debug` output.
    NoText,
    /// Metadata does not matter.
    MetadataIsIgnored,
    /// A transcript that fits is left alone.
    FitsIsNoOp,
    /// A view that fits is left alone, and one that does not can be planned over again.
    Idempotent,
    /// The view fits wherever the locked floor does. Not a law for every policy: one that masks alone
    /// cannot keep it. See [`Conformance::with`](super::Conformance::with).
    MeetsBudget,
}

impl Law {
    /// The laws for every policy, in the order in which they are tried.
    pub const GENERAL: [Self; 12] = [
        Self::Deterministic,
        Self::Accepted,
        Self::FloorIsEnough,
        Self::Faithful,
        Self::Figures,
        Self::Untouchable,
        Self::WholeExchanges,
        Self::NoGrowth,
        Self::NoText,
        Self::MetadataIsIgnored,
        Self::FitsIsNoOp,
        Self::Idempotent,
    ];

    /// The law's name, in words joined by `-`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Accepted => "accepted",
            Self::FloorIsEnough => "floor-is-enough",
            Self::Faithful => "faithful",
            Self::Figures => "figures",
            Self::Untouchable => "untouchable",
            Self::WholeExchanges => "whole-exchanges",
            Self::NoGrowth => "no-growth",
            Self::NoText => "no-text",
            Self::MetadataIsIgnored => "metadata-is-ignored",
            Self::FitsIsNoOp => "fits-is-no-op",
            Self::Idempotent => "idempotent",
            Self::MeetsBudget => "meets-budget",
        }
    }

    /// Tries the law on one scenario.
    ///
    /// # Errors
    ///
    /// What was seen instead of what the law asks for.
    pub fn check(self, policy: &dyn CompactionPolicy, scenario: &Scenario) -> Result<(), String> {
        match self {
            Self::Deterministic => deterministic(policy, scenario),
            Self::Accepted => accepted(&decide(policy, scenario)),
            Self::FloorIsEnough => floor_is_enough(policy, scenario),
            Self::Faithful => with_plan(policy, scenario, |plan| faithful(policy, scenario, plan)),
            Self::Figures => with_plan(policy, scenario, |plan| figures(scenario, plan)),
            Self::Untouchable => with_plan(policy, scenario, |plan| untouchable(scenario, plan)),
            Self::WholeExchanges => with_plan(policy, scenario, |plan| whole_exchanges(scenario, plan)),
            Self::NoGrowth => with_plan(policy, scenario, no_growth),
            Self::NoText => no_text(policy, scenario),
            Self::MetadataIsIgnored => metadata_is_ignored(policy, scenario),
            Self::FitsIsNoOp => fits_is_no_op(policy, scenario),
            Self::Idempotent => with_plan(policy, scenario, |plan| idempotent(policy, scenario, plan)),
            Self::MeetsBudget => meets_budget(policy, scenario),
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Laws about plans say nothing where there is none.
fn with_plan(
    policy: &dyn CompactionPolicy,
    scenario: &Scenario,
    law: impl FnOnce(&CompactionPlan) -> Outcome,
) -> Outcome {
    decide(policy, scenario).map_or(Ok(()), |plan| law(&plan))
}

fn prepared(scenario: Result<Scenario, TranscriptError>) -> Result<Scenario, String> {
    scenario.map_err(|error| error.to_string())
}

fn deterministic(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let (first, second) = (decide(policy, scenario), decide(policy, scenario));
    same("asked twice", &first, &second)?;
    let copy = prepared(twin(scenario))?;
    same("asked about an equal copy", &first, &decide(policy, &copy))
}

fn same(when: &str, left: &Verdict, right: &Verdict) -> Outcome {
    ensure(essence(left) == essence(right), || {
        format!("{when}, it answers with {} and with {}", summary(left), summary(right))
    })
}

fn accepted(verdict: &Verdict) -> Outcome {
    match verdict {
        Err(PolicyError::Rejected(rejected)) => {
            Err(format!("its draft breaks the rule `{}`: {rejected}", rejected.first().rule()))
        }
        Ok(_) | Err(PolicyError::Unsatisfiable(_) | PolicyError::Invalid(_)) => Ok(()),
    }
}

fn locked_floor_fits(scenario: &Scenario) -> bool {
    let survey = scenario.survey();
    survey.is_ok_and(|survey| survey.floor().total() <= scenario.budget.max_tokens())
}

fn floor_is_enough(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let verdict = decide(policy, scenario);
    ensure(verdict.is_ok() || !locked_floor_fits(scenario), || {
        format!("the locked floor fits, yet there is no plan: {}", summary(&verdict))
    })
}

fn faithful(policy: &dyn CompactionPolicy, scenario: &Scenario, plan: &CompactionPlan) -> Outcome {
    ensure(*plan.transcript() == scenario.transcript, || "the plan is for another transcript".into())?;
    ensure(*plan.budget() == scenario.budget, || "the plan is for another budget".into())?;
    let signed = plan.policy_name() == policy.name() && plan.policy_version() == policy.version();
    ensure(signed, || {
        format!(
            "the plan is signed `{}` {}, the policy is `{}` {}",
            plan.policy_name(),
            plan.policy_version(),
            policy.name(),
            policy.version()
        )
    })
}

fn figures(scenario: &Scenario, plan: &CompactionPlan) -> Outcome {
    let turns = scenario.transcript.turns();
    let before: u128 = turns.iter().map(|turn| u128::from(turn.token_estimate())).sum();
    let retained = turns.iter().zip(plan.actions()).map(|(turn, action)| match &action.action {
        Action::Keep => turn.token_estimate(),
        Action::Mask(stub) => stub.token_estimate,
        Action::Trim(trim) => trim.token_estimate,
        Action::Summarize { .. } | Action::Drop => 0,
    });
    let targets = plan.summarization_requests().iter().map(SummarizationRequest::target_tokens);
    let after: u128 = retained.chain(targets).map(u128::from).sum();
    let unmet = after > u128::from(scenario.budget.max_tokens());
    let claims =
        (u128::from(plan.tokens_before()), u128::from(plan.tokens_after_estimate()), plan.budget_unmet());
    ensure(claims == (before, after, unmet), || {
        format!("before, after and over budget are {:?}, the plan says {claims:?}", (before, after, unmet))
    })
}

fn untouchable(scenario: &Scenario, plan: &CompactionPlan) -> Outcome {
    let turns = scenario.transcript.turns();
    let tail = scenario.budget.first_protected(turns.len());
    let touched = turns.iter().zip(plan.actions()).enumerate().find(|(position, (turn, action))| {
        let is_whole = turn.role() == Role::System || turn.pinned() && !turn.pinned_in_place();
        let may_clip = scenario.budget.clip_active() && !is_whole;
        let is_protected = is_whole || turn.pinned() || *position >= tail;
        match action.action {
            Action::Keep => false,
            Action::Trim(_) => is_protected && !may_clip,
            Action::Mask(_) | Action::Summarize { .. } | Action::Drop => is_protected,
        }
    });
    touched.map_or(Ok(()), |(_, (turn, action))| {
        Err(format!("the untouchable turn {:?} gets `{}`", turn.turn_id(), action.action.kind()))
    })
}

fn whole_exchanges(scenario: &Scenario, plan: &CompactionPlan) -> Outcome {
    let mut ways: BTreeMap<&str, (bool, Option<&str>)> = BTreeMap::new();
    for (turn, action) in scenario.transcript.turns().iter().zip(plan.actions()) {
        let Some(call) = turn.tool_call_id() else { continue };
        let way = (action.action.removes(), action.action.group().map(AsRef::as_ref));
        let other = *ways.entry(call).or_insert(way);
        ensure(other == way, || format!("the exchange of call {call:?} does not go one way"))?;
    }
    Ok(())
}

fn no_growth(plan: &CompactionPlan) -> Outcome {
    let (before, after) = (plan.tokens_before(), plan.tokens_after_estimate());
    ensure(after <= before, || format!("the view has {after} tokens, the transcript {before}"))
}

fn no_text(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let verdict = decide(policy, &prepared(disguised(scenario))?);
    let shown = outputs(&verdict).iter().any(|output| shows_text(output));
    ensure(!shown, || match verdict {
        Ok(_) => "text of a turn is in the plan or its debug output".into(),
        Err(_) => "text of a turn is in the error".into(),
    })
}

fn metadata_is_ignored(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let other = prepared(relabelled(scenario))?;
    same("with other metadata", &decide(policy, scenario), &decide(policy, &other))
}

fn is_no_op(plan: &CompactionPlan) -> bool {
    plan.actions().iter().all(|action| action.action == Action::Keep)
}

fn fits_is_no_op(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let total = scenario.transcript.token_estimate();
    let max = scenario.budget.max_tokens().max(total);
    let mut budget =
        CompactionBudget::new(max).with_protected_recent_turns(scenario.budget.protected_recent_turns());
    if let Some(Ok(targeted)) = scenario.budget.target_tokens().map(|target| budget.with_target(target)) {
        budget = targeted;
    }
    match decide(policy, &Scenario::new(scenario.transcript.clone(), budget)) {
        Ok(plan) => ensure(is_no_op(&plan), || format!("{total} tokens fit {max}, yet something is done")),
        Err(error) => Err(format!("{total} tokens fit {max}, yet there is no plan: {error}")),
    }
}

fn idempotent(policy: &dyn CompactionPolicy, scenario: &Scenario, plan: &CompactionPlan) -> Outcome {
    let view = applied(plan).map_err(|error| format!("the view is no transcript: {error}"))?;
    let fits = view.token_estimate() <= scenario.budget.max_tokens();
    match decide(policy, &Scenario::new(view, scenario.budget)) {
        Ok(again) => ensure(!fits || is_no_op(&again), || "the view fits, yet more is done".into()),
        Err(error) if fits => Err(format!("the view fits, yet there is no plan for it: {error}")),
        Err(PolicyError::Rejected(rejected)) => {
            Err(format!("planning the view again breaks rules: {rejected}"))
        }
        Err(PolicyError::Unsatisfiable(_) | PolicyError::Invalid(_)) => Ok(()),
    }
}

fn meets_budget(policy: &dyn CompactionPolicy, scenario: &Scenario) -> Outcome {
    let verdict = decide(policy, scenario);
    let met = verdict.as_ref().is_ok_and(|plan| !plan.budget_unmet());
    ensure(met || !locked_floor_fits(scenario), || {
        format!("the locked floor fits {}, yet it gives {}", scenario.budget.max_tokens(), summary(&verdict))
    })
}
