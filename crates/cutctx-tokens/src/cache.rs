//! Counts kept by content.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use core::fmt;
use core::mem;
use std::sync::{Mutex, PoisonError};

use cutctx_types::{Sha256Digest, TokenEstimator};

/// Remembers the counts of an estimator by the digest of the text, so that a text is counted once however often it is
/// asked for: a session that is measured again after every appended turn costs that turn.
///
/// It keeps two generations of at most a given number of counts; when the newer is full, the older is forgotten. Short
/// texts are counted anew, which is faster than hashing them, and so are all texts where only their characters count
/// ([`TokenEstimator::ratio`]). What it answers is what the estimator would.
///
/// ```
/// use cutctx_tokens::{Cached, Family, Heuristic};
/// use cutctx_types::TokenEstimator;
///
/// let (plain, cached) = (Heuristic::new(Family::Google), Cached::new(Heuristic::new(Family::Google)));
/// let text = "an answer that is asked for twice. ".repeat(40);
/// assert_eq!(cached.estimate(&text), plain.estimate(&text));
/// assert_eq!(cached.estimate(&text), plain.estimate(&text));
/// assert_eq!(cached.hits(), 1);
/// ```
pub struct Cached<E> {
    estimator: E,
    most: usize,
    counts: Mutex<Generations>,
}

#[derive(Default)]
struct Generations {
    newer: BTreeMap<Sha256Digest, u64>,
    older: BTreeMap<Sha256Digest, u64>,
    hits: u64,
}

impl<E> Cached<E> {
    /// Bytes below which a text is counted anew.
    pub const SHORTEST: usize = 512;

    /// Counts in a generation unless told otherwise: about 4 MB.
    const MOST: usize = 1 << 16;

    /// An estimator that remembers what this one counted.
    #[must_use]
    pub fn new(estimator: E) -> Self {
        Self::holding(Self::MOST, estimator)
    }

    /// The same with at most this many counts in a generation.
    #[must_use]
    pub fn holding(most: usize, estimator: E) -> Self {
        Self { estimator, most, counts: Mutex::default() }
    }

    /// The estimator that counts.
    pub const fn estimator(&self) -> &E {
        &self.estimator
    }

    /// How often a count was remembered.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.with(|counts| counts.hits)
    }

    /// A panic while the lock was held cannot leave a wrong count, so a poisoned lock is used on.
    fn with<R>(&self, act: impl FnOnce(&mut Generations) -> R) -> R {
        act(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<E: TokenEstimator> TokenEstimator for Cached<E> {
    fn estimate(&self, text: &str) -> u64 {
        if text.len() < Self::SHORTEST || self.estimator.ratio().is_some() {
            return self.estimator.estimate(text);
        }
        let digest = Sha256Digest::of_bytes(text.as_bytes());
        if let Some(known) = self.with(|counts| counts.find(&digest, self.most)) {
            return known;
        }
        // Counted without the lock: two threads may count the same text, and agree.
        let count = self.estimator.estimate(text);
        self.with(|counts| counts.keep(digest, count, self.most));
        count
    }

    fn name(&self) -> Cow<'_, str> {
        self.estimator.name()
    }

    fn ratio(&self) -> Option<f64> {
        self.estimator.ratio()
    }
}

impl Generations {
    fn find(&mut self, digest: &Sha256Digest, most: usize) -> Option<u64> {
        let known = self.newer.get(digest).copied();
        let count =
            known.or_else(|| self.older.remove(digest).inspect(|count| self.keep(*digest, *count, most)))?;
        self.hits = self.hits.saturating_add(1);
        Some(count)
    }

    fn keep(&mut self, digest: Sha256Digest, count: u64, most: usize) {
        if self.newer.len() >= most {
            self.older = mem::take(&mut self.newer);
        }
        self.newer.insert(digest, count);
    }
}

impl<E: fmt::Debug> fmt::Debug for Cached<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cached").field("estimator", &self.estimator).finish_non_exhaustive()
    }
}
