//! How much may be kept.

use super::tokens;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use clap::Args;
use cutctx::{CompactionBudget, PolicySpec, Reserved};

/// The budget.
#[derive(Debug, Clone, Args)]
pub(crate) struct BudgetArguments {
    /// The most that may be kept, in tokens (`4000`, `100k`, `1m`).
    #[arg(long, value_name = "N", value_parser = tokens::parse, allow_negative_numbers = true,
          help_heading = "Budget")]
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
    /// Where what must stay is above the budget, cut long texts of the last turns, and of the first and last words of a
    /// person, to their beginning and their end: what tools answered first, what was said where that is not enough. System
    /// turns and what --pin names stay whole.
    #[arg(long, help_heading = "Budget")]
    clip_active: bool,
    /// Keep this many tokens of --max-tokens free for the model's answer.
    #[arg(long, value_name = "N", value_parser = tokens::parse, help_heading = "Budget")]
    reserve_output: Option<u64>,
    /// Take this many tokens off --max-tokens for what every request has besides the session: a system prompt, the
    /// definitions of tools. `auto` counts the tools of a request, or takes what is left of the provider's counts.
    #[arg(long, value_name = "N|auto", value_parser = overhead, help_heading = "Budget")]
    overhead: Option<Overhead>,
}

/// What every request has besides the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overhead {
    /// In tokens.
    Tokens(u64),
    /// As the session tells it.
    Auto,
}

pub(super) fn overhead(text: &str) -> Result<Overhead, String> {
    if text == "auto" {
        return Ok(Overhead::Auto);
    }
    let or = |message: String| format!("{message}, or auto");
    tokens::parse(text).map(Overhead::Tokens).map_err(or)
}

/// What a transcript may take, and what was taken off before.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// What the transcript may take.
    pub(crate) budget: CompactionBudget,
    /// What is not for the transcript.
    pub(crate) reserved: Reserved,
}

impl BudgetArguments {
    /// What every request has besides, in tokens, where the command line says it.
    pub(crate) const fn declared_overhead(&self) -> Option<u64> {
        match self.more.overhead {
            Some(Overhead::Tokens(tokens)) => Some(tokens),
            Some(Overhead::Auto) | None => None,
        }
    }

    /// The policy, with what this budget permits it.
    pub(crate) fn permit(&self, policy: PolicySpec) -> PolicySpec {
        let clips = matches!(policy, PolicySpec::ClipActive(_));
        if self.more.clip_active && !clips { PolicySpec::clip_active(policy) } else { policy }
    }

    /// The budget of a session's turns.
    pub(crate) fn window(&self, loaded: &Loaded) -> Result<Window, Failure> {
        let overhead = match self.more.overhead {
            Some(Overhead::Auto) => Some(told_overhead(loaded)?),
            Some(Overhead::Tokens(_)) | None => self.declared_overhead(),
        };
        let reserved = Reserved::new(self.more.reserve_output, overhead);
        let rest = |tokens: u64| {
            tokens.checked_sub(reserved.total()).ok_or_else(|| {
                let message = "the output reserve and the overhead leave nothing of the budget";
                Failure::usage(message, format!("they take {} tokens; raise --max-tokens", reserved.total()))
            })
        };
        let target = self.more.target_tokens.map(rest).transpose()?;
        let budget = budget_of(rest(self.max_tokens)?, self.more.protect_turns, target)?;
        Ok(Window { budget: budget.with_clip_active(self.more.clip_active), reserved })
    }
}

/// What a session tells of the tools and the prompt that are no turns of it, in tokens.
pub(super) fn told_overhead(loaded: &Loaded) -> Result<u64, Failure> {
    let (counting, tools) = (loaded.counting(), loaded.session().declared_tools());
    if !tools.is_empty() {
        return Ok(counting.scale().tokens(counting.counter().tools(&tools)));
    }
    let fixed = counting.anchored.as_ref().map(|anchored| anchored.fixed.tokens());
    let reason = match fixed {
        Ok(Some(tokens)) => return Ok(tokens),
        Ok(None) => "results were masked since the newest count".to_owned(),
        Err(reason) => reason.to_string(),
    };
    let message = format!("the session does not tell its overhead: {reason}");
    Err(Failure::new(Exit::Refused, "NO_ANCHOR", message)
        .file(loaded.input().path())
        .remedy("give --overhead in tokens, or leave it out"))
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

fn budget_of(max_tokens: u64, protected: u64, target: Option<u64>) -> Result<CompactionBudget, Failure> {
    let budget = CompactionBudget::new(max_tokens).with_protected_recent_turns(protected);
    let Some(target) = target else { return Ok(budget) };
    let remedy = "give a --target-tokens of at most --max-tokens";
    budget.with_target(target).map_err(|error| Failure::usage(error.to_string(), remedy))
}
