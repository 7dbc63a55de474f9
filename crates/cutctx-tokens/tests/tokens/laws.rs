//! What holds for every tokenizer.

use cutctx_tokens::{Accuracy, Tokenizer};
use cutctx_types::TokenEstimator;
use proptest::prelude::*;

/// Every tokenizer of this build that has a name of its own.
fn all() -> Vec<Tokenizer> {
    let names = ["o200k_base", "cl100k_base", "heuristic:openai", "claude", "gemini", "chars/4"];
    names.iter().filter_map(|name| Tokenizer::named(name).ok()).collect()
}

proptest! {
    #[test]
    fn the_same_text_has_the_same_tokens_and_a_text_has_no_more_than_its_bytes(text in ".{0,80}") {
        for tokenizer in all() {
            let tokens = tokenizer.estimate(&text);
            prop_assert_eq!(tokenizer.estimate(&text), tokens);
            prop_assert!(tokens <= 2 * u64::try_from(text.len()).unwrap() + 1, "{tokenizer:?} {tokens}");
            prop_assert_eq!(tokens == 0, text.is_empty());
        }
    }

    #[test]
    fn a_half_never_costs_more_than_the_whole_and_a_few(text in ".{0,80}", at in any::<prop::sample::Index>()) {
        let half: String = text.chars().take(at.index(text.chars().count() + 1)).collect();
        for tokenizer in all() {
            prop_assert!(tokenizer.estimate(&half) <= tokenizer.estimate(&text) + 8, "{tokenizer:?}");
        }
    }
}

#[test]
fn an_estimate_says_how_far_it_may_be_off() {
    let estimate = Tokenizer::named("claude").unwrap().measure(&"a word and another ".repeat(200));
    assert!(estimate.margin > 0);
    assert_eq!(estimate.to_string(), format!("{} ± {}", estimate.tokens, estimate.margin));
}

#[test]
fn exact_counts_have_no_error() {
    for tokenizer in all() {
        assert_eq!(tokenizer.is_exact(), tokenizer.accuracy() == Accuracy::EXACT, "{tokenizer:?}");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn many_texts_are_counted_in_their_order() {
    let texts: Vec<String> = (0..500_usize).map(|number| "ab ".repeat(number)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for tokenizer in all() {
        let one_by_one: Vec<u64> = texts.iter().map(|text| tokenizer.estimate(text)).collect();
        assert_eq!(cutctx_tokens::estimate_all(&tokenizer, &texts), one_by_one);
    }
}
