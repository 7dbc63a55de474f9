//! Each kind of damage, alone and with its neighbours.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;

use cutctx_formats::salvage::{Damage, Remedy};
use cutctx_types::Coded;

use crate::laws::{check, show};

const A: &str = r#"{"kind":"a","n":1,"in":{"x":[1,2]}}"#;
const B: &str = r#"{"kind":"b","n":2,"text":"say \"hi\" {or} not"}"#;

/// What is wrong, where, how many bytes of it, and what was done.
type Found = (Damage, usize, usize, Remedy);

fn expect(file: &str, wanted: &str, findings: &[Found]) {
    expect_bytes(file.as_bytes(), wanted, findings);
}

fn expect_bytes(file: &[u8], wanted: &str, findings: &[Found]) {
    let salvaged = check(file);
    assert_eq!(show(salvaged.bytes()), wanted, "of {}", show(file));
    let found: Vec<Found> = salvaged
        .findings()
        .iter()
        .map(|finding| (finding.kind, finding.at.line, finding.bytes, finding.remedy))
        .collect();
    assert_eq!(found, findings, "of {}", show(file));
}

fn sound(file: &str) {
    expect(file, file, &[]);
}

fn left(file: &str, kind: Damage, line: usize) {
    expect(file, file, &[(kind, line, 0, Remedy::Left)]);
}

/// Every way to break a record off, in bytes, that does not leave a whole one.
fn torn(record: &str) -> impl Iterator<Item = &str> {
    (1..record.len()).filter_map(|cut| record.get(..cut))
}

#[test]
fn sound_files_come_back_borrowed() {
    for file in [
        "",
        "\n\n",
        "{\"a\":1}",
        "{\"a\":1}\n",
        "{\"a\":1}\r\n\r\n  {\"b\":[]}\t\r\n",
        "\u{feff}{\"a\":1}\n{\"b\":2}",
        "// first\n# second\n{\"a\":1}\n\n// third\n{\"b\":2}",
        "\"text\"\n[1]\n42\nnull\n{}\n{\"a\":-1.5e+3,\"b\":\"\\u00e9\\/\"}\n",
        "{\"a\":1}\n[{\"b\":1}]\n",
    ] {
        sound(file);
        assert!(matches!(check(file.as_bytes()).into_bytes(), Cow::Borrowed(_)));
    }
}

#[test]
fn documents_over_many_lines_stay() {
    sound("{\n  \"messages\": [\n    {\"a\": 1},\n    {\"b\": 2}\n  ]\n}\n");
    sound("[\n{\"a\": 1},\n{\"b\": 2}\n]");
    sound("{\n \"a\": 1\n}\n{\n \"b\": 2\n}\n[\n 3\n]\n");
}

#[test]
fn documents_that_break_off_are_reported_and_left() {
    left("{\n  \"messages\": [\n    {\"a\": 1},\n    {\"b\": 2},\n", Damage::TruncatedDocument, 5);
    left("{\n  \"messages\": [\n    {\"a\": 1},\n    {\"b\": \"x", Damage::TruncatedDocument, 4);
    left("{\n  \"messages\": [\n    {\n  \"a\": 1\n   }\n", Damage::TruncatedDocument, 6);
    left("[\n{\"a\":1},\n{\"b\":2}\n", Damage::TruncatedDocument, 4);
    left("{\"a\":[{\"b\":1}", Damage::TruncatedDocument, 1);
    left("{\n \"a\": 1\n}\n{\n \"b\": 2,\n", Damage::NotLines, 4);
}

#[test]
fn documents_that_are_malformed_are_reported_and_left() {
    left("[\n{\"a\":1},\n{\"b\":2}\n{\"c\":3}\n]\n", Damage::BrokenDocument, 4);
    left("{\n  \"a\": 1\n  \"b\": 2\n}\n", Damage::BrokenDocument, 3);
}

#[test]
fn text_that_is_no_session_is_left() {
    left("hello\nworld\n", Damage::NotLines, 1);
    left("[10:00] start\n[10:01] got {\n  \"a\": 1\n}\n[10:02] end\n", Damage::NotLines, 1);
    left("[10:00] start\n{\"a\":1}\n[10:02] on\n[10:03] end\n", Damage::NotLines, 1);
}

#[test]
fn half_a_record_before_a_whole_one_on_the_same_line() {
    for half in torn(B).chain(torn(A)) {
        let bytes = half.len();
        expect(
            &format!("{A}\n{B}\n{half}{A}\n{B}\n"),
            &format!("{A}\n{B}\n{A}\n{B}\n"),
            &[(Damage::Torn, 3, bytes, Remedy::Skipped)],
        );
        expect(
            &format!("{B}\n{half}{A}{B}"),
            &format!("{B}\n{A}\n{B}"),
            &[(Damage::Torn, 2, bytes, Remedy::Skipped), (Damage::Glued, 2, 0, Remedy::Split)],
        );
    }
}

#[test]
fn half_a_record_before_a_whole_one_on_the_next_line() {
    for half in torn(B).chain(torn(A)) {
        expect(
            &format!("{A}\n{half}\n{A}\n{B}\n"),
            &format!("{A}\n{A}\n{B}\n"),
            &[(Damage::Torn, 2, half.len() + 1, Remedy::Skipped)],
        );
        expect(
            &format!("{half}\r\n{A}\r\n{B}\r\n"),
            &format!("{A}\r\n{B}\r\n"),
            &[(Damage::Torn, 1, half.len() + 2, Remedy::Skipped)],
        );
    }
}

#[test]
fn a_last_record_that_breaks_off() {
    for half in torn(B).chain(torn(A)) {
        for end in ["", "\n", "\n\n"] {
            expect(
                &format!("{A}\n{B}\n{half}{end}"),
                &format!("{A}\n{B}\n{}", end.get(1..).unwrap_or_default()),
                &[(Damage::Truncated, 3, half.len() + end.len().min(1), Remedy::Skipped)],
            );
        }
    }
}

#[test]
fn the_end_of_a_record_without_its_beginning() {
    let ends = torn(B).filter_map(|half| B.strip_prefix(half));
    for half in ends.filter(|end| !end.trim().starts_with('{')) {
        expect(
            &format!("{half}\n{A}\n{B}\n"),
            &format!("{A}\n{B}\n"),
            &[(Damage::Stray, 1, half.len() + 1, Remedy::Skipped)],
        );
    }
}

#[test]
fn records_on_one_line() {
    let split = |line| (Damage::Glued, line, 0, Remedy::Split);
    expect(&format!("{A}{B}\n"), &format!("{A}\n{B}\n"), &[split(1)]);
    expect(&format!("{A}\n{A} {B}{A}\r\n"), &format!("{A}\n{A} \n{B}\n{A}\r\n"), &[split(2), split(2)]);
    expect(
        &format!("{A},{B},\n"),
        &format!("{A}\n{B}\n"),
        &[(Damage::Stray, 1, 1, Remedy::Skipped), split(1), (Damage::Stray, 1, 1, Remedy::Skipped)],
    );
}

#[test]
fn records_over_several_lines() {
    let joined = |line, bytes| (Damage::Spread, line, bytes, Remedy::Joined);
    let pretty = "{\n  \"kind\": \"c\",\n  \"list\": [\n    {\"x\": 1},\n    {\"y\": 2}\n  ]\n}";
    let flat = pretty.replace('\n', "");
    expect(&format!("{A}\n{pretty}\n{B}\n"), &format!("{A}\n{flat}\n{B}\n"), &[joined(2, 6)]);
    expect(&format!("{pretty}\n{B}"), &format!("{flat}\n{B}"), &[joined(1, 6)]);
    let windows = pretty.replace('\n', "\r\n");
    expect(&format!("{A}\r\n{windows}\r\n"), &format!("{A}\r\n{flat}\r\n"), &[joined(2, 12)]);
    expect(
        &format!("{A}{pretty}{B}\n"),
        &format!("{A}\n{flat}\n{B}\n"),
        &[(Damage::Glued, 1, 0, Remedy::Split), joined(1, 6), (Damage::Glued, 7, 0, Remedy::Split)],
    );
}

#[test]
fn raw_control_characters_in_strings() {
    let escaped = |line, bytes| (Damage::Control, line, bytes, Remedy::Escaped);
    let raw = "{\"text\":\"one\ntwo\t\u{1}\nthree {}\n5\n\n# four\"}";
    let clean = r#"{"text":"one\ntwo\t\u0001\nthree {}\n5\n\n# four"}"#;
    expect(&format!("{A}\n{raw}\n{B}\n"), &format!("{A}\n{clean}\n{B}\n"), &[escaped(2, 7)]);
    expect(raw, clean, &[escaped(1, 7)]);
    expect("{\"a\":\"\0\0\"}\n", "{\"a\":\"\\u0000\\u0000\"}\n", &[escaped(1, 2)]);
    expect("{\"a\":\"x\r\ny\"}\r\n", "{\"a\":\"x\\r\\ny\"}\r\n", &[escaped(1, 2)]);
}

#[test]
fn half_a_record_before_one_over_several_lines() {
    let raw = "{\"kind\":\"c\",\"text\":\"one\ntwo\"}";
    let clean = r#"{"kind":"c","text":"one\ntwo"}"#;
    for half in torn(B).chain(torn(A)) {
        expect(
            &format!("{A}\n{half}\n{raw}\n{B}\n"),
            &format!("{A}\n{clean}\n{B}\n"),
            &[(Damage::Torn, 2, half.len() + 1, Remedy::Skipped), (Damage::Control, 3, 1, Remedy::Escaped)],
        );
    }
}

#[test]
fn blocks_of_zeros() {
    let zeros = "\0".repeat(100);
    let skipped = |line, bytes| (Damage::Zeros, line, bytes, Remedy::Skipped);
    expect(&format!("{A}\n{zeros}{B}\n"), &format!("{A}\n{B}\n"), &[skipped(2, 100)]);
    expect(
        &format!("{A}\n{zeros}\n{B}\n{zeros}"),
        &format!("{A}\n\n{B}\n"),
        &[skipped(2, 100), skipped(4, 100)],
    );
    expect(&format!("{A}\n\0\0\0\n{B}\n"), &format!("{A}\n{B}\n"), &[skipped(2, 4)]);
    expect(
        &format!("{A}{zeros}{B}\n"),
        &format!("{A}\n{B}\n"),
        &[skipped(1, 100), (Damage::Glued, 1, 0, Remedy::Split)],
    );
    expect(
        &format!("{A}\0\0\n\0\0{B}\n"),
        &format!("{A}\n{B}\n"),
        &[skipped(1, 2), (Damage::Zeros, 2, 2, Remedy::Skipped)],
    );
    let (head, tail) = (r#"{"kind":"#, r#"s":"x"}"#);
    expect(
        &format!("{A}\n{head}{zeros}{tail}\n{B}\n"),
        &format!("{A}\n{B}\n"),
        &[
            (Damage::Torn, 2, head.len(), Remedy::Skipped),
            skipped(2, 100),
            (Damage::Stray, 2, tail.len() + 1, Remedy::Skipped),
        ],
    );
}

#[test]
fn nothing_is_joined_across_a_hole() {
    let zeros = "\0".repeat(8);
    let salvaged_file = format!("{A}\n{{\"text\":\"one{zeros}two\"}}\n{B}\n");
    let salvaged = check(salvaged_file.as_bytes());
    assert_eq!(show(salvaged.bytes()), format!("{A}\n{B}\n"));
}

#[test]
fn bytes_that_are_no_text() {
    let file =
        [b"// \xff\n{\"a\":\"x\xc3\xff\"}\n\xfe\xfe{\"b\":1}\n{\"c\":\"\xe2\x82{\"d\":1}\n".as_slice()]
            .concat();
    expect_bytes(
        &file,
        "// \n{\"a\":\"x\\ufffd\"}\n{\"b\":1}\n{\"d\":1}\n",
        &[
            (Damage::NotUtf8, 1, 1, Remedy::Skipped),
            (Damage::NotUtf8, 2, 2, Remedy::Escaped),
            (Damage::Stray, 3, 2, Remedy::Skipped),
            (Damage::Torn, 4, 8, Remedy::Skipped),
        ],
    );
}

#[test]
fn parts_of_a_torn_record_are_no_records() {
    let part = r#"{"kind":"c","in":[{"type":"text","text":"x"}"#;
    expect(
        &format!("{A}\n{part}\n{B}\n"),
        &format!("{A}\n{B}\n"),
        &[(Damage::Torn, 2, part.len() + 1, Remedy::Skipped)],
    );
    expect(
        &format!("{A}\n{part}{B}\n"),
        &format!("{A}\n{B}\n"),
        &[(Damage::Torn, 2, part.len(), Remedy::Skipped)],
    );
}

#[test]
fn parts_of_a_second_torn_record_on_the_line_are_no_records() {
    let half = r#"{"kind":"c","text":"ha"#;
    let part = r#"{"kind":"c","n":1,"in":[{"type":"text","text":"x"}"#;
    expect(
        &format!("{A}\n{half}{part}{B}\n"),
        &format!("{A}\n{B}\n"),
        &[(Damage::Torn, 2, half.len() + part.len(), Remedy::Skipped)],
    );
}

#[test]
fn lines_of_a_torn_text_are_no_records() {
    expect(
        &format!("{A}\n{{\"text\":[1,\n2,\n{{}}\n{B}\n"),
        &format!("{A}\n{B}\n"),
        &[(Damage::Torn, 2, 18, Remedy::Skipped)],
    );
}

#[test]
fn a_strict_reader_stops_at_the_first_finding() {
    let file = format!("{A}\n{A}{B}\n{A}\n{{\"a\":\n");
    let damaged = check(file.as_bytes()).strict().unwrap_err();
    assert_eq!(damaged.to_string(), "line 2: a record that begins on the line of another one at byte 71");
    assert_eq!(damaged.code().as_str(), "FORMAT_DAMAGED");
    let details: Vec<_> = damaged.details().iter().map(|(name, _)| name).collect();
    assert_eq!(details, ["damage", "line", "offset"]);
    assert_eq!(check(A.as_bytes()).strict().unwrap().as_ref(), A.as_bytes());
}

#[test]
fn names_are_unique_and_nothing_shows_text() {
    let kinds = Damage::ALL;
    let names: BTreeSet<_> = kinds.iter().map(|kind| kind.code()).collect();
    let sentences: BTreeSet<_> = kinds.iter().map(ToString::to_string).collect();
    assert_eq!((names.len(), sentences.len()), (kinds.len(), kinds.len()));
    let salvaged = check(b"{\"a\":\"hunter2\"}{\"b\":\"hunter2\n");
    assert!(!format!("{salvaged:?} {:?}", salvaged.edits()).contains("hunter2"));
}
