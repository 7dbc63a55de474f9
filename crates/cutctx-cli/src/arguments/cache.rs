//! What cached tokens cost.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use clap::Args;
use core::str::FromStr;
use cutctx::{CachePreset, CachePrices};
use std::ffi::OsStr;

/// What cached tokens cost.
#[derive(Debug, Clone, Args)]
pub(crate) struct CacheArguments {
    /// What tokens cost in and out of the provider's prompt cache: `anthropic`, `anthropic-1h`, `openai`, `google`,
    /// `deepseek`, or `@FILE` with prices in JSON (docs/cli.md says where these come from).
    #[arg(long, value_name = "NAME|@FILE", default_value = "anthropic", help_heading = "Cache")]
    prices: PricesChoice,
    /// The price of a token found in the cache, as a ratio to that of an input token, such as 0.1.
    #[arg(long, value_name = "RATIO", value_parser = ratio, help_heading = "Cache")]
    cache_read: Option<u64>,
    /// The price of a token written to the cache, as a ratio to that of an input token, such as 1.25.
    #[arg(long, value_name = "RATIO", value_parser = ratio, help_heading = "Cache")]
    cache_write: Option<u64>,
}

/// Prices by name, or a file with some.
#[derive(Debug, Clone, PartialEq, Eq)]
enum PricesChoice {
    Preset(CachePreset),
    File(Input),
}

impl FromStr for PricesChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Self::File(Input::from(OsStr::new(path))));
        }
        CachePreset::named(text).map(Self::Preset).ok_or_else(|| {
            format!("expected one of {}, or @FILE", CachePreset::ALL.map(CachePreset::name).join(", "))
        })
    }
}

impl CacheArguments {
    /// The prices.
    pub(crate) fn prices(&self) -> Result<CachePrices, Failure> {
        let named = match &self.prices {
            PricesChoice::Preset(preset) => preset.prices(),
            PricesChoice::File(input) => of_file(input)?,
        };
        if self.cache_read.is_none() && self.cache_write.is_none() {
            return Ok(named);
        }
        let read = self.cache_read.unwrap_or_else(|| named.read());
        let write = self.cache_write.unwrap_or_else(|| named.write());
        let own = CachePrices::new(read, write).map_err(|error| {
            Failure::of(&error, Exit::Usage).remedy("pass --cache-read and --cache-write that go together")
        })?;
        Ok(own.with_minimum_tokens(named.minimum_tokens()))
    }

    /// The file that they are read from, if they are.
    pub(crate) const fn input(&self) -> Option<&Input> {
        match &self.prices {
            PricesChoice::Preset(_) => None,
            PricesChoice::File(input) => Some(input),
        }
    }
}

fn of_file(input: &Input) -> Result<CachePrices, Failure> {
    serde_json::from_str(&input.text()?).map_err(|error| {
        let message = format!("these are no prices: {error}");
        Failure::new(Exit::Refused, "PRICES_UNREADABLE", message).file(input.path())
    })
}

/// A ratio with at most three digits behind the point, in thousandths.
fn ratio(text: &str) -> Result<u64, String> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = (!whole.is_empty() && rest.len() <= 3 && is_digits(whole) && is_digits(rest))
        .then(|| format!("{whole}{rest:0<3}"))
        .and_then(|digits| digits.parse().ok());
    thousandths.ok_or_else(|| "expected a ratio such as 0.1 or 1.25, with three digits at most".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_read_in_thousandths() {
        for (text, thousandths) in
            [("0.1", 100), ("1.25", 1_250), ("2", 2_000), ("0", 0), ("0.025", 25), ("1.", 1_000)]
        {
            assert_eq!(ratio(text), Ok(thousandths), "{text}");
        }
        for text in ["", ".5", "-1", "+1", "1e3", "0.1234", "1.2.3", "99999999999999999999"] {
            assert!(ratio(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_preset_has_its_name_in_the_help() {
        let help = include_str!("cache.rs");
        for preset in CachePreset::ALL {
            assert!(help.contains(&format!("`{}`", preset.name())), "{}", preset.name());
        }
    }
}
