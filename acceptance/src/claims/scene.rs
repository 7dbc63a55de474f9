//! The session that the claims are checked on, and what is done with it.

use super::Failure;
use cutctx_exec::{Applied, CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, CompactionPolicy, Survey};
use cutctx_policies::{
    BoxedPolicy, DropOldestPolicy, ObservationMaskingPolicy, PolicyChain, SummarizingPolicy, default_chain,
};
use cutctx_types::{CharRatioEstimator, CompactionBudget, Role, TokenEstimator, Transcript, TranscriptTurn};

/// How many rounds the session has.
pub(crate) const ROUNDS: usize = 12;

/// The prompt that summaries are asked for with.
const PROMPT: &str = "summary-prompt-1";

/// A turn whose cost is estimated from its text.
pub(crate) fn turn(
    id: impl Into<String>,
    role: Role,
    text: impl Into<String>,
) -> Result<TranscriptTurn, Failure> {
    let text = text.into();
    let tokens = CharRatioEstimator::default().estimate(&text);
    Ok(TranscriptTurn::new(id.into(), role, text, tokens)?)
}

/// What happens in one round: a question, a call, its result, an answer.
pub(crate) fn round(number: usize) -> Result<[TranscriptTurn; 4], Failure> {
    let call = format!("call-{number}");
    let listing = format!("src/part_{number}.rs: fn länge() -> usize {{ {number} }}\n").repeat(12);
    Ok([
        turn(format!("u{number}"), Role::User, format!("Why does test {number} fail? Please look closely."))?,
        turn(format!("a{number}"), Role::Assistant, format!("read_file part_{number}.rs"))?
            .with_tool_call_id(call.clone()),
        turn(format!("t{number}"), Role::Tool, listing)?.with_tool_call_id(call).with_tool_name("read_file"),
        turn(format!("r{number}"), Role::Assistant, format!("It compares lengths off by {number}; fixed."))?,
    ])
}

/// A system turn, a pinned order, and [`ROUNDS`] rounds.
pub(crate) fn session() -> Result<Transcript, Failure> {
    let mut turns = vec![
        turn("sys", Role::System, "You repair a program. Answer briefly.")?,
        turn("pin", Role::User, "Never touch the folder `vendor`.")?.with_pinned(true),
    ];
    for number in 0..ROUNDS {
        turns.extend(round(number)?);
    }
    Ok(Transcript::new(turns)?)
}

/// Budgets from hardly any pressure to hardly any room.
pub(crate) fn budgets(transcript: &Transcript) -> Vec<CompactionBudget> {
    let percent = |share: u64| transcript.token_estimate().saturating_mul(share) / 100;
    [95, 70, 50, 30, 20].into_iter().map(|share| CompactionBudget::new(percent(share))).collect()
}

/// The budget for claims about one plan.
pub(crate) fn tight(transcript: &Transcript) -> CompactionBudget {
    CompactionBudget::new(transcript.token_estimate() / 5)
}

/// The policies that can meet a budget, each in its own way.
pub(crate) fn policies() -> Result<Vec<BoxedPolicy>, Failure> {
    let masking = || Box::new(ObservationMaskingPolicy::new());
    Ok(vec![
        Box::new(DropOldestPolicy::new()),
        Box::new(PolicyChain::new(vec![masking(), Box::new(DropOldestPolicy::new())])?),
        Box::new(default_chain(PROMPT)?),
    ])
}

/// A policy that folds what it can.
pub(crate) fn summarizing() -> Result<SummarizingPolicy, Failure> {
    Ok(SummarizingPolicy::new(PROMPT)?)
}

/// A plan of the default chain.
pub(crate) fn plan(transcript: &Transcript, budget: &CompactionBudget) -> Result<CompactionPlan, Failure> {
    Ok(default_chain(PROMPT)?.decide(transcript, budget)?)
}

/// A plan with at least one summary.
pub(crate) fn folding_plan(transcript: &Transcript) -> Result<CompactionPlan, Failure> {
    let budget = CompactionBudget::new(transcript.token_estimate() / 2);
    let plan = summarizing()?.decide(transcript, &budget)?;
    if plan.summarization_requests().is_empty() {
        return Err("the plan asks for no summary".into());
    }
    Ok(plan)
}

/// Does what an application does with a model: each summary is written within its target.
pub(crate) fn fulfil(plan: &CompactionPlan) -> Summaries {
    let requests = plan.summarization_requests().iter();
    requests.map(|request| (request.group_id().clone(), written(request.target_tokens()))).collect()
}

/// A text of at most this many tokens.
fn written(tokens: u64) -> String {
    "They read a file and fixed a test. ".chars().cycle().take(usize::try_from(tokens).unwrap_or(0)).collect()
}

/// Plan, fulfil, apply.
pub(crate) fn applied(transcript: &Transcript, plan: &CompactionPlan) -> Result<Applied, Failure> {
    Ok(CompactionExecutor::new().apply(transcript, plan, &fulfil(plan))?)
}

/// Every policy under every budget whose locked floor fits.
pub(crate) fn each_plan(
    mut check: impl FnMut(&Survey<'_>, &CompactionPlan) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let transcript = session()?;
    for budget in budgets(&transcript) {
        let survey = Survey::new(&transcript, &budget)?;
        for policy in policies()? {
            check(&survey, &policy.decide(&transcript, &budget)?)?;
        }
    }
    Ok(())
}
