//! A part of a number of tokens, as floating-point arithmetic has it.

/// The bits of a double's fraction.
const FRACTION_BITS: u32 = 52;

/// What a double's exponent field is above the power of two of its last digit.
const BIAS: u32 = 1_075;

/// The product of tokens and a ratio above zero and at most one, rounded to a double as multiplication does and then up
/// to a whole number. Worked out on the bits.
pub(super) fn ceiling(tokens: u64, ratio: f64) -> u64 {
    let bits = ratio.to_bits();
    let exponent = u32::try_from(bits >> FRACTION_BITS).unwrap_or(0);
    let fraction = (bits & ((1 << FRACTION_BITS) - 1)) | (1 << FRACTION_BITS);
    let product = u128::from(tokens).saturating_mul(u128::from(fraction));
    let (digits, dropped) = rounded(product);
    // The product is `digits` times two to the power of `dropped - places`.
    let places = BIAS.saturating_sub(exponent);
    match places.checked_sub(dropped) {
        None => whole(digits.checked_shl(dropped.saturating_sub(places)).unwrap_or(u128::MAX)),
        Some(places) => match 1_u128.checked_shl(places) {
            Some(unit) => whole(digits.div_ceil(unit)),
            None => u64::from(digits > 0),
        },
    }
}

/// The 53 leading digits of a number, rounded to even, and how many were dropped.
fn rounded(product: u128) -> (u128, u32) {
    let digits = 128_u32.saturating_sub(product.leading_zeros());
    let dropped = digits.saturating_sub(FRACTION_BITS.saturating_add(1));
    let Some(half) = dropped.checked_sub(1).and_then(|places| 1_u128.checked_shl(places)) else {
        return (product, 0);
    };
    let kept = product.checked_shr(dropped).unwrap_or(0);
    let rest = product.saturating_sub(kept.checked_shl(dropped).unwrap_or(0));
    let up = rest > half || (rest == half && kept & 1 == 1);
    (kept.saturating_add(u128::from(up)), dropped)
}

fn whole(value: u128) -> u64 {
    u64::try_from(value).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::ceiling;

    #[test]
    fn products_are_rounded_before_they_are_rounded_up() {
        let cases = [
            (50, 0.9, 45),
            (7, 0.9, 7),
            (100, 1.0, 100),
            (3, 0.1, 1),
            (30, 0.1, 3),
            (0, 0.9, 0),
            (10, 0.7, 7),
        ];
        for (tokens, ratio, wanted) in cases {
            assert_eq!(ceiling(tokens, ratio), wanted, "{tokens} * {ratio}");
        }
        assert_eq!(ceiling(u64::MAX, 1.0), u64::MAX);
        assert_eq!(ceiling(1, f64::MIN_POSITIVE), 1);
    }
}
