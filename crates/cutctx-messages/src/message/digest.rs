//! One digest for many messages.

use alloc::string::String;
use alloc::vec::Vec;

use cutctx_types::{RunningDigest, Sha256Digest};

use super::Message;

/// The digest of a list of messages: for each the length of its canonical JSON in bytes, as eight bytes with the most
/// significant first, and the JSON itself, all hashed as one with SHA-256.
///
/// The lengths tell where a message ends: two messages never hash as one that says both.
///
/// ```
/// use cutctx_messages::messages_digest;
/// // Nothing hashes as nothing does.
/// assert!(messages_digest(&[]).to_hex().starts_with("e3b0c44298fc1c14"));
/// ```
#[must_use]
pub fn messages_digest(messages: &[Message]) -> Sha256Digest {
    Sha256Digest::of_pieces(messages.iter().map(framed))
}

/// The digest of a list of messages that grows: what [`messages_digest`] gives, without hashing the first ones anew.
///
/// ```
/// use cutctx_messages::{MessagesDigest, messages_digest};
/// assert_eq!(MessagesDigest::default().digest(), messages_digest(&[]));
/// ```
#[derive(Debug, Clone, Default)]
pub struct MessagesDigest(RunningDigest);

impl MessagesDigest {
    /// Puts a message at the end.
    pub fn push(&mut self, message: &Message) {
        self.0.push(&framed(message));
    }

    /// The digest of all messages.
    #[must_use]
    pub fn digest(&self) -> Sha256Digest {
        self.0.digest()
    }
}

fn framed(message: &Message) -> Vec<u8> {
    let mut json = String::from("\0\0\0\0\0\0\0\0");
    message.write_durable_json(&mut json);
    let mut framed = json.into_bytes();
    let length = u64::try_from(framed.len().saturating_sub(8)).unwrap_or(u64::MAX);
    if let Some(frame) = framed.first_chunk_mut::<8>() {
        *frame = length.to_be_bytes();
    }
    framed
}
