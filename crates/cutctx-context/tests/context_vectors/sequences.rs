//! Policies over the steps of a session.

use cutctx_context::{
    BuildFault, CompactionFailure, CompactionInstructions, CompactionOutcome, CompactionStep,
    ContextBuildError, ContextBuildResult, ContextPolicy, ContextRequest, ContextTelemetry, Session, Step,
    begin_context,
};
use cutctx_messages::{DurableObject, Message};
use cutctx_types::Coded;
use serde_json::{Value, json};

use crate::built::{self, BELOW_ZERO, Calls};
use crate::case::{expanded, messages, projection_category, same_error};
use crate::digests::{SPELLED, shows_objects};
use crate::estimates::{overhead, usage};
use crate::tally::{Verdict, same};

/// A policy without memory.
pub(crate) fn plain(input: &Value, output: &Value) -> Verdict {
    let policy = match built::policy(&input["policy"], &Value::Null, &Calls::default()) {
        Ok(policy) => policy,
        Err(category) => return refused(&output["error"], &category),
    };
    let messages = messages(&input["messages"]);
    let request = ContextRequest::new(session(), messages.clone());
    match (drive(&*policy, request, None, None), output.get("error")) {
        (Ok((result, _)), None) => same(&result.messages.to_vec(), &expanded(&output["messages"], &messages)),
        (Err((error, _)), Some(wanted)) => same_error(wanted, error.code().as_str()),
        (outcome, _) => Verdict::Failed(format!("{outcome:?} for {output}")),
    }
}

/// A policy that remembers, step by step.
pub(crate) fn sequence(input: &Value, output: &Value) -> Verdict {
    let calls = Calls::default();
    let policy = match built::policy(&input["policy"], &input["compactor"], &calls) {
        Ok(policy) => policy,
        Err(category) => {
            return refused(&output["constructor"]["error"], &category)
                .or_else_passed(|| refused(&output["constructor"], &category));
        }
    };
    let Some(wanted) = output["steps"].as_array() else {
        return Verdict::Failed(format!("no error, but {}", output["constructor"]));
    };
    let transcript = messages(&input["transcript"]);
    let mut checkpoint: Option<DurableObject> = read(&input["checkpoint"]);
    for (at, (step, wanted)) in input["steps"].as_array().unwrap().iter().zip(wanted).enumerate() {
        let replaced = replaced(input, step, &calls);
        let policy = replaced.as_deref().unwrap_or(&*policy);
        if !step["checkpoint"].is_null() {
            checkpoint = read(&step["checkpoint"]);
        }
        calls.lock().unwrap().clear();
        let upto = usize::try_from(step["upto"].as_u64().unwrap()).unwrap();
        let request = request(step, &transcript[..upto]);
        let outcome = drive(policy, request, checkpoint.as_ref(), step.get("provider_count"));
        let mut found = shown(&outcome, &transcript);
        found["compactor_calls"] = json!(*calls.lock().unwrap());
        let verdict = compare(&found, wanted, &transcript);
        if verdict != Verdict::Passed {
            let digest = input["compactor"]["type"] == "digest" || step["compactor"]["type"] == "digest";
            if digest && shows_objects(&input["transcript"]) {
                return Verdict::Skipped(SPELLED);
            }
            return Verdict::Failed(format!("step {at}: {verdict:?}"));
        }
        let new = match &outcome {
            Ok((result, _)) => result.checkpoint.clone(),
            Err((error, _)) => error.checkpoint().cloned(),
        };
        checkpoint = new.or(checkpoint);
    }
    Verdict::Passed
}

impl Verdict {
    fn or_else_passed(self, other: impl FnOnce() -> Self) -> Self {
        if matches!(self, Self::Failed(_)) { other() } else { self }
    }
}

fn refused(wanted: &Value, category: &str) -> Verdict {
    if category == BELOW_ZERO && wanted["code"] == BELOW_ZERO {
        return Verdict::Typed;
    }
    if wanted["code"].is_string() {
        same_error(wanted, category)
    } else {
        Verdict::Failed(category.to_owned())
    }
}

/// The policy of one step, where the step has its own.
fn replaced(input: &Value, step: &Value, calls: &Calls) -> Option<alloc::sync::Arc<dyn ContextPolicy>> {
    let (policy, compactor) = (step.get("policy"), step.get("compactor"));
    if policy.is_none() && compactor.is_none() {
        return None;
    }
    let policy = policy.unwrap_or(&input["policy"]);
    Some(built::policy(policy, compactor.unwrap_or(&input["compactor"]), calls).unwrap())
}

fn read(checkpoint: &Value) -> Option<DurableObject> {
    (!checkpoint.is_null()).then(|| serde_json::from_value(checkpoint.clone()).unwrap())
}

pub(crate) fn session() -> Session {
    Session::new("sess-1", "agent").unwrap()
}

fn request(step: &Value, messages: &[Message]) -> ContextRequest {
    let mut request = ContextRequest::new(session(), messages)
        .with_usage(usage(&step["usage"]))
        .with_overhead(overhead(&step["overhead"]));
    request.force_compaction = step["force"] == true;
    request.force_bounded_compaction = step["force_bounded"] == true;
    let instructions = step["instructions"].as_str();
    request.compaction_instructions = instructions.map(|text| CompactionInstructions::new(text).unwrap());
    request.can_count_input_tokens = step.get("provider_count").is_some();
    request
}

/// What was built, or not, and the lengths of the lists that were to be counted.
type Outcome = Result<(ContextBuildResult, Vec<usize>), (ContextBuildError, Vec<usize>)>;

fn drive(
    policy: &dyn ContextPolicy,
    request: ContextRequest,
    checkpoint: Option<&DurableObject>,
    count: Option<&Value>,
) -> Outcome {
    let mut counted = Vec::new();
    let mut step = begin_context(policy, request, checkpoint);
    loop {
        step = match step {
            Ok(Step::Done(result)) => return Ok((*result, counted)),
            Ok(Step::Count(pending)) => {
                counted.push(pending.messages.len());
                pending.resume(count.and_then(Value::as_i64))
            }
            Ok(Step::Summarize(pending)) => {
                let outcome = answer(pending.compactor.begin(&pending.request));
                pending.resume(outcome)
            }
            Err(error) => return Err((error, counted)),
        };
    }
}

/// What a scripted compactor answers: it needs no model.
fn answer(step: CompactionStep) -> CompactionOutcome {
    let CompactionStep::Done(outcome) = step else {
        return Err(CompactionFailure::model_needed());
    };
    outcome
}

fn shown(outcome: &Outcome, transcript: &[Message]) -> Value {
    let _ = transcript;
    match outcome {
        Ok((result, counted)) => json!({
            "messages": *result.messages,
            "checkpoint": result.checkpoint,
            "event_payload": result.checkpoint_event_payload,
            "telemetry": told(&result.compaction_telemetry),
            "count_calls": counted,
        }),
        Err((error, counted)) => {
            let mut found = json!({
                "error": failure(error),
                "checkpoint": error.checkpoint(),
                "event_payload": error.checkpoint_event_payload(),
                "telemetry": told(error.compaction_telemetry()),
                "count_calls": counted,
            });
            if let BuildFault::SizeBounds { passes, max_passes, stop, .. } = error.fault() {
                found["passes"] = json!(format!("{passes}/{max_passes}"));
                found["stop"] = json!(stop.as_str());
            }
            found
        }
    }
}

fn failure(error: &ContextBuildError) -> Value {
    let compaction = matches!(error.fault(), BuildFault::Compaction(_) | BuildFault::SizeBounds { .. });
    let kind = if compaction { "ContextBuildError" } else { "ValueError" };
    let code = if let BuildFault::Projection(error) = error.fault() {
        projection_category(error)
    } else if matches!(error.fault(), BuildFault::NegativeCount) {
        BELOW_ZERO.to_owned()
    } else {
        error.code().as_str().to_lowercase()
    };
    json!({"type": kind, "code": code})
}

/// Telemetry as the vectors have it.
fn told(events: &[ContextTelemetry]) -> Value {
    events.iter().map(event).collect()
}

fn event(event: &ContextTelemetry) -> Value {
    let mut told = serde_json::to_value(&event.payload).unwrap();
    let payload = told.as_object_mut().unwrap();
    assert_eq!(payload.remove("checkpoint"), Some(json!("context_compaction")));
    payload.insert("event_type".into(), json!(event.event_type.as_str()));
    if let Some(code) = payload.get("error_type").and_then(Value::as_str) {
        let class = if code == "COMPACTOR_FAILURE" { "RuntimeError" } else { "ValueError" };
        payload.insert("error_type".into(), json!(class));
    }
    told
}

/// Compares what the case tells; it leaves out what a policy has none of.
fn compare(found: &Value, wanted: &Value, transcript: &[Message]) -> Verdict {
    for (key, value) in wanted.as_object().unwrap() {
        if key == "cause" {
            // The cause has the same code.
            continue;
        }
        let value = if key == "messages" { json!(expanded(value, transcript)) } else { value.clone() };
        if found.get(key) != Some(&value) {
            return Verdict::Failed(format!("{key}\nfound  {}\nwanted {value}", found[key]));
        }
    }
    Verdict::Passed
}
