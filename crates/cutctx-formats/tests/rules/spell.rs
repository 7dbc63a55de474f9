//! One conversation, spelled in every format that can express it.

use cutctx_formats::{Dialect, Format, Session, Violation, format_named};
use cutctx_types::CharRatioEstimator;
use serde_json::{Value, json};

/// What happens in a conversation.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    User(String),
    Model(Model),
    /// Results that stand in one message where the format has such messages.
    Results(Vec<(String, String)>),
}

/// A message of the model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    pub(crate) thinks: bool,
    pub(crate) text: Option<String>,
    /// Ids and arguments.
    pub(crate) calls: Vec<(String, String)>,
}

pub(crate) fn user(text: &str) -> Step {
    Step::User(text.to_owned())
}

pub(crate) fn says(text: &str) -> Step {
    Step::Model(Model { text: Some(text.to_owned()), ..Model::default() })
}

pub(crate) fn calls(ids: &[&str]) -> Step {
    let calls = ids.iter().enumerate().map(|(n, id)| ((*id).to_owned(), format!("{{\"n\":{n}}}"))).collect();
    Step::Model(Model { text: Some("I look.".to_owned()), calls, thinks: false })
}

pub(crate) fn results(ids: &[&str]) -> Step {
    Step::Results(ids.iter().map(|id| ((*id).to_owned(), format!("what {id} found"))).collect())
}

/// The formats that conversations are spelled in.
pub(crate) const FORMATS: [&str; 7] = [
    "openai-chat",
    "openai-responses",
    "anthropic-messages",
    "claude-code",
    "codex-rollout",
    "bedrock-converse",
    "gemini-contents",
];

/// Those that are there; the others are named.
pub(crate) fn formats() -> Vec<&'static dyn Format> {
    let there = FORMATS.iter().filter_map(|name| {
        let format = format_named(name);
        if format.is_none() {
            println!("SKIPPED: there is no format {name}");
        }
        format
    });
    there.collect()
}

pub(crate) fn lint(format: &'static dyn Format, document: &str) -> Vec<Violation> {
    let session = Session::read_as(format, document, &CharRatioEstimator::default())
        .unwrap_or_else(|error| panic!("{}: {error}\n{document}", format.name()));
    session.lint()
}

/// The names of the broken rules, with how often each is broken.
pub(crate) fn names(format: &'static dyn Format, document: &str) -> Vec<&'static str> {
    let mut names: Vec<_> = lint(format, document).iter().map(|violation| violation.rule.name).collect();
    names.sort_unstable();
    names
}

pub(crate) fn dialect(format: &'static dyn Format) -> Dialect {
    format.about().dialect
}

pub(crate) fn spelled(format: &'static dyn Format, steps: &[Step]) -> String {
    match format.name() {
        "openai-chat" => Value::Array(steps.iter().flat_map(chat).collect()).to_string(),
        "openai-responses" => json!({"model": "m", "input": items(steps)}).to_string(),
        "anthropic-messages" => {
            let messages: Vec<Value> = steps.iter().map(anthropic).collect();
            json!({"model": "m", "max_tokens": 9, "tools": [{"name": "look"}], "messages": messages})
                .to_string()
        }
        "claude-code" => claude_code(steps),
        "codex-rollout" => codex(steps),
        "bedrock-converse" => {
            let messages: Vec<Value> = steps.iter().map(bedrock).collect();
            let tools = json!({"tools": [{"toolSpec": {"name": "look"}}]});
            json!({"inferenceConfig": {"maxTokens": 9}, "toolConfig": tools, "messages": messages})
                .to_string()
        }
        "gemini-contents" => {
            let contents: Vec<Value> = steps.iter().map(gemini).collect();
            json!({"contents": contents}).to_string()
        }
        other => panic!("nobody spells {other}"),
    }
}

fn arguments(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}

fn chat(step: &Step) -> Vec<Value> {
    match step {
        Step::User(text) => vec![json!({"role": "user", "content": text})],
        Step::Model(Model { text, calls, .. }) => {
            let call = |(id, arguments): &(String, String)| json!({"id": id, "type": "function", "function": {"name": "look", "arguments": arguments}});
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                message["tool_calls"] = calls.iter().map(call).collect();
            }
            vec![message]
        }
        Step::Results(results) => results
            .iter()
            .map(|(id, text)| json!({"role": "tool", "tool_call_id": id, "content": text}))
            .collect(),
    }
}

fn items(steps: &[Step]) -> Vec<Value> {
    steps.iter().enumerate().flat_map(|(number, step)| item(number, step)).collect()
}

fn item(number: usize, step: &Step) -> Vec<Value> {
    match step {
        Step::User(text) => vec![json!({"role": "user", "content": text})],
        Step::Model(Model { thinks, text, calls }) => {
            let reasoning = thinks.then(
                || json!({"type": "reasoning", "id": format!("rs_{number}"), "summary": [], "encrypted_content": "AAAA"}),
            );
            let message = text.as_ref().map(
                |text| json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
            );
            let calls = calls.iter().map(
                |(id, arguments)| json!({"type": "function_call", "call_id": id, "name": "look", "arguments": arguments}),
            );
            reasoning.into_iter().chain(message).chain(calls).collect()
        }
        Step::Results(results) => results
            .iter()
            .map(|(id, text)| json!({"type": "function_call_output", "call_id": id, "output": text}))
            .collect(),
    }
}

fn anthropic(step: &Step) -> Value {
    match step {
        Step::User(text) => json!({"role": "user", "content": text}),
        Step::Model(model) => json!({"role": "assistant", "content": anthropic_blocks(model)}),
        Step::Results(results) => json!({"role": "user", "content": anthropic_results(results)}),
    }
}

fn anthropic_blocks(model: &Model) -> Vec<Value> {
    let thinking = model.thinks.then(|| json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"}));
    let text = model.text.as_ref().map(|text| json!({"type": "text", "text": text}));
    let call = |(id, input): &(String, String)| json!({"type": "tool_use", "id": id, "name": "look", "input": arguments(input)});
    thinking.into_iter().chain(text).chain(model.calls.iter().map(call)).collect()
}

fn anthropic_results(results: &[(String, String)]) -> Vec<Value> {
    results
        .iter()
        .map(|(id, text)| json!({"type": "tool_result", "tool_use_id": id, "content": text}))
        .collect()
}

/// A block a line for the model, a result a line for the user.
fn claude_code(steps: &[Step]) -> String {
    let mut lines = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let (kind, contents) = match step {
            Step::User(text) => ("user", vec![json!(text)]),
            Step::Model(model) => {
                ("assistant", anthropic_blocks(model).into_iter().map(|block| json!([block])).collect())
            }
            Step::Results(results) => {
                ("user", anthropic_results(results).into_iter().map(|block| json!([block])).collect())
            }
        };
        for content in contents {
            let here = lines.len();
            let parent = here.checked_sub(1).map(|before| format!("u{before}"));
            let id = format!("msg_{number}");
            lines.push(json!({"type": kind, "uuid": format!("u{here}"), "parentUuid": parent, "sessionId": "s",
                "timestamp": "2026-01-01T00:00:00Z", "message": {"id": id, "role": kind, "content": content}}));
        }
    }
    written_lines(&lines)
}

/// One value a line.
pub(crate) fn written_lines(lines: &[Value]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.to_string() + "\n").collect();
    lines.concat()
}

fn codex(steps: &[Step]) -> String {
    let line = |kind: &str, payload: Value| {
        format!("{}\n", json!({"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}))
    };
    let head = line("session_meta", json!({"id": "s", "cwd": "/x", "originator": "o", "cli_version": "1"}));
    let rest = items(steps).into_iter().map(|mut item| {
        if item.get("type").is_none() {
            item["type"] = json!("message");
            item["content"] = json!([{"type": "input_text", "text": item["content"]}]);
        }
        line("response_item", item)
    });
    core::iter::once(head).chain(rest).collect()
}

fn bedrock(step: &Step) -> Value {
    let result = |(id, text): &(String, String)| json!({"toolResult": {"toolUseId": id, "content": [{"text": text}], "status": "success"}});
    match step {
        Step::User(text) => json!({"role": "user", "content": [{"text": text}]}),
        Step::Model(model) => json!({"role": "assistant", "content": bedrock_blocks(model)}),
        Step::Results(results) => {
            json!({"role": "user", "content": results.iter().map(result).collect::<Vec<_>>()})
        }
    }
}

fn bedrock_blocks(model: &Model) -> Vec<Value> {
    let reasoning = json!({"reasoningContent": {"reasoningText": {"text": "hm", "signature": "c2ln"}}});
    let text = model.text.as_ref().map(|text| json!({"text": text}));
    let call = |(id, input): &(String, String)| json!({"toolUse": {"toolUseId": id, "name": "look", "input": arguments(input)}});
    model.thinks.then_some(reasoning).into_iter().chain(text).chain(model.calls.iter().map(call)).collect()
}

fn gemini(step: &Step) -> Value {
    let result = |(id, text): &(String, String)| json!({"functionResponse": {"id": id, "name": "look", "response": {"output": text}}});
    match step {
        Step::User(text) => json!({"role": "user", "parts": [{"text": text}]}),
        Step::Model(model) => json!({"role": "model", "parts": gemini_parts(model)}),
        Step::Results(results) => {
            json!({"role": "user", "parts": results.iter().map(result).collect::<Vec<_>>()})
        }
    }
}

/// The first call is signed.
fn gemini_parts(model: &Model) -> Vec<Value> {
    let text = model.text.as_ref().map(|text| json!({"text": text}));
    let calls = model.calls.iter().enumerate().map(|(number, (id, args))| {
        let mut part = json!({"functionCall": {"id": id, "name": "look", "args": arguments(args)}});
        if number == 0 {
            part["thoughtSignature"] = json!("c2ln");
        }
        part
    });
    text.into_iter().chain(calls).collect()
}
