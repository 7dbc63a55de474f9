//! The digest compactor, and the default prompt.

use cutctx_context::{
    CompactionInstructions, CompactionRequest, CompactionResult, Session, TranscriptDigestCompactor,
    default_compaction_prompt,
};
use cutctx_messages::SpokenText;
use cutctx_types::{Coded, Sha256Digest};
use serde_json::{Value, json};

use crate::case::{category, messages, same_error};
use crate::tally::{Verdict, same};

/// The parts whose digests show objects, which the reference spells as its language does.
pub(crate) const SPELLED: &str = "skipped: objects in digests are JSON, not Python";

pub(crate) fn compact(input: &Value, output: &Value) -> Verdict {
    let compactor = match TranscriptDigestCompactor::new(input["max_summary_chars"].as_u64().unwrap()) {
        Ok(compactor) => compactor,
        Err(error) => return same_error(&output["error"], &category(error)),
    };
    let found = match (compactor.compact(&request(input)), output.get("error")) {
        (Ok(result), _) => same(&shown(&result), output),
        (Err(failure), Some(wanted)) => same_error(wanted, failure.code().as_str()),
        (Err(failure), None) => Verdict::Failed(failure.to_string()),
    };
    if found != Verdict::Passed && shows_objects(&input["messages"]) {
        Verdict::Skipped(SPELLED)
    } else {
        found
    }
}

pub(crate) fn prompt(input: &Value, output: &Value) -> Verdict {
    let prompt = match default_compaction_prompt(&request(input)) {
        Ok(prompt) => prompt,
        Err(error) => return same_error(&output["error"], &category(error)),
    };
    let rest: String = prompt.prompt().chars().skip(272).collect();
    let chars = prompt.prompt().chars().count();
    let mut found = json!({
        "kind": "single",
        "chars": chars,
        "fixed_prefix_chars": 272,
        "covered_message_count": prompt.covered_message_count(),
    });
    if let Some(digest) = output.get("rest_sha256") {
        found["rest"] = output["rest"].clone();
        found["rest_sha256"] = json!(Sha256Digest::of_bytes(rest.as_bytes()).to_hex());
        let _ = digest;
    } else {
        found["rest"] = json!(rest);
    }
    let verdict = same(&found, output);
    if verdict != Verdict::Passed && shows_objects(&input["messages"]) {
        Verdict::Skipped(SPELLED)
    } else {
        verdict
    }
}

fn request(input: &Value) -> CompactionRequest {
    let text = |key: &str, default: &str| input[key].as_str().unwrap_or(default).to_owned();
    let session = Session::new(text("session_id", "sess-1"), text("agent_name", "agent")).unwrap();
    let mut request = CompactionRequest::new(session, messages(&input["messages"]));
    request.existing_summary = input["existing_summary"].as_str().map(|text| SpokenText::new(text).unwrap());
    request.instructions =
        input["instructions"].as_str().map(|text| CompactionInstructions::new(text).unwrap());
    request
}

/// Whether messages have parts whose digest shows an object.
pub(crate) fn shows_objects(messages: &Value) -> bool {
    let text = messages.to_string();
    ["\"tool_call\"", "\"tool_result\"", "\"file\""].iter().any(|kind| text.contains(kind))
}

fn shown(result: &CompactionResult) -> Value {
    json!({
        "summary": &*result.summary,
        "covered_message_count": result.covered_message_count,
        "represented_existing_summary_sha256": result.represented_existing_summary_sha256,
        "source_chunk_count": result.source_chunk_count,
        "source_chunk_mode": result.chunk_mode(),
        "bounded_input": result.bounded_input,
        "progress_exhausted": result.is_progress_exhausted(),
        "progress_key": result.progress_key().map(cutctx_context::Label::as_str),
        "metadata": result.metadata,
        "model_completed_payloads": result.model_completed_payloads,
    })
}
