//! What people see, compared with files. `CUTCTX_BLESS=1` rewrites the files.

use crate::sandbox::Sandbox;
use std::fs;
use std::path::Path;

#[track_caller]
fn looks_like(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("CUTCTX_BLESS").is_some() {
        fs::write(&file, text).unwrap();
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text, expected, "{name} looks different; CUTCTX_BLESS=1 accepts that");
}

/// Runs a line and gives what both streams show.
fn shown(sandbox: &Sandbox, line: &str) -> String {
    let ran = sandbox.run(line);
    format!("$ cutctx {line}\n{}{}(exit {})\n", ran.out, ran.err, ran.code)
}

#[test]
fn inspecting_a_chat() {
    looks_like("inspect.txt", &shown(&Sandbox::with_chat(), "inspect chat.json"));
}

#[test]
fn planning_dropping_and_explaining() {
    let sandbox = Sandbox::with_chat();
    let plan = shown(&sandbox, "plan chat.json --max-tokens 300 -o plan.json");
    let explained = shown(&sandbox, "explain chat.json --plan plan.json");
    looks_like("plan.txt", &plan);
    looks_like("explain.txt", &explained);
}

#[test]
fn compacting_and_comparing() {
    let sandbox = Sandbox::with_chat();
    let compacted = shown(&sandbox, "compact chat.json --max-tokens 300 -o out.json");
    let difference = shown(&sandbox, "diff chat.json out.json");
    looks_like("compact.txt", &(compacted + &difference));
}

#[test]
fn failing_with_every_help() {
    let sandbox = Sandbox::with_chat();
    let unsatisfiable = shown(&sandbox, "compact chat.json --max-tokens 50");
    let needed = shown(
        &sandbox,
        "compact chat.json --max-tokens 450 --policy default --summarizer none --plan plan.json",
    );
    looks_like("failures.txt", &(unsatisfiable + &needed));
}

#[test]
fn a_table_fits_a_narrow_terminal() {
    let sandbox = Sandbox::with_chat();
    let tables = |text: &str, line: &str| -> Vec<String> {
        // The sentences around the tables may be longer: the terminal wraps them.
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let is_plan = line.starts_with("plan");
        if is_plan {
            lines.into_iter().take_while(|line| !line.is_empty()).collect()
        } else {
            lines[2..].to_vec()
        }
    };
    for columns in [60, 80, 140] {
        for line in ["plan chat.json --max-tokens 300", "inspect chat.json", "inspect chat.json --turns"] {
            let words: Vec<&str> = line.split(' ').collect();
            let output = sandbox.command(&words).env("COLUMNS", columns.to_string()).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let widest = tables(&text, line).iter().map(|line| line.chars().count()).max().unwrap();
            assert!((20..=columns).contains(&widest), "{columns}: {text}");
        }
    }
}

#[test]
fn many_turns_are_folded_into_few_lines() {
    let sandbox = Sandbox::new();
    let turn = |number: usize| {
        serde_json::json!({"turn_id": format!("t{number}"), "role": "user", "content": "x", "token_estimate": 10,
            "tool_call_id": null, "pinned": false, "metadata": {}})
    };
    let turns: Vec<_> = (0..5_000).map(turn).collect();
    sandbox.write("long.json", serde_json::json!({ "turns": turns }).to_string().as_bytes());
    let plan = sandbox.run("plan long.json --max-tokens 1000 --policy drop-oldest").exits(0).out;
    assert!(plan.lines().count() < 30, "{plan}");
    assert!(plan.contains("(4,900 turns)"), "{plan}");
    let inspected = sandbox.run("inspect long.json").exits(0).out;
    assert!(inspected.lines().count() < 50, "{inspected}");
    let all = sandbox.run("plan long.json --max-tokens 1000 --policy drop-oldest --all").exits(0).out;
    assert!(all.lines().count() > 5_000);
}

#[test]
fn fates_that_alternate_over_many_turns_share_few_rows() {
    let sandbox = Sandbox::new();
    let turn = |number: usize| {
        let role = if number.is_multiple_of(2) { "assistant" } else { "tool" };
        serde_json::json!({"turn_id": format!("t{number}"), "role": role, "content": "x", "token_estimate": 100,
            "tool_call_id": format!("c{}", number / 2)})
    };
    let turns: Vec<_> = (0..5_000).map(turn).collect();
    sandbox.write("long.json", serde_json::json!({ "turns": turns }).to_string().as_bytes());
    let plan = sandbox.run("plan long.json --max-tokens 400k --policy mask").exits(0).out;
    assert!(plan.lines().count() < 55, "{plan}");
    assert!(plan.contains("(125 turns)") && plan.contains("several"), "{plan}");
}
