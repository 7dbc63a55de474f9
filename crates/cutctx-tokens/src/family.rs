//! Whose models.

use core::fmt;

/// A provider whose tokenizer and framing are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// OpenAI: its vocabularies are public.
    OpenAi,
    /// Anthropic: the tokenizer is not public.
    Anthropic,
    /// Google: the Gemini models count as the open Gemma models do.
    Google,
}

impl Family {
    /// All of them.
    pub const ALL: &[Self] = &[Self::OpenAi, Self::Anthropic, Self::Google];

    /// Its name in the names of estimators.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
        }
    }

    /// The family of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|family| family.name() == name)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
