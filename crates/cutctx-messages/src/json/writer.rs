//! Writing durable values: the canonical form that messages are hashed in, and plain JSON in the order of the source.

use alloc::string::String;
use core::fmt::Write;

use cutctx_types::float_repr;

use super::object::DurableObject;
use super::value::{DurableValue, ValueView};

impl DurableValue {
    /// The canonical JSON that messages are hashed in.
    ///
    /// Keys are sorted by code point, there are no spaces, text beyond ASCII stands as it is. A number that is not
    /// whole is its shortest digits, without a point and without zeros behind, and the power of ten: `125e-1`.
    ///
    /// This is not [`canonical_json`](cutctx_types::canonical_json), which plans are hashed in.
    #[must_use]
    pub fn durable_json(&self) -> String {
        written(|out| write_canonical(self, out))
    }

    /// Compact JSON with members in the order in which they were written.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(|out| PLAIN.value(self, out))
    }
}

impl DurableObject {
    /// The canonical JSON that messages are hashed in: see [`DurableValue::durable_json`].
    #[must_use]
    pub fn durable_json(&self) -> String {
        written(|out| self.write_durable_json(out))
    }

    pub(crate) fn write_durable_json(&self, out: &mut String) {
        CANONICAL.object(self, out);
    }

    /// Compact JSON with members in the order in which they were written.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(|out| PLAIN.object(self, out))
    }
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

pub(crate) fn write_canonical(value: &DurableValue, out: &mut String) {
    CANONICAL.value(value, out);
}

/// What distinguishes the two forms.
#[derive(Clone, Copy)]
struct Style {
    sorted: bool,
    fraction: fn(f64) -> String,
}

const CANONICAL: Style = Style { sorted: true, fraction: canonical_fraction };
const PLAIN: Style = Style { sorted: false, fraction: float_repr };

impl Style {
    fn value(self, value: &DurableValue, out: &mut String) {
        match value.view() {
            ValueView::Null => out.push_str("null"),
            ValueView::Bool(value) => out.push_str(if value { "true" } else { "false" }),
            ValueView::Int(value) => write_canonical_int(value, out),
            ValueView::Fraction(value) => out.push_str(&(self.fraction)(value)),
            ValueView::Text(text) => write_canonical_text(text, out),
            ValueView::Array(items) => self.array(items, out),
            ValueView::Object(object) => self.object(object, out),
        }
    }

    fn array(self, items: &[DurableValue], out: &mut String) {
        out.push('[');
        for (nth, item) in items.iter().enumerate() {
            comma(nth, out);
            self.value(item, out);
        }
        out.push(']');
    }

    fn object(self, object: &DurableObject, out: &mut String) {
        out.push('{');
        if self.sorted {
            object.sorted().enumerate().for_each(|(nth, member)| self.member(nth, member, out));
        } else {
            object.iter().enumerate().for_each(|(nth, member)| self.member(nth, member, out));
        }
        out.push('}');
    }

    fn member<K: AsRef<str>>(self, nth: usize, (key, value): (K, &DurableValue), out: &mut String) {
        comma(nth, out);
        write_canonical_text(key.as_ref(), out);
        out.push(':');
        self.value(value, out);
    }
}

fn comma(nth: usize, out: &mut String) {
    if nth > 0 {
        out.push(',');
    }
}

pub(crate) fn write_canonical_int(value: i64, out: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(out, "{value}");
}

/// Writes a text with its quotes, in runs of what needs no escape.
pub(crate) fn write_canonical_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        let Some((plain, from)) = rest.split_at_checked(at) else { break };
        let mut behind = from.chars();
        out.push_str(plain);
        write_escape(behind.next().unwrap_or_default(), out);
        rest = behind.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

const fn needs_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn write_escape(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{C}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        control => {
            let _ = write!(out, "\\u{:04x}", u32::from(control));
        }
    }
}

/// `<sign><digits>e<exponent>`, from the shortest digits that read back the same.
fn canonical_fraction(value: f64) -> String {
    let text = float_repr(value);
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |text| ("-", text));
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, behind) = digits.split_once('.').unwrap_or((digits, ""));
    let places = i64::try_from(behind.len()).unwrap_or(0);
    let all = [whole, behind].concat();
    let digits = all.trim_end_matches('0');
    let zeros = i64::try_from(all.len().saturating_sub(digits.len())).unwrap_or(0);
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let exponent = exponent.saturating_sub(places).saturating_add(zeros);
    alloc::format!("{sign}{}e{exponent}", digits.trim_start_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fractions_are_their_digits_and_a_power_of_ten() {
        let cases = [
            (0.1, "1e-1"),
            (12.5, "125e-1"),
            (1.5e-7, "15e-8"),
            (-0.000_1, "-1e-4"),
            (100.25, "10025e-2"),
            (5e-324, "5e-324"),
            // Two shortest texts are equally near; the even one counts.
            (f64::from_bits(0x4310_0000_0000_0001), "11258999068426242e-1"),
        ];
        for (value, wanted) in cases {
            assert_eq!(canonical_fraction(value), wanted);
        }
    }

    proptest! {
        #[test]
        fn plain_json_reads_back_and_is_as_long_as_it_was_measured(text in "\\PC{0,20}[\\x01-\\x20\"\\\\]{0,5}", int in any::<i64>(), float in any::<f64>()) {
            let json = serde_json::json!([{"b": text, "a": int}, float, null, true, text]);
            let Ok(value) = serde_json::from_value::<DurableValue>(json) else { return Ok(()) };
            let written = value.to_json();
            prop_assert_eq!(written.len(), value.size().bytes);
            let read: DurableValue = serde_json::from_str(&written).unwrap();
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(serde_json::to_value(&read).unwrap(), serde_json::to_value(&value).unwrap());
        }
    }
}
