//! When to ask again, and how long to wait before.

use core::time::Duration;

use crate::error::ModelError;

/// When a failed call is tried again.
///
/// The waits double from [`initial_delay`](Self::initial_delay), with up to [`jitter`](Self::jitter) added so that
/// many clients do not come back at once. A provider's own wish to wait longer is granted, as long as all waits
/// together stay within [`total_delay`](Self::total_delay).
///
/// ```
/// use core::time::Duration;
/// use cutctx_models::{ModelError, RetryPolicy};
///
/// let policy = RetryPolicy::default();
/// let server = ModelError::Server { status: 500 };
/// assert_eq!(policy.next_delay(&server, 1, Duration::ZERO, 0), Some(Duration::from_millis(500)));
/// assert_eq!(policy.next_delay(&server, 5, Duration::ZERO, 0), None);
/// assert_eq!(policy.next_delay(&ModelError::Overflow, 1, Duration::ZERO, 0), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// The most attempts, the first included.
    pub attempts: u32,
    /// The most attempts after errors of which nobody knows whether trying again helps.
    pub unknown_attempts: u32,
    /// The wait after the first failure.
    pub initial_delay: Duration,
    /// The most that chance adds to a wait.
    pub jitter: Duration,
    /// The longest single wait.
    pub longest_delay: Duration,
    /// The longest that all waits of one call take together.
    pub total_delay: Duration,
}

impl Default for RetryPolicy {
    /// Five attempts, two after unknown errors, half a second doubled each time with half a second of jitter, a minute
    /// at most, five minutes in all.
    fn default() -> Self {
        Self {
            attempts: 5,
            unknown_attempts: 2,
            initial_delay: Duration::from_millis(500),
            jitter: Duration::from_millis(500),
            longest_delay: Duration::from_secs(60),
            total_delay: Duration::from_secs(300),
        }
    }
}

impl RetryPolicy {
    /// Never again.
    #[must_use]
    pub fn never() -> Self {
        Self { attempts: 1, unknown_attempts: 1, ..Self::default() }
    }

    /// The policy with this many attempts at most.
    #[must_use]
    pub const fn with_attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts;
        self
    }

    /// The policy with no wait at all, for tests.
    #[must_use]
    pub const fn without_delay(mut self) -> Self {
        self.initial_delay = Duration::ZERO;
        self.jitter = Duration::ZERO;
        self
    }

    /// How long to wait before the next attempt; `None` when there is none.
    ///
    /// `attempt` is the number of the one that failed, from 1; `waited` what the waits so far took; `chance` anything
    /// from 0 to 65,535, which decides the jitter.
    #[must_use]
    pub fn next_delay(
        &self,
        error: &ModelError,
        attempt: u32,
        waited: Duration,
        chance: u16,
    ) -> Option<Duration> {
        let most = match error.is_retryable() {
            Some(true) => self.attempts,
            Some(false) => return None,
            None => self.attempts.min(self.unknown_attempts),
        };
        if attempt >= most {
            return None;
        }
        let delay = self.delay(attempt, chance).max(error.retry_after().unwrap_or_default());
        (waited.saturating_add(delay) <= self.total_delay).then_some(delay)
    }

    fn delay(&self, attempt: u32, chance: u16) -> Duration {
        let doublings = attempt.saturating_sub(1).min(31);
        let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
        let jitter = self.jitter.saturating_mul(u32::from(chance)).checked_div(u32::from(u16::MAX));
        let delay = self.initial_delay.saturating_mul(factor).saturating_add(jitter.unwrap_or_default());
        delay.min(self.longest_delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(error: &ModelError) -> Vec<u128> {
        let policy = RetryPolicy::default();
        (1..10)
            .map_while(|attempt| policy.next_delay(error, attempt, Duration::ZERO, 0))
            .map(|d| d.as_millis())
            .collect()
    }

    #[test]
    fn waits_double_until_the_attempts_are_used_up() {
        assert_eq!(delays(&ModelError::Timeout), [500, 1000, 2000, 4000]);
    }

    #[test]
    fn an_unknown_error_is_tried_once_more() {
        let unknown = ModelError::Other { what: "?".into(), retryable: None };
        assert_eq!(delays(&unknown), [500]);
    }

    #[test]
    fn what_cannot_get_better_is_not_tried_again() {
        for error in [
            ModelError::Overflow,
            ModelError::Authentication { status: 401 },
            ModelError::Refused { status: 400, reason: None },
            ModelError::CalledTool,
            ModelError::Server { status: 501 },
        ] {
            assert_eq!(delays(&error), [0_u128; 0], "{error}");
        }
    }

    #[test]
    fn the_provider_may_ask_for_longer_but_not_for_ever() {
        let policy = RetryPolicy::default();
        let after = |seconds| ModelError::RateLimited { retry_after: Some(Duration::from_secs(seconds)) };
        assert_eq!(policy.next_delay(&after(90), 1, Duration::ZERO, 0), Some(Duration::from_secs(90)));
        assert_eq!(policy.next_delay(&after(90), 2, Duration::from_secs(250), 0), None);
        assert_eq!(policy.next_delay(&after(3600), 1, Duration::ZERO, 0), None);
    }

    #[test]
    fn jitter_is_added_and_bounded() {
        let policy = RetryPolicy::default();
        let delay = policy.next_delay(&ModelError::Timeout, 1, Duration::ZERO, u16::MAX);
        assert_eq!(delay, Some(Duration::from_secs(1)));
        let patient = RetryPolicy { attempts: 100, total_delay: Duration::MAX, ..policy };
        let late = patient.next_delay(&ModelError::Timeout, 60, Duration::ZERO, u16::MAX);
        assert_eq!(late, Some(Duration::from_secs(60)));
    }
}
