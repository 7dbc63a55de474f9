//! How long a summary may be.

use cutctx_types::InvalidValue;

/// The target of a summary that replaces `tokens`, at a ratio: at least one token, rounded half to
/// even from one multiplication of doubles. A product beyond 64 bits saturates.
///
/// # Errors
///
/// [`InvalidValue::Overflow`] when the product is infinite.
pub(super) fn target_tokens(tokens: u64, ratio: f64) -> Result<u64, InvalidValue> {
    let product = product(tokens, ratio);
    if product.is_infinite() {
        return Err(InvalidValue::Overflow { quantity: "the target of a summary" });
    }
    Ok(round_half_even(product).max(1))
}

#[expect(
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "the formula is defined in doubles, and the cast rounds half to even as it demands"
)]
fn product(tokens: u64, ratio: f64) -> f64 {
    tokens as f64 * ratio
}

/// Rounds a double that is not negative. Exact: the fraction is exact below 2^53 and zero above.
#[expect(
    clippy::float_arithmetic,
    clippy::float_cmp,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`core` has no rounding; a cast from a double saturates, which is meant"
)]
fn round_half_even(value: f64) -> u64 {
    let whole = value as u64;
    let fraction = value - whole as f64;
    let up = fraction > 0.5 || (fraction == 0.5 && whole % 2 == 1);
    whole.saturating_add(u64::from(up))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn halves_go_to_the_even_neighbour_and_nothing_becomes_one() {
        for (tokens, target) in [(1, 1), (3, 2), (5, 2), (7, 4), (9, 4)] {
            assert_eq!(target_tokens(tokens, 0.5), Ok(target), "{tokens}");
        }
    }

    #[test]
    fn a_huge_product_saturates_and_an_infinite_one_is_refused() {
        assert_eq!(target_tokens(u64::MAX, 1e280), Ok(u64::MAX));
        assert!(target_tokens(100, 1.7e308).is_err());
    }

    #[expect(
        clippy::float_arithmetic,
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the formula is defined in doubles"
    )]
    fn by_the_library(tokens: u64, ratio: f64) -> u64 {
        (tokens as f64 * ratio).round_ties_even() as u64
    }

    proptest! {
        #[test]
        fn it_rounds_as_the_standard_library_does(tokens in any::<u64>(), ratio in 0.0..2.0_f64) {
            prop_assert_eq!(target_tokens(tokens, ratio), Ok(by_the_library(tokens, ratio).max(1)));
        }
    }
}
