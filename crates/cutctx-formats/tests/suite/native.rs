//! CutCtx's own transcripts.

use cutctx_formats::{Fate, SummaryText};
use serde_json::{Value, json};

use crate::laws::{check_laws, read};

const EXAMPLE: &str = include_str!("../../../../examples/native.json");

#[test]
fn the_example_is_read_as_it_says_and_keeps_the_laws() {
    let session = read(EXAMPLE);
    assert_eq!(session.format().name(), "native");
    let declared: Value = serde_json::from_str(EXAMPLE).unwrap();
    let parsed: cutctx_types::Transcript = serde_json::from_value(declared).unwrap();
    assert_eq!(session.transcript(), &parsed);
    check_laws(&session, 0..200, "example");
}

#[test]
fn masked_and_summarized_turns_are_written_as_applying_a_plan_makes_them() {
    let turn = |id: &str, metadata: Value| json!({"turn_id": id, "role": "user", "content": "0123456789abcdef", "token_estimate": 4, "tool_call_id": null, "pinned": false, "metadata": metadata, "parts": [{"kind": "text", "end": 16, "token_estimate": 4}]});
    let session = read(json!({"turns": [turn("a", json!({"k": "v"})), turn("b", json!({})), turn("c", json!({})), turn("d", json!({}))]}).to_string());
    let fates = [Fate::Masked("[gone]"), Fate::SummarizedInto("g"), Fate::SummarizedInto("g"), Fate::Kept];
    let written = session.render(&fates, &[SummaryText { group: "g", text: "sum" }]).unwrap().to_text();
    let output: Value = serde_json::from_str(&written).unwrap();
    let masked = json!({"turn_id": "a", "role": "user", "content": "[gone]", "token_estimate": 2, "tool_call_id": null, "pinned": false, "metadata": {"k": "v", "cutctx.kind": "masked"}});
    let summary = json!({"turn_id": "summary:g", "role": "assistant", "content": "sum", "token_estimate": 1, "tool_call_id": null, "pinned": false,
        "metadata": {"cutctx.kind": "summary", "cutctx.summary_group": "g", "cutctx.replaced_turn_count": "2"}});
    assert_eq!(output, json!({"turns": [masked, summary, turn("d", json!({}))]}));
}
