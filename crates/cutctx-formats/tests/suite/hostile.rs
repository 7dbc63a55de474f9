//! Bytes that nobody should have to read: an error or a result, never a panic, never quadratic time.

use cutctx_formats::{Fate, FormatError, RecordFault, Session};
use cutctx_types::{CharRatioEstimator, Coded, KeptPart, Trim};
use proptest::prelude::*;

use crate::laws::{Dice, check_get_put, check_laws, contents, read};

const CHAT: &str = include_str!("../../../../examples/openai-chat.json");
const REQUEST: &str = include_str!("../../../../examples/anthropic-messages.json");
const NATIVE: &str = include_str!("../../../../examples/native.json");

fn open(bytes: impl Into<Vec<u8>>) -> Result<Session, FormatError> {
    Session::read(bytes, &CharRatioEstimator::default())
}

fn refused(bytes: impl Into<Vec<u8>>) -> FormatError {
    open(bytes).map(|session| session.format().name()).unwrap_err()
}

#[test]
fn an_empty_file_is_refused_as_empty() {
    for nothing in ["", " \n\t\r\n", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(refused(nothing), FormatError::Empty);
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_line() {
    let error = refused(b"[\n{\"role\":\"user\",\"content\":\"\xff\"}]".to_vec());
    let place = error.place().unwrap();
    assert_eq!((error.code().as_str(), place.line, place.offset), ("FORMAT_NOT_UTF8", 2, 28));
}

#[test]
fn a_file_cut_anywhere_is_an_error_or_a_session() {
    for whole in [CHAT, REQUEST, NATIVE] {
        for cut in (0..whole.len()).step_by(97).filter(|cut| whole.is_char_boundary(*cut)) {
            let error = refused(&whole.as_bytes()[..cut]);
            assert!(
                matches!(error, FormatError::Syntax { truncated: true, .. } | FormatError::Empty),
                "{cut}: {error}"
            );
        }
    }
}

#[test]
fn two_documents_in_one_file_are_refused_with_the_line_of_the_second() {
    let error = refused(format!("{CHAT}{CHAT}"));
    assert!(matches!(error, FormatError::Glued { .. }), "{error}");
    assert_eq!(error.place().unwrap().line, CHAT.lines().count() + 1);
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let deep = 100_000;
    let nested = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let argument = format!(
        r#"[{{"role":"user","content":"go","extra":{nested}}},{{"role":"assistant","content":"ok","tool_calls":[]}}]"#
    );
    check_laws(&read(argument), 0..4, "nested field");
    let input = format!(
        r#"{{"system":"s","messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"n","input":{nested}}}]}}]}}"#
    );
    check_laws(&read(input), 0..4, "nested input");
    for text in [nested.as_str(), &"[".repeat(deep), &"{\"a\":".repeat(deep)] {
        let error = refused(text);
        assert!(matches!(error, FormatError::Unrecognized { .. } | FormatError::Syntax { .. }), "{error}");
    }
}

#[test]
fn huge_numbers_are_kept_as_they_are_written() {
    let text = r#"{"model":"m","n":1e999999,"k":123456789012345678901234567890,"messages":[{"role":"user","content":"a","x":-0.000}]}"#;
    check_get_put(&read(text));
    let turn = |tokens: &str| {
        format!(r#"[{{"turn_id":"t","role":"user","content":"c","token_estimate":{tokens}}}]"#)
    };
    assert_eq!(refused(turn("1e3")).code().as_str(), "FORMAT_RECORD");
    assert_eq!(refused(turn("-1")).code().as_str(), "VALIDATION_ERROR");
    assert_eq!(refused(turn("18446744073709551616")).code().as_str(), "TOKEN_OVERFLOW");
}

#[test]
fn of_a_repeated_key_the_last_one_counts_and_is_edited() {
    let text = r#"[{"role":"system","role":"user","content":"first","content":"task"},{"role":"assistant","content":"no","content":"yes"},{"role":"user","content":"more"}]"#;
    let session = read(text);
    assert_eq!(contents(&session), ["task", "yes", "more"]);
    check_laws(&session, 0..40, "repeated keys");
}

#[test]
fn control_characters_and_half_pairs_pass() {
    let text =
        r#"[{"role":"user","content":"nul \u0000 half \ud83d end"},{"role":"assistant","content":"\udc00"}]"#;
    let session = read(text);
    assert_eq!(contents(&session), ["nul \0 half \u{fffd} end", "\u{fffd}"]);
    check_laws(&session, 0..20, "half pairs");
    assert!(matches!(
        refused("[{\"role\":\"user\",\"content\":\"raw \0\"}]"),
        FormatError::Syntax { truncated: false, .. }
    ));
}

#[test]
fn records_of_the_wrong_shape_are_named() {
    let faults = [
        (r#"[{"role":"user","content":"a"},7]"#, RecordFault::NotAnObject),
        (r#"[{"role":"user","content":"a"},{"role":"wizard","content":"b"}]"#, RecordFault::Role),
        (r#"[{"role":"user","content":"a"},{"role":"user","content":{}}]"#, RecordFault::Field("content")),
        (
            r#"[{"role":"user","content":"a"},{"role":"user","content":[{"data":"b"}]}]"#,
            RecordFault::Field("type"),
        ),
        (
            r#"[{"role":"tool","content":"a"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x"}]}]"#,
            RecordFault::ForeignBlock,
        ),
    ];
    for (text, wanted) in faults {
        let error = refused(text);
        let FormatError::Record { record: 1, fault, at, .. } = error else { panic!("{text}: {error}") };
        assert_eq!((fault, at.line), (wanted, 1), "{text}");
        assert!(error.to_string().starts_with("line 1: record 1 cannot be read as openai-chat"), "{error}");
    }
}

#[test]
fn errors_show_no_text_of_the_file() {
    let secret = "hunter2";
    let texts = [
        format!(r#"[{{"role":"{secret}","content":"{secret}"}}]"#),
        format!(r#"[{{"role":"user","content":"{secret}"}} {secret}]"#),
        format!(r#"{{"{secret}":"{secret}"}}"#),
        format!("{secret}\n{secret}"),
        format!(r#"[{{"turn_id":"t","role":"user","content":"{secret}","token_estimate":"{secret}"}}]"#),
    ];
    for text in texts {
        let error = refused(text);
        let shown = format!("{error} {error:?} {:?}", error.details());
        assert!(!shown.contains(secret), "{shown}");
    }
}

/// Large enough that a quadratic pass would be noticed by whoever waits for the test.
#[test]
fn one_id_for_twenty_thousand_calls_is_paired_from_the_nearest() {
    let rounds = 20_000;
    let mut messages = vec![r#"{"role":"user","content":"go"}"#.to_owned()];
    for _ in 0..rounds {
        messages.push(r#"{"role":"assistant","content":null,"tool_calls":[{"id":"same","function":{"name":"f","arguments":"{}"}}]}"#.to_owned());
    }
    for _ in 0..rounds {
        messages.push(r#"{"role":"tool","tool_call_id":"same","content":"r"}"#.to_owned());
    }
    let session = read(format!("[{}]", messages.join(",")));
    assert_eq!(session.transcript().turns().len(), 2 * rounds + 1);
    let last = session.transcript().turns().last().unwrap();
    assert_eq!(last.tool_call_id(), Some("m1"), "the nearest open call is answered first");
    check_laws(&session, 0..1, "one id for all calls");
}

fn repeated(count: usize, element: impl Fn(usize) -> String) -> String {
    (0..count).map(element).collect::<Vec<_>>().join(",")
}

/// As above: one pass over the blocks for every turn, part or call of the message would be noticed.
#[test]
fn one_message_with_very_many_results_is_edited_in_one_go() {
    let count = 30_000;
    let calls = repeated(count, |n| format!(r#"{{"type":"tool_use","id":"t{n}","name":"f","input":{{}}}}"#));
    let results =
        repeated(count, |n| format!(r#"{{"type":"tool_result","tool_use_id":"t{n}","content":"long"}}"#));
    let file = format!(
        r#"{{"messages":[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{calls}]}},{{"role":"user","content":[{results}]}}]}}"#
    );
    let session = read(file.clone());
    let fates: Vec<Fate<'_>> =
        (0..count + 2).map(|turn| if turn < 2 { Fate::Kept } else { Fate::Masked("x") }).collect();
    let after = session.render(&fates, &[]).unwrap().to_text();
    assert_eq!(after, file.replace(r#""content":"long""#, r#""content":"x""#));
}

#[test]
fn one_message_with_very_many_calls_or_parts_is_edited_in_one_go() {
    let count = 30_000;
    let calls =
        repeated(count, |n| format!(r#"{{"id":"t{n}","function":{{"name":"f","arguments":"{{1}}"}}}}"#));
    let parts = repeated(count, |_| r#"{"type":"text","text":"long"}"#.to_owned());
    let file = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":null,"tool_calls":[{calls}]}},{{"role":"user","content":[{parts}]}}]"#
    );
    let session = read(file.clone());
    let start = |part: usize| {
        part.checked_sub(1).map_or(0, |before| session.transcript().turns()[2].parts()[before].end)
    };
    let kept =
        (0..count).map(|part| KeptPart::new(part, alloc::vec![start(part)..start(part) + 1])).collect();
    let trim = Trim::new(kept, 1);
    let fates = [Fate::Kept, Fate::Masked("x"), Fate::Trimmed(&trim)];
    let after = session.render(&fates, &[]).unwrap().to_text();
    let expected = file
        .replace("null", r#""x""#)
        .replace(r#""{1}""#, r#""{}""#)
        .replace(r#""text":"long""#, r#""text":"l\n…""#);
    assert_eq!(after, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_never_panic(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut bytes = [CHAT, REQUEST, NATIVE][dice.roll(3)].as_bytes().to_vec();
        for _ in 0..=dice.roll(3) {
            let place = dice.roll(bytes.len().max(1));
            match dice.roll(4) {
                0 => bytes.iter_mut().skip(place).take(1).for_each(|byte| *byte = b"{}[]\",:\\0n\n\xff"[dice.roll(12)]),
                1 => bytes.truncate(place.max(1)),
                2 => bytes.drain(place..).take(1).for_each(drop),
                _ => bytes.insert(place, b"{}[]\",:\\0n"[dice.roll(10)]),
            }
        }
        match open(bytes) {
            Ok(session) => check_laws(&session, seed..seed.saturating_add(1), "wild damage"),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(session) = open(bytes) {
            check_get_put(&session);
        }
    }
}
