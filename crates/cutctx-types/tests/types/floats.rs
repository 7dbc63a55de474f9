//! Floats against a formatting that tries one number of digits after the other.

use cutctx_types::float_repr;
use proptest::prelude::*;

/// What Python's `repr` writes for a finite double, found by trial: the fewest digits that read back the
/// same, laid out plainly from 1e-4 up to below 1e16 and with an exponent elsewhere.
pub(crate) fn slow_repr(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0.0");
    }
    let (digits, exponent) = fewest_digits(value.abs());
    let point = exponent + 1;
    if (-3..=16).contains(&point) {
        format!("{sign}{}", plain(&digits, point))
    } else {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { String::new() } else { format!(".{rest}") };
        let direction = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{first}{rest}e{direction}{:02}", exponent.abs())
    }
}

/// Digits without trailing zeros, and the decimal exponent of the first.
fn fewest_digits(value: f64) -> (String, i32) {
    for precision in 0..17 {
        for candidate in candidates(value, precision) {
            if candidate.parse() == Ok(value) {
                let (digits, exponent) = candidate.split_once('e').unwrap();
                let digits = digits.replace('.', "");
                let digits = digits.trim_end_matches('0');
                return (
                    String::from(if digits.is_empty() { "0" } else { digits }),
                    exponent.parse().unwrap(),
                );
            }
        }
    }
    panic!("17 digits are enough for every double")
}

/// The number rounded to so many digits after the first, then its neighbours of that length: at powers of
/// two the nearest one may read back as another number while a neighbour reads back right.
fn candidates(value: f64, precision: usize) -> Vec<String> {
    let rounded = format!("{value:.precision$e}");
    let (digits, exponent) = rounded.split_once('e').unwrap();
    let digits: i128 = digits.replace('.', "").parse().unwrap();
    let exponent: i32 = exponent.parse().unwrap();
    let neighbour = |step: i128| {
        let text = (digits + step).to_string();
        let carry = i32::try_from(text.len()).unwrap() - i32::try_from(precision + 1).unwrap();
        let (first, rest) = text.split_at(1);
        format!("{first}.{rest}e{}", exponent + carry)
    };
    vec![rounded, neighbour(1), neighbour(-1)]
}

/// Digits with the point after `point` of them, zeros filling up either side.
fn plain(digits: &str, point: i32) -> String {
    let length = i32::try_from(digits.len()).unwrap();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else if point >= length {
        format!("{digits}{}.0", zeros(point - length))
    } else {
        let (whole, part) = digits.split_at(usize::try_from(point).unwrap());
        format!("{whole}.{part}")
    }
}

proptest! {
    #[test]
    fn any_bits_are_written_as_the_slow_formatting_writes_them(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        prop_assert_eq!(float_repr(value), slow_repr(value));
    }

    #[test]
    fn any_bits_read_back_the_same(bits in any::<u64>()) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        let read: f64 = float_repr(value).parse().unwrap();
        prop_assert_eq!(read.to_bits(), bits);
    }

    #[test]
    fn short_decimals_are_written_as_they_are_spelled(digits in 1_u64..100_000, exponent in -30_i32..30) {
        let value: f64 = format!("{digits}e{exponent}").parse().unwrap();
        prop_assert_eq!(float_repr(value), slow_repr(value));
    }

    #[test]
    fn neighbours_of_the_borders_change_their_form_exactly_there(steps in 0_u64..2_000, low in any::<bool>()) {
        let border: f64 = if low { 1e-4 } else { 1e16 };
        let below = f64::from_bits(border.to_bits() - 1 - steps);
        let from = f64::from_bits(border.to_bits() + steps);
        prop_assert_eq!(float_repr(below).contains('e'), low);
        prop_assert_eq!(float_repr(from).contains('e'), !low);
        prop_assert_eq!(float_repr(below), slow_repr(below));
        prop_assert_eq!(float_repr(from), slow_repr(from));
    }

    #[test]
    fn subnormals_are_written_as_the_slow_formatting_writes_them(bits in 1_u64..(1 << 52)) {
        let value = f64::from_bits(bits);
        prop_assert_eq!(float_repr(value), slow_repr(value));
    }
}

#[test]
fn powers_of_two_are_written_as_the_slow_formatting_writes_them() {
    let powers = (0_u64..2_047).map(|exponent| f64::from_bits(exponent << 52));
    let subnormal = (0..52).map(|shift| f64::from_bits(1 << shift));
    for value in powers.chain(subnormal) {
        assert_eq!(float_repr(value), slow_repr(value));
        assert_eq!(float_repr(-value), slow_repr(-value));
    }
}

#[test]
fn well_known_numbers_are_written_as_everybody_knows_them() {
    for (value, text) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (1e-4, "0.0001"),
        (9.999_999_999_999_999e-5, "9.999999999999999e-05"),
        (1e-5, "1e-05"),
        (1.5e-7, "1.5e-07"),
        (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
        (9_999_999_999_999_998.0, "9999999999999998.0"),
        (1e16, "1e+16"),
        (1e22, "1e+22"),
        (1e100, "1e+100"),
        (5e-324, "5e-324"),
        // Two texts are equally near: the even one.
        (2.980_232_238_769_531_25e-8, "2.9802322387695312e-08"),
        (1_125_899_906_842_624.25, "1125899906842624.2"),
        (1_125_899_906_842_624.75, "1125899906842624.8"),
        (-1_500_000_000_000_000.25, "-1500000000000000.2"),
        (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::MIN, "-1.7976931348623157e+308"),
        (f64::NAN, "nan"),
        (f64::INFINITY, "inf"),
        (f64::NEG_INFINITY, "-inf"),
    ] {
        assert_eq!(float_repr(value), text);
    }
}
