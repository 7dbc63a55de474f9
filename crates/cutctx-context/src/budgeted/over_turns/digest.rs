//! Which turns a context was made of.

use alloc::string::String;

use cutctx_types::{RunningDigest, TranscriptTurn};

/// The digest of turns as lower-case hex digits: of ids, roles, calls, names of tools and texts. What they are
/// estimated to take, and what was attached to them, does not count.
pub(super) fn digest_of(turns: &[TranscriptTurn]) -> String {
    let mut digest = RunningDigest::default();
    for turn in turns {
        push(&mut digest, Some(turn.turn_id()));
        push(&mut digest, Some(turn.role().as_str()));
        push(&mut digest, turn.tool_call_id());
        push(&mut digest, turn.tool_name());
        push(&mut digest, Some(turn.content()));
        for part in turn.parts() {
            digest.push(&length(part.end));
        }
    }
    digest.digest().to_hex()
}

/// A text behind its length, so that two never hash as one; the length of none is beyond that of any.
fn push(digest: &mut RunningDigest, text: Option<&str>) {
    digest.push(&length(text.map_or(usize::MAX, str::len)));
    digest.push(text.unwrap_or_default().as_bytes());
}

fn length(length: usize) -> [u8; 8] {
    u64::try_from(length).unwrap_or(u64::MAX).to_be_bytes()
}
