//! Floats as Python's `repr` writes them.

use alloc::format;
use alloc::string::{String, ToString};

/// The text that Python's `repr` gives for a double: the shortest digits that read back the same.
///
/// ```
/// use cutctx_types::float_repr;
/// assert_eq!(float_repr(4.0), "4.0");
/// assert_eq!(float_repr(1.5e-7), "1.5e-07");
/// assert_eq!(float_repr(f64::NAN), "nan");
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
    let text = format!("{value}");
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// Rust writes `1.5e-7`; Python gives the exponent a sign and at least two digits.
fn scientific(value: f64) -> String {
    let text = format!("{value:e}");
    let Some((digits, exponent)) = text.split_once('e') else { return text };
    let (sign, size) = exponent.strip_prefix('-').map_or(('+', exponent), |size| ('-', size));
    format!("{digits}e{sign}{size:0>2}")
}
