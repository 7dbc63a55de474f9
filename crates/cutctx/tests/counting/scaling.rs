//! Scaled transcripts.

use cutctx::counting::Scale;
use cutctx::{Part, PartKind, Role, Transcript, TranscriptTurn};
use proptest::prelude::*;

fn turn(number: usize, tokens: u64) -> TranscriptTurn {
    let half = tokens / 2;
    let parts = vec![Part::new(PartKind::Text, 1, half), Part::new(PartKind::Result, 2, tokens - half)];
    let turn = TranscriptTurn::new(format!("t{number}"), Role::Tool, "xy", tokens).unwrap();
    turn.with_parts(parts).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn scaling_keeps_order_and_totals_within_rounding(
        estimates in prop::collection::vec(0_u64..1 << 40, 0..40),
        thousandths in 250_u64..=4_000,
    ) {
        let turns = estimates.iter().enumerate().map(|(number, tokens)| turn(number, *tokens)).collect();
        let before = Transcript::new(turns).unwrap();
        let after = Scale::of_thousandths(thousandths).unwrap().scaled(&before).unwrap();
        let pairs: Vec<_> = before.turns().iter().zip(after.turns()).collect();
        for (unscaled, scaled) in &pairs {
            prop_assert_eq!(unscaled.content(), scaled.content());
            let parts: u64 = scaled.parts().iter().map(|part| part.token_estimate).sum();
            prop_assert!(parts.abs_diff(scaled.token_estimate()) <= 2);
            let larger = pairs.iter().filter(|(other, _)| other.token_estimate() >= unscaled.token_estimate());
            for (_, other) in larger {
                prop_assert!(other.token_estimate() >= scaled.token_estimate());
            }
        }
        let exact = u128::from(before.token_estimate()) * u128::from(thousandths);
        let off = u128::from(after.token_estimate()) * 1_000 - exact;
        prop_assert!(off <= 1_000 * u128::try_from(estimates.len()).unwrap());
    }

    #[test]
    fn a_scale_is_read_back_as_it_is_written(thousandths in 250_u64..=4_000) {
        let scale = Scale::of_thousandths(thousandths).unwrap();
        prop_assert_eq!(scale.to_string().parse(), Ok(scale));
    }
}

#[test]
fn what_is_no_scale_is_refused() {
    for text in ["", ".5", "1.2345", "-1", "0.249", "4.001", "1e0", "x", "9999999999999999999999"] {
        assert!(text.parse::<Scale>().is_err(), "{text}");
    }
    assert_eq!((Scale::of_thousandths(249), Scale::of_thousandths(4_001)), (None, None));
}
