//! `cutctx context`: step after step over a session that grows.

use crate::sandbox::{Ran, Sandbox, examples};
use cutctx::messages::DurableObject;
use cutctx::types::Sha256Digest;
use serde_json::{Value, json};

/// A growing session in Claude Code's format.
struct Agent {
    lines: Vec<String>,
    parent: Option<String>,
}

impl Agent {
    fn new() -> Self {
        let mut agent = Self { lines: Vec::new(), parent: None };
        agent.say("user", &json!("mend src/pump/valve.rs, and tell me what was wrong with it"));
        agent
    }

    fn say(&mut self, kind: &str, content: &Value) {
        let number = self.lines.len();
        let mut message = json!({"role": kind, "content": content});
        if kind == "assistant" {
            message["id"] = json!(format!("msg_{number}"));
            message["model"] = json!("claude-sonnet-4-5");
        }
        let uuid = format!("u{number}");
        let line = json!({"type": kind, "uuid": uuid, "parentUuid": self.parent, "sessionId": "s", "message": message});
        self.lines.push(line.to_string());
        self.parent = Some(uuid);
    }

    /// A call and its result.
    fn work(&mut self, number: usize) {
        let id = format!("toolu_{number}");
        let path = format!("src/hall_{number}/part.rs");
        let call = json!({"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": path}});
        self.say("assistant", &json!([{"type": "text", "text": format!("let me read {path}")}, call]));
        let text = format!("{path} is part {number}\n{}", format!("line of part {number}\n").repeat(30));
        self.say("user", &json!([{"type": "tool_result", "tool_use_id": id, "content": text}]));
    }

    fn save(&self, sandbox: &Sandbox, name: &str) {
        sandbox.write(name, (self.lines.join("\n") + "\n").as_bytes());
    }
}

const STEP: &str = "context session.jsonl --state session.state --window 4k -o context.jsonl --force --json";

/// A session of so many calls, in a sandbox.
fn worked(calls: usize) -> (Sandbox, Agent) {
    let (sandbox, mut agent) = (Sandbox::new(), Agent::new());
    (0..calls).for_each(|number| agent.work(number));
    agent.save(&sandbox, "session.jsonl");
    (sandbox, agent)
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    String::from_utf8(sandbox.bytes(name)).unwrap()
}

#[test]
fn step_by_step_a_context_goes_on_where_the_last_one_ended() {
    let (sandbox, mut agent) = (Sandbox::new(), Agent::new());
    let (mut before, mut outcomes, mut rewrites) = (String::new(), Vec::new(), 0);
    for number in 0..60 {
        agent.work(number);
        agent.save(&sandbox, "session.jsonl");
        let account = sandbox.run(STEP).exits(0).json();
        let after = text(&sandbox, "context.jsonl");
        let outcome = account["outcome"].as_str().unwrap().to_owned();
        if outcome == "unchanged" {
            assert!(after.starts_with(&before), "step {number}: {account}");
            assert_eq!(account["rewrites"], rewrites, "step {number}");
        }
        rewrites = account["rewrites"].as_u64().unwrap();
        assert!(
            account["tokens_after"].as_u64() <= account["limit_tokens"].as_u64(),
            "step {number}: {account}"
        );
        assert!(after.contains(&format!("part.rs is part {number}")), "step {number}: what is new is there");
        sandbox.run("lint context.jsonl").exits(0);
        (before, outcomes) = (after, [outcomes, vec![outcome]].concat());
    }
    let compacted = outcomes.iter().filter(|outcome| *outcome == "compacted").count();
    assert!((2..20).contains(&compacted), "{outcomes:?}");
    assert!(before.contains("mend src/pump/valve.rs"), "the task is still there");
    assert!(text(&sandbox, "session.jsonl").len() > 2 * before.len());
    assert_eq!(sandbox.names(), ["context.jsonl", "session.jsonl", "session.state"]);
}

#[test]
fn the_same_step_again_writes_the_same_bytes() {
    let (sandbox, _) = worked(30);
    let first = sandbox.run(STEP).exits(0).json();
    assert_eq!(first["outcome"], "compacted");
    let (context, state) = (sandbox.bytes("context.jsonl"), sandbox.bytes("session.state"));
    let again = sandbox.run(STEP).exits(0).json();
    assert_eq!((&again["outcome"], &again["first_changed_position"]), (&json!("unchanged"), &Value::Null));
    assert_eq!(again["fates"], first["fates"]);
    assert_eq!((sandbox.bytes("context.jsonl"), sandbox.bytes("session.state")), (context, state));
}

#[test]
fn what_fits_comes_out_as_it_went_in_and_needs_no_state() {
    let (sandbox, _) = worked(3);
    let ran = sandbox.run("context session.jsonl --state s --window 100k").exits(0);
    assert_eq!(ran.out, text(&sandbox, "session.jsonl"));
    assert!(ran.err.contains("unchanged"), "{}", ran.err);
    let piped = sandbox.run_with("context - --state s --window 100k -q", ran.out.as_bytes()).exits(0);
    assert_eq!((piped.out, piped.err), (ran.out, String::new()));
}

#[test]
fn a_document_of_messages_keeps_its_first_messages() {
    let sandbox = Sandbox::new();
    let (mut messages, mut before) =
        (vec![json!({"role": "system", "content": "you mend pumps"})], Vec::new());
    messages.push(json!({"role": "user", "content": "read all parts"}));
    let mut compacted = 0;
    for number in 0..30 {
        let id = format!("c{number}");
        let function = json!({"name": "read", "arguments": json!({"part": number}).to_string()});
        let call = json!({"id": id, "type": "function", "function": function});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [call]}));
        let text = format!("part {number}\n").repeat(40);
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
        sandbox.write("chat.json", json!(messages).to_string().as_bytes());
        let line = "context chat.json --state chat.state --window 3k -o context.json --force --json";
        let account = sandbox.run(line).exits(0).json();
        let after = sandbox.json("context.json").as_array().unwrap().clone();
        if account["outcome"] == "unchanged" {
            assert!(after.starts_with(&before), "step {number}: {account}");
        } else {
            compacted += 1;
        }
        sandbox.run("lint context.json").exits(0);
        before = after;
    }
    assert!((2..12).contains(&compacted), "{compacted}");
    assert_eq!(before[0]["content"], "you mend pumps");
}

#[test]
fn every_format_has_contexts_that_its_provider_takes() {
    let mut compacted = 0;
    for file in examples() {
        let sandbox = Sandbox::new();
        let name = file.file_name().unwrap().to_str().unwrap();
        sandbox.write(name, &std::fs::read(&file).unwrap());
        let count = sandbox.run(&format!("count {name} --json"));
        let one = if count.code == 0 { "" } else { "--conversation 0" };
        let count = sandbox.run(&format!("count {name} {one} --json")).exits(0).json();
        let tokens = count["tokens"].as_u64().unwrap();
        let sound = sandbox.run(&format!("lint {name} {one}")).code;
        for (number, window) in [tokens.max(64), (tokens / 2).max(84)].into_iter().enumerate() {
            let window = format!("--window {window} --protect-messages 2");
            let line = format!("context {name} {one} --state s{number} {window} --json");
            let account = sandbox.run(&format!("{line} -o out{number}"));
            assert!(matches!(account.code, 0 | 3), "{account:#?}");
            assert!(sandbox.run(&format!("lint out{number} {one}")).code <= sound, "{name} at {window}");
            compacted += usize::from(account.json()["outcome"] == "compacted");
            sandbox.run(&format!("{line} -o again{number}"));
            let (out, again) =
                (sandbox.bytes(&format!("out{number}")), sandbox.bytes(&format!("again{number}")));
            assert!(out == again, "{name} at {window}");
        }
    }
    assert!(compacted > 20, "{compacted}");
}

/// The step, and the warning that it gives where it speaks to people.
fn warned(sandbox: &Sandbox, reason: &str, says: &str) -> Value {
    let state = sandbox.bytes("session.state");
    let dry = sandbox.run(&STEP.replace("--json", "--dry-run")).exits(0);
    assert!(dry.err.contains("the state is of no use") && dry.err.contains(says), "{}", dry.err);
    assert_eq!(sandbox.bytes("session.state"), state);
    let account = sandbox.run(STEP).exits(0).json();
    assert_eq!(account["invalidated"], reason);
    let kept = account["state_kept_as"].as_str().unwrap().rsplit('/').next().unwrap();
    assert!(kept.starts_with("session.state.bak"), "{kept}");
    assert_eq!(sandbox.bytes(kept), state);
    let next = sandbox.run(STEP).exits(0).json();
    assert_eq!((&next["invalidated"], &next["outcome"]), (&Value::Null, &json!("unchanged")));
    account
}

#[test]
fn a_state_that_is_of_no_use_is_kept_aside_and_the_step_goes_on() {
    let (sandbox, _) = worked(30);
    let plain = sandbox.run(STEP).exits(0).json();
    let context = sandbox.bytes("context.jsonl");
    // Damaged.
    let whole = text(&sandbox, "session.state");
    sandbox.write("session.state", &whole.as_bytes()[..whole.len() / 2]);
    let account = warned(&sandbox, "damaged", "it is damaged");
    assert_eq!((&account["fates"], sandbox.bytes("context.jsonl")), (&plain["fates"], context));
    // Of a newer version.
    sandbox.write("session.state", br#"{"state_version": 99}"#);
    warned(&sandbox, "newer_version", "a newer version");
    // Of a session in another format.
    sandbox.write("session.state", whole.replace("\"claude-code\"", "\"codex-rollout\"").as_bytes());
    warned(&sandbox, "other_format", "another format");
    // Of another session.
    let mut other = Agent::new();
    (100..130).for_each(|number| other.work(number));
    other.save(&sandbox, "session.jsonl");
    warned(&sandbox, "content_changed", "another session");
    // Of a session that was longer.
    other.lines.truncate(5);
    other.save(&sandbox, "session.jsonl");
    let account = sandbox.run(STEP).exits(0).json();
    assert_eq!(account["invalidated"], "transcript_shorter");
    let bak = sandbox.names().iter().filter(|name| name.contains(".bak")).count();
    assert_eq!(bak, 5, "{:?}", sandbox.names());
}

/// A state whose digest is right and whose decisions are not.
fn forged(sandbox: &Sandbox, fates: &Value) {
    let mut state = sandbox.json("session.state");
    state["checkpoint"]["budgeted_context"]["fates"] = fates.clone();
    let checkpoint: DurableObject = serde_json::from_value(state["checkpoint"].clone()).unwrap();
    let digest = Sha256Digest::of_bytes(checkpoint.durable_json().as_bytes()).to_hex();
    state["checkpoint_sha256"] = json!(digest);
    sandbox.write("session.state", state.to_string().as_bytes());
}

#[test]
fn a_forged_state_makes_no_context_that_a_provider_refuses() {
    let (sandbox, _) = worked(30);
    sandbox.run(STEP).exits(0);
    let state = sandbox.bytes("session.state");
    let fates = sandbox.json("session.state")["checkpoint"]["budgeted_context"]["fates"].clone();
    let turns = 61;
    for forgery in [
        json!([format!("drop {turns}")]),
        json!(["keep 1", "drop 1", format!("keep {}", turns - 2)]),
        json!(["keep 2", "drop 1", format!("keep {}", turns - 3)]),
        json!(["keep 1000000"]),
        json!(["keep 18446744073709551615", "keep 18446744073709551615"]),
        json!(["keep 1", "trim 3 0:0-99999999"]),
        json!(["keep 1", "trim 3 77:1-2", "drop 4"]),
        json!(["mask 3 x", "mask 3 y"]),
        json!(["fold 3 nobody", "keep 1"]),
        json!(["keep -1"]),
        json!(["", 7, null]),
        json!("keep 1"),
    ] {
        assert_ne!(forgery, fates);
        forged(&sandbox, &forgery);
        let account = sandbox.run(STEP).exits(0).json();
        assert!(account["tokens_after"].as_u64() <= account["limit_tokens"].as_u64(), "{forgery}: {account}");
        sandbox.run("lint context.jsonl").exits(0);
        sandbox.write("session.state", &state);
    }
}

#[test]
fn an_empty_session_has_an_empty_context() {
    let sandbox = Sandbox::new();
    for (name, text) in [
        ("turns.json", r#"{"turns": []}"#),
        ("messages.json", r#"{"model": "claude-sonnet-4-5", "max_tokens": 9, "messages": []}"#),
    ] {
        sandbox.write(name, text.as_bytes());
        let ran = sandbox.run(&format!("context {name} --state s --window 4k")).exits(0);
        assert_eq!(ran.out, text);
    }
}

#[test]
fn a_dry_run_writes_nothing_and_asks_nobody() {
    let (sandbox, _) = worked(30);
    for more in ["", " --summarizer command:false", " --json"] {
        let line = format!("context session.jsonl --state s --window 4k --dry-run{more}");
        let ran = sandbox.run(&line).exits(0);
        assert!(ran.out.is_empty() != more.contains("json"), "{}", ran.out);
        assert_eq!(sandbox.names(), ["session.jsonl"], "{more}");
    }
}

#[test]
fn what_can_never_go_may_be_too_much() {
    let sandbox = Sandbox::new();
    let messages = json!([{"role": "system", "content": "a rule of the house\n".repeat(400)},
        {"role": "user", "content": "go on"}]);
    sandbox.write("chat.json", messages.to_string().as_bytes());
    let ran = sandbox.run("context chat.json --state s --window 1k -o out.json --json").exits(3);
    let account = ran.json();
    assert_eq!(account["outcome"], "over_budget");
    assert!(account["floor_tokens"].as_u64() > account["limit_tokens"].as_u64(), "{account}");
    assert_eq!(sandbox.json("out.json"), messages);
    let ran = sandbox.run("context chat.json --state s --window 1k -o out.json --force").exits(3);
    assert!(ran.err.contains("can never go"), "{}", ran.err);
}

/// A step with a program that writes summaries.
#[cfg(unix)]
#[test]
fn a_message_that_is_larger_than_the_window_is_told_with_the_way_out_and_cut_where_that_is_permitted() {
    let sandbox = Sandbox::new();
    let asked = "This is what I mean. ".repeat(4_000);
    let chat = json!([
        {"role": "user", "content": "Let us begin."},
        {"role": "assistant", "content": "Gladly."},
        {"role": "user", "content": asked},
    ]);
    sandbox.write("chat.json", chat.to_string().as_bytes());
    let ran = sandbox.run("context chat.json --state s --window 4k -o out.json").exits(3);
    assert!(ran.err.contains("--clip-active"), "{}", ran.err);
    assert_eq!(sandbox.json("out.json"), chat, "nothing is taken away for it");
    let line = "context chat.json --state t --window 4k --clip-active -o out.json --force --json";
    let account = sandbox.run(line).exits(0).json();
    assert_eq!((&account["outcome"], &account["reason"]), (&json!("degraded"), &json!("recent_shortened")));
    let shown = sandbox.json("out.json");
    assert_eq!(shown.as_array().unwrap()[..2], chat.as_array().unwrap()[..2]);
    let text = shown[2]["content"].as_str().unwrap();
    assert!(text.starts_with("This is what I mean.") && text.len() < 8_000, "{}", text.len());
    let again = sandbox.run(line).exits(0).json();
    assert_eq!(again["outcome"], "unchanged");
    assert_eq!(sandbox.json("out.json"), shown);
}

fn summarized(sandbox: &Sandbox, program: &str) -> Ran {
    let mut words: Vec<&str> = STEP.split_whitespace().collect();
    words.extend(["--summarizer", program]);
    Ran::of(sandbox.command(&words).output().unwrap())
}

#[test]
#[cfg(unix)]
fn a_program_writes_the_summary_and_a_failure_of_it_costs_no_context() {
    let (sandbox, mut agent) = worked(30);
    let program = "command:cat >seen.txt; echo parts zero to twenty were read";
    let account = summarized(&sandbox, program).exits(0).json();
    assert_eq!((&account["outcome"], &account["model_calls"]), (&json!("compacted"), &json!(1)));
    assert_eq!(account["summary_error"], Value::Null);
    assert!(text(&sandbox, "context.jsonl").contains("parts zero to twenty were read"));
    assert!(text(&sandbox, "seen.txt").contains("src/hall_0/part.rs"));
    sandbox.run("lint context.jsonl").exits(0);
    (30..60).for_each(|number| agent.work(number));
    agent.save(&sandbox, "session.jsonl");
    let account = summarized(&sandbox, "command:cat >/dev/null; exit 1").exits(0).json();
    assert_eq!(
        (&account["outcome"], &account["summary_error"]),
        (&json!("degraded"), &json!("MODEL_FAILED"))
    );
    assert!(account["tokens_after"].as_u64() <= account["limit_tokens"].as_u64());
    sandbox.run("lint context.jsonl").exits(0);
}

#[test]
fn a_policy_may_be_named_and_instances_share_a_state() {
    let (sandbox, _) = worked(30);
    let line = |key: &str, policy: &str| format!("{STEP} --key {key} --policy {policy}");
    let dropping = sandbox.run(&line("a", "drop-oldest")).exits(0).json();
    assert_eq!(dropping["fates"]["masked"], 0);
    assert!(dropping["fates"]["dropped"].as_u64() > Some(0), "{dropping}");
    let masking = sandbox.run(&line("b", "mask-then-drop")).exits(0).json();
    assert!(masking["fates"]["masked"].as_u64() > Some(0), "{masking}");
    for (key, policy, first) in [("a", "drop-oldest", dropping), ("b", "mask-then-drop", masking)] {
        let again = sandbox.run(&line(key, policy)).exits(0).json();
        assert_eq!((&again["outcome"], &again["fates"]), (&json!("unchanged"), &first["fates"]));
    }
}

#[test]
fn a_context_is_compacted_when_it_is_asked_for_or_was_refused() {
    let (sandbox, _) = worked(10);
    let line = STEP.replace("4k", "8k");
    assert_eq!(sandbox.run(&line).exits(0).json()["outcome"], "unchanged");
    let account = sandbox.run(&format!("{line} --compact-now --low 20%")).exits(0).json();
    assert_eq!(account["outcome"], "compacted");
    let (sandbox, _) = worked(10);
    let account = sandbox.run(&format!("{line} --overflowed")).exits(0).json();
    assert_ne!(account["outcome"], "unchanged", "{account}");
}

#[test]
fn what_the_provider_counted_is_believed() {
    let sandbox = Sandbox::new();
    sandbox.write("session.jsonl", crate::sandbox::counted_session().as_bytes());
    // By the provider's count it is above 20,000 tokens, by the estimate it is not.
    let line = "context session.jsonl --state s --window 26k -o context.jsonl --force --json";
    let account = sandbox.run(line).exits(0).json();
    assert_eq!(account["anchor"], json!({"position": 19, "counted": 24_000}));
    assert!(account["tokens_before"].as_u64() >= Some(24_000), "{account}");
    assert_eq!(account["outcome"], "compacted", "{account}");
    let account = sandbox.run(&format!("{line} --no-anchor --dry-run")).exits(0).json();
    assert_eq!(account["anchor"], Value::Null);
}

/// What was counted for a compacted context says nothing of the whole session.
#[test]
fn what_the_provider_counted_is_not_believed_where_the_state_is_of_no_use() {
    let (sandbox, mut agent) = worked(60);
    sandbox.run(STEP).exits(0);
    agent.work(60);
    let reply = agent.lines.len() - 2;
    let mut line: Value = serde_json::from_str(&agent.lines[reply]).unwrap();
    line["message"]["usage"] = json!({"input_tokens": 3_200, "output_tokens": 20});
    agent.lines[reply] = line.to_string();
    agent.save(&sandbox, "session.jsonl");
    let step = STEP.replace("4k", "8k");
    let state = sandbox.bytes("session.state");
    let account = sandbox.run(&step).exits(0).json();
    assert_eq!(
        (&account["outcome"], account["tokens_before"].as_u64() > Some(3_200)),
        (&json!("unchanged"), true)
    );
    for (useless, reason) in [
        (state[..state.len() / 2].to_vec(), "damaged"),
        (String::from_utf8(state).unwrap().replace("claude-code", "pi").into_bytes(), "other_format"),
    ] {
        sandbox.write("session.state", &useless);
        let account = sandbox.run(&step).exits(0).json();
        assert_eq!((&account["invalidated"], &account["outcome"]), (&json!(reason), &json!("compacted")));
        assert!(account["tokens_before"].as_u64() > Some(10_000), "{account}");
    }
}

#[test]
fn contradictions_are_refused_before_anything_is_read() {
    let (sandbox, _) = worked(1);
    sandbox.write("out.jsonl", b"mine");
    sandbox.write("policy.json", br#"{"kind": "recommended"}"#);
    for line in [
        "context session.jsonl --state policy.json --policy @policy.json --window 4k",
        "context session.jsonl --state s --window 20",
        "context session.jsonl --state session.jsonl --window 4k",
        "context session.jsonl --state x --window 4k -o x",
        "context session.jsonl --state . --window 4k",
        "context session.jsonl --state s --window 4k --reserve-output 4k",
        "context session.jsonl --state s --window 4k --low 90% --high 80%",
        "context session.jsonl --state s --window 4k -o session.jsonl --force",
        "context session.jsonl --state s",
        "context session.jsonl --window 4k",
        "context session.jsonl --state s --window 4k --summarizer openai:some-model",
    ] {
        let words: Vec<&str> = line.split_whitespace().chain(["--json"]).collect();
        let ran = Ran::of(sandbox.command(&words).env_remove("OPENAI_API_KEY").output().unwrap()).exits(2);
        assert!(ran.error()["code"].is_string(), "{line}");
    }
    let ran = sandbox.run("context session.jsonl --state s --window 4k -o out.jsonl --json").exits(6);
    assert_eq!(ran.error()["code"], "OUTPUT_EXISTS");
    sandbox.run("context session.jsonl --state no/s --window 4k --json").exits(6);
    assert_eq!(sandbox.names(), ["out.jsonl", "policy.json", "session.jsonl"]);
}
