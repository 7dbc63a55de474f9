//! The estimator's ratio is a finite number, so that every plan has a hash.

use super::Proposal;
use crate::violation::Violation;

pub(super) fn check(proposal: &Proposal<'_, '_>) -> Option<Violation> {
    let ratio = proposal.draft.estimator_ratio?;
    let value = if ratio.is_nan() {
        "nan"
    } else if ratio == f64::INFINITY {
        "inf"
    } else if ratio == f64::NEG_INFINITY {
        "-inf"
    } else {
        return None;
    };
    Some(Violation::EstimatorRatio { value })
}
