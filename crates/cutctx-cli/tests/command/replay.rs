//! `cutctx replay`, and what the other verbs say about the prompt cache.

use crate::sandbox::Sandbox;
use serde_json::{Value, json};

/// A session of an agent with so many calls, in the format of chat completions.
fn agent(calls: usize) -> String {
    let mut messages = vec![json!({"role": "user", "content": "mend src/pump/valve.rs"})];
    for call in 0..calls {
        let id = format!("call-{call}");
        let arguments = json!({"path": format!("src/hall_{}/part.rs", call.saturating_sub(20))}).to_string();
        let function = json!({"name": "read", "arguments": arguments});
        messages.push(json!({"role": "assistant", "content": null,
            "tool_calls": [{"id": id, "type": "function", "function": function}]}));
        let text = format!("src/hall_{call}/part.rs\n{}", "a plain line of a file\n".repeat(20));
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
    }
    messages.push(json!({"role": "assistant", "content": "done"}));
    json!(messages).to_string()
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("long.json", agent(60).as_bytes());
    sandbox.write("short.json", agent(3).as_bytes());
    sandbox
}

#[test]
fn a_table_over_policies_and_a_curve_for_each() {
    let ran = sandbox().run("replay long.json --policy drop-oldest --policy mask-then-drop").exits(0);
    for words in ["1 session at cache prices of 0.1 (read) and 1.25 (write)", "misses/100", "limit", "▁"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    assert_eq!(ran.out.lines().filter(|line| line.trim_start().starts_with("drop-oldest")).count(), 2);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 120), "{}", ran.out);
}

#[test]
fn json_has_every_figure_and_limits_may_be_tokens_or_shares() {
    let sandbox = sandbox();
    let run = |line: &str| -> Value {
        let ran = sandbox.run(&format!("replay long.json --policy drop-oldest --json {line}")).exits(0);
        serde_json::from_str(&ran.out).unwrap()
    };
    let (shares, tokens) = (run("--limit 50% --target 40%"), run("--limit 2k --target 800"));
    let replayed = &shares["replayed"][0];
    assert_eq!(replayed["requests"], 61);
    assert_eq!(replayed["context_tokens"].as_array().unwrap().len(), 61);
    let limit = replayed["limit_tokens"].as_u64().unwrap();
    assert_eq!(replayed["target_tokens"].as_u64(), Some(limit * 2 / 5));
    assert_eq!(
        (replayed["over_limit"].as_u64(), &shares["rows"][0]["policy"]),
        (Some(0), &json!("drop-oldest"))
    );
    assert!(replayed["compactions"].as_u64() > Some(0) && replayed["misses"].as_u64() > Some(0));
    let figures = &tokens["replayed"][0];
    assert_eq!((&figures["limit_tokens"], &figures["target_tokens"]), (&json!(2_000), &json!(800)));
    let frozen = run("--frozen-head");
    assert_eq!((&frozen["frozen_head"], &shares["frozen_head"]), (&json!(600), &Value::Null));
    let cheap = run("--cache-write 1 --cache-read 0.5");
    assert_eq!(cheap["prices"], json!({"read": 500, "write": 1_000, "minimum_tokens": 1_024}));
}

#[test]
fn csv_has_a_line_for_every_session_and_policy() {
    let sandbox = sandbox();
    let words = "replay . --min-calls 0 --csv --policy drop-oldest --policy random --threads 2";
    let ran = sandbox.run(words).exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.out);
    let columns = lines[0].split(',').count();
    assert!(lines.iter().all(|line| line.split(',').count() == columns));
    assert_eq!(ran.out, sandbox.run(words).exits(0).out, "the figures are the same each time");
}

#[test]
fn what_cannot_be_replayed_is_said_with_its_code() {
    let sandbox = sandbox();
    sandbox.write("prices.json", br#"{"read": 100}"#);
    for (line, exit, code) in [
        ("replay short.json", 9, "REPLAY_NO_SESSIONS"),
        ("replay long.json --policy oracle", 2, "REPLAY_NO_LOOP"),
        ("replay long.json --limit 50% --target 200%", 2, "USAGE"),
        ("replay long.json --limit 1k --target 2k", 2, "USAGE"),
        ("replay long.json --limit 10 --target 100", 2, "USAGE"),
        ("replay long.json --limit 1% --target 1m", 2, "VALIDATION_ERROR"),
        ("replay long.json --limit none", 2, "USAGE"),
        ("replay long.json --limit 0", 2, "USAGE"),
        ("replay nowhere.json", 6, "IO"),
        ("replay long.json --prices @prices.json", 6, "PRICES_UNREADABLE"),
        ("replay long.json --prices nobody", 2, "USAGE"),
        ("replay long.json --cache-read 2 --cache-write 1", 2, "VALIDATION_ERROR"),
    ] {
        let error = sandbox.run(&format!("{line} --json")).exits(exit).error();
        assert_eq!(error["code"], code, "{line}");
        let is_about_target = line.contains("--limit 1");
        let remedy = error["remedy"].as_str().unwrap_or_default();
        assert_eq!(remedy.contains("a --target of at most --limit"), is_about_target, "{line}: {remedy}");
    }
    let error = sandbox.run("replay short.json long.json --min-calls 100 --json").exits(9).error();
    let message = error["message"].as_str().unwrap();
    assert!(message.contains("left out: 2 sessions with fewer than 100 tool calls"), "{message}");
}

#[test]
fn plans_say_when_they_pay_back_at_the_prices_given() {
    let sandbox = sandbox();
    let plan = "plan long.json --max-tokens 6k --target-tokens 3k --policy drop-oldest";
    let said = sandbox.run(plan).exits(0).out;
    assert!(said.contains("prompt cache: ") && said.contains("(read 0.1, write 1.25)"), "{said}");
    assert!(said.contains("to be read anew"), "{said}");
    let cache = |prices: &str| {
        let ran = sandbox.run(&format!("{plan} -o plan.json --force --json {prices}")).exits(0);
        serde_json::from_str::<Value>(&ran.out).unwrap()["cache"].clone()
    };
    let (usual, free) = (cache(""), cache("--prices deepseek --cache-write 0.02"));
    assert_eq!(usual["verdict"], "pays_back");
    assert_eq!(usual["prices"], json!({"read": 100, "write": 1_250, "minimum_tokens": 1_024}));
    assert_eq!((&free["verdict"], &free["pays_back_after_steps"]), (&json!("at_once"), &json!(0)));
    let explained = sandbox.run("explain long.json --plan plan.json --prices anthropic-1h").exits(0).out;
    assert!(explained.contains("(read 0.1, write 2)"), "{explained}");
    let compact =
        "compact long.json --max-tokens 6k --policy drop-oldest -o out.json --account account.json --force";
    assert!(sandbox.run(compact).exits(0).err.contains("prompt cache: "));
    assert_eq!(sandbox.json("account.json")["cache"]["prices"]["write"], 1_250);
    let said = sandbox.run(&format!("{compact} --json")).exits(0).out;
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap()["cache"]["prices"]["read"], 100);
}

#[test]
fn a_policy_file_may_veto_what_does_not_pay_back() {
    let sandbox = sandbox();
    let inner = json!([{"kind": "drop_oldest"}]);
    let veto = json!({"kind": "pays_back", "within_steps": 0, "window_tokens": 1_000_000, "members": inner});
    sandbox.write("veto.json", veto.to_string().as_bytes());
    let ran = sandbox.run("compact long.json --max-tokens 6k --policy @veto.json -o out.json").exits(3);
    assert!(ran.err.contains("nothing to do"), "{}", ran.err);
    let frozen = json!({"kind": "frozen_head", "head_share": 500, "members": inner});
    sandbox.write("frozen.json", frozen.to_string().as_bytes());
    let ran = sandbox.run("plan long.json --max-tokens 6k --policy @frozen.json").exits(0);
    assert!(ran.out.contains("policy frozen_head(drop_oldest@2.0.0)@2.0.0"), "{}", ran.out);
}
