//! A `tokenizer.json` in the format of Hugging Face.

use cutctx_tokens::{Tokenizer, TokenizerFile};
use cutctx_types::{Coded, TokenEstimator};
use serde_json::json;

/// A byte-level tokenizer with four merges, a mark at the start of every text, a mark that users may type, and an added token that is
/// none.
fn small() -> Vec<u8> {
    let mut vocabulary = serde_json::Map::new();
    let tokens = ('!'..='~')
        .map(String::from)
        .chain(["Ġ", "he", "ll", "hell", "hello", "<s>", "<end>", "</p>"].map(String::from));
    tokens.enumerate().for_each(|(id, token)| drop(vocabulary.insert(token, json!(id))));
    let mark = |token: &str| json!({"id": vocabulary[token], "content": token, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": token != "</p>"});
    let file = json!({
        "version": "1.0",
        "truncation": null,
        "padding": null,
        "added_tokens": [mark("<s>"), mark("<end>"), mark("</p>")],
        "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [vocabulary["<s>"]], "tokens": ["<s>"]}}
        },
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": vocabulary, "merges": ["h e", "l l", "he ll", "hell o"]}
    });
    serde_json::to_vec(&file).unwrap()
}

#[test]
fn merges_are_applied_and_what_stands_around_a_text_is_not_counted() {
    let file = TokenizerFile::read(&small(), "some/where/small.json").unwrap();
    for (text, tokens) in [("", 0), ("hello", 1), ("hell", 1), ("hello hello", 3), ("help", 3)] {
        assert_eq!(file.count(text), tokens, "{text}");
    }
    assert_eq!(file.name(), "file:small.json");
}

#[test]
fn a_mark_in_a_text_is_text() {
    let file = TokenizerFile::read(&small(), "small.json").unwrap();
    assert_eq!(file.count("<end>"), 5);
}

#[test]
fn an_added_token_that_is_no_mark_is_one() {
    let file = TokenizerFile::read(&small(), "small.json").unwrap();
    assert_eq!(file.count("hello</p>"), 2);
    // Beside a mark it is not looked for.
    assert_eq!(file.count("<end></p>"), 9);
}

#[test]
fn what_is_no_tokenizer_is_refused_without_showing_it() {
    for json in [&b"{}"[..], b"not json, secret", br#"{"model": {"type": "secret"}}"#] {
        let refused = TokenizerFile::read(json, "x.json").unwrap_err();
        assert_eq!(refused.code().as_str(), "TOKENIZER_FILE");
        assert!(refused.to_string().starts_with("x.json"), "{refused}");
    }
    let missing = Tokenizer::named("file:no/such/tokenizer.json").unwrap_err();
    assert_eq!(missing.code().as_str(), "TOKENIZER_FILE");
}

#[test]
fn a_file_is_a_tokenizer_by_name() {
    let path = std::env::temp_dir().join(format!("cutctx-tokenizer-{}.json", std::process::id()));
    std::fs::write(&path, small()).unwrap();
    let tokenizer = Tokenizer::named(&format!("file:{}", path.display())).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(tokenizer.estimate("hello"), 1);
    assert!(tokenizer.is_exact() && tokenizer.family().is_none());
}
