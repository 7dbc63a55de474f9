//! `--pin`: what stays, what is said about it, and that a plan remembers it.

use crate::sandbox::{Sandbox, examples};
use serde_json::{Value, json};
use std::fs;

/// The ids of the pinned turns of a session.
fn pinned(sandbox: &Sandbox, pins: &str) -> Vec<String> {
    let turns = sandbox.run(&format!("inspect chat.json {pins} --json")).exits(0).json()["turn_list"].clone();
    let pinned = turns.as_array().unwrap().iter().filter(|turn| turn["pinned"] == true);
    pinned.map(|turn| turn["turn_id"].as_str().unwrap().to_owned()).collect()
}

/// These ids and those, in order of the chat's turns.
fn together(always: &[String], added: &[&str]) -> Vec<String> {
    let all = always.iter().cloned().chain(added.iter().map(|id| (*id).to_owned()));
    let mut all: Vec<String> = all.collect();
    all.sort_by_key(|id| (id.len(), id.clone()));
    all.dedup();
    all
}

#[test]
fn pins_are_told_by_role_tool_pattern_and_place() {
    let sandbox = Sandbox::with_chat();
    let always = pinned(&sandbox, "");
    assert!(always.contains(&"m1".to_owned()) && always.len() < 4, "{always:?}");
    for (pin, added) in [
        ("m5", &["m5"][..]),
        ("first-user", &[]),
        ("role:user", &["m6", "m10", "m14"]),
        ("last-user", &["m14"]),
        ("tool:read_log", &["m2", "m3", "m4"]),
        ("latest:read_log", &["m2", "m3", "m4"]),
        ("regex:every_ten", &[]),
        ("regex:(?i)EVERY.TEN", &["m5"]),
    ] {
        assert_eq!(pinned(&sandbox, &format!("--pin {pin}")), together(&always, added), "{pin}");
    }
    let report = sandbox.run("inspect chat.json --pin tool:probe --pin latest:todo --json").exits(0).json();
    assert_eq!(
        report["pins"],
        json!([{"pin": "tool:probe", "turn_ids": ["m8"]}, {"pin": "latest:todo", "turn_ids": []}])
    );
    assert_eq!(report["pin_conflicts"], json!([]));
}

#[test]
fn pinned_exchanges_survive_a_compaction_and_are_listed() {
    let sandbox = Sandbox::with_chat();
    let line = "compact chat.json --max-tokens 1500 --protect-turns 1 -o out.json --json";
    let without = sandbox.run(line).exits(0).json();
    assert_eq!((&without["pins"], &without["first_changed_position"]), (&json!([]), &json!(3)));
    let said = sandbox.run(&format!("{line} --force --pin tool:read_log")).exits(0).json();
    assert_eq!(said["pins"][0]["turn_ids"], json!(["m3"]));
    let out = sandbox.json("out.json");
    let before = sandbox.json("chat.json");
    for place in 2..5 {
        let message = &before["messages"][place];
        assert!(out["messages"].as_array().unwrap().contains(message), "{place}");
    }
}

#[test]
fn what_is_no_pin_and_what_finds_no_turn_are_refused() {
    let sandbox = Sandbox::with_chat();
    for pin in ["role:human", "regex:(", "tool:", "latest:", "turn:"] {
        let error = sandbox.run(&format!("inspect chat.json --pin {pin} --json")).exits(2).error();
        assert_eq!(error["code"], "USAGE", "{pin}");
    }
    let error = sandbox.run("inspect chat.json --pin nobody-at-all --json").exits(2).error();
    assert_eq!(
        (&error["code"], &error["details"]["turn_id"]),
        (&json!("PIN_NO_SUCH_TURN"), &json!("nobody-at-all"))
    );
    assert!(error["remedy"].is_string() && error["file"] == "chat.json", "{error}");
    let turns: Vec<Value> = (0..3)
        .map(|number| json!({"turn_id": format!("message-{number}"), "role": "user", "content": "x", "token_estimate": 1}))
        .collect();
    sandbox.write("three.json", json!({ "turns": turns }).to_string().as_bytes());
    let error = sandbox.run("inspect three.json --pin message- --json").exits(2).error();
    assert_eq!((&error["code"], &error["details"]["turns"]), (&json!("PIN_AMBIGUOUS"), &json!(3)));
}

#[test]
fn a_pin_that_finds_nothing_is_told_and_a_pinned_orphan_stays_with_a_warning() {
    let sandbox = Sandbox::with_chat();
    let said = sandbox.run("plan chat.json --max-tokens 500 --pin tool:deploy").exits(0).err;
    assert!(said.contains("no turn is pinned by `tool:deploy`"), "{said}");
    let turn = |id: &str, role: &str, call: Value| {
        json!({"turn_id": id, "role": role, "content": "x y z",
        "token_estimate": 100, "tool_call_id": call})
    };
    let turns = [
        turn("u", "user", Value::Null),
        turn("t", "tool", json!("gone")),
        turn("v", "user", Value::Null),
        turn("w", "user", Value::Null),
    ];
    sandbox.write("cut.json", json!({ "turns": turns }).to_string().as_bytes());
    let line = "compact cut.json --max-tokens 250 --protect-turns 1 --policy drop-oldest -o out.json --pin t";
    let said = sandbox.run(line).exits(0).err;
    assert!(said.contains("turn t is pinned and stays, but the call"), "{said}");
    assert!(String::from_utf8(sandbox.bytes("out.json")).unwrap().contains("\"t\""));
    let said = sandbox.run(&format!("{line} --force --json --account account.json")).exits(0).json();
    assert_eq!(said["pin_conflicts"], json!(["t"]));
    assert_eq!(sandbox.json("account.json")["pin_conflicts"], json!(["t"]));
    let plan =
        "plan cut.json --max-tokens 250 --protect-turns 1 --policy drop-oldest -o plan.json --force --json";
    let account = |pin: &str| sandbox.run(&format!("{plan} {pin}")).exits(0).json()["pin_conflicts"].clone();
    assert_eq!(account(""), json!([]));
    assert_eq!(account("--pin t"), json!(["t"]));
    let explained = sandbox.run("explain cut.json --plan plan.json --json").exits(0).json();
    assert_eq!(explained["pin_conflicts"], json!(["t"]), "the plan has pinned it");
}

#[test]
fn a_stored_plan_needs_no_pins_again() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 1000 --pin tool:probe --pin m5 -o p.json").exits(0);
    let kept = together(&pinned(&sandbox, ""), &["m5", "m7", "m8"]);
    assert_eq!(sandbox.json("p.json")["pins"], json!(kept));
    for pins in ["", "--pin m5", "--pin tool:probe"] {
        sandbox.run(&format!("verify chat.json --plan p.json {pins}")).exits(0);
        sandbox.run(&format!("explain chat.json --plan p.json {pins}")).exits(0);
        sandbox.run(&format!("requests chat.json --plan p.json {pins}")).exits(0);
        sandbox.run(&format!("apply chat.json --plan p.json -o out.json --force {pins}")).exits(0);
    }
    let line = "compact chat.json --max-tokens 1000 --pin tool:probe --pin m5 -o same.json --plan q.json";
    sandbox.run(line).exits(0);
    assert_eq!(sandbox.bytes("out.json"), sandbox.bytes("same.json"));
    assert_eq!(sandbox.bytes("p.json"), sandbox.bytes("q.json"));
}

#[test]
fn further_pins_make_it_another_session_and_so_do_pins_that_were_edited() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("plan chat.json --max-tokens 1000 --pin m5 -o p.json").exits(0);
    let code = |line: &str| sandbox.run(&format!("{line} --json")).exits(7).error()["code"].clone();
    assert_eq!(code("verify chat.json --plan p.json --pin m6"), "COMPACTION_PLAN_MISMATCH");
    let mut plan = sandbox.json("p.json");
    for pins in [json!([]), json!(["m5", "m6"]), json!(["m5", "m99"])] {
        plan["pins"] = pins;
        sandbox.write("bad.json", plan.to_string().as_bytes());
        assert_eq!(code("verify chat.json --plan bad.json"), "COMPACTION_PLAN_MISMATCH");
    }
}

#[test]
fn a_session_whose_own_pins_move_on_as_it_grows_takes_the_old_plan() {
    let sandbox = Sandbox::new();
    let example = examples().into_iter().find(|path| path.ends_with("claude-code.jsonl")).unwrap();
    let text = fs::read_to_string(example).unwrap();
    sandbox.write("s.jsonl", text.as_bytes());
    let tokens = sandbox.run("inspect s.jsonl --json").exits(0).json()["tokens"].as_u64().unwrap();
    sandbox.run(&format!("plan s.jsonl --max-tokens {} -o p.json", tokens * 3 / 4)).exits(0);
    let last = text.lines().rev().filter_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        (line["type"] == "assistant" || line["type"] == "user").then_some(line)
    });
    let mut line = last.into_iter().next().unwrap();
    line["parentUuid"] = line["uuid"].take();
    line["uuid"] = json!("7d1d5c2e-0000-4000-8000-00000000abcd");
    line["type"] = json!("user");
    line["message"] = json!({"role": "user", "content": "And now write it down in the logbook."});
    sandbox.write("s.jsonl", format!("{}\n{line}\n", text.trim_end()).as_bytes());
    sandbox.run("verify s.jsonl --plan p.json").exits(0);
    let said = sandbox.run("apply s.jsonl --plan p.json -o out.jsonl --json").exits(0).json();
    assert_eq!(said["fates"]["appended"], 1);
}
