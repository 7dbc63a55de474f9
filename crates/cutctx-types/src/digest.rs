//! SHA-256 of canonical JSON.

use crate::canonical::{
    BLOCK, CanonicalError, canonical_sha256, first_escape_in, needs_escape, write_escape,
};
use alloc::string::String;
use core::fmt;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// A SHA-256 digest; it displays as 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Digest([u8; 32]);

impl Sha256Digest {
    /// The digest of these bytes as they are.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several pieces, as if they stood in one.
    ///
    /// Pieces are hashed one by one as the iterator gives them, so that a long document need never be in memory.
    ///
    /// ```
    /// use cutctx_types::Sha256Digest;
    /// let pieces = (0..3).map(|number: u32| number.to_string());
    /// assert_eq!(Sha256Digest::of_pieces(pieces), Sha256Digest::of_bytes(b"012"));
    /// ```
    #[must_use]
    pub fn of_pieces<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let mut hasher = Sha256::new();
        for piece in pieces {
            hasher.update(piece.as_ref());
        }
        Self(hasher.finalize().into())
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest as 64 lower-case hex digits.
    #[must_use]
    pub fn to_hex(&self) -> String {
        let mut hex = String::with_capacity(64);
        self.push_hex(&mut hex);
        hex
    }

    /// Puts the 64 lower-case hex digits behind a text.
    ///
    /// ```
    /// use cutctx_types::Sha256Digest;
    /// let mut text = String::from("sha256:");
    /// Sha256Digest::of_bytes(b"").push_hex(&mut text);
    /// assert!(text.starts_with("sha256:e3b0c44298fc1c14"));
    /// ```
    pub fn push_hex(&self, text: &mut String) {
        let mut digits = [b'0'; 64];
        let (pairs, _) = digits.as_chunks_mut::<2>();
        for (pair, byte) in pairs.iter_mut().zip(&self.0) {
            *pair = [hex_digit(byte >> 4), hex_digit(byte & 15)];
        }
        // Hex digits are ASCII.
        text.push_str(core::str::from_utf8(&digits).unwrap_or_default());
    }
}

/// A digest in the making: what is pushed is hashed as if it stood in one piece. A clone goes on by itself.
///
/// ```
/// use cutctx_types::{RunningDigest, Sha256Digest};
/// let mut running = RunningDigest::default();
/// running.push(b"01");
/// assert_eq!(running.digest(), Sha256Digest::of_bytes(b"01"));
/// running.push(b"2");
/// assert_eq!(running.digest(), Sha256Digest::of_bytes(b"012"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct RunningDigest(Sha256);

impl RunningDigest {
    /// Puts bytes behind what was pushed before.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all that was pushed.
    #[must_use]
    pub fn digest(&self) -> Sha256Digest {
        Sha256Digest(self.0.clone().finalize().into())
    }
}

/// The digit of a number below 16.
const fn hex_digit(number: u8) -> u8 {
    let first = if number < 10 { b'0' } else { b'a'.saturating_sub(10) };
    first.saturating_add(number)
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// SHA-256 of a value's canonical JSON in UTF-8.
///
/// # Errors
///
/// As [`canonical_json`](crate::canonical_json).
pub fn sha256_of<T: Serialize + ?Sized>(value: &T) -> Result<Sha256Digest, CanonicalError> {
    canonical_sha256(value).map(Sha256Digest)
}

/// [`sha256_of`] a text: its quotes and escapes are hashed too.
///
/// ```
/// let digest = cutctx_types::sha256_of_text("a");
/// assert_eq!(&digest.to_hex()[..16], "ac8d8342bbb2362d");
/// ```
#[must_use]
pub fn sha256_of_text(text: &str) -> Sha256Digest {
    let mut hasher = TextHasher::new();
    hasher.take(b"\"");
    hasher.take_escaped(text.as_bytes());
    hasher.take(b"\"");
    Sha256Digest(hasher.finish())
}

/// Hashes a text as it stands in JSON. Escaped text is collected before it is hashed: a hash function likes long runs.
struct TextHasher {
    hasher: Sha256,
    pending: [u8; PENDING],
    used: usize,
}

/// How many bytes are collected.
const PENDING: usize = 256;

impl TextHasher {
    fn new() -> Self {
        Self { hasher: Sha256::new(), pending: [0; PENDING], used: 0 }
    }

    fn take_escaped(&mut self, text: &[u8]) {
        let mut rest = text;
        while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
            let Some(at) = first_escape_in(block) else {
                self.take_block(block, BLOCK);
                rest = after;
                continue;
            };
            self.take_block(block, at);
            self.take_each(rest.get(at..at.saturating_add(1)).unwrap_or_default());
            rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
        }
        self.take_each(rest);
    }

    fn take_each(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if needs_escape(*byte) {
                write_escape(*byte, &mut |escape: &str| self.take(escape.as_bytes()));
            } else {
                self.take_block(&[*byte], 1);
            }
        }
    }

    /// Takes the first `used` bytes of a block. Copying as many as the compiler knows of is fastest; what is copied
    /// beyond is written over next.
    fn take_block<const N: usize>(&mut self, block: &[u8; N], used: usize) {
        if self.used > PENDING.saturating_sub(N) {
            self.flush();
        }
        if let Some(room) = self.pending.get_mut(self.used..).and_then(<[u8]>::first_chunk_mut::<N>) {
            *room = *block;
            self.used = self.used.saturating_add(used);
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take_block(&[*byte], 1);
        }
    }

    fn flush(&mut self) {
        self.hasher.update(self.pending.get(..self.used).unwrap_or_default());
        self.used = 0;
    }

    fn finish(mut self) -> [u8; 32] {
        self.flush();
        self.hasher.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::canonical_json;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_hashes_as_its_canonical_json(text in "[\\PC\n\"\\\\\u{1}]{0,700}") {
            prop_assert_eq!(sha256_of_text(&text), sha256_of(&text).unwrap());
        }
    }

    /// Serializes its members as they stand, in or out of order.
    struct Members(Vec<(String, Vec<String>)>);

    impl Serialize for Members {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }

    proptest! {
        #[test]
        fn hashing_while_writing_is_hashing_what_was_written(
            members in prop::collection::vec(("[a-c\"é]{0,3}", prop::collection::vec("[a-z\\\\]{0,900}", 0..30)), 0..5),
            depth in 0_usize..3,
        ) {
            let nested: Vec<Vec<Members>> = (0..depth).map(|_| vec![Members(members.clone())]).collect();
            for value in [canonical_json(&nested), canonical_json(&Members(members.clone()))].into_iter().flatten() {
                let hash = if value.starts_with('[') { sha256_of(&nested) } else { sha256_of(&Members(members.clone())) };
                prop_assert_eq!(hash.unwrap(), Sha256Digest::of_bytes(value.as_bytes()));
            }
        }
    }

    #[test]
    fn a_long_object_out_of_order_is_hashed_in_order() {
        let long = vec!["x".repeat(1_000); 30];
        let value = Members(vec![("b".into(), long.clone()), ("a".into(), long)]);
        let text = canonical_json(&value).unwrap();
        assert!(text.starts_with(r#"{"a":"#));
        assert_eq!(sha256_of(&value).unwrap(), Sha256Digest::of_bytes(text.as_bytes()));
    }

    #[test]
    fn the_empty_text_is_two_quotes() {
        let hex = sha256_of_text("").to_hex();
        assert_eq!(hex, "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126");
    }
}
