//! What is refused, and what is read whole after all.

use super::same::{check, file_of, opened};
use cutctx_formats::{FormatError, OpenOptions, ReadRequest, Seen, Session};
use cutctx_types::CharRatioEstimator;

/// A session of as many lines, each with members that nobody reads.
pub(crate) fn session(lines: usize) -> String {
    let line = |number: usize| {
        let (kind, parent) = (["user", "assistant"][number % 2], number.wrapping_sub(1));
        format!(
            r#"{{"cwd":"/srv/pump","parentUuid":"u{parent}","type":"{kind}","message":{{"role":"{kind}","id":"m{number}","content":[{{"type":"text","text":"{}"}}]}},"toolUseResult":"{}","uuid":"u{number}"}}{}"#,
            format!("what line {number} says, ").repeat(90),
            "a copy for the eye, ".repeat(50),
            '\n'
        )
    };
    (0..lines).map(line).collect()
}

const SMALL: usize = 8_000;

#[test]
fn only_a_part_is_held() {
    let file = session(60);
    let session = opened(file_of(file.as_bytes()), SMALL).unwrap();
    assert!(session.is_abridged());
    assert!(session.text().len() * 4 < file.len(), "{} of {}", session.text().len(), file.len());
    assert_eq!(session.text().lines().count(), 60);
    assert!(!format!("{session:?}").contains("what line"), "no text is shown");
}

#[test]
fn small_files_are_held_whole() {
    let file = session(60);
    for small in [file.len(), usize::MAX] {
        assert!(!opened(file_of(file.as_bytes()), small).unwrap().is_abridged());
    }
    assert!(opened(file_of(file.as_bytes()), file.len() - 1).unwrap().is_abridged());
}

#[test]
fn broken_files_are_refused_at_the_same_place() {
    let sound = session(40);
    let (torn, _) = sound.split_at(sound.len() - 700);
    let middle: String = sound.replacen(r#""uuid":"u30""#, r#""uuid":"u30"#, 1);
    let glued = sound.replacen("\n{", "{", 33);
    for file in [torn, &middle, &glued, "", " \n\n", "{}\n{}\n"] {
        assert!(!check(file.as_bytes(), SMALL.min(file.len() / 2), &[1]), "{} bytes", file.len());
    }
    let mut bytes = sound.into_bytes();
    let place = bytes.len() - 500;
    bytes[place] = 0xFF;
    assert!(!check(&bytes, SMALL, &[1]));
    let error = opened(file_of(&bytes), SMALL).unwrap_err();
    assert!(matches!(error, FormatError::NotUtf8 { at } if at.line == 40 && at.offset == place), "{error}");
}

#[test]
fn violations_stand_where_they_are_in_the_file() {
    let call = r#"{"cwd":"/srv","type":"assistant","message":{"usage":{},"id":"x","content":[{"type":"tool_use","id":"c","name":"n","input":{}}]},"uuid":"c","parentUuid":"u29"}"#;
    let sound = session(60);
    let second = sound.find(r#"{"cwd":"/srv/pump","parentUuid":"u29""#).unwrap();
    let (before, after) = sound.split_at(second);
    let after = after.replacen(r#""parentUuid":"u29""#, r#""parentUuid":"c""#, 1);
    let file = [before, call, "\n", &after].concat();
    assert!(check(file.as_bytes(), SMALL, &[1, 2]));
    let violations = opened(file_of(file.as_bytes()), SMALL).unwrap().violations();
    assert!(!violations.is_empty());
    for violation in violations {
        let line = file.split_inclusive('\n').take(violation.line - 1).map(str::len).sum::<usize>();
        assert_eq!(violation.offset, line, "{violation:?}");
    }
}

#[test]
fn a_file_with_the_mark_of_stand_ins_is_held_whole() {
    for mark in ["\u{fdd0}", "\\ufdd0", "\\uFDD0", "\u{fdd0}00000000\u{fdd0}"] {
        let file = session(30).replacen("line 25", mark, 3);
        assert!(!check(file.as_bytes(), SMALL, &[1, 2, 3]));
    }
}

#[test]
fn whole_documents_are_held_whole() {
    let messages: Vec<String> =
        (0..50).map(|_| format!(r#"{{"role":"user","content":"{}"}}"#, "word ".repeat(100))).collect();
    for file in
        [format!("[{}]", messages.join(",\n")), format!("{{\"messages\":[\n{}]}}\n", messages.join(","))]
    {
        assert!(!check(file.as_bytes(), SMALL, &[1]));
    }
}

#[test]
fn whoever_sees_the_messages_sees_whole_ones() {
    struct Longest(core::sync::atomic::AtomicUsize);
    impl cutctx_formats::Observer for Longest {
        fn message(&self, seen: &Seen<'_>) {
            let length = seen.message.parts.iter().map(|part| format!("{part:?}").len()).max();
            self.0.fetch_max(length.unwrap_or(0), core::sync::atomic::Ordering::Relaxed);
        }
    }
    let (estimator, longest) = (CharRatioEstimator::default(), Longest(0.into()));
    let request = ReadRequest::new(&estimator).observed_by(&longest);
    let options = OpenOptions::default().with_small_bytes(SMALL);
    let session = Session::open(None, file_of(session(30).as_bytes()), &request, &options).unwrap();
    assert!(!session.is_abridged());
}

#[test]
fn progress_is_told_to_the_end() {
    let file = session(3_000);
    let told = core::cell::RefCell::new(Vec::new());
    let tell = |done: usize, all: usize| told.borrow_mut().push((done, all));
    let estimator = CharRatioEstimator::default();
    let options = OpenOptions::default().with_small_bytes(SMALL).with_progress(&tell);
    Session::open(None, file_of(file.as_bytes()), &ReadRequest::new(&estimator), &options).unwrap();
    let told = told.into_inner();
    assert_eq!(told.last(), Some(&(file.len(), file.len())));
    assert!(told.len() > 2 && told.is_sorted());
}
