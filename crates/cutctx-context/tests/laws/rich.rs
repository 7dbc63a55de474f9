//! Sessions with parts of every kind: what is shown of each is sound.

use alloc::collections::BTreeMap;

use cutctx_context::{
    ContextBuildResult, ContextOutcome, ContextRequest, LiveContext, build_context_locally,
};
use cutctx_messages::{DurableObject, Message, MessagePart, MessageView, TurnMapper, check_context};
use cutctx_types::{CharRatioEstimator, Role};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::compactors::{self, WAYS};
use crate::sessions::{session, text};

/// Something that happens, as messages: its number and the length of its texts.
type Event = fn(usize, usize) -> Vec<Value>;

/// Any of them.
fn event() -> impl Strategy<Value = Event> {
    let all: Vec<Event> =
        vec![asks, asks_with_file, says, thinks, is_told, searches, writes, reads, reads_files, fails];
    prop::sample::select(all)
}

fn message(role: &str, content: &[Value]) -> Value {
    json!({ "role": role, "content": content })
}

fn said(at: usize, chars: usize) -> Value {
    json!({ "type": "text", "text": text(at, chars) })
}

fn file(at: usize) -> Value {
    json!({
        "type": cutctx_messages::FILE_ATTACHMENT, "artifact_id": format!("art_{at}"), "kind": "image", "filename": "fence.png",
        "content_type": "image/png", "size_bytes": 900
    })
}

fn asks(at: usize, chars: usize) -> Vec<Value> {
    vec![message("user", &[said(at, chars)])]
}

fn asks_with_file(at: usize, chars: usize) -> Vec<Value> {
    vec![message("user", &[said(at, chars), json!({ "type": "file", "attachment": file(at) })])]
}

fn says(at: usize, chars: usize) -> Vec<Value> {
    vec![message("assistant", &[said(at, chars), said(at.wrapping_add(1), chars)])]
}

fn thinks(at: usize, chars: usize) -> Vec<Value> {
    let open = json!({ "type": "thinking", "text": text(at, chars), "provider_state": null });
    let signed =
        json!({ "type": "thinking", "text": text(at, chars), "provider_state": { "signature": "abc" } });
    let state = json!({ "type": "provider_state", "provider": "any", "state": { "blob": text(at, chars) } });
    vec![message("assistant", &[open, signed, state, said(at, 60)])]
}

fn is_told(at: usize, _: usize) -> Vec<Value> {
    let peer = json!({
        "type": "peer_content", "text": text(at, 40), "sender_participant_id": "p", "sender_participant_incarnation": "1",
        "sender_session_id": "s", "sender_session_instance_id": "i", "occurrence_id": format!("o{at}"),
        "append_key_json": "{}", "operation_key": "k", "projection_id": "pr", "provenance_sha256": "0".repeat(64),
        "executable": false
    });
    vec![message("assistant", &[peer, said(at, 100)])]
}

fn searches(at: usize, chars: usize) -> Vec<Value> {
    let (step, attempt) = (format!("mstep_{}", "0".repeat(32)), format!("matt_{}", "0".repeat(32)));
    let call = json!({
        "type": "hosted_tool_call", "call_id": format!("h{at}"), "hosted_tool": "web_search", "status": "completed",
        "action": { "query": text(at, 50) }, "provider_name": "any", "model": "any", "model_step_id": step,
        "model_attempt_id": attempt
    });
    let citation = json!({
        "type": "citation", "url": "https://example.org/fence", "title": "fences", "provenance": {},
        "model_step_id": step, "model_attempt_id": attempt
    });
    vec![message("assistant", &[call, said(at, chars), citation])]
}

fn round(at: usize, arguments: &Value, results: &[Value]) -> Vec<Value> {
    let ids = 0..results.iter().filter(|part| part["type"] == "tool_result").count();
    let call = |nth| {
        json!({
            "type": "tool_call", "tool_call_id": format!("call_{at}_{nth}"), "tool_name": "edit", "arguments": arguments
        })
    };
    let mut calling = vec![said(at, 80)];
    calling.extend(ids.map(call));
    vec![message("assistant", &calling), message("tool", results)]
}

fn result(at: usize, nth: usize, chars: usize) -> Value {
    json!({
        "type": "tool_result", "tool_call_id": format!("call_{at}_{nth}"), "tool_name": "edit",
        "content": text(at, chars)
    })
}

fn writes(at: usize, chars: usize) -> Vec<Value> {
    let lines: Vec<String> = (0..4).map(|line| text(at.wrapping_add(line), chars)).collect();
    round(at, &json!({ "path": "src/fence.rs", "content": lines.join("\n") }), &[result(at, 0, 20)])
}

fn reads(at: usize, chars: usize) -> Vec<Value> {
    let chars = chars.saturating_mul(4);
    let structured = json!({ "type": "structured_output", "name": null, "output": { "rows": 3 } });
    let results = vec![result(at, 0, chars), structured, result(at, 1, chars)];
    round(at, &json!({ "path": "src/fence.rs" }), &results)
}

fn reads_files(at: usize, chars: usize) -> Vec<Value> {
    let mut shown = result(at, 0, chars);
    shown["artifacts"] = json!([file(at), { "type": "row", "n": 1 }, file(at.wrapping_add(1))]);
    round(at, &json!({ "path": "fence.png" }), &[shown])
}

fn fails(at: usize, chars: usize) -> Vec<Value> {
    let mut failed = result(at, 0, chars);
    failed["is_error"] = json!(true);
    round(at, &json!({ "path": "nowhere" }), &[failed])
}

fn transcript(events: &[(Event, usize)]) -> Vec<Message> {
    let first =
        [message("system", &[json!({"type": "text", "text": "be brief"})]), message("user", &[said(0, 60)])];
    let later = events.iter().zip(1_usize..).flat_map(|((event, chars), at)| event(at, *chars));
    first.into_iter().chain(later).map(|json| serde_json::from_value(json).unwrap()).collect()
}

fn built(
    way: usize,
    window: u64,
    messages: &[Message],
    checkpoint: Option<&DurableObject>,
) -> ContextBuildResult {
    let request = ContextRequest::new(session(), messages);
    build_context_locally(&compactors::policy(way, window), request, checkpoint).unwrap()
}

/// What messages take as turns.
fn taken(messages: &[Message]) -> u64 {
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    for message in messages {
        mapper.push(&MessageView::from(message)).unwrap();
    }
    mapper.finish().turns.iter().map(cutctx_types::TranscriptTurn::token_estimate).sum()
}

fn parts(messages: &[Message]) -> impl Iterator<Item = &MessagePart> {
    messages.iter().flat_map(Message::content)
}

fn peers(messages: &[Message]) -> usize {
    parts(messages).filter(|part| matches!(part, MessagePart::PeerContent(_))).count()
}

/// Parts that are whole or gone are whole, and calls and results keep their ids, names and failures.
fn check_parts(source: &[Message], shown: &[Message]) {
    let (mut opaque, mut calls) = (BTreeMap::new(), BTreeMap::new());
    for part in parts(source) {
        if let MessagePart::Thinking(thinking) = part {
            opaque.insert(thinking.text.to_string(), part);
        } else if let MessagePart::ToolCall(call) = part {
            calls.insert(call.tool_call_id.to_string(), call.tool_name.to_string());
        }
    }
    for part in parts(shown) {
        if let MessagePart::Thinking(thinking) = part
            && thinking.provider_state.is_some()
        {
            assert_eq!(opaque.get(&*thinking.text), Some(&part));
        } else if let MessagePart::ToolCall(call) = part {
            assert_eq!(calls.get(&*call.tool_call_id).map(String::as_str), Some(&*call.tool_name));
        } else if let MessagePart::ToolResult(result) = part {
            assert!(calls.contains_key(&*result.tool_call_id));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_of_every_kind_are_shown_soundly(
        events in prop::collection::vec((event(), 10..500_usize), 0..30),
        window in 1_000..12_000_u64,
        way in 0..WAYS,
    ) {
        let transcript = transcript(&events);
        let mut checkpoint: Option<DurableObject> = None;
        for upto in 1..=transcript.len() {
            let source = &transcript[..upto];
            if check_context(source).is_err() {
                continue;
            }
            let built = built(way, window, source, checkpoint.as_ref());
            let shown = &*built.messages;
            prop_assert_eq!(check_context(shown), Ok(()));
            check_parts(source, shown);
            prop_assert_eq!(peers(shown), peers(source), "what others said is gone");
            for message in shown {
                let json = serde_json::to_string(message).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Message>(&json).unwrap(), message);
            }
            let first = shown.iter().find(|message| message.role() != Role::System).map(Message::role);
            prop_assert!(first == Some(Role::User) || upto == 1, "{first:?}");
            let told = match built.outcome.unwrap() {
                ContextOutcome::Unchanged { tokens, .. } => tokens,
                ContextOutcome::Compacted { tokens_after, .. } | ContextOutcome::Degraded { tokens_after, .. } => {
                    tokens_after
                }
                ContextOutcome::OverBudget { needed, floor, allowed } => {
                    prop_assert!(floor > allowed, "{floor} fits into {allowed}, {needed} are needed");
                    needed
                }
                _ => 0,
            };
            // Marks of cuts are not estimated, nor are the notes about files that a policy left out.
            let notes = serde_json::to_string(shown).unwrap().matches("have been left out of this").count();
            let slack = shown.len().saturating_mul(8).saturating_add(notes.saturating_mul(64));
            let slack = u64::try_from(slack).unwrap();
            prop_assert!(taken(shown) <= told.saturating_add(slack), "{} and {told}", taken(shown));
            checkpoint = built.checkpoint.or(checkpoint);
            let live = LiveContext::restored(&compactors::policy(way, window), session(), source, checkpoint.as_ref());
            let live = live.unwrap();
            prop_assert_eq!(live.messages(), shown);
        }
    }
}

#[test]
fn a_files_place_is_taken_by_its_name_when_the_context_is_compacted() {
    let mut events: Vec<(Event, usize)> = vec![(asks_with_file, 50), (says, 50), (reads_files, 50)];
    let first = transcript(&events);
    let whole = built(0, 10_000, &first, None);
    assert_eq!(&*whole.messages, &first[..], "below the high mark nothing is left out");
    let later: [(Event, usize); 4] = [(reads_files, 50), (asks, 50), (says, 3_000), (asks, 20)];
    events.extend(later);
    let long = transcript(&events);
    let less = built(0, 10_000, &long, None);
    assert!(matches!(less.outcome, Some(ContextOutcome::Compacted { .. })), "{:?}", less.outcome);
    let json = serde_json::to_string(&*less.messages).unwrap();
    assert!(!json.contains(r#""type":"file""#), "a request that was answered keeps its file");
    assert!(json.contains("The files of this earlier message"), "{json}");
}
