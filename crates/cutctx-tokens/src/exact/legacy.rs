//! Vocabularies that only the crate `tiktoken-rs` carries. It does not give them out, but it decodes each of their ids.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use tiktoken_rs::CoreBPE;

use super::ranks::Ranks;

/// The mark `<|endoftext|>`, which no text is encoded as.
const END_OF_TEXT: u32 = 50_256;

pub(super) fn p50k() -> Ranks {
    tiktoken_rs::p50k_base().map_or_else(|_| nothing(), |given| ranks(&given, 50_281))
}

pub(super) fn r50k() -> Ranks {
    tiktoken_rs::r50k_base().map_or_else(|_| nothing(), |given| ranks(&given, 50_256))
}

fn ranks(given: &CoreBPE, size: u32) -> Ranks {
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    for rank in (0..size).filter(|rank| *rank != END_OF_TEXT) {
        let Ok(token) = given.decode_bytes(&[rank]) else { continue };
        places.push((bytes.len(), token.len(), rank));
        bytes.extend(token);
    }
    Ranks::new(Cow::Owned(bytes), &places)
}

/// Not reached: the crate reads what it carries itself.
fn nothing() -> Ranks {
    Ranks::new(Cow::Borrowed(&[]), &[])
}
