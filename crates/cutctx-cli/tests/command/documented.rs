//! `docs/cli.md` lists every key that `--json` prints.

use crate::sandbox::{Sandbox, counted_session};
use alloc::collections::BTreeSet;
use serde_json::Value;

/// The page's section about JSON.
fn section() -> &'static str {
    let page = include_str!("../../../../docs/cli.md");
    let (_, rest) = page.split_once("## What `--json` prints").unwrap();
    rest.split_once("\n## ").unwrap().0
}

/// All keys of a value, except those inside details and policies, which other pages list.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                found.insert(key.clone());
                if key != "details" && key != "policy" {
                    keys(inner, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| keys(inner, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_key_that_json_prints_is_on_the_page() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("session.jsonl", counted_session().as_bytes());
    sandbox.write(
        "orphan.json",
        br#"[{"role":"user","content":"u"},{"role":"tool","tool_call_id":"x","content":"r"}]"#,
    );
    let mut found = BTreeSet::new();
    let mut lines = 0;
    for line in [
        "plan chat.json --max-tokens 450 --target-tokens 400 --policy default",
        "plan chat.json --max-tokens 450 --policy default -o p.json",
        "explain chat.json --plan p.json",
        "requests chat.json --plan p.json",
        "verify chat.json --plan p.json",
        "compact chat.json --max-tokens 450 --policy default --summarizer none --plan q.json",
        "compact chat.json --max-tokens 500 -o out.json --account account.json",
        "diff chat.json out.json",
        "inspect chat.json --pin first-user",
        "count session.jsonl",
        "context session.jsonl --state s --window 26k -o context.jsonl",
        "plan session.jsonl --max-tokens 9000 --reserve-output 10 --overhead auto --anchor",
        "replay chat.json --min-calls 0 --policy drop-oldest",
        "eval chat.json --min-calls 0 --policy oracle --policy mask-then-drop --policy drop-oldest",
        "lint chat.json --severity advice",
        "lint --rules",
        "repair orphan.json",
        "convert chat.json --to anthropic-messages",
        "sessions",
        "compact chat.json --max-tokens 500 --in-place",
        "restore chat.json",
        "formats",
        "compact chat.json --max-tokens 10",
    ] {
        let ran = sandbox.run(&format!("{line} --json"));
        let said = if ran.out.is_empty() || line.starts_with("convert") { &ran.err } else { &ran.out };
        keys(&serde_json::from_str(said).unwrap(), &mut found);
        lines += 1;
    }
    keys(&sandbox.json("account.json"), &mut found);
    let batch = sandbox.run_with("batch --json", b"{}\n").exits(0);
    keys(&serde_json::from_str(&batch.err).unwrap(), &mut found);
    assert!(lines > 10 && found.len() > 60, "{found:?}");
    let missing: Vec<&String> = found.iter().filter(|key| !section().contains(&format!("`{key}`"))).collect();
    assert!(missing.is_empty(), "docs/cli.md does not list {missing:?}");
}

#[test]
fn the_codes_of_the_command_are_on_the_page_of_codes() {
    let codes = include_str!("../../../../docs/errors.md");
    let page = include_str!("../../../../docs/cli.md");
    let (_, table) = page.split_once("## Codes of the command").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let named: Vec<&str> =
        table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert!(named.len() >= 10, "{named:?}");
    for code in named {
        assert!(codes.contains(&format!("| `{code}` |")), "{code}");
    }
}
