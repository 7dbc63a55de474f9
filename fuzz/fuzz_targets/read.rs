//! Every reader: an error or a session, never a panic.

#![no_main]

use cutctx_fuzz::{choice, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (format, file) = choice(bytes);
    if let Some(session) = read(format, file) {
        assert!(session.violations().iter().all(|violation| violation.offset <= file.len()));
    }
});
