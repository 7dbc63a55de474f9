//! How much may be kept.

use super::tokens;
use crate::failure::Failure;
use clap::Args;
use cutctx::CompactionBudget;

/// The budget.
#[derive(Debug, Clone, Args)]
pub(crate) struct BudgetArguments {
    /// The most that may be kept, in tokens (`4000`, `100k`, `1m`).
    #[arg(long, value_name = "N", value_parser = tokens::parse, help_heading = "Budget")]
    pub(crate) max_tokens: u64,
    #[command(flatten)]
    pub(crate) more: MoreBudgetArguments,
}

/// What a budget may say beside its maximum.
#[derive(Debug, Clone, Args)]
pub(crate) struct MoreBudgetArguments {
    /// How far down to go once the budget is exceeded, in tokens, so that the next compaction is a while away.
    #[arg(long, value_name = "N", value_parser = tokens::parse, help_heading = "Budget")]
    target_tokens: Option<u64>,
    /// How many turns at the end stay as they are.
    #[arg(long, value_name = "K", default_value_t = 4, help_heading = "Budget")]
    protect_turns: u64,
}

impl BudgetArguments {
    /// The budget.
    pub(crate) fn budget(&self) -> Result<CompactionBudget, Failure> {
        budget_of(self.max_tokens, &self.more)
    }
}

/// A budget that stands beside a plan without one of its own.
#[derive(Debug, Clone, Args)]
pub(crate) struct OptionalBudgetArguments {
    /// The budget of a bare plan, which has none of its own, in tokens.
    #[arg(long, value_name = "N", value_parser = tokens::parse, help_heading = "Budget of a bare plan")]
    max_tokens: Option<u64>,
    /// The protected turns of a bare plan.
    #[arg(
        long,
        value_name = "K",
        requires = "max_tokens",
        default_value_t = 4,
        help_heading = "Budget of a bare plan"
    )]
    protect_turns: u64,
}

impl OptionalBudgetArguments {
    /// The budget, if one was given.
    pub(crate) fn budget(&self) -> Option<CompactionBudget> {
        let protected = self.protect_turns;
        self.max_tokens.map(|max| CompactionBudget::new(max).with_protected_recent_turns(protected))
    }
}

fn budget_of(max_tokens: u64, more: &MoreBudgetArguments) -> Result<CompactionBudget, Failure> {
    let budget = CompactionBudget::new(max_tokens).with_protected_recent_turns(more.protect_turns);
    let Some(target) = more.target_tokens else { return Ok(budget) };
    let remedy = "give a --target-tokens of at most --max-tokens";
    budget.with_target(target).map_err(|error| Failure::usage(error.to_string(), remedy))
}
