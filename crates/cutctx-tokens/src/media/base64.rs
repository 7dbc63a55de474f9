//! Bytes from base64.

use alloc::vec::Vec;

/// At most so many bytes from the start of a base64 text. Line breaks and a leading `data:…,` are passed over; the first
/// character that is no base64 ends it.
pub(crate) fn prefix(text: &str, most: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(most.min(text.len()));
    bytes.extend(decoded(text).take(most));
    bytes
}

/// The bytes of a base64 text, one by one.
pub(crate) fn decoded(text: &str) -> impl Iterator<Item = u8> {
    let text =
        if text.starts_with("data:") { text.split_once(',').map_or("", |(_, data)| data) } else { text };
    let digits = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).map_while(digit);
    let mut held = (0_u16, 0_u32);
    digits.filter_map(move |digit| {
        let (bits, count) = ((held.0 << 6) | u16::from(digit), held.1.saturating_add(6));
        held = (bits & 0xFF, count);
        let rest = count.checked_sub(8)?;
        held.1 = rest;
        u8::try_from((bits >> rest) & 0xFF).ok()
    })
}

const fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte.wrapping_sub(b'A'),
        b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
        b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back() {
        for (text, bytes) in [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("TWFuIQ", "Man!")] {
            assert_eq!(prefix(text, 99), bytes.as_bytes(), "{text}");
        }
    }

    #[test]
    fn a_data_link_and_line_breaks_are_passed_over() {
        assert_eq!(prefix("data:text/plain;base64,TW\r\nFu", 99), b"Man");
    }

    #[test]
    fn only_what_is_asked_for_is_decoded() {
        assert_eq!(prefix(&"TWFu".repeat(1_000), 4), b"ManM");
    }
}
