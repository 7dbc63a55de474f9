//! Intervals by resampling.

use crate::generator::Generator;
use crate::share::Share;
use serde::Serialize;

/// How often sessions are drawn anew for an interval.
pub const RESAMPLES: usize = 2_000;

/// A mean over sessions with the interval in which 95 of 100 resampled means lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The mean.
    pub mean: Share,
    /// The lower end of the interval.
    pub low: Share,
    /// The upper end of the interval.
    pub high: Share,
}

impl Estimate {
    /// The mean of one value a session. Sessions are drawn with replacement from a generator with a fixed seed, so
    /// that the same values give the same interval. `None` of none.
    #[must_use]
    pub fn of(values: &[Share]) -> Option<Self> {
        let mean = Share::mean(values)?;
        let mut generator = Generator::new(0);
        let mut means: Vec<Share> =
            (0..RESAMPLES).filter_map(|_| resampled(values, &mut generator)).collect();
        means.sort_unstable();
        let at = |thousandths: usize| {
            let place = means.len().saturating_sub(1).saturating_mul(thousandths) / 1_000;
            means.get(place).copied().unwrap_or(mean)
        };
        Some(Self { mean, low: at(25), high: at(975) })
    }
}

fn resampled(values: &[Share], generator: &mut Generator) -> Option<Share> {
    let drawn = (0..values.len()).filter_map(|_| values.get(generator.below(values.len())).copied());
    Share::mean(&drawn.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(values: &[u32]) -> Vec<Share> {
        values.iter().map(|value| Share::percent(*value)).collect()
    }

    #[test]
    fn equal_values_have_no_interval_and_none_have_no_estimate() {
        let estimate = Estimate::of(&percent(&[40, 40, 40])).unwrap();
        assert_eq!(
            (estimate.low, estimate.mean, estimate.high),
            (estimate.mean, Share::percent(40), estimate.mean)
        );
        assert_eq!(Estimate::of(&[]), None);
    }

    #[test]
    fn the_interval_is_as_wide_as_theory_says() {
        // Half zeros and half hundreds: the standard error of the mean of 100 is 5 points.
        let values: Vec<u32> = (0..100).map(|n| if n % 2 == 0 { 0 } else { 100 }).collect();
        let estimate = Estimate::of(&percent(&values)).unwrap();
        let width = estimate.high.minus(estimate.low).to_millionths();
        assert!((170_000..222_000).contains(&width), "{estimate:?}");
        assert_eq!(Estimate::of(&percent(&values)), Some(estimate));
    }
}
