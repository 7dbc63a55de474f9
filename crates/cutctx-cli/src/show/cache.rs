//! What an edit does to the prompt cache, for people.

use super::number::grouped;
use cutctx::{CacheAccount, CacheVerdict};

/// A line about the cache; none where nothing changes, which is said elsewhere.
pub(crate) fn cache_line(cache: &CacheAccount) -> Option<String> {
    let verdict = match (cache.verdict, cache.pays_back_after_steps) {
        (CacheVerdict::Unchanged, _) => return None,
        (CacheVerdict::AtOnce, _) => "it pays back at once".to_owned(),
        (CacheVerdict::PaysBack, Some(1)) => "it pays back with the next request".to_owned(),
        (CacheVerdict::PaysBack, Some(steps)) => format!("it pays back after {} requests", grouped(steps)),
        (CacheVerdict::PaysBack, None) | (CacheVerdict::Never, _) => "it never pays back".to_owned(),
    };
    Some(format!(
        "prompt cache: {} tokens invalidated, {} of them to be read anew, {} freed; {verdict} (read {}, write {})",
        grouped(cache.tokens_invalidated),
        grouped(cache.tokens_reread),
        grouped(cache.tokens_freed),
        ratio(cache.prices.read()),
        ratio(cache.prices.write()),
    ))
}

/// Thousandths as a ratio: `0.1`, `1.25`, `2`.
pub(crate) fn ratio(thousandths: u64) -> String {
    let text = format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx::{CacheEdit, CachePrices};

    #[test]
    fn ratios_have_no_more_digits_than_they_need() {
        for (thousandths, text) in [(100, "0.1"), (1_250, "1.25"), (2_000, "2"), (25, "0.025"), (0, "0")] {
            assert_eq!(ratio(thousandths), text);
        }
    }

    #[test]
    fn every_verdict_is_said() {
        let prices = CachePrices::new(100, 1_250).unwrap();
        let line = |edit: CacheEdit| cache_line(&CacheAccount::of(&edit, prices));
        assert_eq!(line(CacheEdit::unchanged(9)), None);
        let says = |edit, words: &str| assert!(line(edit).unwrap().contains(words), "{words}");
        says(CacheEdit::new(0, 10, 100, 50), "90 tokens invalidated, 40 of them to be read anew, 50 freed");
        says(CacheEdit::new(0, 10, 100, 50), "it pays back after 10 requests (read 0.1, write 1.25)");
        says(CacheEdit::new(0, 10, 1_000, 20), "it pays back with the next request");
        says(CacheEdit::new(0, 10, 100, 100), "it never pays back");
        says(CacheEdit::new(0, 10, 100, 10), "it pays back at once");
    }
}
