//! Open calls, media and earlier compactions.

use crate::files::{examples, read};
use cutctx_formats::{FoundMarker, Inventory, Session};
use cutctx_messages::{CallState, MediaKind};

fn inventory(text: &str) -> Inventory {
    read(text).inventory().unwrap()
}

fn calls(text: &str) -> Vec<(usize, String, CallState)> {
    inventory(text).open_calls.into_iter().map(|call| (call.turn, call.tool, call.state)).collect()
}

/// The lines of the markers, and what the turns of their summaries say.
fn markers(session: &Session) -> Vec<(usize, Option<String>)> {
    let say = |marker: &FoundMarker| {
        let turn = marker.summary.map(|turn| session.transcript().turns()[turn].content().to_string());
        (marker.line, turn)
    };
    session.inventory().unwrap().markers.iter().map(say).collect()
}

#[test]
fn calls_without_a_result_are_listed_with_their_state() {
    let call = |id: &str, name: &str| {
        format!(
            r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"{name}","arguments":"{{}}"}}}}]}}"#
        )
    };
    let user = r#"{"role":"user","content":"go on"}"#;
    let result = r#"{"role":"tool","tool_call_id":"c2","content":"done"}"#;
    let text = format!(
        "[{user},{},{user},{},{result},{}]",
        call("c1", "dig"),
        call("c2", "fill"),
        call("c3", "look")
    );
    assert_eq!(
        calls(&text),
        [(1, "dig".to_owned(), CallState::Dangling), (5, "look".to_owned(), CallState::InFlight)]
    );
}

#[test]
fn a_transcript_of_our_own_tells_its_open_exchanges() {
    let turn = |id: &str, role: &str, call: &str| {
        format!(
            r#"{{"turn_id":"{id}","role":"{role}","content":"x","token_estimate":1,"tool_call_id":{call},"pinned":false,"metadata":{{}}}}"#
        )
    };
    let text = [
        turn("a", "user", "null"),
        turn("b", "assistant", r#""one""#),
        turn("c", "assistant", r#""two""#),
        turn("d", "tool", r#""two""#),
        turn("e", "assistant", r#""three""#),
    ]
    .join("\n");
    let found: Vec<(usize, CallState)> =
        calls(&text).into_iter().map(|(turn, _, state)| (turn, state)).collect();
    assert_eq!(found, [(1, CallState::Dangling), (4, CallState::InFlight)]);
}

#[test]
fn media_are_told_apart_also_inside_of_results() {
    let text = r#"{"model":"claude-opus-4-5","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"look","input":{}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"page"},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}}]}]}]}"#;
    let media: Vec<((usize, usize), MediaKind)> = inventory(text).media.into_iter().collect();
    assert_eq!(media, [((0, 1), MediaKind::Image), ((2, 1), MediaKind::Document)]);
}

/// The turns that are made here again are those of the session.
#[test]
fn every_open_call_and_every_summary_is_a_turn_of_the_session() {
    for (name, text) in examples() {
        let (session, inventory) = (read(&text), inventory(&text));
        let turns = session.transcript().turns();
        for call in &inventory.open_calls {
            assert_eq!(turns[call.turn].role().as_str(), "assistant", "{name}");
        }
        for (turn, part) in inventory.media.keys() {
            assert!(turns[*turn].parts().len() > *part, "{name}");
        }
        for marker in &inventory.markers {
            assert!(marker.offset < text.len() && marker.line <= text.lines().count(), "{name}");
            assert!(marker.summary.is_none_or(|turn| turn < turns.len()), "{name}");
        }
    }
}

#[test]
fn the_compaction_of_claude_code_is_found_with_its_summary() {
    let text = [
        r#"{"parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","content":"before"},"uuid":"u1"}"#,
        r#"{"parentUuid":null,"logicalParentUuid":"u1","sessionId":"s","type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":9},"uuid":"u2"}"#,
        r#"{"parentUuid":"u2","sessionId":"s","type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far: a leak"},"uuid":"u3"}"#,
        r#"{"parentUuid":"u3","sessionId":"s","type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"text","text":"on it"}]},"uuid":"u4"}"#,
    ]
    .join("\n");
    assert_eq!(markers(&read(&text)), [(2, Some("so far: a leak".to_owned()))]);
}

#[test]
fn the_compactions_of_codex_are_found_with_their_summary() {
    let said = r#"{"timestamp":"t","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"before"}]}}"#;
    let after = said.replace("before", "after");
    let plain = r#"{"timestamp":"t","type":"compacted","payload":{"message":"so far: a leak"}}"#;
    let history = r#"{"timestamp":"t","type":"compacted","payload":{"message":"a leak was found","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"before"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"so far: a leak was found"}]}]}}"#;
    let meta = r#"{"timestamp":"t","type":"session_meta","payload":{"id":"s","cwd":"/srv"}}"#;
    let file = |marker: &str| read(&[meta, said, marker, &after].join("\n"));
    assert_eq!(markers(&file(plain)), [(3, Some("so far: a leak".to_owned()))]);
    assert_eq!(markers(&file(history)), [(3, Some("so far: a leak was found".to_owned()))]);
}

#[test]
fn the_compactions_of_providers_are_found() {
    let items = r#"{"model":"gpt-5","input":[
        {"type":"message","role":"user","content":"hi"},
        {"type":"compaction","encrypted_content":"gAAAA"},
        {"type":"message","role":"user","content":"go on"}]}"#;
    assert_eq!(markers(&read(items)), [(3, Some(String::new()))]);
    let blocks = r#"{"model":"claude-opus-4-5","max_tokens":9,"messages":[
        {"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"compaction","content":"so far: a leak"},{"type":"text","text":"on it"}]},
        {"role":"user","content":"go on"}]}"#;
    let found = markers(&read(blocks));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].0 == 3 && found[0].1.as_ref().is_some_and(|said| said.contains("so far: a leak")),
        "{found:?}"
    );
}

#[test]
fn the_compactions_of_other_agents_are_found() {
    let pi = [
        r#"{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/srv"}"#,
        r#"{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user","content":"before"}}"#,
        r#"{"type":"compaction","id":"b","parentId":"a","timestamp":"t","summary":"so far: a leak","tokensBefore":9}"#,
        r#"{"type":"message","id":"c","parentId":"b","timestamp":"t","message":{"role":"user","content":"go on"}}"#,
    ]
    .join("\n");
    assert_eq!(markers(&read(&pi)), [(3, Some("so far: a leak".to_owned()))]);
    let opencode = r#"{"info":{"id":"s"},"messages":[
        {"info":{"id":"m1","role":"user","sessionID":"s"},"parts":[{"type":"text","text":"before"}]},
        {"info":{"id":"m2","role":"user","sessionID":"s"},"parts":[{"type":"compaction","auto":true}]},
        {"info":{"id":"m3","role":"assistant","sessionID":"s","parentID":"m2","summary":true,"finish":"stop"},"parts":[{"type":"text","text":"so far: a leak"}]},
        {"info":{"id":"m4","role":"user","sessionID":"s"},"parts":[{"type":"text","text":"go on"}]}]}"#;
    assert_eq!(markers(&read(opencode)), [(4, Some("so far: a leak".to_owned()))]);
}

#[test]
fn a_session_without_a_compaction_has_no_marker() {
    let text = r#"[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]"#;
    assert_eq!(inventory(text), Inventory::default());
}
