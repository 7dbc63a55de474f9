//! SHA-256 of canonical JSON.

use crate::canonical::{CanonicalError, canonical_json, write_text};
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
    #[must_use]
    #[expect(single_use_lifetimes, reason = "an elided lifetime is not allowed in this place")]
    pub fn of_pieces<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for piece in pieces {
            hasher.update(piece);
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
        self.0.iter().for_each(|byte| push_hex(&mut hex, *byte));
        hex
    }
}

fn push_hex(hex: &mut String, byte: u8) {
    for digit in [byte >> 4, byte & 15] {
        hex.push(char::from_digit(u32::from(digit), 16).unwrap_or('0'));
    }
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
/// As [`canonical_json`].
pub fn sha256_of<T: Serialize + ?Sized>(value: &T) -> Result<Sha256Digest, CanonicalError> {
    Ok(Sha256Digest::of_bytes(canonical_json(value)?.as_bytes()))
}

/// [`sha256_of`] a text: its quotes and escapes are hashed too.
///
/// ```
/// let digest = cutctx_types::sha256_of_text("a");
/// assert_eq!(&digest.to_hex()[..16], "ac8d8342bbb2362d");
/// ```
#[must_use]
pub fn sha256_of_text(text: &str) -> Sha256Digest {
    let mut hasher = Sha256::new();
    write_text(text, &mut |piece: &str| hasher.update(piece.as_bytes()));
    Sha256Digest(hasher.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_text_hashes_as_its_canonical_json(text in any::<String>()) {
            prop_assert_eq!(sha256_of_text(&text), sha256_of(&text).unwrap());
        }
    }

    #[test]
    fn the_empty_text_is_two_quotes() {
        let hex = sha256_of_text("").to_hex();
        assert_eq!(hex, "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126");
    }
}
