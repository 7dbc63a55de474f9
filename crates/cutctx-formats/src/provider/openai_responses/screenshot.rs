//! Screenshots that were masked.
//!
//! The answer to a computer call must be a picture. In the place of one that is masked stands a picture of one point
//! whose comment is the stub; it is read back as that text.

use alloc::string::String;
use alloc::vec::Vec;

use crate::raw::{Node, quoted};

/// How the link of such a picture begins.
const LINK: &str = "data:image/png;base64,";

/// The signature of the file and its first chunk: one grey point. A multiple of three bytes, so that its base64 does not
/// depend on what follows.
const HEAD: [u8; 33] = [
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58,
    126, 155, 85,
];

/// The point itself, and the end.
const POINT: [u8; 34] = [
    0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 96, 0, 0, 0, 2, 0, 1, 72, 175, 164, 113, 0, 0, 0, 0, 73, 69,
    78, 68, 174, 66, 96, 130,
];

/// The kind of the chunk with the comment, and what stands in it before the text: its keyword, no compression, no
/// language.
const COMMENT: &[u8] = b"iTXtComment\0\0\0\0\0";

/// The length of a chunk's kind.
const KIND: usize = 4;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A screenshot that says a text, as the JSON value of an output.
pub(super) fn masked(text: &str) -> String {
    let link = [LINK, &base64(&picture(text))].concat();
    [r#"{"type":"computer_screenshot","image_url":"#, &quoted(&link), "}"].concat()
}

/// What a masked screenshot says; `None` for any other output.
pub(super) fn text_of(output: Node<'_>) -> Option<String> {
    let link = output.object().ok()??.string("image_url")?;
    let rest = link.strip_prefix(LINK)?.strip_prefix(&base64(&HEAD))?;
    let bytes = bytes_of(rest)?;
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let text = rest.get(..length.checked_add(KIND)?)?.strip_prefix(COMMENT)?;
    String::from_utf8(text.to_vec()).ok()
}

fn picture(text: &str) -> Vec<u8> {
    let chunk = [COMMENT, text.as_bytes()].concat();
    let length = u32::try_from(chunk.len().saturating_sub(KIND)).unwrap_or(u32::MAX);
    [&HEAD, &length.to_be_bytes()[..], &chunk, &checksum(&chunk).to_be_bytes(), &POINT].concat()
}

/// The checksum of a chunk, as the format defines it (CRC-32).
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
    let sum =
        bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)));
    !sum
}

fn base64(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for chunk in bytes.chunks(3) {
        let joined =
            (0..3).fold(0_u32, |joined, at| joined << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4_usize {
            let digit = usize::try_from(joined >> (18_usize.saturating_sub(at.saturating_mul(6))) & 63);
            let digit = digit.ok().and_then(|digit| ALPHABET.get(digit)).copied().unwrap_or(b'A');
            text.push(if at > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    text
}

fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut joined = 0_u32;
        for at in 0..4 {
            let digit =
                chunk.get(at).map_or(Some(0), |byte| ALPHABET.iter().position(|known| known == byte))?;
            joined = joined << 6 | u32::try_from(digit).ok()?;
        }
        let [_, three @ ..] = joined.to_be_bytes();
        bytes.extend(three.iter().take(chunk.len().saturating_sub(1)));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_masked_is_read_back() {
        for text in ["", "g", "[gone]", "[Ergebnis gekürzt … 12]", "a\"b\\c"] {
            let value = masked(text);
            let node = Node::parse(&value, 0).unwrap();
            assert_eq!(text_of(node).as_deref(), Some(text));
        }
        let other = r#"{"type":"computer_screenshot","image_url":"data:image/png;base64,iVBORw0KGgo="}"#;
        assert_eq!(text_of(Node::parse(other, 0).unwrap()), None);
    }

    #[test]
    fn the_picture_has_the_checksum_that_decoders_want() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
        assert_eq!(
            checksum(HEAD.get(12..29).unwrap()).to_be_bytes(),
            HEAD.last_chunk::<4>().copied().unwrap()
        );
    }
}
