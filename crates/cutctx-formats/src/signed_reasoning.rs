//! What becomes of signed reasoning when what stands before it changes.

use core::fmt;
use core::str::FromStr;

use crate::format::Dialect;

/// What becomes of signed reasoning behind the first change of a session, in turns that stay.
///
/// A signature vouches for reasoning; some services also take it as given after one certain prefix. No rule reaches the
/// turn that is still going on: there every provider wants signed reasoning back byte for byte. Of the turns before it
/// a rule takes the reasoning of whole turns of the conversation, from one thing said to the model to the next, so that
/// none keeps half of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "it stays, it stays unsigned, or it goes")]
pub enum SignedReasoning {
    /// It stays byte for byte.
    Keep,
    /// Its signature goes, and what was signed stays where the format has it without one; it goes where not.
    Strip,
    /// It goes.
    Drop,
}

impl SignedReasoning {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Keep, Self::Strip, Self::Drop];

    /// What the provider's own rules ask for. All of them sign the block alone and leave out by themselves what they do
    /// not want of earlier turns, so it stays.
    #[must_use]
    pub const fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Free
            | Dialect::OpenAiChat
            | Dialect::OpenAiResponses
            | Dialect::Anthropic
            | Dialect::Bedrock
            | Dialect::Gemini => Self::Keep,
        }
    }

    /// The word used in arguments and outputs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Strip => "strip",
            Self::Drop => "drop",
        }
    }
}

impl fmt::Display for SignedReasoning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is none of the rules for signed reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("signed reasoning is `keep`, `strip` or `drop`")]
#[non_exhaustive]
pub struct UnknownSignedReasoning;

impl FromStr for SignedReasoning {
    type Err = UnknownSignedReasoning;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|rule| rule.as_str() == word).ok_or(UnknownSignedReasoning)
    }
}
