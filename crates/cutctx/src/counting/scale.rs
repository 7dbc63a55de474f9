//! A factor for estimates.

use core::fmt;
use core::str::FromStr;

use cutctx_types::{Part, Transcript, TranscriptError, TranscriptTurn};

/// By how much estimates are multiplied, in thousandths, between a quarter and four.
///
/// ```
/// use cutctx::counting::Scale;
///
/// let scale: Scale = "1.25".parse().unwrap();
/// assert_eq!((scale.tokens(10), scale.to_string().as_str()), (13, "1.250"));
/// assert_eq!("5".parse::<Scale>().ok(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scale {
    thousandths: u64,
}

/// Thousandths in a whole.
pub(super) const WHOLE: u64 = 1_000;

impl Scale {
    /// Estimates as they are.
    pub const ONE: Self = Self { thousandths: WHOLE };
    /// The smallest: a quarter. What is further off is no matter of counting.
    pub const LEAST: Self = Self { thousandths: 250 };
    /// The largest: four.
    pub const MOST: Self = Self { thousandths: 4_000 };

    /// This many thousandths; `None` outside of the bounds.
    #[must_use]
    pub const fn of_thousandths(thousandths: u64) -> Option<Self> {
        if Self::LEAST.thousandths <= thousandths && thousandths <= Self::MOST.thousandths {
            Some(Self { thousandths })
        } else {
            None
        }
    }

    /// It in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u64 {
        self.thousandths
    }

    /// A number of tokens times the scale, rounded up; saturates.
    #[must_use]
    pub fn tokens(self, tokens: u64) -> u64 {
        let product = u128::from(tokens).saturating_mul(u128::from(self.thousandths));
        u64::try_from(product.div_ceil(u128::from(WHOLE))).unwrap_or(u64::MAX)
    }

    /// The transcript with all estimates of turns and their parts scaled. Each is rounded up by itself: larger turns
    /// stay larger, a turn costs the same whatever stands beside it, and the total is off by less than a token a turn.
    ///
    /// # Errors
    ///
    /// [`TranscriptError`] when the total is beyond 64 bits.
    pub fn scaled(self, transcript: &Transcript) -> Result<Transcript, TranscriptError> {
        if self == Self::ONE {
            return Ok(transcript.clone());
        }
        Transcript::new(transcript.turns().iter().map(|turn| self.turn(turn)).collect())
    }

    fn turn(self, turn: &TranscriptTurn) -> TranscriptTurn {
        let scaled = |part: &Part| self.tokens(part.token_estimate);
        let parts: Vec<u64> = turn.parts().iter().map(scaled).collect();
        turn.clone().with_estimates(self.tokens(turn.token_estimate()), parts)
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.thousandths / WHOLE, self.thousandths % WHOLE);
        write!(f, "{whole}.{rest:03}")
    }
}

impl FromStr for Scale {
    type Err = ();

    /// Reads what [`Display`](fmt::Display) writes; up to three digits after the point.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || rest.len() > 3 || !all_digits(whole) || !all_digits(rest) {
            return Err(());
        }
        let thousandths: u64 = format!("{whole}{rest:0<3}").parse().map_err(drop)?;
        Self::of_thousandths(thousandths).ok_or(())
    }
}
