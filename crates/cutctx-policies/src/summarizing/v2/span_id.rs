//! Names for spans.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::Sha256Digest;

/// `span-` and sixteen hex digits: the start of a SHA-256 over the attempt and the turns' ids, each
/// framed by its length, so that no two lists of ids are hashed alike.
pub(super) fn of_turns(turn_ids: &[Arc<str>], attempt: u64) -> String {
    let mut framed: Vec<u8> = Vec::from(attempt.to_be_bytes());
    for id in turn_ids {
        let length = u64::try_from(id.len()).unwrap_or(u64::MAX);
        framed.extend_from_slice(&length.to_be_bytes());
        framed.extend_from_slice(id.as_bytes());
    }
    let mut hex = Sha256Digest::of_bytes(&framed).to_hex();
    hex.truncate(16);
    format!("span-{hex}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(turn_ids: &[&str], attempt: u64) -> String {
        of_turns(&turn_ids.iter().copied().map(Arc::from).collect::<Vec<_>>(), attempt)
    }

    #[test]
    fn ids_that_join_alike_are_told_apart() {
        assert_ne!(id_of(&["a", "b"], 0), id_of(&["a\0b"], 0));
        assert_ne!(id_of(&["ab"], 0), id_of(&["a", "b"], 0));
        assert_ne!(id_of(&["a"], 0), id_of(&["a"], 1));
    }

    #[test]
    fn an_id_is_stable() {
        let id = id_of(&["a", "b"], 0);
        assert!(id.starts_with("span-") && id.len() == 21, "{id}");
        assert_eq!(id, id_of(&["a", "b"], 0));
    }
}
