//! What holds for every file, said again with a slow parser.

use cutctx_formats::salvage::{Remedy, Salvaged, salvage};
use serde_json::Value;
use serde_json::value::RawValue;

/// Work for a byte: what it may cost at most, however hostile the file.
pub(crate) const WORK: usize = 20;

/// Checks everything that holds for every file, and gives what was had of it.
pub(crate) fn check(file: &[u8]) -> Salvaged<'_> {
    let salvaged = salvage(file);
    accounts_for_every_byte(file, &salvaged);
    assert!(salvaged.work() <= WORK * file.len() + 64, "{} of {}", salvaged.work(), file.len());
    if !is_left(&salvaged) {
        loses_no_record(file, &salvaged);
        is_stable(&salvaged);
    }
    salvaged
}

pub(crate) fn is_left(salvaged: &Salvaged<'_>) -> bool {
    salvaged.findings().iter().any(|finding| finding.remedy == Remedy::Left)
}

/// Kept bytes and those of the findings are the file; the edits, made one by one, are the recovered text.
fn accounts_for_every_byte(file: &[u8], salvaged: &Salvaged<'_>) {
    let mut rebuilt = Vec::new();
    let mut done = 0;
    for edit in salvaged.edits() {
        rebuilt.extend_from_slice(&file[done..edit.span.start]);
        rebuilt.extend_from_slice(edit.text.as_bytes());
        done = edit.span.end;
        let finding = salvaged.findings().iter().rfind(|finding| finding.at.offset <= edit.span.start);
        assert!(finding.is_some(), "an edit without a finding: {edit:?}");
    }
    rebuilt.extend_from_slice(&file[done..]);
    assert_eq!(show(&rebuilt), show(salvaged.bytes()));

    let touched: usize = salvaged.edits().iter().map(|edit| edit.span.len()).sum();
    let found: usize = salvaged.findings().iter().map(|finding| finding.bytes).sum();
    assert_eq!(touched, found, "{:?}", salvaged.findings());
    for finding in salvaged.findings() {
        let line = file[..finding.at.offset].split(|byte| *byte == b'\n').count();
        assert_eq!(finding.at.line, line, "{finding:?}");
    }
    assert!(salvaged.findings().is_sorted_by_key(|finding| finding.at.offset));
    assert!(!is_left(salvaged) || salvaged.edits().is_empty() && salvaged.findings().len() == 1);
    assert_eq!(salvaged.is_sound(), salvaged.edits().is_empty() && !is_left(salvaged));
}

/// An object with members on a line of its own is still there.
fn loses_no_record(file: &[u8], salvaged: &Salvaged<'_>) {
    let text = show(salvaged.bytes());
    for record in file.split(|byte| *byte == b'\n').filter(|line| is_record(line)) {
        assert!(
            text.contains(show(record).trim()),
            "lost: {}\nof: {}\nleft: {text}",
            show(record),
            show(file)
        );
    }
}

pub(crate) fn is_record(line: &[u8]) -> bool {
    matches!(serde_json::from_slice(line), Ok(Value::Object(members)) if !members.is_empty())
}

/// What was had is sound, and where something was done each of its lines is JSON, blank or a comment.
fn is_stable(salvaged: &Salvaged<'_>) {
    let text = salvaged.bytes();
    let again = salvage(text);
    assert!(again.is_sound(), "{:?} then {:?} in {}", salvaged.findings(), again.findings(), show(text));
    if salvaged.findings().iter().any(|finding| finding.remedy == Remedy::Skipped) {
        for line in text.split(|byte| *byte == b'\n') {
            assert!(is_line(line), "{} in {}", show(line), show(text));
        }
    }
}

fn is_line(line: &[u8]) -> bool {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
    let trimmed = line.trim_ascii();
    trimmed.is_empty() || trimmed.starts_with(b"//") || trimmed.starts_with(b"#") || is_json(line)
}

/// Whether bytes are one JSON value, numbers of any size allowed.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    str::from_utf8(bytes).is_ok() && serde_json::from_slice::<&RawValue>(bytes).is_ok()
}

pub(crate) fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
