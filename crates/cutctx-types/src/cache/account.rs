//! What an edit does to the cache.

use super::{CacheEdit, CachePrices};
use serde::Serialize;

/// What an edit does to a provider's prompt cache at given prices: figures and a verdict, no text of any turn.
///
/// ```
/// use cutctx_types::{CacheAccount, CacheEdit, CachePrices, CacheVerdict};
///
/// // 40,000 of 90,000 tokens go, and 46,000 behind the first change have to be read anew.
/// let account = CacheAccount::of(&CacheEdit::new(12, 4_000, 90_000, 50_000), CachePrices::ANTHROPIC);
/// assert_eq!(account.verdict, CacheVerdict::PaysBack);
/// // (1.25 - 0.1) x 46,000 = 52,900 against 0.1 x 40,000 = 4,000 a step.
/// assert_eq!(account.pays_back_after_steps, Some(14));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CacheAccount {
    /// The prices that it was reckoned at.
    pub prices: CachePrices,
    /// The position of the first turn that changes; `None` when none does.
    pub first_changed_position: Option<usize>,
    /// Tokens before that position: what the cache can still be read for.
    pub tokens_before_change: u64,
    /// Tokens that stood in the cache behind that position, of no use any more.
    pub tokens_invalidated: u64,
    /// Tokens that stay behind that position and have to be read anew.
    pub tokens_reread: u64,
    /// Tokens that the prompt is shorter by.
    pub tokens_freed: u64,
    /// After how many requests, the first one included, the edit has cost less than leaving things alone; `None` where
    /// it never has. Zero where nothing has to be read anew.
    pub pays_back_after_steps: Option<u64>,
    /// The same in a word.
    pub verdict: CacheVerdict,
}

/// Whether an edit pays back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "there is no fifth answer")]
pub enum CacheVerdict {
    /// Nothing changes: the cache stays valid as a whole.
    Unchanged,
    /// Nothing has to be read anew: the edit costs nothing.
    AtOnce,
    /// It does, after some steps.
    PaysBack,
    /// It never does at these prices.
    Never,
}

impl CacheAccount {
    /// The account of an edit at these prices.
    #[must_use]
    pub fn of(edit: &CacheEdit, prices: CachePrices) -> Self {
        let steps = if edit.first_changed_position().is_none() { Some(0) } else { steps(edit, &prices) };
        let verdict = match steps {
            _ if edit.first_changed_position().is_none() => CacheVerdict::Unchanged,
            Some(0) => CacheVerdict::AtOnce,
            Some(_) => CacheVerdict::PaysBack,
            None => CacheVerdict::Never,
        };
        Self {
            prices,
            first_changed_position: edit.first_changed_position(),
            tokens_before_change: edit.tokens_before_change(),
            tokens_invalidated: edit.tokens_invalidated(),
            tokens_reread: edit.tokens_reread(),
            tokens_freed: edit.tokens_freed(),
            pays_back_after_steps: steps,
            verdict,
        }
    }

    /// Whether the edit has paid back after this many requests.
    #[must_use]
    pub fn pays_back_within(&self, steps: u64) -> bool {
        self.pays_back_after_steps.is_some_and(|needed| needed <= steps)
    }
}

/// The smallest number of steps after which the edit has cost no more than leaving things alone.
fn steps(edit: &CacheEdit, prices: &CachePrices) -> Option<u64> {
    let (before, after) = (edit.tokens_before(), edit.tokens_after());
    let first = prices.request_cost(edit.tokens_before_change(), after);
    let later = prices.request_cost(after, after);
    let unedited = prices.request_cost(before, before);
    let gain = unedited.checked_sub(later)?;
    let extra = first.saturating_sub(later);
    if extra == 0 {
        return Some(0);
    }
    let steps = (gain > 0).then(|| extra.div_ceil(gain))?;
    u64::try_from(steps).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: fn() -> CachePrices = || CachePrices::new(100, 1_250).unwrap();

    /// Adds up requests until the edit is ahead, at most so many.
    fn slowly(edit: &CacheEdit, prices: CachePrices, most: u64) -> Option<u64> {
        let (before, after) = (edit.tokens_before(), edit.tokens_after());
        let (mut edited, mut unedited) = (0_u128, 0_u128);
        for step in 1..=most {
            let reusable = if step == 1 { edit.tokens_before_change() } else { after };
            edited = edited.saturating_add(prices.request_cost(reusable, after));
            unedited = unedited.saturating_add(prices.request_cost(before, before));
            if edited <= unedited {
                return Some(step);
            }
        }
        None
    }

    #[test]
    fn the_formula_agrees_with_adding_up_requests() {
        let prices = [PLAIN(), CachePrices::ANTHROPIC, CachePrices::new(500, 1_000).unwrap()];
        for prices in prices {
            for before_change in [0, 10, 900, 1_500, 3_000] {
                for freed in [1, 7, 500, 2_000, 3_500] {
                    let before = 5_000_u64;
                    let edit = CacheEdit::new(1, before_change, before, before - freed);
                    let account = CacheAccount::of(&edit, prices);
                    if account.tokens_reread == 0 || account.verdict == CacheVerdict::AtOnce {
                        continue;
                    }
                    let slow = slowly(&edit, prices, 100_000);
                    assert_eq!(account.pays_back_after_steps, slow, "{edit:?} at {prices:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_changed_costs_nothing() {
        let account = CacheAccount::of(&CacheEdit::unchanged(7), PLAIN());
        assert_eq!((account.verdict, account.pays_back_after_steps), (CacheVerdict::Unchanged, Some(0)));
        assert!(account.pays_back_within(0));
    }

    #[test]
    fn an_edit_that_only_takes_the_end_away_is_free() {
        let account = CacheAccount::of(&CacheEdit::new(3, 60, 100, 60), PLAIN());
        assert_eq!((account.verdict, account.tokens_invalidated), (CacheVerdict::AtOnce, 40));
    }

    #[test]
    fn an_edit_that_frees_nothing_never_pays() {
        for after in [100, 120] {
            let account = CacheAccount::of(&CacheEdit::new(0, 10, 100, after), PLAIN());
            assert_eq!((account.verdict, account.pays_back_after_steps), (CacheVerdict::Never, None));
            assert!(!account.pays_back_within(u64::MAX));
        }
    }

    #[test]
    fn free_reading_leaves_nothing_to_win() {
        let account = CacheAccount::of(&CacheEdit::new(0, 10, 100, 50), CachePrices::new(0, 1_000).unwrap());
        assert_eq!(account.verdict, CacheVerdict::Never);
    }

    #[test]
    fn it_is_plain_json() {
        let account = CacheAccount::of(&CacheEdit::new(2, 10, 100, 50), PLAIN());
        let json = r#"{"prices":{"read":100,"write":1250,"minimum_tokens":0},"first_changed_position":2,"tokens_before_change":10,"tokens_invalidated":90,"tokens_reread":40,"tokens_freed":50,"pays_back_after_steps":10,"verdict":"pays_back"}"#;
        assert_eq!(serde_json::to_string(&account).unwrap(), json);
    }
}
