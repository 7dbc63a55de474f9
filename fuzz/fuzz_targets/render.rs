//! Rendering what was read: the same bytes, or a file that can be read again.

#![no_main]

use cutctx_formats::FormatError;
use cutctx_fuzz::{choice, comes_back, drops, masks, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (format, file) = choice(bytes);
    let Some(session) = read(format, file) else { return };
    comes_back(&session, file);
    for fates in [masks(&session, file.len()), drops(&session, file.len())] {
        let text = match session.render(&fates, &[]) {
            Ok(rendered) => rendered.to_text(),
            Err(FormatError::Unchangeable { .. }) => continue,
            Err(error) => panic!("legal fates are refused: {error}"),
        };
        match read(Some(session.format()), text.as_bytes()) {
            Some(again) => comes_back(&again, text.as_bytes()),
            None => assert!(text.trim().is_empty(), "what was written cannot be read"),
        }
    }
});
