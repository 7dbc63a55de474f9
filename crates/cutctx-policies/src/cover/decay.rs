//! Half-lives without floating point.

use alloc::vec::Vec;

/// One, in the fixed point that decays and values are counted in.
pub(super) const ONE: u64 = 1 << 16;

/// Two to the power of −1/2, −1/4, −1/8 and so on, in units of 2^−32.
const ROOTS: [u64; 16] = [
    3_037_000_500,
    3_611_622_603,
    3_938_502_376,
    4_112_874_773,
    4_202_935_003,
    4_248_701_965,
    4_271_771_996,
    4_283_353_945,
    4_289_156_690,
    4_292_061_010,
    4_293_513_907,
    4_294_240_540,
    4_294_603_903,
    4_294_785_595,
    4_294_876_445,
    4_294_921_870,
];

/// By position: two to the power of minus the turn's age as a share of all turns. The newest turn is worth
/// [`ONE`], and one that was as old as there are turns would be worth half of it.
pub(super) fn of_turns(turns: usize) -> Vec<u64> {
    let all = u64::try_from(turns).unwrap_or(u64::MAX).max(1);
    let worth = |age: u64| half_to_the(age.saturating_mul(ONE).checked_div(all).unwrap_or(0));
    let mut worths: Vec<u64> = (0..all).take(turns).map(worth).collect();
    worths.reverse();
    worths
}

/// Two to the power of minus a fraction of [`ONE`].
fn half_to_the(fraction: u64) -> u64 {
    if fraction >= ONE {
        return ONE >> 1;
    }
    let bits = (1_u32..).zip(ROOTS).filter(|(place, _)| fraction & (ONE >> place) != 0);
    bits.fold(1_u64 << 32, |product, (_, root)| product.saturating_mul(root) >> 32) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_turn_is_worth_one_and_a_worth_never_grows_with_age() {
        for turns in [1, 2, 3, 1_000, 70_000] {
            let worths = of_turns(turns);
            assert_eq!((worths.len(), worths.last()), (turns, Some(&ONE)));
            assert!(worths.is_sorted() && worths[0] >= ONE / 2, "{turns}");
        }
        assert!(of_turns(0).is_empty());
    }

    #[test]
    #[expect(clippy::cast_precision_loss, reason = "the fixed point is compared with the formula")]
    fn it_is_the_formula_to_four_digits() {
        for fraction in (0..=ONE).step_by(97) {
            let exact = (-(fraction as f64) / ONE as f64).exp2() * ONE as f64;
            assert!((half_to_the(fraction) as f64 - exact).abs() < 3.0, "{fraction}");
        }
    }
}
