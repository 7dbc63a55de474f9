//! Floats as Python's `repr` writes them.

use alloc::format;
use alloc::string::{String, ToString};

/// The text that Python's `repr` gives for a double: the shortest digits that read back the same.
///
/// Where two texts of that length are equally near, the one with the even last digit is taken; the
/// formatting of Rust's standard library takes the greater.
///
/// ```
/// use cutctx_types::float_repr;
/// assert_eq!(float_repr(4.0), "4.0");
/// assert_eq!(float_repr(1.5e-7), "1.5e-07");
/// assert_eq!(float_repr(f64::NAN), "nan");
/// assert_eq!(float_repr(1_125_899_906_842_624.25), "1125899906842624.2");
/// ```
#[must_use]
pub fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0" } else { "0.0" }.to_string();
    }
    if (1e-4..1e16).contains(&value.abs()) { plain(value) } else { scientific(value) }
}

fn plain(value: f64) -> String {
    let shortest = format!("{value}");
    let Some((_, fraction)) = shortest.split_once('.') else { return format!("{shortest}.0") };
    let places = fraction.len();
    nearest_of(value, format!("{value:.places$}"), shortest)
}

/// Rust writes `1.5e-7`; Python gives the exponent a sign and at least two digits.
fn scientific(value: f64) -> String {
    let shortest = format!("{value:e}");
    let places = places_of(&shortest);
    let text = nearest_of(value, format!("{value:.places$e}"), shortest);
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, size) = exponent.strip_prefix('-').map_or(('+', exponent), |size| ('-', size));
    format!("{digits}e{sign}{size:0>2}")
}

/// The digits between the point and the exponent.
fn places_of(text: &str) -> usize {
    let digits = text.split_once('e').map_or(text, |(digits, _)| digits);
    digits.split_once('.').map_or(0, |(_, places)| places.len())
}

/// The value rounded to as many digits as its shortest text has, ties to even, if that reads back the
/// same. Next to a power of two it may not; then the shortest text is the only one of its length.
fn nearest_of(value: f64, rounded: String, shortest: String) -> String {
    let reads_back = rounded.parse().is_ok_and(|read: f64| read.to_bits() == value.to_bits());
    if reads_back { rounded } else { shortest }
}
