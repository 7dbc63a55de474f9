//! Exact counts against two implementations of other ecosystems, whose ids are kept in `tests/data/ids.json`, and
//! against `tiktoken-rs`.

use cutctx_tokens::Encoding;
use proptest::prelude::*;
use serde_json::Value;
use tiktoken_rs::CoreBPE;

use crate::kinds;

#[test]
fn ids_are_those_of_two_other_implementations() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../data/ids.json")).unwrap();
    assert!(cases.len() > 200);
    for case in &cases {
        let times = usize::try_from(case["times"].as_u64().unwrap()).unwrap();
        let text = case["unit"].as_str().unwrap().repeat(times);
        for encoding in Encoding::ALL {
            let expected = &case[encoding.name()];
            let head: Vec<u32> = serde_json::from_value(expected["head"].clone()).unwrap();
            let ids = encoding.encode(&text);
            let count = u64::try_from(ids.len()).unwrap();
            assert!(ids.starts_with(&head), "{encoding} {:?} times {times}", case["unit"]);
            assert_eq!(Some(count), expected["count"].as_u64(), "{encoding} {:?}", case["unit"]);
            assert_eq!(encoding.count(&text), count);
        }
    }
}

#[test]
fn the_vocabularies_are_complete() {
    let longest = [("o200k_base", 199_998), ("cl100k_base", 100_256)];
    for (name, size) in longest {
        let encoding = Encoding::ALL.iter().find(|encoding| encoding.name() == name).unwrap();
        let reference = reference(*encoding);
        for rank in (0..size).step_by(7) {
            let Ok(token) = String::from_utf8(reference.decode_bytes(&[rank]).unwrap()) else { continue };
            // A token may be split differently as a text; most are not, and none may differ from the reference.
            assert_eq!(encoding.encode(&token), reference.encode_ordinary(&token), "{name} {rank}");
        }
    }
}

#[test]
fn every_kind_of_text_has_the_ids_of_another_implementation() {
    for sample in kinds::all() {
        for encoding in Encoding::ALL {
            let expected = reference(*encoding).encode_ordinary(&sample.text);
            assert_eq!(encoding.encode(&sample.text), expected, "{encoding} {}", sample.kind);
        }
    }
}

#[test]
fn a_megabyte_of_one_thing_is_counted() {
    // As fast as ordinary text; an engine that needs time or stack for it would not come back.
    let counts =
        [("a", 125_000), (" ", 7_813), ("=", 15_625), ("\u{3000}", 20_834), ("😀", 250_000), ("1", 333_334)];
    for (unit, expected) in counts {
        let text: String = unit.repeat(1_000_000 / unit.len());
        assert_eq!(Encoding::O200kBase.count(&text), expected, "{unit:?}");
    }
}

/// What the patterns tell apart, and letters that merge.
const TRICKY: &str = "[a-zA-Z]{1,6}|[ \t\n\r]{1,4}|['’](s|S|t|ſ|ll|LL|re|d|x)|[0-9٣½]{1,5}|[.,/(){}=\"-]{1,4}|[界あガ한]{1,3}|[éÉǅʰªßİ]|[\u{301}\u{93f}\u{200d}]|[😀👩🇵]|[\u{0}\u{85}\u{a0}\u{2028}\u{3000}]";

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_the_ids_of_another_implementation(parts in prop::collection::vec(TRICKY, 0..24)) {
        let text = parts.concat();
        for encoding in Encoding::ALL {
            prop_assert_eq!(encoding.encode(&text), reference(*encoding).encode_ordinary(&text), "{}", encoding);
        }
    }

    #[test]
    fn a_long_word_has_the_ids_of_another_implementation(word in "[a-dA-B界é]{90,700}") {
        for encoding in Encoding::ALL {
            prop_assert_eq!(encoding.encode(&word), reference(*encoding).encode_ordinary(&word), "{}", encoding);
        }
    }
}

/// The same vocabulary in `tiktoken-rs`.
pub(crate) fn reference(encoding: Encoding) -> &'static CoreBPE {
    match encoding.name() {
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        "o200k_harmony" => tiktoken_rs::o200k_harmony_singleton(),
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        "p50k_base" => tiktoken_rs::p50k_base_singleton(),
        "r50k_base" => tiktoken_rs::r50k_base_singleton(),
        other => panic!("no reference for {other}"),
    }
}
