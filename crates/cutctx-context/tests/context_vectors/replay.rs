//! Every case of every function.

use serde_json::Value;

use crate::tally::{Tally, Verdict};
use crate::{digests, estimates, folder, projections, sequences};

/// Whose conformance is checked where models are: the crate of the compactors that call one.
const ELSEWHERE: Verdict =
    Verdict::Skipped("skipped: compactors that call a model are replayed in their crate");

#[test]
fn committed_cases_are_as_the_reference_has_them() {
    let tally = replay(&folder::committed());
    assert!(tally.failed.is_empty(), "{} failed", tally.failed.len());
    assert!(tally.passed() > 100, "{}", tally.passed());
}

#[test]
fn all_cases_are_as_the_reference_has_them() {
    let Some(cases) = folder::all() else { return };
    let tally = replay(&cases);
    assert!(tally.failed.is_empty(), "{} failed", tally.failed.len());
    assert!(tally.passed() > 1_000, "{}", tally.passed());
}

fn replay(cases: &[Value]) -> Tally {
    let mut tally = Tally::default();
    for case in cases {
        let (function, name) = (case["function"].as_str().unwrap(), case["name"].as_str().unwrap());
        tally.add(function, name, verdict(function, &case["input"], &case["output"]));
    }
    tally.print();
    tally
}

fn verdict(function: &str, input: &Value, output: &Value) -> Verdict {
    match function {
        "trim_context_messages" => projections::window(input, output),
        "trim_context_turns" => projections::turns(input, output),
        "strip_old_file_attachments" => projections::files(input, output),
        "context_input_coverage" => projections::coverage(input, output),
        "estimate_message_tokens" => estimates::message(input, output),
        "estimate_message_attachment_tokens" => estimates::attachments(input, output),
        "estimate_tool_schema_tokens" => estimates::tools(input, output),
        "estimate" => estimates::observed(input, output),
        "estimate_full_request" => estimates::full(input, output),
        "estimate_anchored_request" => estimates::anchored(input, output),
        "estimate_model_request_context_pressure" => estimates::request(input, output),
        "TranscriptDigestCompactor.compact" => digests::compact(input, output),
        "default_compaction_prompt" => digests::prompt(input, output),
        "DefaultContextPolicy" | "MessageWindowContextPolicy" | "RecentTurnsContextPolicy" => {
            sequences::plain(input, output)
        }
        "CheckpointCompaction.count_mode"
        | "CheckpointCompaction.size_mode"
        | "UsageTriggeredContextPolicy" => sequences::sequence(input, output),
        "ModelCompactor.compact" | "PromptCacheCompactor.compact" => ELSEWHERE,
        other => Verdict::Failed(format!("nobody knows the function {other}")),
    }
}
