//! Other tools' files, recognised by their fields, so that a refusal can say what it met.

use crate::document::{Document, Shape};
use crate::raw::{Kind, Object};

/// How many records are looked at.
const SAMPLE: usize = 24;

/// A record with all of these fields, and with this `type` where one is given, gives away its tool.
struct Mark {
    name: &'static str,
    fields: &'static [&'static str],
    kind: Option<&'static str>,
}

const fn mark(name: &'static str, fields: &'static [&'static str]) -> Mark {
    Mark { name, fields, kind: None }
}

const fn typed(name: &'static str, kind: &'static str, fields: &'static [&'static str]) -> Mark {
    Mark { name, fields, kind: Some(kind) }
}

/// In the order in which they are tried; the more special ones first.
const MARKS: &[Mark] = &[
    mark("CutCtx's own plan record", &["record_version", "plan"]),
    mark("CutCtx's own compaction plan", &["actions", "summarization_requests"]),
    mark("CutCtx's own report", &["plan_hash", "kept_turn_ids"]),
    mark("CutCtx's own batch job", &["transcript", "budget"]),
    mark("CutCtx's own batch result", &["plan", "plan_hash"]),
    mark("the settings of a Claude Code sub-agent", &["agentType", "spawnDepth"]),
    mark("a mini-swe-agent trajectory", &["trajectory_format"]),
    mark("a SWE-agent trajectory", &["environment", "trajectory"]),
    mark("a Codex CLI rollout", &["timestamp", "type", "payload"]),
    mark("a Codex CLI rollout", &["record_type"]),
    mark("a Gemini CLI chat", &["sessionId", "projectHash"]),
    mark("a Gemini CLI output stream", &["type", "tool_name", "tool_id"]),
    mark("recorded Gemini CLI responses", &["method", "response"]),
    mark("a Gemini API request", &["contents"]),
    mark("a Gemini API response", &["candidates", "usageMetadata"]),
    mark("an opencode run output", &["type", "sessionID", "part"]),
    mark("an opencode session", &["sessionID", "messageID"]),
    mark("an opencode session", &["sessionID", "role"]),
    mark("an opencode session", &["messageID", "callID", "tool"]),
    mark("an opencode session", &["projectID", "directory", "title"]),
    mark("an opencode session", &["worktree", "sandboxes"]),
    mark("an opencode database export", &["message_id", "session_id", "data"]),
    mark("an opencode export", &["info", "messages"]),
    typed("a pi or OpenClaw session", "session", &["id", "timestamp", "cwd"]),
    typed("a Factory Droid session", "session_start", &["title"]),
    typed("a Factory Droid output stream", "system", &["sessionId", "reasoning_effort"]),
    typed("a Kimi CLI session", "metadata", &["protocol_version"]),
    mark("a Kimi CLI session state", &["agents", "isCustomTitle", "workDir"]),
    mark("a Copilot CLI session", &["type", "data", "id", "parentId", "timestamp"]),
    mark("an Antigravity transcript", &["step_index", "source"]),
    mark("an OpenHands event log", &["source", "observation"]),
    mark("an OpenHands event log", &["source", "action", "args"]),
    mark("an OpenHands evaluation output", &["history", "git_patch"]),
    mark("an OpenHands evaluation output", &["instance_id", "history"]),
    mark("ShareGPT conversations", &["conversations"]),
    mark("an inspect evaluation log", &["eval", "status"]),
    mark("a Google ADK session", &["events", "app_name"]),
    mark("OpenTelemetry spans", &["spanContext"]),
    mark("OpenTelemetry spans", &["resourceSpans"]),
    mark("a Letta agent file", &["agents", "blocks"]),
    mark("a Cline session", &["version", "sessionId", "messages"]),
    mark("a Hermes session", &["session_id", "messages", "platform"]),
    mark("an AutoGen replay", &["mode", "messages", "response"]),
    mark("a Grok session summary", &["session_summary", "chat_format_version"]),
    mark("a Happy trace", &["seq", "localId", "content"]),
    mark("a Qwen Code session", &["uuid", "parentUuid", "systemPayload"]),
    mark("a ToolBench answer", &["answer_generation"]),
    mark("a Trae agent trajectory", &["agent_id", "steps"]),
    mark("tau-bench results", &["traj"]),
    mark("tau-bench conversations printed as text", &["messages_display"]),
    mark("tau2 results", &["simulations"]),
    mark("an IronClaw trace", &["model_name", "steps"]),
    mark("an ATIF trajectory", &["schema_version", "steps"]),
    mark("a Goose session export", &["role", "content_json"]),
    mark("a Bedrock Converse request", &["messages", "inferenceConfig"]),
    mark("a Bedrock Converse request", &["messages", "toolConfig"]),
];

/// What the file looks like, when it is another tool's.
pub(super) fn looks_like(document: &Document<'_>) -> Option<&'static str> {
    let records = document.sample(SAMPLE);
    let by_fields = MARKS.iter().find(|mark| records.iter().any(|record| mark.fits(record)));
    by_fields.map(|mark| mark.name).or_else(|| by_structure(document, &records))
}

impl Mark {
    fn fits(&self, record: &Object<'_>) -> bool {
        self.fields.iter().all(|field| record.has(field))
            && self.kind.is_none_or(|kind| record.get("type").is_some_and(|found| found.is_string(kind)))
    }
}

/// Marks that lie deeper than a field's name.
fn by_structure(document: &Document<'_>, records: &[Object<'_>]) -> Option<&'static str> {
    let any = |test: fn(&Object<'_>) -> bool| records.iter().any(test);
    if any(|record| record.has("uuid") && inner_has(record, "message", "parts")) {
        return Some("a Qwen Code session");
    }
    if any(|record| record.has("role") && inner_has(record, "message", "content")) {
        return Some("a Cursor transcript");
    }
    if any(|record| first_has(record, "history", "role")) {
        return Some(if any(|record| first_has(record, "history", "parts")) {
            "a Gemini CLI chat"
        } else {
            "a SWE-agent trajectory"
        });
    }
    if any(is_responses) {
        return Some("an OpenAI Responses request");
    }
    if any(|record| record.has("type") && record.has("text") && record.has("time")) {
        return Some("an opencode session");
    }
    let messages = document.messages()?;
    let objects = messages.messages.iter().take(SAMPLE).filter_map(|(_, node)| node.object().ok()?);
    objects.into_iter().any(|message| is_converse(&message)).then_some("a Bedrock Converse request")
}

fn inner_has(record: &Object<'_>, field: &str, inner: &str) -> bool {
    record.get(field).and_then(|value| value.object().ok()?).is_some_and(|object| object.has(inner))
}

fn first_element<'a>(record: &Object<'a>, field: &str) -> Option<Object<'a>> {
    record.get(field)?.array().ok()??.first()?.object().ok()?
}

fn first_has(record: &Object<'_>, field: &str, inner: &str) -> bool {
    first_element(record, field).is_some_and(|object| object.has(inner))
}

/// A list of items under `input`, which no chat request has.
fn is_responses(record: &Object<'_>) -> bool {
    !record.has("messages")
        && first_element(record, "input").is_some_and(|item| item.has("role") || item.has("type"))
}

/// Blocks without a type, named by their one key.
fn is_converse(message: &Object<'_>) -> bool {
    let block = first_element(message, "content");
    block.is_some_and(|block| {
        !block.has("type") && ["toolUse", "toolResult", "text"].iter().any(|key| block.has(key))
    })
}

/// How many conversations a list or a file of lines holds, when each record is one.
pub(super) fn conversations(document: &Document<'_>) -> Option<usize> {
    let is_one =
        |record: &Object<'_>| record.get("messages").is_some_and(|messages| messages.kind() == Kind::Array);
    if !document.sample(1).iter().any(is_one) {
        return None;
    }
    match document.shape() {
        Shape::Array(_, elements) => Some(elements.len()),
        Shape::Lines => Some(document.lines().filter(|line| !line.is_filler()).count()),
        Shape::Object(_) | Shape::Glued(..) => None,
    }
}
