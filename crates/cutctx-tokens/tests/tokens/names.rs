//! Choosing a tokenizer by name.

use cutctx_tokens::{Family, MessageCounter, Tokenizer, TokenizerError};
use cutctx_types::{Coded, TokenEstimator};

#[test]
fn unknown_names_are_refused_with_the_list() {
    for name in [
        "",
        "gpt",
        "gpt-4u",
        "gpt-45",
        "claud",
        "o2",
        "geminix",
        "llama-3",
        "chars/",
        "chars/four",
        "heuristic:x",
        "O200K_BASE",
    ] {
        let refused = Tokenizer::named(name).unwrap_err();
        assert_eq!(refused.code().as_str(), "TOKENIZER_UNKNOWN", "{name}");
        for known in Tokenizer::NAMES {
            assert!(refused.to_string().contains(known), "{known}");
        }
    }
}

#[test]
fn a_ratio_must_be_a_usable_number() {
    assert_eq!(Tokenizer::named("chars/4").unwrap().name(), "chars/4");
    assert_eq!(Tokenizer::named("chars/3.5").unwrap().ratio(), Some(3.5));
    for name in ["chars/0", "chars/-1", "chars/nan", "chars/inf"] {
        assert_eq!(Tokenizer::named(name).unwrap_err().code().as_str(), "VALIDATION_ERROR", "{name}");
    }
}

#[test]
fn models_without_a_public_tokenizer_are_estimated() {
    for (name, family) in [
        ("claude", Family::Anthropic),
        ("claude-opus-4-5-20251101", Family::Anthropic),
        ("us.anthropic.claude-sonnet-4-20250514-v1:0", Family::Anthropic),
        ("anthropic/claude-3.5-haiku", Family::Anthropic),
        ("gemini-3-pro-preview", Family::Google),
        ("models/gemini-2.5-flash", Family::Google),
        ("gemma-3-27b", Family::Google),
    ] {
        let tokenizer = Tokenizer::named(name).unwrap();
        assert_eq!(tokenizer.family(), Some(family), "{name}");
        assert!(!tokenizer.is_exact(), "{name}");
    }
}

#[cfg(feature = "openai")]
#[test]
fn models_of_openai_are_counted_with_their_vocabulary() {
    for (name, vocabulary) in [
        ("gpt-4o", "o200k_base"),
        ("gpt-4o-mini-2024-07-18", "o200k_base"),
        ("openai/gpt-5.2-codex", "o200k_base"),
        ("gpt-4.1-nano", "o200k_base"),
        ("ft:gpt-4o:somebody::id", "o200k_base"),
        ("o3-mini", "o200k_base"),
        ("gpt-oss-120b", "o200k_harmony"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-0613", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo-16k", "cl100k_base"),
        ("gpt-35-turbo", "cl100k_base"),
        ("text-embedding-3-large", "cl100k_base"),
        ("cl100k_base", "cl100k_base"),
    ] {
        assert_eq!(Tokenizer::named(name).unwrap().name(), vocabulary, "{name}");
    }
}

#[cfg(not(feature = "openai-legacy"))]
#[test]
fn a_vocabulary_that_was_left_out_is_refused_with_its_feature() {
    let refused = Tokenizer::named("p50k_base").unwrap_err();
    assert!(matches!(refused, TokenizerError::NotBuilt { feature: "openai-legacy", .. }), "{refused:?}");
    assert_eq!(refused.code().as_str(), "TOKENIZER_NOT_BUILT");
}

#[cfg(not(feature = "huggingface"))]
#[test]
fn a_file_needs_its_feature() {
    let refused = Tokenizer::named("file:tokenizer.json").unwrap_err();
    assert!(matches!(refused, TokenizerError::NotBuilt { feature: "huggingface", .. }), "{refused:?}");
}

#[test]
fn every_listed_name_is_known() {
    for name in Tokenizer::NAMES {
        let answer = Tokenizer::named(&name.replace("/N", "/4").replace(":PATH", ":no-such-file"));
        assert!(!matches!(answer, Err(TokenizerError::Unknown { .. })), "{name}");
    }
}

#[test]
fn a_counter_says_whose_framing_it_adds() {
    use cutctx_messages::MessageEstimator;
    assert_eq!(MessageCounter::named("claude").unwrap().label(), "heuristic:anthropic+anthropic");
    assert_eq!(MessageCounter::named("chars/4").unwrap().label(), "chars/4");
}
