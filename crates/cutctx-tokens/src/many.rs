//! Many texts at once.

use alloc::vec::Vec;

use cutctx_types::TokenEstimator;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

/// The estimates of many texts, in their order, on all cores.
///
/// ```
/// use cutctx_tokens::{Family, Heuristic, estimate_all};
/// let counts = estimate_all(&Heuristic::new(Family::OpenAi), &["one", "", "twenty-one"]);
/// assert_eq!(counts, [1, 0, 3]);
/// ```
#[must_use]
pub fn estimate_all(estimator: &dyn TokenEstimator, texts: &[&str]) -> Vec<u64> {
    texts.par_iter().map(|text| estimator.estimate(text)).collect()
}
