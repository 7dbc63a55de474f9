//! Notes about marks, links and records.

use cutctx_formats::{NoteKind, SignedReasoning};

use crate::{notes, read, without};

const KEEP: SignedReasoning = SignedReasoning::Keep;

#[test]
fn a_session_of_which_nothing_goes_has_no_notes() {
    let session = read(include_str!("../../../../examples/claude-code.jsonl"));
    assert!(without(&session, &[], SignedReasoning::Drop).notes().is_empty());
}

#[test]
fn a_moved_cache_mark_is_noted_with_both_places() {
    let session = read(
        r#"{"model":"m","max_tokens":9,"system":"s","messages":[
{"role":"user","content":[{"type":"text","text":"first"}]},
{"role":"assistant","content":[{"type":"text","text":"second","cache_control":{"type":"ephemeral"}}]},
{"role":"user","content":[{"type":"text","text":"third"}]}]}"#,
    );
    let rendered = without(&session, &[2], KEEP);
    assert_eq!(notes(&rendered), [(NoteKind::CacheMarkMoved, 1, 3, Some(2))]);
    let said: Vec<String> = rendered.notes().iter().map(ToString::to_string).collect();
    assert_eq!(said, ["1 cache mark was moved, at line 3, to line 2"]);
}

#[test]
fn a_cache_mark_without_a_new_place_is_noted_as_lost() {
    let session = read(
        r#"{"model":"m","max_tokens":9,"system":"s","messages":[
{"role":"user","content":[{"type":"text","text":"first","cache_control":{"type":"ephemeral"}}]},
{"role":"assistant","content":[{"type":"text","text":"second","cache_control":{"type":"ephemeral"}}]},
{"role":"user","content":[{"type":"text","text":"third"}]}]}"#,
    );
    assert_eq!(notes(&without(&session, &[2], KEEP)), [(NoteKind::CacheMarkLost, 1, 3, None)]);
}

#[test]
fn a_moved_cache_point_and_a_joined_message_are_noted() {
    let session = read(
        r#"{"modelId":"m","inferenceConfig":{},"messages":[
{"role":"user","content":[{"text":"first"}]},
{"role":"assistant","content":[{"text":"second"},{"cachePoint":{"type":"default"}}]},
{"role":"user","content":[{"text":"third"}]}]}"#,
    );
    let noted = notes(&without(&session, &[1], KEEP));
    assert_eq!(noted, [(NoteKind::CacheMarkMoved, 1, 3, Some(2)), (NoteKind::MessagesJoined, 1, 4, None)]);
}

#[test]
fn rewritten_links_are_counted() {
    let line = |name: &str, parent: &str, role: &str| {
        format!(
            r#"{{"type":"{role}","uuid":"{name}","parentUuid":{parent},"message":{{"role":"{role}","id":"{name}","content":[{{"type":"text","text":"said {name}"}}]}}}}"#
        )
    };
    let lines = [
        line("u1", "null", "user"),
        line("a1", "\"u1\"", "assistant"),
        line("u2", "\"a1\"", "user"),
        line("a2", "\"u2\"", "assistant"),
        line("u3", "\"a2\"", "user"),
    ];
    let session = read(lines.join("\n") + "\n");
    assert_eq!(notes(&without(&session, &[1], KEEP)), [(NoteKind::LinksRewritten, 1, 3, None)]);
    assert_eq!(notes(&without(&session, &[1, 3], KEEP)), [(NoteKind::LinksRewritten, 2, 3, None)]);
}

#[test]
fn records_that_go_with_a_turn_are_counted() {
    let session = read(include_str!("../../../../examples/kimi-cli.jsonl"));
    let removed = (1..session.transcript().turns().len()).filter(|turn| {
        let notes = notes(&without(&session, &[*turn], KEEP));
        notes.iter().any(|(kind, ..)| *kind == NoteKind::RecordsRemoved)
    });
    assert!(removed.count() > 0);
}
