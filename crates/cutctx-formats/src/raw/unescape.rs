//! What JSON strings say.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserializer, Visitor};

use super::walk::matches;

/// The text of a JSON string, quotes and escapes resolved.
pub(super) fn unescape(quoted: &str) -> Option<String> {
    let plain = unescape_whole(quoted).or_else(|| serde_json::from_str(quoted).ok());
    plain.or_else(|| unescape_lossy(quoted))
}

/// The text of a string in which no pair of surrogates is broken.
fn unescape_whole(quoted: &str) -> Option<String> {
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let first = memchr::memchr(b'\\', inner).unwrap_or(inner.len());
    let (before, mut rest) = inner.split_at_checked(first)?;
    let mut said = Said { text: Vec::with_capacity(inner.len()), length: first };
    said.text.extend_from_slice(before);
    said.text.resize(inner.len(), 0);
    while let Some(escape) = said.run(rest) {
        rest = said.escaped(escape)?;
    }
    said.text.truncate(said.length);
    String::from_utf8(said.text).ok()
}

/// A text while it is written. It has room for all that can come.
struct Said {
    text: Vec<u8>,
    length: usize,
}

impl Said {
    /// Copies what is not escaped, word by word, and gives what begins with the next backslash.
    fn run<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let mut rest = bytes;
        while let Some((word, after)) = rest.split_first_chunk::<8>() {
            let room = self.text.get_mut(self.length..)?;
            *room.first_chunk_mut::<8>()? = *word;
            let hits = matches(u64::from_le_bytes(*word), b'\\');
            if hits != 0 {
                let run = usize::try_from(hits.trailing_zeros()).ok()?.wrapping_shr(3);
                self.length = self.length.saturating_add(run);
                return rest.get(run..);
            }
            self.length = self.length.saturating_add(8);
            rest = after;
        }
        let run = rest.iter().position(|byte| *byte == b'\\');
        self.push(rest.get(..run.unwrap_or(rest.len()))?)?;
        rest.get(run?..)
    }

    /// Adds what an escape stands for and gives what is behind it.
    fn escaped<'a>(&mut self, escape: &'a [u8]) -> Option<&'a [u8]> {
        let byte = match *escape.get(1)? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            same @ (b'"' | b'\\' | b'/') => same,
            b'u' => return self.character(escape),
            _ => return None,
        };
        *self.text.get_mut(self.length)? = byte;
        self.length = self.length.saturating_add(1);
        escape.get(2..)
    }

    /// Adds a character that is spelled by one or two numbers.
    fn character<'a>(&mut self, escape: &'a [u8]) -> Option<&'a [u8]> {
        let first = code_unit(escape)?;
        let (character, length) = match char::from_u32(first) {
            Some(character) => (character, 6),
            None => (pair(first, code_unit(escape.get(6..)?)?)?, 12),
        };
        self.push(character.encode_utf8(&mut [0; 4]).as_bytes())?;
        escape.get(length..)
    }

    fn push(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.length.saturating_add(bytes.len());
        self.text.get_mut(self.length..end)?.copy_from_slice(bytes);
        self.length = end;
        Some(())
    }
}

/// The number in `\uXXXX`.
fn code_unit(escape: &[u8]) -> Option<u32> {
    let digits = escape.strip_prefix(br"\u")?.get(..4)?;
    let all = digits.iter().all(u8::is_ascii_hexdigit);
    core::str::from_utf8(digits).ok().filter(|_| all).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

fn pair(first: u32, second: u32) -> Option<char> {
    let high = first.checked_sub(0xD800).filter(|high| *high < 0x400)?;
    let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
    char::from_u32((high.wrapping_shl(10) | low).wrapping_add(0x1_0000))
}

/// Read as bytes `serde_json` lets half surrogate pairs through.
fn unescape_lossy(quoted: &str) -> Option<String> {
    let mut reader = serde_json::Deserializer::from_str(quoted);
    let bytes = reader.deserialize_bytes(Bytes).ok()?;
    Some(repaired(&bytes))
}

/// Each half pair is three bytes that are no UTF-8; one U+FFFD stands for the three.
fn repaired(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().first() == Some(&0xED) {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_vec())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.as_bytes().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn broken_pairs_are_left_to_the_slow_way() {
        for broken in [r#""\ud83d""#, r#""\ude00\ud83d""#, r#""\ud83d\ud83d\ude00""#, r#""\u00e""#] {
            assert_eq!(unescape_whole(broken), None, "{broken}");
        }
        assert_eq!(unescape(r#""a\ud83dz""#).unwrap(), "a\u{fffd}z");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn a_whole_string_is_read_as_a_parser_reads_it(
            inside in r#"([a-zé€😀 ]{1,20}|\\[nrtbf/"\\]|\\u[0-9a-cefA-CEF][0-9a-fA-F]{3}|\\ud83d\\uDE00){0,12}"#,
        ) {
            let quoted = format!("\"{inside}\"");
            let expected: String = serde_json::from_str(&quoted).unwrap();
            prop_assert_eq!(unescape_whole(&quoted), Some(expected));
        }
    }
}
