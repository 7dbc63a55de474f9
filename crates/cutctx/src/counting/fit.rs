//! How much a counted token is of an estimated one, from how both grow.

use super::anchors::Step;
use super::scale::WHOLE;

/// What two steps must differ by, in estimated tokens, to tell anything.
const LEAST_GROWTH: u64 = 200;

/// Counted tokens for an estimated one, in thousandths: the median of slopes between steps (Theil's incomplete method:
/// each step of the first half of a stretch is paired with the one as far on in its second half). Neither a few odd
/// steps move it, nor what every request has besides. `None` where no two of the paired steps differ enough.
pub(super) fn slope(stretches: &[&[Step]]) -> Option<u64> {
    let slopes = stretches.iter().flat_map(|stretch| {
        let later = stretch.get(stretch.len().div_ceil(2)..).unwrap_or_default();
        stretch.iter().zip(later).filter_map(|(earlier, later)| slope_between(earlier, later))
    });
    let slope = median(slopes.collect())?;
    Some(u64::try_from(slope).unwrap_or(0))
}

fn slope_between(earlier: &Step, later: &Step) -> Option<i128> {
    let run = later.estimate.checked_sub(earlier.estimate).filter(|run| *run >= LEAST_GROWTH)?;
    let rise = i128::from(later.counted).saturating_sub(i128::from(earlier.counted));
    rise.saturating_mul(i128::from(WHOLE)).checked_div(i128::from(run))
}

/// The lower one of the two in the middle where their number is even.
fn median(mut values: Vec<i128>) -> Option<i128> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable(middle).1)
}
