//! `cutctx lint`: what is found, how it is shown, and how the run ends.

use crate::sandbox::{Sandbox, examples};
use serde_json::{Value, json};

/// A call without a result, and one that has a short one.
const BROKEN: &str = r#"[
  {"role": "user", "content": "secret words"},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
  {"role": "user", "content": "secret words again"}
]"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_chat();
    sandbox.write("broken.json", BROKEN.as_bytes());
    sandbox
}

#[test]
fn a_clean_session_ends_well() {
    let ran = sandbox().run("lint chat.json").exits(0);
    assert!(ran.out.contains("chat.json: nothing found"), "{}", ran.out);
}

#[test]
fn a_finding_has_a_place_a_rule_and_a_remedy_and_shows_no_text() {
    let ran = sandbox().run("lint broken.json chat.json").exits(8);
    assert!(ran.out.contains("broken.json:3: refused: "), "{}", ran.out);
    assert!(ran.out.contains("(call c1) [openai-chat/unanswered_call]"), "{}", ran.out);
    assert!(ran.out.contains("  remedy: ") && ran.out.contains("1 refused"), "{}", ran.out);
    assert!(!ran.out.contains("secret"), "{}", ran.out);
}

#[test]
fn json_says_it_all() {
    let found = sandbox().run("lint broken.json --json").exits(8).json();
    assert_eq!((&found["findings"], &found["sessions"][0]["format"]), (&json!(1), &json!("openai-chat")));
    let finding = &found["sessions"][0]["findings"][0];
    assert_eq!((&finding["rule"], &finding["line"]), (&json!("openai-chat/unanswered_call"), &json!(3)));
    assert_eq!((&finding["record"], &finding["call_id"]), (&json!(1), &json!("c1")));
}

#[test]
fn the_severity_decides_what_counts() {
    let sandbox = sandbox();
    sandbox.write(
        "advice.json",
        br#"[{"role": "assistant", "content": "x"}, {"role": "user", "content": "u"}]"#,
    );
    sandbox.run("lint advice.json").exits(0);
    let ran = sandbox.run("lint advice.json --severity advice").exits(8);
    assert!(ran.out.contains("advice: ") && ran.out.contains("[openai-chat/first_not_user]"), "{}", ran.out);
    sandbox.run("lint broken.json --severity refused").exits(8);
}

#[test]
fn a_damaged_file_is_read_as_far_as_it_can_be() {
    let sandbox = sandbox();
    let line = |uuid: &str, parent: &Value, kind: &str, content: Value| {
        json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s",
            "message": {"id": uuid, "role": kind, "content": content}})
        .to_string()
    };
    let call = json!([{"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}]);
    let whole = [
        line("a", &Value::Null, "user", json!("u")),
        line("b", &json!("a"), "assistant", call),
        line("c", &json!("b"), "user", json!("v")),
    ];
    let file = format!("{}\n{}{}\n{}\n", whole[0], whole[1].get(..40).unwrap(), whole[1], whole[2]);
    sandbox.write("torn.jsonl", file.as_bytes());
    let found = sandbox.run("lint torn.jsonl --json").exits(8).json();
    let found = found["sessions"][0]["findings"].as_array().unwrap().clone();
    let rules: Vec<(&str, u64)> =
        found.iter().map(|one| (one["rule"].as_str().unwrap(), one["line"].as_u64().unwrap())).collect();
    assert_eq!(rules, [("file/torn", 2), ("anthropic/unanswered_call", 2)]);
    let place = usize::try_from(found[1]["offset"].as_u64().unwrap()).unwrap();
    assert!(file.get(place..).unwrap().starts_with(&whole[1]), "the place is that of the damaged file");
}

#[test]
fn what_is_no_session_is_refused() {
    let sandbox = sandbox();
    sandbox.write("notes.txt", b"just some notes\n");
    let ran = sandbox.run("lint notes.txt");
    assert!(ran.code == 6 || ran.code == 8, "{ran:#?}");
    sandbox.run("lint missing.json").exits(6);
    sandbox.run("lint").exits(2);
}

#[test]
fn the_log_has_the_shape_of_sarif() {
    let sandbox = sandbox();
    sandbox.write("a b.json", BROKEN.as_bytes());
    let mut command = sandbox.command(&["lint", "a b.json", "broken.json", "chat.json", "--sarif"]);
    let log: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    assert_eq!((&log["version"], log["runs"].as_array().unwrap().len()), (&json!("2.1.0"), 1));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(run["tool"]["driver"]["name"], "cutctx");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for (result, uri) in results.iter().zip(["a%20b.json", "broken.json"]) {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(result["message"]["text"].is_string());
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&json!(uri), &json!(3))
        );
    }
    for rule in rules {
        assert!(rule["shortDescription"]["text"].is_string() && rule["help"]["text"].is_string());
        assert!(rule["helpUri"].as_str().is_none_or(|uri| uri.starts_with("https://")));
    }
}

#[test]
fn all_rules_are_listed() {
    let sandbox = sandbox();
    let listed = sandbox.run("lint --rules --json").exits(0).json();
    let rules = listed["rules"].as_array().unwrap();
    assert!(rules.len() > 60 && rules.iter().any(|rule| rule["rule"] == "file/torn"));
    let text = sandbox.run("lint --rules").exits(0).out;
    assert!(rules.iter().all(|rule| text.contains(rule["rule"].as_str().unwrap())));
}

/// Some show a call that is in flight, which is no fault of a session that goes on.
#[test]
fn the_examples_break_no_rule() {
    for example in examples() {
        let sandbox = Sandbox::new();
        let ran = sandbox.run(&format!("lint {} --severity refused --json", example.display()));
        assert_eq!(ran.exits(0).json()["findings"], 0);
    }
}

/// A data set of conversations, some of them with a call that is never answered.
fn data_set(conversations: usize) -> Vec<Value> {
    let ask = json!({"role": "user", "content": "look"});
    let call = json!({"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]});
    let answer = json!({"role": "tool", "tool_call_id": "c1", "content": "it is there"});
    let messages = |number: usize| match number % 3 {
        0 => json!([ask, call, ask]),
        _ => json!([ask, call, answer]),
    };
    (0..conversations).map(|number| json!({ "messages": messages(number) })).collect()
}

#[test]
fn conversations_that_are_checked_together_give_what_each_gives_alone() {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = data_set(7).iter().map(Value::to_string).collect();
    sandbox.write("lines.jsonl", format!("\n{}\n", lines.join("\n\n")).as_bytes());
    let array = serde_json::to_string_pretty(&data_set(7)).unwrap();
    sandbox.write("array.json", format!("\u{feff}{array}").as_bytes());
    for file in ["lines.jsonl", "array.json"] {
        let all = sandbox.run(&format!("lint {file} --json")).exits(8).json();
        assert_eq!(all["sessions"][0]["conversations"], 7, "{file}");
        let one = |number: u64| {
            let ran = sandbox.run(&format!("lint {file} --json --conversation {number}"));
            ran.json()["sessions"][0]["findings"].as_array().unwrap().clone()
        };
        let alone: Vec<Value> = (0..7).flat_map(one).collect();
        assert_eq!(all["sessions"][0]["findings"].as_array().unwrap(), &alone, "{file}");
        assert_eq!(alone.len(), 3, "{file}");
    }
}

#[test]
fn many_conversations_take_no_more_than_their_file() {
    let sandbox = Sandbox::new();
    let lines: Vec<String> = data_set(20_000).iter().map(Value::to_string).collect();
    sandbox.write("many.jsonl", lines.join("\n").as_bytes());
    // Read as a whole for each of them it takes minutes, and gigabytes.
    let ran = sandbox.run("lint many.jsonl").exits(8);
    assert!(ran.out.ends_with("6,667 refused, 0 repaired, 0 advice in 1 session\n"), "{}", ran.out.len());
}
