//! Recovery: linear work, an account of every byte, and a sound result.

#![no_main]

use cutctx_formats::salvage::salvage;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let salvaged = salvage(bytes);
    assert!(salvaged.work() <= 20 * bytes.len() + 64);
    let gone: usize = salvaged.edits().iter().map(|edit| edit.span.len()).sum();
    let come: usize = salvaged.edits().iter().map(|edit| edit.text.len()).sum();
    let found: usize = salvaged.findings().iter().map(|finding| finding.bytes).sum();
    assert_eq!((gone, bytes.len() - gone + come), (found, salvaged.bytes().len()));
    if !salvaged.edits().is_empty() {
        assert!(salvage(salvaged.bytes()).is_sound());
    }
});
