//! Who writes summaries.

use clap::Args;
use core::str::FromStr;

/// Who writes the summaries that a policy asks for.
#[derive(Debug, Clone, Args)]
pub(crate) struct SummarizerArguments {
    /// Who writes the summaries that the policy asks for: `extract` (heads and tails of the turns, without a model),
    /// `openai:MODEL`, `anthropic:MODEL`, `command:LINE` (a shell line: instructions and turns on standard input, the
    /// summary on standard output), or `none` (the plan is written, the exit code is 5, and you fulfil it).
    #[arg(
        long,
        value_name = "WHO",
        default_value = "extract",
        conflicts_with = "summaries",
        help_heading = "Summaries"
    )]
    pub(crate) summarizer: SummarizerChoice,
    #[command(flatten)]
    pub(crate) server: ServerArguments,
    /// How many summaries are asked for at once.
    #[arg(long, value_name = "N", default_value_t = 2, help_heading = "Summaries")]
    pub(crate) summarizer_calls: usize,
    /// Only say how many summaries would be asked for, and of how many tokens. Nothing is sent and nothing written.
    #[arg(long, help_heading = "Summaries")]
    pub(crate) dry_run: bool,
}

/// Where a model is asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServerArguments {
    /// Another server that speaks the provider's interface, with the version in its path:
    /// `http://localhost:11434/v1`. OpenAI's interface is then the one of chat completions, which most servers know.
    #[arg(long, value_name = "URL", help_heading = "Summaries")]
    pub(crate) summarizer_url: Option<String>,
    /// The environment variable that holds the key; `OPENAI_API_KEY` or `ANTHROPIC_API_KEY` without. Servers on another
    /// address need none.
    #[arg(long, value_name = "VARIABLE", help_heading = "Summaries")]
    pub(crate) summarizer_key: Option<String>,
}

/// Who writes summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SummarizerChoice {
    None,
    Extract,
    OpenAi(String),
    Anthropic(String),
    Command(String),
}

impl FromStr for SummarizerChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (who, what) = text.split_once(':').map_or((text, None), |(who, what)| (who, Some(what.trim())));
        let named = what.filter(|what| !what.is_empty()).map(str::to_owned);
        match (who, named) {
            ("none", None) if what.is_none() => Ok(Self::None),
            ("extract", None) if what.is_none() => Ok(Self::Extract),
            ("openai", Some(model)) => Ok(Self::OpenAi(model)),
            ("anthropic", Some(model)) => Ok(Self::Anthropic(model)),
            ("command", Some(line)) => Ok(Self::Command(line)),
            ("openai" | "anthropic", None) => Err(format!("name the model, as in `{who}:MODEL`")),
            ("command", None) => Err("name the program, as in `command:LINE`".to_owned()),
            _ => Err("expected extract, openai:MODEL, anthropic:MODEL, command:LINE or none".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_can_be_written() {
        let cases = [
            ("none", SummarizerChoice::None),
            ("extract", SummarizerChoice::Extract),
            ("openai:gpt-x", SummarizerChoice::OpenAi("gpt-x".into())),
            ("openai:org/model:8b", SummarizerChoice::OpenAi("org/model:8b".into())),
            ("anthropic:claude-x", SummarizerChoice::Anthropic("claude-x".into())),
            ("command:sh -c 'a: b'", SummarizerChoice::Command("sh -c 'a: b'".into())),
        ];
        for (text, choice) in cases {
            assert_eq!(text.parse(), Ok(choice));
        }
        for text in ["", "openai", "openai:", "anthropic: ", "command", "extract:x", "none:x", "gpt-x"] {
            assert!(text.parse::<SummarizerChoice>().is_err(), "{text}");
        }
    }
}
