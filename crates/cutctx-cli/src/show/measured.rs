//! What was measured.

use cutctx_eval::{Estimate, Share};

/// What stands where there is no figure.
const NONE: &str = "–";

/// A share in per cent.
pub(crate) fn figure(share: Option<Share>) -> String {
    share.map_or_else(|| NONE.to_owned(), |share| share.to_percent(1))
}

/// The mean of an estimate.
pub(crate) fn mean(estimate: Option<Estimate>) -> String {
    figure(estimate.map(|estimate| estimate.mean))
}

/// The interval of an estimate. One session has none: it says nothing about others.
pub(crate) fn interval(estimate: Option<Estimate>, sessions: usize) -> String {
    let estimate = estimate.filter(|_| sessions > 1);
    estimate.map_or_else(|| NONE.to_owned(), |estimate| format!("{}…{}", estimate.low, estimate.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_session_has_no_interval() {
        let estimate =
            |shares: &[u32]| Estimate::of(&shares.iter().copied().map(Share::percent).collect::<Vec<_>>());
        assert_eq!(mean(estimate(&[8])), "8.0");
        assert_eq!(interval(estimate(&[8]), 1), NONE);
        assert_eq!(interval(estimate(&[8, 8]), 2), "8.0…8.0");
        assert_eq!((mean(None), interval(None, 2)), (NONE.to_owned(), NONE.to_owned()));
    }
}
