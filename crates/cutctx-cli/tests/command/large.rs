//! Sessions that are too large to be held whole.

use crate::sandbox::Sandbox;
use core::fmt::Write;

/// A session of about ten megabytes, most of it no context.
fn session() -> String {
    let mut file = String::new();
    for number in 0..1_500_u32 {
        let kind = if number.is_multiple_of(2) { "user" } else { "assistant" };
        let parent = number.checked_sub(1).map_or("null".to_owned(), |parent| format!("\"u{parent}\""));
        let said = format!("line {number} says that the pump runs dry at night, ").repeat(30);
        let copy = format!("a copy of {number} for the eye, ").repeat(230);
        writeln!(
            file,
            r#"{{"parentUuid":{parent},"cwd":"/srv/pump","sessionId":"s-1","type":"{kind}","message":{{"role":"{kind}","id":"m{number}","content":[{{"type":"text","text":"{said}"}}]}},"toolUseResult":{{"stdout":"{copy}"}},"uuid":"u{number}"}}"#
        )
        .unwrap();
    }
    assert!(file.len() > 9 << 20);
    file
}

const LINE: &str = "--policy drop-oldest --max-tokens 200k --quiet";

#[test]
fn a_large_session_is_the_same_from_a_file_from_a_stream_and_in_place() {
    let (sandbox, session) = (Sandbox::new(), session());
    sandbox.write("large.jsonl", session.as_bytes());
    sandbox.run(&format!("compact large.jsonl {LINE} -o small.jsonl")).exits(0);
    let small = String::from_utf8(sandbox.bytes("small.jsonl")).unwrap();
    assert!(small.len() < session.len() / 2);
    let last = session.lines().last().unwrap();
    assert!(small.ends_with(&format!("{last}\n")), "what stays is byte for byte what it was");

    let streamed = sandbox.run_with(&format!("compact - {LINE}"), session.as_bytes()).exits(0);
    assert!(streamed.out == small);

    sandbox.run(&format!("compact large.jsonl {LINE} --in-place")).exits(0);
    assert!(sandbox.bytes("large.jsonl") == small.as_bytes());
    assert!(sandbox.bytes("large.jsonl.cutctx-backup") == session.as_bytes());
}

#[test]
fn a_large_session_that_fits_comes_out_as_it_went_in() {
    let (sandbox, session) = (Sandbox::new(), session());
    let ran = sandbox.run_with("compact - --max-tokens 10m --quiet", session.as_bytes()).exits(0);
    assert!(ran.out == session);
}

#[test]
fn a_large_session_is_inspected() {
    let (sandbox, session) = (Sandbox::new(), session());
    sandbox.write("large.jsonl", session.as_bytes());
    let seen = sandbox.run("inspect large.jsonl --json").exits(0).json();
    assert_eq!(seen["file_bytes"], session.len());
    assert_eq!(seen["turns"], 1_500);
    assert_eq!(seen["violations"].as_array().map(Vec::len), Some(1), "it ends with an assistant's message");
}
