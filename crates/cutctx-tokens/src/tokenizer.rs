//! A counter of tokens, chosen by name.

use alloc::borrow::Cow;
#[cfg(feature = "huggingface")]
use alloc::sync::Arc;
use core::fmt;

use cutctx_types::{CharRatioEstimator, TokenEstimator};

use crate::accuracy::{Accuracy, Estimate};
use crate::error::TokenizerError;
#[cfg(feature = "openai")]
use crate::exact::Encoding;
use crate::family::Family;
use crate::heuristic::Heuristic;
#[cfg(feature = "huggingface")]
use crate::huggingface::TokenizerFile;
use crate::models::{self, Counter};

/// Counts the tokens of texts: exactly where the vocabulary is known, by rule of thumb where it is not.
///
/// ```
/// use cutctx_tokens::Tokenizer;
/// use cutctx_types::TokenEstimator;
///
/// let tokenizer = Tokenizer::named("claude-sonnet-4-5")?;
/// assert_eq!(tokenizer.name(), "heuristic:anthropic");
/// assert!(tokenizer.accuracy().p95 > 0);
/// assert!(Tokenizer::named("gpt-4u").is_err());
/// # Ok::<(), cutctx_tokens::TokenizerError>(())
/// ```
#[derive(Clone)]
pub struct Tokenizer {
    engine: Engine,
    /// Whose framing goes with it, where the name tells.
    family: Option<Family>,
}

#[derive(Clone)]
enum Engine {
    #[cfg(feature = "openai")]
    Exact(Encoding),
    Heuristic(Heuristic),
    Ratio(CharRatioEstimator),
    #[cfg(feature = "huggingface")]
    File(Arc<TokenizerFile>),
}

impl Tokenizer {
    /// What names may be: these, or the full name of a model that begins like one of them.
    pub const NAMES: &[&str] = &[
        "gpt-4o",
        "gpt-4.1",
        "gpt-5",
        "o1",
        "o3",
        "o4",
        "gpt-oss",
        "gpt-4",
        "gpt-3.5",
        "claude",
        "gemini",
        "gemma",
        "openai",
        "anthropic",
        "google",
        "o200k_base",
        "o200k_harmony",
        "cl100k_base",
        "p50k_base",
        "r50k_base",
        "heuristic:openai",
        "heuristic:anthropic",
        "heuristic:google",
        "chars/N",
        "file:PATH",
    ];

    /// The tokenizer for a model, a family or a vocabulary of this name; `chars/N` for a token every `N` characters;
    /// `file:PATH` for a `tokenizer.json`.
    ///
    /// # Errors
    ///
    /// [`TokenizerError`] when nothing is called so, when its vocabulary is not in this build, when the ratio is no
    /// usable number, or when the file cannot be used.
    pub fn named(name: &str) -> Result<Self, TokenizerError> {
        if let Some(ratio) = name.strip_prefix("chars/") {
            return Self::of_ratio(ratio, name);
        }
        if let Some(path) = name.strip_prefix("file:") {
            return Self::of_file(path, name);
        }
        let counter = models::counter(name).ok_or_else(|| TokenizerError::Unknown { name: name.into() })?;
        Self::of_counter(counter, name)
    }

    fn of_ratio(ratio: &str, name: &str) -> Result<Self, TokenizerError> {
        let ratio = ratio.parse().map_err(|_| TokenizerError::Unknown { name: name.into() })?;
        Ok(Self { engine: Engine::Ratio(CharRatioEstimator::new(ratio)?), family: None })
    }

    #[cfg(feature = "huggingface")]
    fn of_file(path: &str, _: &str) -> Result<Self, TokenizerError> {
        Ok(Self { engine: Engine::File(Arc::new(TokenizerFile::open(path)?)), family: None })
    }

    #[cfg(not(feature = "huggingface"))]
    fn of_file(_: &str, name: &str) -> Result<Self, TokenizerError> {
        Err(TokenizerError::NotBuilt { name: name.into(), feature: "huggingface" })
    }

    fn of_counter(counter: Counter, name: &str) -> Result<Self, TokenizerError> {
        match counter {
            Counter::Vocabulary(vocabulary, feature) => of_vocabulary(vocabulary)
                .ok_or_else(|| TokenizerError::NotBuilt { name: name.into(), feature }),
            Counter::Heuristic(family) => Ok(Heuristic::new(family).into()),
        }
    }

    /// Whose models it counts for, where its name tells.
    #[must_use]
    pub const fn family(&self) -> Option<Family> {
        self.family
    }

    /// Whether it counts what a model is billed, and does not estimate.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        match &self.engine {
            #[cfg(feature = "openai")]
            Engine::Exact(_) => true,
            Engine::Heuristic(_) | Engine::Ratio(_) => false,
            #[cfg(feature = "huggingface")]
            Engine::File(_) => true,
        }
    }

    /// How far it was off where the truth was known.
    #[must_use]
    pub const fn accuracy(&self) -> Accuracy {
        match &self.engine {
            #[cfg(feature = "openai")]
            Engine::Exact(_) => Accuracy::EXACT,
            Engine::Heuristic(heuristic) => heuristic.accuracy(),
            Engine::Ratio(_) => CHARS_OVER_FOUR,
            #[cfg(feature = "huggingface")]
            Engine::File(_) => Accuracy::EXACT,
        }
    }

    /// The tokens of a text with how far that may be off.
    #[must_use]
    pub fn measure(&self, text: &str) -> Estimate {
        self.accuracy().estimate(self.estimate(text))
    }
}

/// Of four characters a token; other ratios are no better.
const CHARS_OVER_FOUR: Accuracy = Accuracy {
    mean: 479,
    p95: 640,
    lowest: 90,
    basis: "o200k_base over own texts of 80 kinds and the texts of real sessions, at four characters a token",
};

#[cfg(feature = "openai")]
fn of_vocabulary(name: &str) -> Option<Tokenizer> {
    Encoding::ALL.iter().find(|encoding| encoding.name() == name).map(|encoding| (*encoding).into())
}

#[cfg(not(feature = "openai"))]
const fn of_vocabulary(_: &str) -> Option<Tokenizer> {
    None
}

#[cfg(feature = "openai")]
impl From<Encoding> for Tokenizer {
    fn from(encoding: Encoding) -> Self {
        Self { engine: Engine::Exact(encoding), family: Some(Family::OpenAi) }
    }
}

impl From<Heuristic> for Tokenizer {
    fn from(heuristic: Heuristic) -> Self {
        Self { family: Some(heuristic.family()), engine: Engine::Heuristic(heuristic) }
    }
}

impl From<CharRatioEstimator> for Tokenizer {
    fn from(ratio: CharRatioEstimator) -> Self {
        Self { engine: Engine::Ratio(ratio), family: None }
    }
}

#[cfg(feature = "huggingface")]
impl From<TokenizerFile> for Tokenizer {
    fn from(file: TokenizerFile) -> Self {
        Self { engine: Engine::File(Arc::new(file)), family: None }
    }
}

impl TokenEstimator for Tokenizer {
    fn estimate(&self, text: &str) -> u64 {
        match &self.engine {
            #[cfg(feature = "openai")]
            Engine::Exact(encoding) => encoding.count(text),
            Engine::Heuristic(heuristic) => heuristic.estimate(text),
            Engine::Ratio(ratio) => ratio.estimate(text),
            #[cfg(feature = "huggingface")]
            Engine::File(file) => file.count(text),
        }
    }

    fn name(&self) -> Cow<'_, str> {
        match &self.engine {
            #[cfg(feature = "openai")]
            Engine::Exact(encoding) => Cow::Borrowed(encoding.name()),
            Engine::Heuristic(heuristic) => Cow::Owned(heuristic.name().into_owned()),
            Engine::Ratio(ratio) => Cow::Owned(ratio.name().into_owned()),
            #[cfg(feature = "huggingface")]
            Engine::File(file) => Cow::Borrowed(file.name()),
        }
    }

    fn ratio(&self) -> Option<f64> {
        match &self.engine {
            Engine::Ratio(ratio) => ratio.ratio(),
            #[cfg(feature = "openai")]
            Engine::Exact(_) => None,
            Engine::Heuristic(_) => None,
            #[cfg(feature = "huggingface")]
            Engine::File(_) => None,
        }
    }
}

impl fmt::Debug for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tokenizer").field(&self.name()).finish()
    }
}
