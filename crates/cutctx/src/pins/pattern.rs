//! A regular expression for the content of turns.

use super::PinError;
use core::fmt;
use core::str::FromStr;
use regex::{Regex, RegexBuilder};

/// The most memory that a pattern may take once it is compiled, and again while it is searched for, in bytes.
const MOST_MEMORY: usize = 1 << 20;

/// A regular expression in the syntax of the crate `regex`: without look-around and back references, so that a search
/// takes time linear in the text. It matches anywhere in the content of a turn; `(?i)` at its beginning makes it blind
/// to case.
#[derive(Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it matches somewhere in a text.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl FromStr for Pattern {
    type Err = PinError;

    fn from_str(pattern: &str) -> Result<Self, PinError> {
        let built = RegexBuilder::new(pattern).size_limit(MOST_MEMORY).dfa_size_limit(MOST_MEMORY).build();
        built.map(Self).map_err(|error| PinError::Pattern { reason: reason(&error) })
    }
}

/// The last line of what the reader of patterns says: the ones before it repeat the pattern.
fn reason(error: &regex::Error) -> String {
    let said = error.to_string();
    let last = said.lines().next_back().unwrap_or_default();
    last.trim_start_matches("error: ").trim_end_matches('.').to_lowercase()
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Pattern {}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.as_str())
    }
}
