//! What cached tokens cost.

use crate::code::{Code, Coded, Details};
use serde::{Deserialize, Serialize};

/// The price of an input token that has nothing to do with a cache, in thousandths of itself.
const INPUT: u64 = 1_000;
/// The most that a price may be, in thousandths: a thousand times that of an input token.
const MOST: u64 = 1_000_000;

/// What a provider takes for tokens in and out of its prompt cache, in thousandths of the price of an input token.
///
/// Only ratios matter: an edit that pays back at one price a million tokens does so at any. Output tokens are left out,
/// since an edit does not change them.
///
/// ```
/// use cutctx_types::CachePrices;
/// let prices = CachePrices::new(100, 1_250)?.with_minimum_tokens(1_024);
/// assert_eq!(prices, CachePrices::ANTHROPIC);
/// // 9,000 tokens out of the cache and 1,000 that are new:
/// assert_eq!(prices.request_cost(9_000, 10_000), 9_000 * 100 + 1_000 * 1_250);
/// # Ok::<(), cutctx_types::CachePricesError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WirePrices")]
pub struct CachePrices {
    read: u64,
    write: u64,
    minimum_tokens: u64,
}

/// Prices as JSON spells them, unchecked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePrices {
    read: u64,
    write: u64,
    #[serde(default)]
    minimum_tokens: u64,
}

impl TryFrom<WirePrices> for CachePrices {
    type Error = CachePricesError;

    fn try_from(wire: WirePrices) -> Result<Self, CachePricesError> {
        Self::new(wire.read, wire.write).map(|prices| prices.with_minimum_tokens(wire.minimum_tokens))
    }
}

impl CachePrices {
    /// Claude models with the cache of five minutes: see [`CachePreset::Anthropic`].
    pub const ANTHROPIC: Self = Self { read: 100, write: 1_250, minimum_tokens: 1_024 };

    /// Prices in thousandths of that of an input token: of a token found in the cache, and of one that is written to
    /// it. There is no shortest prompt.
    ///
    /// # Errors
    ///
    /// [`CachePricesError::ReadAboveWrite`] when reading costs more than writing, so that a cache would make no sense;
    /// [`CachePricesError::TooHigh`] when a price is more than a thousand times that of an input token.
    pub const fn new(read: u64, write: u64) -> Result<Self, CachePricesError> {
        if read > write {
            return Err(CachePricesError::ReadAboveWrite { read, write });
        }
        if write > MOST {
            return Err(CachePricesError::TooHigh { write });
        }
        Ok(Self { read, write, minimum_tokens: 0 })
    }

    /// The prices with the shortest prompt that is cached at all, in tokens.
    #[must_use]
    pub const fn with_minimum_tokens(mut self, tokens: u64) -> Self {
        self.minimum_tokens = tokens;
        self
    }

    /// A token found in the cache, in thousandths of an input token.
    #[must_use]
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// A token written to the cache, in thousandths of an input token.
    #[must_use]
    pub const fn write(&self) -> u64 {
        self.write
    }

    /// The shortest prompt that is cached, in tokens.
    #[must_use]
    pub const fn minimum_tokens(&self) -> u64 {
        self.minimum_tokens
    }

    /// What the input of a request costs, in thousandths of an input token: `reusable` tokens at its beginning are
    /// those of an earlier request, `total` are all of them.
    #[must_use]
    pub fn request_cost(&self, reusable: u64, total: u64) -> u128 {
        if total < self.minimum_tokens {
            return times(total, INPUT);
        }
        let found = if reusable < self.minimum_tokens { 0 } else { reusable.min(total) };
        times(found, self.read).saturating_add(times(total.saturating_sub(found), self.write))
    }
}

impl Default for CachePrices {
    /// [`CachePrices::ANTHROPIC`].
    fn default() -> Self {
        Self::ANTHROPIC
    }
}

/// Neither factor has more than 64 bits: the product fits.
fn times(tokens: u64, price: u64) -> u128 {
    u128::from(tokens).saturating_mul(u128::from(price))
}

/// Prices of a provider, with where they were read and when. Prices change: look at the source before much depends on
/// them, and pass your own where they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CachePreset {
    /// Claude models, entries that live five minutes. Most models cache from 1,024 tokens on, the youngest from 512,
    /// some from 2,048 or 4,096.
    Anthropic,
    /// Claude models, entries that live an hour.
    #[serde(rename = "anthropic-1h")]
    AnthropicHour,
    /// GPT-5 to GPT-5.5, where writing costs nothing extra. Later models charge for it, and GPT-4o takes half the price
    /// for reading: pass those prices.
    OpenAi,
    /// Gemini models of the 2.5 series and later, implicit caching; a stored cache is billed by the hour besides.
    Google,
    /// V4 Flash; other models read at other ratios.
    DeepSeek,
}

impl CachePreset {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Anthropic, Self::AnthropicHour, Self::OpenAi, Self::Google, Self::DeepSeek];

    /// The name on the command line and in outputs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::AnthropicHour => "anthropic-1h",
            Self::OpenAi => "openai",
            Self::Google => "google",
            Self::DeepSeek => "deepseek",
        }
    }

    /// The preset of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The prices.
    #[must_use]
    pub const fn prices(self) -> CachePrices {
        let (read, write, minimum_tokens) = match self {
            Self::Anthropic => return CachePrices::ANTHROPIC,
            Self::AnthropicHour => (100, 2_000, 1_024),
            Self::OpenAi => (100, 1_000, 1_024),
            Self::Google => (100, 1_000, 2_048),
            Self::DeepSeek => (20, 1_000, 0),
        };
        CachePrices { read, write, minimum_tokens }
    }

    /// The page that says so.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Self::Anthropic | Self::AnthropicHour => {
                "https://platform.claude.com/docs/en/about-claude/pricing"
            }
            Self::OpenAi => "https://developers.openai.com/docs/guides/prompt-caching",
            Self::Google => "https://mintlify.com/GoogleCloudPlatform/generative-ai/gemini/context-caching",
            Self::DeepSeek => "https://api-docs.deepseek.com/quick_start/pricing",
        }
    }

    /// When that page was read, as year, month and day.
    #[must_use]
    pub const fn read_on(self) -> &'static str {
        "2026-11-30"
    }

    /// How long an entry lives that nobody reads.
    #[must_use]
    pub const fn lifetime(self) -> &'static str {
        match self {
            Self::Anthropic => "5 minutes",
            Self::AnthropicHour => "1 hour",
            Self::OpenAi => "5 to 10 minutes, at most an hour",
            Self::Google => "not stated",
            Self::DeepSeek => "hours to days",
        }
    }
}

/// Why prices are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CachePricesError {
    /// Reading would cost more than writing.
    #[error("a cached token at {read} thousandths costs more than writing one, {write}")]
    ReadAboveWrite {
        /// Thousandths of an input token.
        read: u64,
        /// Thousandths of an input token.
        write: u64,
    },
    /// A price is beyond anything.
    #[error("{write} thousandths for writing a token are more than a thousand input tokens")]
    TooHigh {
        /// Thousandths of an input token.
        write: u64,
    },
}

impl Coded for CachePricesError {
    fn code(&self) -> Code {
        Code::VALIDATION_ERROR
    }

    fn details(&self) -> Details {
        match *self {
            Self::ReadAboveWrite { read, write } => Details::none().with("read", read).with("write", write),
            Self::TooHigh { write } => Details::none().with("write", write),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_below_the_minimum_is_plain_input_and_a_short_prefix_is_not_found() {
        let prices = CachePrices::ANTHROPIC;
        assert_eq!(prices.request_cost(1_000, 1_023), 1_023 * 1_000);
        assert_eq!(prices.request_cost(1_023, 2_000), 2_000 * 1_250);
        assert_eq!(prices.request_cost(1_024, 2_000), 1_024 * 100 + 976 * 1_250);
        assert_eq!(prices.request_cost(9_000, 2_000), 2_000 * 100, "no more can be found than there is");
    }

    #[test]
    fn the_largest_figures_do_not_overflow() {
        let prices = CachePrices::new(MOST, MOST).unwrap();
        assert_eq!(prices.request_cost(1, u64::MAX), u128::from(u64::MAX) * u128::from(MOST));
    }

    #[test]
    fn prices_that_contradict_themselves_are_refused_in_json_too() {
        assert_eq!(CachePrices::new(2, 1), Err(CachePricesError::ReadAboveWrite { read: 2, write: 1 }));
        assert_eq!(CachePrices::new(0, MOST + 1), Err(CachePricesError::TooHigh { write: MOST + 1 }));
        let read = |json| serde_json::from_str::<CachePrices>(json);
        assert_eq!(read(r#"{"read":20,"write":1000}"#).unwrap(), CachePreset::DeepSeek.prices());
        assert!(read(r#"{"read":20,"write":10}"#).is_err() && read(r#"{"read":20}"#).is_err());
    }

    #[test]
    fn every_preset_has_a_name_a_source_and_prices_that_are_allowed() {
        for preset in CachePreset::ALL {
            let prices = preset.prices();
            assert_eq!(CachePreset::named(preset.name()), Some(preset));
            assert!(CachePrices::new(prices.read(), prices.write()).is_ok());
            assert!(preset.source().starts_with("https://") && !preset.lifetime().is_empty());
            assert_eq!(serde_json::to_string(&preset).unwrap().trim_matches('"'), preset.name());
        }
    }
}
