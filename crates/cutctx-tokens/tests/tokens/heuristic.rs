//! The heuristic's laws and its error by kind of text.

use cutctx_tokens::{Family, Heuristic, Kind};
use cutctx_types::TokenEstimator;
use proptest::prelude::*;

#[test]
fn nothing_costs_nothing_and_a_letter_costs_one() {
    for family in Family::ALL {
        assert_eq!(Heuristic::new(*family).estimate(""), 0);
        assert_eq!(Heuristic::new(*family).estimate("a"), 1);
    }
}

#[cfg(feature = "openai")]
#[test]
fn no_kind_of_text_is_estimated_below_seven_tenths_of_its_tokens() {
    let heuristic = Heuristic::new(Family::OpenAi);
    for sample in crate::kinds::all() {
        let exact = cutctx_tokens::Encoding::O200kBase.count(&sample.text);
        let estimate = heuristic.estimate(&sample.text);
        assert!(estimate * 10 >= exact * 7, "{}: {estimate} for {exact}", sample.kind);
        assert!(estimate * 10 <= exact * 15, "{}: {estimate} for {exact}", sample.kind);
    }
}

#[cfg(feature = "openai")]
#[test]
fn no_character_of_ascii_in_a_row_is_estimated_below_seven_tenths() {
    let heuristic = Heuristic::new(Family::OpenAi);
    for byte in (1_u8..=127).filter(|byte| *byte != b'\r') {
        for times in [1, 2, 24, 300, 5_000] {
            let text = char::from(byte).to_string().repeat(times);
            let exact = cutctx_tokens::Encoding::O200kBase.count(&text);
            let estimate = heuristic.estimate(&text);
            assert!(estimate * 10 >= exact * 7, "{byte:#x} times {times}: {estimate} for {exact}");
        }
    }
}

#[test]
fn chinese_is_not_counted_as_a_quarter_nor_as_a_token_a_character() {
    let text = "港务处有两本账簿，一本记录停靠的船。".repeat(40);
    let characters = u64::try_from(text.chars().count()).unwrap();
    let estimate = Heuristic::new(Family::OpenAi).estimate(&text);
    assert!(estimate * 10 > characters * 6 && estimate < characters, "{estimate} of {characters}");
}

#[test]
fn no_weight_makes_a_cliff() {
    for family in Family::ALL {
        for kind in Kind::ALL {
            let weight = Heuristic::new(*family).weights().of(*kind);
            assert!(weight <= 3_500, "{} {weight}", kind.name());
        }
    }
}

/// All sorts of characters, most of them from where texts are written with.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z ]{0,12}",
        "[0-9a-f.,_/{}\\[\\]\"=-]{0,12}",
        "(=|a|Z| |\n|\t|1|😀){0,40}",
        "[А-яα-ωא-ת أ-ي]{0,8}",
        "[अ-ह一-龥ぁ-んァ-ヶ가-힣]{0,8}",
        "\\PC{0,6}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn two_halves_cost_what_the_whole_costs_up_to_the_seam(one in text(), other in text()) {
        for family in Family::ALL {
            let heuristic = Heuristic::new(*family);
            let halves = heuristic.estimate(&one) + heuristic.estimate(&other);
            let whole = heuristic.estimate(&format!("{one}{other}"));
            prop_assert!(halves.abs_diff(whole) <= Heuristic::SEAM, "{halves} and {whole}");
        }
    }

    #[test]
    fn more_text_never_costs_less_and_a_character_never_much(text in text()) {
        for family in Family::ALL {
            let heuristic = Heuristic::new(*family);
            let (mut before, mut start) = (0, String::new());
            for character in text.chars() {
                start.push(character);
                let now = heuristic.estimate(&start);
                prop_assert!(now >= before && now <= before + 4, "{before} then {now}");
                before = now;
            }
        }
    }

    #[test]
    fn every_character_has_one_kind(text in text()) {
        let counted: u64 = cutctx_tokens::profile(&text).iter().sum();
        prop_assert_eq!(counted, u64::try_from(text.chars().count()).unwrap());
    }
}
