//! Checkpoints of version 1 are read.

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, ContextOutcome, ContextRequest, InvalidatedReason,
    build_context_locally,
};
use cutctx_messages::{DurableObject, Message, check_context, messages_digest};
use cutctx_types::Role;
use serde_json::{Value, json};

use crate::sessions::{round, says, session, text};

/// A session in which messages 2 and 3 were summarized, results up to message 6 became stubs, and one was edited.
fn transcript() -> Vec<Message> {
    let mut messages = vec![says(Role::System, "be brief"), says(Role::User, "paint the fence")];
    messages.push(says(Role::Assistant, "the summarized words"));
    messages.push(says(Role::User, "and go on"));
    for at in 0..3 {
        messages.extend(round(at, &[&text(at, 900)]));
    }
    messages.push(says(Role::Assistant, "done"));
    messages
}

fn checkpoint(entry: &Value) -> DurableObject {
    serde_json::from_value(json!({ "budgeted_context": entry, "other": 1 })).unwrap()
}

fn earlier(messages: &[Message], source: usize) -> Value {
    json!({
        "version": 1, "cursor": 4, "pruned": 6, "source_sha256": messages_digest(&messages[..source]).to_hex(),
        "observed_tokens": 100, "estimated_tokens": 80, "rewrites": 3, "calls": 2, "summary": "it went well",
        "edits": [[7, 0, "an edited result"]]
    })
}

fn build(
    messages: &[Message],
    stored: &DurableObject,
) -> (Vec<Value>, ContextOutcome, Option<DurableObject>) {
    let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(20_000)).unwrap();
    let request = ContextRequest::new(session(), messages);
    let built = build_context_locally(&policy, request, Some(stored)).unwrap();
    assert_eq!(check_context(&built.messages), Ok(()));
    let shown = built.messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    (shown, built.outcome.unwrap(), built.checkpoint)
}

#[test]
fn what_version_1_remembered_is_shown_as_it_was() {
    let messages = transcript();
    let (shown, outcome, new) = build(&messages, &checkpoint(&earlier(&messages, 8)));
    assert!(matches!(outcome, ContextOutcome::Unchanged { invalidated: None, .. }), "{outcome:?}");
    assert_eq!(new, None, "nothing changed");
    assert_eq!(shown.len(), messages.len() - 1);
    let text = |at: usize| shown[at]["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text(2).ends_with("\nit went well"), "{}", text(2));
    let result = |at: usize| shown[at]["content"][0]["content"].as_str().unwrap_or_default();
    assert!(result(4).starts_with("[read gave ") && result(4).contains("cut here; sha256 "), "{}", result(4));
    assert_eq!(result(6), "an edited result");
    assert_eq!(result(8), crate::sessions::text(2, 900));
}

#[test]
fn what_version_1_remembered_goes_on_in_version_2() {
    let mut messages = transcript();
    let mut stored = checkpoint(&earlier(&messages, 8));
    for at in 10..14 {
        messages.extend(round(at, &[&text(at, 20_000)]));
    }
    let (_, outcome, new) = build(&messages, &stored);
    assert!(matches!(outcome, ContextOutcome::Compacted { invalidated: None, .. }), "{outcome:?}");
    stored = new.unwrap();
    let entry = serde_json::to_value(stored.get("budgeted_context").unwrap()).unwrap();
    assert_eq!((&entry["version"], &entry["rewrites"], &entry["calls"]), (&json!(2), &json!(4), &json!(2)));
    assert!(stored.get("other").is_some());
    let (_, outcome, _) = build(&messages, &stored);
    assert!(matches!(outcome, ContextOutcome::Unchanged { invalidated: None, .. }), "{outcome:?}");
}

#[test]
fn what_is_not_of_these_messages_or_of_no_known_version_is_told() {
    let messages = transcript();
    let told = |entry: &Value| {
        let outcome = build(&messages, &checkpoint(entry)).1;
        let ContextOutcome::Unchanged { invalidated, .. } = outcome else { panic!("{outcome:?}") };
        invalidated
    };
    let mut other = earlier(&messages, 8);
    other["source_sha256"] = json!("0".repeat(64));
    assert_eq!(told(&other), Some(InvalidatedReason::ContentChanged));
    let mut long = earlier(&messages, 8);
    long["pruned"] = json!(99);
    assert_eq!(told(&long), Some(InvalidatedReason::TranscriptShorter));
    for unreadable in
        [json!({"version": 3}), json!({"version": 2}), json!(1), json!({"version": 1, "cursor": 9})]
    {
        assert_eq!(told(&unreadable), Some(InvalidatedReason::Unreadable), "{unreadable}");
    }
    // Fates that would separate calls from their results are nobody's.
    let torn = json!({
        "version": 2, "source": "messages", "source_count": 6,
        "source_sha256": messages_digest(&messages[..6]).to_hex(), "fates": ["keep 5", "drop 1"]
    });
    assert_eq!(told(&torn), Some(InvalidatedReason::Unreadable));
}
