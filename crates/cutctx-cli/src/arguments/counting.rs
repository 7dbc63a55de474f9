//! How tokens are counted.

use clap::Args;

/// How tokens are counted.
#[derive(Debug, Clone, Args)]
pub(crate) struct CountingArguments {
    /// What counts tokens: a model (`claude-sonnet-4-5`), a vocabulary (`o200k_base`), a rule of thumb
    /// (`heuristic:google`), a ratio (`chars/4`), or any name that an output gave. `auto` takes the model that the
    /// session names, else the provider of its format. A stored plan is counted as it says itself.
    #[arg(long, value_name = "NAME", default_value = AUTO, help_heading = "Counting")]
    pub(crate) tokenizer: String,
    /// Scale the estimates to what the provider counted, where the session tells (`cutctx count` shows it). `context`
    /// begins with that count without being told.
    #[arg(long, overrides_with = "no_anchor", help_heading = "Counting")]
    anchor: bool,
    /// Leave out what the provider counted: the default everywhere but in `context`.
    #[arg(long, help_heading = "Counting")]
    no_anchor: bool,
}

/// Lets the session decide.
pub(crate) const AUTO: &str = "auto";

/// How the tokens of a session are to be counted.
#[derive(Debug, Clone)]
pub(crate) struct CountingChoice {
    /// The name of what counts; `None` lets the session decide.
    pub(crate) tokenizer: Option<String>,
    /// Whether estimates are scaled to what was counted.
    pub(crate) anchor: bool,
    /// Whether what providers counted is to be left out of everything.
    pub(crate) ignores_counts: bool,
    /// What every request has besides, in tokens, where the command line says it.
    pub(crate) overhead: Option<u64>,
}

impl CountingArguments {
    /// How to count.
    pub(crate) fn choice(&self) -> CountingChoice {
        let tokenizer = (self.tokenizer != AUTO).then(|| self.tokenizer.clone());
        let anchor = self.anchor && !self.no_anchor;
        CountingChoice { tokenizer, anchor, ignores_counts: self.no_anchor, overhead: None }
    }
}
