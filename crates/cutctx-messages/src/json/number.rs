//! Floats that are whole numbers in truth.

use super::fault::DurableError;

/// A number as it is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    /// A whole number.
    Int(i64),
    /// A finite number that is not whole.
    Fraction(f64),
}

/// What of a double's bits is its fraction.
const FRACTION_BITS: u32 = 52;

/// The exponent field of what is infinite or no number.
const NOT_FINITE: u64 = 0x7FF;

/// What the exponent field is above the power of two that a double's 53 digits, read as an integer, are multiplied by.
const BIAS: i64 = 1_075;

/// The stored form of a double: the integer when it is whole. Worked out on the bits, so it is exact.
pub(crate) fn number(value: f64) -> Result<Number, DurableError> {
    let bits = value.to_bits();
    let exponent = (bits >> FRACTION_BITS) & NOT_FINITE;
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    match (exponent, fraction) {
        (NOT_FINITE, _) => Err(DurableError::NonFiniteNumber),
        (0, 0) => Ok(Number::Int(0)),
        // Too near to zero to be whole.
        (0, _) => Ok(Number::Fraction(value)),
        _ => scaled(value, fraction | (1 << FRACTION_BITS), i64::from_ne_bytes(exponent.to_ne_bytes())),
    }
}

/// A double of these 53 digits and this exponent field.
fn scaled(value: f64, digits: u64, exponent: i64) -> Result<Number, DurableError> {
    let power = exponent.saturating_sub(BIAS);
    let distance = u32::try_from(power.unsigned_abs()).unwrap_or(u32::MAX);
    if power >= 0 {
        // 53 digits and more than 11 places are beyond 64 bits.
        let large = i128::from(digits).checked_shl(distance).filter(|_| distance <= 11);
        return large.map_or(Err(DurableError::IntegerOutOfRange), |large| whole(value, large));
    }
    if digits.trailing_zeros() < distance {
        return Ok(Number::Fraction(value));
    }
    whole(value, i128::from(digits.checked_shr(distance).unwrap_or(0)))
}

fn whole(value: f64, magnitude: i128) -> Result<Number, DurableError> {
    let signed = if value.is_sign_negative() { magnitude.saturating_neg() } else { magnitude };
    i64::try_from(signed).map(Number::Int).map_err(|_| DurableError::IntegerOutOfRange)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn borders_are_exact() {
        let cases = [
            (0.0, Ok(Number::Int(0))),
            (-0.0, Ok(Number::Int(0))),
            (2.0, Ok(Number::Int(2))),
            (-1e15, Ok(Number::Int(-1_000_000_000_000_000))),
            (9_007_199_254_740_993.0, Ok(Number::Int(9_007_199_254_740_992))),
            (9_223_372_036_854_774_784.0, Ok(Number::Int(9_223_372_036_854_774_784))),
            (9_223_372_036_854_775_808.0, Err(DurableError::IntegerOutOfRange)),
            (-9_223_372_036_854_775_808.0, Ok(Number::Int(i64::MIN))),
            (-9_223_372_036_854_777_856.0, Err(DurableError::IntegerOutOfRange)),
            (1e300, Err(DurableError::IntegerOutOfRange)),
            (0.5, Ok(Number::Fraction(0.5))),
            (4_503_599_627_370_495.5, Ok(Number::Fraction(4_503_599_627_370_495.5))),
            (5e-324, Ok(Number::Fraction(5e-324))),
            (f64::MIN_POSITIVE, Ok(Number::Fraction(f64::MIN_POSITIVE))),
            (f64::INFINITY, Err(DurableError::NonFiniteNumber)),
        ];
        for (value, wanted) in cases {
            assert_eq!(number(value), wanted, "{value}");
        }
        assert_eq!(number(f64::NAN), Err(DurableError::NonFiniteNumber));
    }

    proptest! {
        #[test]
        fn every_double_is_told_as_the_standard_library_tells_it(bits in any::<u64>(), shift in 0..64_u32) {
            let whole = f64::from_bits(bits).trunc();
            for value in [f64::from_bits(bits), whole, f64::from(u32::try_from(bits >> 32).unwrap() >> (shift / 2))] {
                match number(value) {
                    Ok(Number::Int(int)) => prop_assert_eq!(format!("{:.0}", value.abs()), int.unsigned_abs().to_string()),
                    Ok(Number::Fraction(same)) => {
                        prop_assert_eq!(same.to_bits(), value.to_bits());
                        prop_assert_ne!(value.trunc().to_bits(), value.to_bits());
                    }
                    Err(DurableError::NonFiniteNumber) => prop_assert!(!value.is_finite()),
                    Err(_) => prop_assert!(!(-9.3e18..9.2e18).contains(&value)),
                }
            }
        }
    }
}
