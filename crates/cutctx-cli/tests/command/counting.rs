//! What counts, and what the provider counted.

use crate::sandbox::{Sandbox, counted_session};
use serde_json::{Value, json};

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_chat();
    sandbox.write("session.jsonl", counted_session().as_bytes());
    sandbox
}

/// What a line prints as JSON.
#[track_caller]
fn said(sandbox: &Sandbox, line: &str) -> Value {
    sandbox.run(&format!("{line} --json")).exits(0).json()
}

fn tokens(sandbox: &Sandbox, line: &str) -> u64 {
    said(sandbox, &format!("inspect {line}"))["tokens"].as_u64().unwrap()
}

#[test]
fn counting_shows_each_step_beside_what_the_provider_counted() {
    let sandbox = sandbox();
    let count = said(&sandbox, "count session.jsonl");
    let steps = count["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 10);
    assert_eq!((&steps[9]["position"], &steps[9]["counted"]), (&json!(19), &json!(24_000)));
    assert_eq!(steps[9]["expected"], 24_000, "the newest count is met");
    let fixed = count["anchor"]["fixed"].as_u64().unwrap();
    assert!((4_900..=5_100).contains(&fixed), "{count}");
    assert_eq!(count["no_anchor"], Value::Null);
    assert!(count["anchor"]["scaled_error"].as_u64().unwrap() < 10, "{count}");
    let text = sandbox.run("count session.jsonl").exits(0).out;
    assert!(text.contains("the newest count: 24,000 tokens") && text.contains("+0.0 %"), "{text}");
    let csv = sandbox.run("count session.jsonl --csv").exits(0).out;
    assert_eq!(csv.lines().count(), 11);
    assert!(csv.lines().all(|line| line.split(',').count() == 9), "{csv}");
}

#[test]
fn a_session_without_counts_says_so() {
    let sandbox = sandbox();
    let text = sandbox.run("count chat.json").exits(0).out;
    assert!(text.contains("no scale: the file tells of no request"), "{text}");
    for line in ["inspect chat.json --anchor", "plan chat.json --max-tokens 900 --overhead auto"] {
        let error = sandbox.run(&format!("{line} --json")).exits(6).error();
        assert_eq!(error["code"], "NO_ANCHOR", "{line}");
    }
}

#[test]
fn every_verb_counts_by_the_name_that_it_is_given() {
    let sandbox = sandbox();
    for name in ["chars/4", "gpt-4o", "claude-sonnet-4-5", "heuristic:google"] {
        let inspected = said(&sandbox, &format!("inspect chat.json --tokenizer {name}"));
        let estimator = inspected["estimator"].as_str().unwrap();
        assert!(estimator.ends_with(name), "{estimator}");
        assert_eq!(inspected, said(&sandbox, &format!("inspect chat.json --tokenizer {estimator}")));
        let planned = said(&sandbox, &format!("plan chat.json --max-tokens 900 --tokenizer {name}"));
        assert_eq!(planned["estimator"], estimator);
        let diff = said(&sandbox, &format!("diff chat.json chat.json --tokenizer {name}"));
        assert_eq!((&diff["estimator"], &diff["tokens_before"]), (&json!(estimator), &inspected["tokens"]));
    }
    assert_eq!(tokens(&sandbox, "chat.json --tokenizer chars/4"), 1_337);
    let error = sandbox.run("inspect chat.json --tokenizer gpt-4u --json").exits(2).error();
    assert_eq!(error["code"], "TOKENIZER_UNKNOWN");
}

#[test]
fn an_exact_count_has_no_error_and_an_estimate_says_it() {
    let sandbox = sandbox();
    let exact = sandbox.run("inspect chat.json --tokenizer gpt-4o").exits(0).out;
    assert!(exact.contains("(counted by o200k_base@gpt-4o)"), "{exact}");
    let estimated = sandbox.run("inspect chat.json --tokenizer claude-opus-4-5").exits(0).out;
    assert!(estimated.contains(" % by heuristic:anthropic@claude-opus-4-5)"), "{estimated}");
}

#[test]
fn a_stored_plan_is_counted_as_it_was_made() {
    let sandbox = sandbox();
    sandbox.run("plan session.jsonl --max-tokens 9000 --anchor -o p.json --policy drop-oldest").exits(0);
    let estimator = sandbox.json("p.json")["estimator"].as_str().unwrap().to_owned();
    assert!(estimator.starts_with("heuristic:anthropic@claude-sonnet-4-5*"), "{estimator}");
    for verb in ["verify", "explain", "requests", "apply -o out.jsonl"] {
        let ran = sandbox.run(&format!("{verb} session.jsonl --plan p.json --tokenizer chars/4")).exits(0);
        assert!(!ran.err.contains("warning"), "{verb}: {}", ran.err);
    }
    let applied = said(&sandbox, "apply session.jsonl --plan p.json -o again.jsonl");
    assert_eq!(applied["estimator"], estimator);
    assert_eq!(applied["tokens_after"], tokens(&sandbox, &format!("again.jsonl --tokenizer {estimator}")));
}

#[test]
fn masked_results_read_again_cost_what_was_said() {
    let sandbox = sandbox();
    for name in ["auto", "claude-sonnet-4-5", "gpt-4o", "chars/4"] {
        let budget = tokens(&sandbox, &format!("chat.json --tokenizer {name}")).saturating_mul(4) / 5;
        let line = format!(
            "compact chat.json --max-tokens {budget} --policy mask-then-drop --tokenizer {name} --force -o out.json"
        );
        let done = said(&sandbox, &line);
        assert!(done["fates"]["masked"].as_u64().unwrap() > 0, "{done}");
        assert_eq!(done["tokens_after"], tokens(&sandbox, &format!("out.json --tokenizer {name}")), "{name}");
    }
}

#[test]
fn what_is_reserved_is_taken_off_the_window_and_stands_in_the_floor() {
    let sandbox = sandbox();
    let whole = said(&sandbox, "plan chat.json --max-tokens 700");
    let line = "plan chat.json --max-tokens 1000 --reserve-output 200 --overhead 100";
    let record = said(&sandbox, line);
    assert_eq!((&record["reserve_output"], &record["overhead"]), (&json!(200), &json!(100)));
    assert_eq!((&record["plan_hash"], &record["budget"]), (&whole["plan_hash"], &whole["budget"]));
    let text = sandbox.run(line).exits(0).out;
    let lines = "         200  kept free for the answer\n         100  sent besides the session\n";
    assert!(text.contains(lines), "{text}");
    let low = line.replace("1000", "350");
    let error = sandbox.run(&format!("{low} --json")).exits(4).error();
    assert_eq!((&error["reserve_output"], &error["overhead"]), (&json!(200), &json!(100)));
    let floor = error["floor"].as_object().unwrap();
    let least: u64 = floor.values().map(|tokens| tokens.as_u64().unwrap()).sum();
    let remedy = error["remedy"].as_str().unwrap();
    assert!(remedy.contains(&format!("at least {}", least.saturating_add(300))), "{remedy}");
    let nothing = line.replace("1000", "250");
    assert_eq!(sandbox.run(&format!("{nothing} --json")).exits(2).error()["code"], "USAGE");
}

#[test]
fn the_overhead_of_a_session_and_of_a_request_is_found() {
    let sandbox = sandbox();
    let fixed = said(&sandbox, "count session.jsonl")["anchor"]["fixed"].clone();
    let record = said(&sandbox, "plan session.jsonl --max-tokens 20k --overhead auto");
    assert_eq!(record["overhead"], fixed);
    let mut request = sandbox.json("chat.json");
    request["tools"] = json!([{"type": "function", "function": {"name": "probe",
        "description": "Reads a sensor of a kiln.", "parameters": {"type": "object"}}}]);
    sandbox.write("request.json", request.to_string().as_bytes());
    let record = said(&sandbox, "plan request.json --max-tokens 900 --overhead auto");
    assert!((20..80).contains(&record["overhead"].as_u64().unwrap()), "{}", record["overhead"]);
}

#[test]
fn a_declared_overhead_decides_the_scale() {
    let sandbox = sandbox();
    let scale = |line: &str| {
        let record = said(&sandbox, &format!("plan session.jsonl --max-tokens 40k {line}"));
        record["estimator"].as_str().unwrap().rsplit_once('*').unwrap().1.to_owned()
    };
    assert!(scale("--anchor --overhead 10k") < scale("--anchor"));
    assert!(scale("--anchor --overhead 1k") > scale("--anchor"));
}

#[test]
fn a_large_session_of_which_only_the_context_is_held_tells_the_same() {
    let sandbox = sandbox();
    let copy = "a copy for the eye, ".repeat(40_000);
    let ballast = format!(r#"{{"toolUseResult":{{"stdout":"{copy}"}},"type":"#);
    let large = counted_session().replace(r#"{"type":"#, &ballast);
    // Blocks have a type, too.
    let large = large.replace(&format!("[{ballast}"), r#"[{"type":"#);
    assert!(large.len() > 9 << 20);
    sandbox.write("large.jsonl", large.as_bytes());
    let [small, large] = ["session", "large"].map(|name| said(&sandbox, &format!("count {name}.jsonl")));
    assert_eq!((&large["steps"], &large["anchor"]), (&small["steps"], &small["anchor"]));
    assert_eq!(large["estimator"], small["estimator"]);
}

/// Turns that bring estimates of their own, ten times what they cost.
fn native() -> Sandbox {
    let sandbox = Sandbox::new();
    let turn = |number: u64| {
        let text = "The pump in hall two runs dry at night. ".repeat(20);
        json!({"turn_id": format!("t{number}"), "role": "tool", "tool_name": "look", "content": text,
            "token_estimate": 2_000})
    };
    let turns: Vec<Value> = (0..12).map(turn).collect();
    sandbox.write("native.json", json!({ "turns": turns }).to_string().as_bytes());
    sandbox
}

#[test]
fn turns_that_bring_estimates_keep_them_unless_a_counter_is_asked_for() {
    let sandbox = native();
    let own = said(&sandbox, "inspect native.json");
    assert_eq!((&own["tokens"], &own["estimator"]), (&json!(24_000), &json!("own+chars/4")));
    assert_eq!(own["estimator_error"], Value::Null);
    assert_eq!(own, said(&sandbox, "inspect native.json --tokenizer own+chars/4"));
    assert_eq!(tokens(&sandbox, "native.json --tokenizer own+gpt-4o"), 24_000);
    assert_eq!(tokens(&sandbox, "native.json --tokenizer chars/4"), 12 * 200);
    let exact = said(&sandbox, "inspect native.json --tokenizer gpt-4o");
    assert_eq!(exact["estimator"], "o200k_base@gpt-4o");
    assert!((2_000..3_000).contains(&exact["tokens"].as_u64().unwrap()), "{exact}");
    assert_eq!(exact["by_tool"][0]["tokens"], exact["tokens"]);
}

#[test]
fn stored_plans_over_turns_that_bring_estimates_are_counted_as_they_were_made() {
    let sandbox = native();
    for name in ["auto", "chars/4", "gpt-4o", "own+gpt-4o"] {
        let whole = tokens(&sandbox, &format!("native.json --tokenizer {name}"));
        let budget = whole.saturating_mul(3) / 4;
        sandbox
            .run(&format!("plan native.json --max-tokens {budget} --tokenizer {name} -o p.json --force"))
            .exits(0);
        for verb in ["verify", "explain", "requests", "apply -o out.json --force"] {
            let ran = sandbox.run(&format!("{verb} native.json --plan p.json")).exits(0);
            assert!(!ran.err.contains("warning"), "{name} {verb}: {}", ran.err);
        }
        let applied = said(&sandbox, "apply native.json --plan p.json -o out.json --force");
        assert_eq!(applied["tokens_before"], whole, "{name}");
    }
    // A record that a program made names only what measures new text.
    sandbox.run("plan native.json --max-tokens 18000 -o p.json --force").exits(0);
    let record = sandbox.json("p.json").to_string().replace("own+", "");
    sandbox.write("p.json", record.as_bytes());
    let ran = sandbox.run("verify native.json --plan p.json").exits(0);
    assert!(!ran.err.contains("warning"), "{}", ran.err);
}
