//! Between which marks a context is kept.

use super::budget::{Overhead, overhead, told_overhead};
use super::{parse_tokens, size};
use crate::failure::Failure;
use crate::loaded::Loaded;
use clap::Args;
use cutctx::context::BudgetedContextSettings;
use cutctx::messages::CleanText;
use cutctx_eval::Limit;

/// The window of a model, and the marks in it.
#[derive(Debug, Clone, Args)]
pub(crate) struct WindowArguments {
    /// The model's window, in tokens (`200k`, `1m`): what a request and its answer may take together.
    #[arg(long, value_name = "N", value_parser = parse_tokens, allow_negative_numbers = true,
          help_heading = "Window")]
    window: u64,
    /// Keep this many tokens of it free for the answer; an eighth without this.
    #[arg(long, value_name = "N", value_parser = parse_tokens, help_heading = "Window")]
    reserve_output: Option<u64>,
    /// What every request has besides the session (a system prompt, the definitions of tools), in tokens. `auto` counts
    /// the tools of a request, or takes what is left of the provider's counts.
    #[arg(long, value_name = "N|auto", value_parser = overhead, help_heading = "Window")]
    overhead: Option<Overhead>,
    /// Compact when the context is above this: tokens, or a share of what the input may take; four fifths without this.
    #[arg(long, value_name = "N|SHARE", value_parser = size::parse, help_heading = "Window")]
    high: Option<Limit>,
    /// Compact down to this: tokens, or a share of what the input may take; a half without this. The further down, the
    /// longer the next compaction is away.
    #[arg(long, value_name = "N|SHARE", value_parser = size::parse, help_heading = "Window")]
    low: Option<Limit>,
    /// How many messages at the end stay as they are, as far as they take no more than half of the low mark.
    #[arg(long, value_name = "K", default_value_t = 8, help_heading = "Window")]
    protect_messages: usize,
    /// Where the last message of a person alone is too large, show its beginning and its end, and so of other messages
    /// that must stay. Without this only long results and arguments of calls are cut, and a message that is too large is
    /// reported.
    #[arg(long, help_heading = "Window")]
    clip_active: bool,
    /// Compact now, whether the context is above the high mark or not.
    #[arg(long, help_heading = "Window")]
    pub(crate) compact_now: bool,
    /// The provider refused the last request because it was too long: correct the estimate and compact.
    #[arg(long, help_heading = "Window")]
    pub(crate) overflowed: bool,
    /// The name of this policy in the state, where one state is for several.
    #[arg(long, value_name = "NAME", help_heading = "State")]
    key: Option<String>,
}

const LEAST_SUMMARY_TOKENS: u64 = BudgetedContextSettings::LEAST_SUMMARY_TOKENS;

impl WindowArguments {
    /// The model's window, in tokens.
    pub(crate) const fn window(&self) -> u64 {
        self.window
    }

    /// What every request has besides, in tokens, where the command line says it.
    pub(crate) const fn declared_overhead(&self) -> Option<u64> {
        match self.overhead {
            Some(Overhead::Tokens(tokens)) => Some(tokens),
            Some(Overhead::Auto) | None => None,
        }
    }

    /// What every request has besides, in tokens.
    pub(crate) fn overhead(&self, loaded: &Loaded) -> Result<u64, Failure> {
        match self.overhead {
            Some(Overhead::Auto) => told_overhead(loaded),
            Some(Overhead::Tokens(tokens)) => Ok(tokens),
            None => Ok(0),
        }
    }

    /// The settings of the policy.
    pub(crate) fn settings(&self) -> Result<BudgetedContextSettings, Failure> {
        let usual = self.usual()?;
        let mark = |given: Option<Limit>, usual_mark: u64| {
            given.map_or(usual_mark, |given| given.of(usual.limit_tokens))
        };
        let (low, least) = (mark(self.low, usual.low_water_tokens), LEAST_SUMMARY_TOKENS);
        if low <= least {
            let message = format!("the low mark is {low} tokens and must be above {least}");
            return Err(Failure::usage(message, "raise --window or --low, or lower --reserve-output"));
        }
        Ok(BudgetedContextSettings {
            high_water_tokens: mark(self.high, usual.high_water_tokens),
            low_water_tokens: low,
            summary_tokens: usual.summary_tokens.min(low / 4).max(least),
            min_gain_tokens: usual.min_gain_tokens.max(1),
            protected_recent_messages: self.protect_messages,
            clip_active: self.clip_active,
            key: self.key.as_deref().map(key).transpose()?,
            ..usual
        })
    }

    /// The settings of a window of which so much is left to the answer.
    fn usual(&self) -> Result<BudgetedContextSettings, Failure> {
        let usual = match self.reserve_output {
            None => BudgetedContextSettings::for_window(self.window),
            Some(reserved) => BudgetedContextSettings::for_input(self.window.saturating_sub(reserved)),
        };
        if usual.limit_tokens == 0 {
            let message = "the output reserve leaves nothing of the window";
            return Err(Failure::usage(message, "lower --reserve-output, or raise --window"));
        }
        Ok(usual)
    }
}

fn key(name: &str) -> Result<CleanText, Failure> {
    CleanText::new(name).map_err(|_| {
        let message = "the key is blank or has white space around it";
        Failure::usage(message, "give --key a name")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        window: WindowArguments,
    }

    fn settings(line: &str) -> Result<BudgetedContextSettings, Failure> {
        let words = core::iter::once("x").chain(line.split_whitespace());
        Line::try_parse_from(words).unwrap().window.settings()
    }

    #[test]
    fn a_window_alone_has_the_marks_of_the_library() {
        for window in [1_000, 8_192, 200_000, 1_000_000] {
            let given = settings(&format!("--window {window}")).unwrap();
            assert_eq!(given, BudgetedContextSettings::for_window(window));
        }
    }

    #[test]
    fn marks_may_be_tokens_or_shares_of_what_is_left() {
        let given = settings("--window 100k --reserve-output 20k --high 90% --low 30k --key a").unwrap();
        assert_eq!((given.limit_tokens, given.high_water_tokens), (80_000, 72_000));
        assert_eq!((given.low_water_tokens, given.key.as_deref()), (30_000, Some("a")));
        assert!(settings("--window 1k --reserve-output 1k").is_err());
        for (line, is_wide_enough) in
            [("0", false), ("1", false), ("37", false), ("40", true), ("18446744073709551615", true)]
        {
            let given = settings(&format!("--window {line}"));
            let checked = given.is_ok_and(|given| cutctx::context::BudgetedContextPolicy::new(given).is_ok());
            assert_eq!(checked, is_wide_enough, "{line}");
        }
        assert!(key(" a").is_err() && key("").is_err());
    }
}
