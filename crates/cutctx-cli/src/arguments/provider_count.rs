//! Which provider counts.

use clap::Args;
use core::str::FromStr;

/// Which provider counts, where one is to.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProviderCountArguments {
    /// Have the provider count, too: `anthropic:MODEL`, `openai:MODEL` or `google:MODEL`. This sends the session to it,
    /// in one request. Without it nothing is sent anywhere.
    #[arg(long, value_name = "WHO", conflicts_with = "csv", help_heading = "Counting by the provider")]
    pub(crate) count_with: Option<CounterChoice>,
    /// Another server that counts as the provider does, with the version in its path: `http://localhost:8080/v1`.
    #[arg(
        long = "count-url",
        value_name = "URL",
        requires = "count_with",
        help_heading = "Counting by the provider"
    )]
    pub(crate) url: Option<String>,
    /// The environment variable that holds the key; `ANTHROPIC_API_KEY`, `OPENAI_API_KEY` or `GEMINI_API_KEY` without.
    /// Servers on another address need none.
    #[arg(
        long = "count-key",
        value_name = "VARIABLE",
        requires = "count_with",
        help_heading = "Counting by the provider"
    )]
    pub(crate) key: Option<String>,
}

/// A provider and one of its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CounterChoice {
    pub(crate) provider: CountingProvider,
    pub(crate) model: String,
}

/// Who counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountingProvider {
    Anthropic,
    OpenAi,
    Google,
}

impl FromStr for CounterChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (who, model) = text.split_once(':').unwrap_or((text, ""));
        let provider = match who {
            "anthropic" => CountingProvider::Anthropic,
            "openai" => CountingProvider::OpenAi,
            "google" => CountingProvider::Google,
            _ => return Err("expected anthropic:MODEL, openai:MODEL or google:MODEL".to_owned()),
        };
        match model.trim() {
            "" => Err(format!("name the model, as in `{who}:MODEL`")),
            model => Ok(Self { provider, model: model.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_named_with_its_model() {
        for (text, provider, model) in [
            ("anthropic:claude-x", CountingProvider::Anthropic, "claude-x"),
            ("openai: gpt-x", CountingProvider::OpenAi, "gpt-x"),
            ("google:tunedModels/x:1", CountingProvider::Google, "tunedModels/x:1"),
        ] {
            assert_eq!(text.parse(), Ok(CounterChoice { provider, model: model.to_owned() }));
        }
        for text in ["", "anthropic", "openai:", "google: ", "gemini:x", "claude-x"] {
            assert!(text.parse::<CounterChoice>().is_err(), "{text}");
        }
    }
}
