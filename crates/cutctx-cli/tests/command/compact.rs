//! `compact`: what it writes and when it does not.

use crate::sandbox::{Sandbox, examples};
use serde_json::{Value, json};
use std::fs;

#[test]
fn a_session_that_fits_comes_out_byte_for_byte() {
    for example in examples() {
        let sandbox = Sandbox::new();
        let bytes = fs::read(&example).unwrap();
        sandbox.write("session", &bytes);
        let which = conversation(&sandbox);
        let ran = sandbox.run(&format!("compact session {which} --max-tokens 1m -o out")).exits(0);
        assert_eq!(sandbox.bytes("out"), bytes, "{}", example.display());
        assert!(ran.err.contains("nothing to do"), "{}", ran.err);
    }
}

/// The first conversation of a session that holds several.
fn conversation(sandbox: &Sandbox) -> &'static str {
    let several = sandbox.run("inspect session").err.contains("FORMAT_SEVERAL_CONVERSATIONS");
    if several { "--conversation 0" } else { "" }
}

#[test]
fn every_example_is_brought_under_its_budget_and_read_back_so() {
    let mut brought = 0;
    for example in examples() {
        let sandbox = Sandbox::new();
        sandbox.write("session", &fs::read(&example).unwrap());
        let which = conversation(&sandbox);
        let before = sandbox.run(&format!("inspect session {which} --json")).exits(0).json();
        let whole = before["tokens"].as_u64().unwrap();
        let mut budget = whole * 2 / 3;
        let mut ran = sandbox.run(&format!(
            "compact session {which} --max-tokens {budget} --policy mask-then-drop -o out --json"
        ));
        if ran.code == 4 {
            // What must stay is more than that: it is told by its reasons, and as a budget it is enough.
            let floor = floor(&ran.error());
            assert!(floor > budget && floor <= whole, "{}: {floor} of {whole}", example.display());
            assert!(!sandbox.path("out").exists(), "{}", example.display());
            budget = floor;
            ran = sandbox.run(&format!(
                "compact session {which} --max-tokens {budget} --policy mask-then-drop -o out --json"
            ));
        } else {
            brought += 1;
        }
        let said = ran.exits(0).json();
        assert!(said["tokens_after"].as_u64().unwrap() <= budget, "{}: {said}", example.display());
        let after = sandbox.run(&format!("inspect out {which} --json")).exits(0).json();
        assert_eq!(after["format"], said["format"]);
        let violations = |seen: &Value| seen["violations"].as_array().unwrap().len();
        assert!(violations(&after) <= violations(&before), "{}: {after}", example.display());
        let tokens = |seen: &Value, key: &str| seen[key].as_u64().unwrap();
        let (read, planned) = (tokens(&after, "tokens"), tokens(&said, "tokens_after"));
        assert_eq!(read, planned, "{}", example.display());
    }
    assert!(brought > 30, "{brought}: the others cannot be made so small");
}

/// What must stay, all reasons together.
fn floor(error: &Value) -> u64 {
    let reasons = ["system", "pinned", "tail", "locked"];
    reasons.map(|reason| error["floor"][reason].as_u64().unwrap()).into_iter().sum()
}

#[test]
fn what_else_was_changed_is_noted_and_signed_reasoning_follows_its_rule() {
    let thinking = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "c2ln"});
    let text = |text: &str| json!({"type": "text", "text": text});
    let marked = json!({"type": "text", "text": "one ".repeat(400), "cache_control": {"type": "ephemeral"}});
    let session = json!({"model": "m", "max_tokens": 9, "messages": [
        {"role": "user", "content": "the first words"},
        {"role": "assistant", "content": [marked]},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": [thinking("the second thought"), text("second")]},
        {"role": "user", "content": "three"},
        {"role": "assistant", "content": [thinking("the third thought"), text("third")]},
    ]});
    let sandbox = Sandbox::new();
    sandbox.write("s.json", session.to_string().as_bytes());
    let run = |rule: &str| {
        let line = format!("compact s.json --max-tokens 120 -o {rule}.json --signed-reasoning {rule} --json");
        let said = sandbox.run(&line).exits(0).json();
        let kinds =
            said["notes"].as_array().unwrap().iter().map(|note| note["kind"].as_str().unwrap().to_owned());
        (kinds.collect::<Vec<_>>(), String::from_utf8(sandbox.bytes(&format!("{rule}.json"))).unwrap())
    };
    let (kinds, text) = run("keep");
    assert_eq!(kinds, ["cache_mark_moved", "signed_reasoning_kept"]);
    assert!(text.contains("the second thought") && text.contains("the third thought"));
    let (kinds, text) = run("drop");
    assert_eq!(kinds, ["cache_mark_moved", "signed_reasoning_kept", "signed_reasoning_dropped"]);
    assert!(!text.contains("the second thought") && text.contains("the third thought"));
    assert_eq!(run("strip").0, ["cache_mark_moved", "signed_reasoning_kept", "signed_reasoning_stripped"]);

    let people =
        sandbox.run("compact s.json --max-tokens 120 -o people.json --account account.json").exits(0).err;
    assert!(people.contains("  1 cache mark was moved, at line 1, to line 1"), "{people}");
    assert_eq!(sandbox.json("account.json")["notes"][0]["kind"], "cache_mark_moved");
    sandbox.run("compact s.json --max-tokens 120 -o x.json --signed-reasoning forget").exits(2);
}

#[test]
fn a_second_compaction_to_the_same_budget_changes_nothing() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("compact chat.json --max-tokens 500 -o once.json").exits(0);
    sandbox.run("compact once.json --max-tokens 500 -o twice.json").exits(0);
    assert_eq!(sandbox.bytes("once.json"), sandbox.bytes("twice.json"));
}

#[test]
fn a_target_is_worked_towards_only_when_the_maximum_is_exceeded() {
    let sandbox = Sandbox::with_chat();
    let low = sandbox
        .run("compact chat.json --max-tokens 1200 --target-tokens 500 -o low.json --json")
        .exits(0)
        .json();
    assert!(low["tokens_after"].as_u64().unwrap() <= 500, "{low}");
    let idle = sandbox
        .run("compact chat.json --max-tokens 9k --target-tokens 500 -o idle.json --json")
        .exits(0)
        .json();
    assert_eq!(idle["changed"], false);
}

#[test]
fn documents_about_a_compaction_agree_with_each_other() {
    let sandbox = Sandbox::with_chat();
    let said = sandbox
        .run("compact chat.json --max-tokens 500 -o out.json --plan p.json --report r.json --account a.json --json")
        .exits(0)
        .json();
    let (plan, report, account) = (sandbox.json("p.json"), sandbox.json("r.json"), sandbox.json("a.json"));
    assert_eq!(plan["plan_hash"], report["plan_hash"]);
    assert_eq!(plan["plan_hash"], said["plan_hash"]);
    assert_eq!(plan["estimator"], "heuristic:openai");
    assert_eq!(report.as_object().unwrap().len(), 14, "the report has the reference's fourteen keys");
    assert_eq!(account["tokens_after_measured"], said["tokens_after"]);
    assert_eq!(account["turns"].as_array().unwrap().len(), 15);
}

#[test]
fn a_pinned_turn_stays_as_it_is() {
    let sandbox = Sandbox::with_chat();
    let log = |name: &str| -> Value { sandbox.json(name)["messages"][3]["content"].clone() };
    sandbox.run("compact chat.json --max-tokens 1500 -o free.json").exits(0);
    sandbox.run("compact chat.json --max-tokens 1500 --pin m3 -o pinned.json").exits(0);
    assert_ne!(log("free.json"), log("chat.json"));
    assert_eq!(log("pinned.json"), log("chat.json"));
}

#[test]
fn an_unmet_budget_writes_the_output_warns_and_exits_with_3() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 450 --policy mask -o out.json --quiet").exits(3);
    assert!(ran.err.contains("warning:") && ran.err.contains("over the budget"), "{}", ran.err);
    assert!(sandbox.bytes("out.json").len() < sandbox.bytes("chat.json").len());
}

#[test]
fn an_unsatisfiable_budget_writes_nothing_and_itemises_the_floor() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 50 -o out.json --plan p.json").exits(4);
    for words in ["system turns", "pinned turns", "protected turns", "in all", "remedy: raise --max-tokens"] {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
    assert_eq!(sandbox.names(), ["chat.json"]);
    let error = sandbox.run("compact chat.json --max-tokens 50 -o out.json --json").exits(4).error();
    assert_eq!(error["code"], "COMPACTION_BUDGET_UNSATISFIABLE");
    assert!(error["floor"]["tail"].as_u64().unwrap() > 0);
    assert_eq!(error["exit_code"], 4);
}

#[test]
fn the_budget_that_the_remedy_names_is_enough() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 50").exits(4);
    let least = ran.err.split("at least ").nth(1).unwrap().split(',').next().unwrap();
    sandbox.run(&format!("compact chat.json --max-tokens {least} -o out.json")).exits(0);
}

#[test]
fn needed_summaries_exit_with_5_and_leave_the_plan() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox
        .run(
            "compact chat.json --max-tokens 450 --policy default --summarizer none --plan p.json -o out.json",
        )
        .exits(5);
    assert!(ran.err.contains("cutctx requests chat.json --plan p.json"), "{}", ran.err);
    assert_eq!(sandbox.names(), ["chat.json", "p.json"]);
    let to_stdout =
        sandbox.run("compact chat.json --max-tokens 450 --policy default --summarizer none").exits(5);
    assert_eq!(to_stdout.json(), sandbox.json("p.json"));
}

#[test]
fn summaries_that_do_not_cover_every_group_exit_with_5_and_name_it() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("none.json", b"{}");
    let line = "compact chat.json --max-tokens 450 --policy default --summaries none.json -o out.json --json";
    let error = sandbox.run(line).exits(5).error();
    assert_eq!(error["code"], "COMPACTION_SUMMARY_MISSING");
    assert!(error["details"]["group_id"].as_str().unwrap().starts_with("span-"));
}

#[test]
fn a_summary_that_is_too_long_is_said_to_be_over_budget_and_one_that_saves_nothing_is_refused() {
    let sandbox = Sandbox::with_chat();
    let line = "compact chat.json --max-tokens 450 --policy default --summarizer none --plan p.json --json";
    let needed = sandbox.run(line).exits(5).json();
    let group = needed["summaries_needed"][0].as_str().unwrap();
    let write = |words| {
        sandbox
            .write("long.json", serde_json::json!({ group: "word ".repeat(words) }).to_string().as_bytes());
    };
    write(2_000);
    let error = sandbox
        .run("apply chat.json --plan p.json --summaries long.json -o out.json --json")
        .exits(6)
        .error();
    assert_eq!(error["code"], "COMPACTION_NOT_SMALLER");
    assert!(!sandbox.names().contains(&"out.json".to_owned()));
    write(1_000);
    let ran = sandbox
        .run("apply chat.json --plan p.json --summaries long.json -o out.json --account a.json")
        .exits(3);
    assert!(ran.err.contains("over the budget"), "{}", ran.err);
    assert_eq!(sandbox.json("a.json")["overruns"][0]["group_id"], group);
}

#[test]
fn a_policy_file_decides_as_the_policy_in_it() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("policy.json", br#"{"kind": "drop_oldest"}"#);
    sandbox.run("compact chat.json --max-tokens 500 --policy @policy.json -o file.json").exits(0);
    sandbox.run("compact chat.json --max-tokens 500 --policy drop-oldest -o name.json").exits(0);
    assert_eq!(sandbox.bytes("file.json"), sandbox.bytes("name.json"));
}

#[test]
fn an_existing_output_is_left_alone_without_force() {
    let sandbox = Sandbox::with_chat();
    sandbox.write("out.json", b"mine");
    let error = sandbox.run("compact chat.json --max-tokens 500 -o out.json --json").exits(6).error();
    assert_eq!((error["code"].as_str(), error["file"].as_str()), (Some("OUTPUT_EXISTS"), Some("out.json")));
    assert_eq!(sandbox.bytes("out.json"), b"mine");
    sandbox.run("compact chat.json --max-tokens 500 -o out.json --force").exits(0);
    assert_ne!(sandbox.bytes("out.json"), b"mine");
}

#[test]
fn the_output_cannot_be_the_input() {
    let sandbox = Sandbox::with_chat();
    let ran = sandbox.run("compact chat.json --max-tokens 500 -o ./chat.json --force").exits(2);
    assert!(ran.err.contains("--in-place"), "{}", ran.err);
}

#[test]
fn the_beginning_of_an_id_pins_where_it_is_clear() {
    let sandbox = Sandbox::new();
    let turn = |id: &str, tokens: u64| serde_json::json!({"turn_id": id, "role": "user", "content": "x", "token_estimate": tokens});
    let turns =
        [turn("first-long-id-a", 50), turn("first-long-id-b", 50), turn("second-long-id", 50), turn("z", 1)];
    sandbox.write("s.json", serde_json::json!({ "turns": turns }).to_string().as_bytes());
    let line = "compact s.json --max-tokens 60 --protect-turns 1 -o out.json --force";
    sandbox.run(&format!("{line} --pin first-lo")).exits(2);
    sandbox.run(&format!("{line} --pin second")).exits(2);
    sandbox.run(&format!("{line} --pin second-l")).exits(0);
    let kept = sandbox.json("out.json");
    assert_eq!(kept["turns"][0]["turn_id"], "second-long-id");
}
