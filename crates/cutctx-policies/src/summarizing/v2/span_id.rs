//! Names for spans.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::Sha256Digest;

/// How many ids are hashed at once: a hash function likes long pieces, memory likes short ones.
const IDS_A_PIECE: usize = 256;

/// The names that a span may have: `span-` and sixteen hex digits.
pub(crate) struct SpanIds {
    digest: Sha256Digest,
}

impl SpanIds {
    /// The names of the span of these turns. Each id is framed by its length, so that no two lists of ids are hashed
    /// alike. The ids are hashed once, however many names turn out to be taken.
    pub(crate) fn of_turns(turn_ids: &[Arc<str>]) -> Self {
        Self { digest: Sha256Digest::of_pieces(turn_ids.chunks(IDS_A_PIECE).map(framed)) }
    }

    /// The start of the digest of the ids; for attempts after the first, that of its digest with the attempt's number.
    pub(crate) fn nth(&self, attempt: u64) -> String {
        let digest = match attempt {
            0 => self.digest,
            _ => Sha256Digest::of_pieces([self.digest.as_bytes().as_slice(), &attempt.to_be_bytes()]),
        };
        let mut hex = digest.to_hex();
        hex.truncate(16);
        format!("span-{hex}")
    }
}

/// Some ids in one piece, each behind its length.
fn framed(turn_ids: &[Arc<str>]) -> Vec<u8> {
    let mut piece = Vec::new();
    for id in turn_ids {
        piece.extend_from_slice(&length_of(id).to_be_bytes());
        piece.extend_from_slice(id.as_bytes());
    }
    piece
}

fn length_of(id: &str) -> u64 {
    u64::try_from(id.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(turn_ids: &[&str], attempt: u64) -> String {
        SpanIds::of_turns(&turn_ids.iter().copied().map(Arc::from).collect::<Vec<_>>()).nth(attempt)
    }

    #[test]
    fn ids_that_join_alike_are_told_apart() {
        assert_ne!(id_of(&["a", "b"], 0), id_of(&["a\0b"], 0));
        assert_ne!(id_of(&["ab"], 0), id_of(&["a", "b"], 0));
        assert_ne!(id_of(&["a"], 0), id_of(&["a"], 1));
    }

    #[test]
    fn an_id_is_the_start_of_the_digest_of_the_framed_ids() {
        let framed = [0, 0, 0, 0, 0, 0, 0, 1, b'a', 0, 0, 0, 0, 0, 0, 0, 2, b'b', b'c'];
        let hex = Sha256Digest::of_bytes(&framed).to_hex();
        let (start, _) = hex.split_at(16);
        assert_eq!(id_of(&["a", "bc"], 0), format!("span-{start}"));
    }
}
