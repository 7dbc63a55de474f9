//! What `inspect` and `formats` tell.

use crate::sandbox::{Sandbox, examples};
use serde_json::{Value, json};

/// A session of Claude Code that was compacted, holds ballast, and ends in a call.
const SESSION: &str = concat!(
    r#"{"parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","content":"before"},"uuid":"u1"}"#,
    "\n",
    r#"{"type":"progress","data":"0123456789"}"#,
    "\n",
    r#"{"parentUuid":null,"sessionId":"s","type":"system","subtype":"compact_boundary","content":"Conversation compacted","uuid":"u2"}"#,
    "\n",
    r#"{"parentUuid":"u2","sessionId":"s","type":"user","isCompactSummary":true,"message":{"role":"user","content":"so far: a leak"},"uuid":"u3"}"#,
    "\n",
    r#"{"parentUuid":"u3","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]},"toolUseResult":"a copy","uuid":"u4"}"#,
    "\n",
    r#"{"parentUuid":"u4","sessionId":"s","type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"tool_use","id":"c1","name":"look","input":{"at":"pump"}}]},"uuid":"u5"}"#,
    "\n",
);

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("s.jsonl", SESSION.as_bytes());
    sandbox
}

fn named<'v>(list: &'v Value, key: &str, name: &str) -> Option<&'v Value> {
    list.as_array().unwrap().iter().find(|one| one[key] == name)
}

#[test]
fn a_session_tells_its_marker_its_open_call_and_its_ballast() {
    let seen = sandbox().run("inspect s.jsonl --json").exits(0).json();
    let offset = SESSION.split_inclusive('\n').take(2).map(str::len).fold(0, usize::saturating_add);
    assert_eq!(
        seen["markers"],
        json!([{"line": 3, "offset": offset, "position": 0, "turn_id": "u3"}]),
        "{seen}"
    );
    assert_eq!(
        seen["open_calls"],
        json!([{"position": 2, "turn_id": "u5", "tool_name": "look", "call_id": "c1", "state": "in_flight"}])
    );
    let ballast = &seen["ballast"];
    let progress = named(&ballast["groups"], "what", "progress").unwrap();
    assert_eq!((&progress["whole_records"], &progress["count"]), (&json!(true), &json!(1)));
    let copy = named(&ballast["groups"], "what", "user.toolUseResult").unwrap();
    assert_eq!((&copy["whole_records"], &copy["bytes"]), (&json!(false), &json!(24)));
    let sums = ["said_bytes", "ballast_bytes", "structure_bytes"].map(|key| ballast[key].as_u64().unwrap());
    assert_eq!(sums.into_iter().reduce(u64::saturating_add), seen["file_bytes"].as_u64());
    let image = named(&seen["by_kind"], "name", "image").unwrap();
    assert_eq!((&image["turns"], &image["parts"]), (&json!(1), &json!(1)));
    assert_eq!((&seen["conversations"], &seen["conversation"]), (&json!(1), &Value::Null));
}

#[test]
fn a_session_tells_the_same_to_people() {
    let shown = sandbox().run("inspect s.jsonl").exits(0).out;
    for said in [
        "compacted before, at line 3: its summary is turn u3",
        "open call of look in turn u5: in flight",
        "progress (no turn)",
        "user.toolUseResult",
        "call arguments",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
}

#[test]
fn the_tokens_of_all_kinds_are_the_tokens_of_the_session() {
    let (sandbox, mut kinds) = (Sandbox::new(), Vec::new());
    for example in examples() {
        let file = example.to_str().unwrap();
        let ran = sandbox.run(&format!("inspect {file} --json"));
        if ran.code != 0 {
            continue;
        }
        let seen = ran.json();
        let tallies = seen["by_kind"].as_array().unwrap();
        let sum = tallies.iter().map(|kind| kind["tokens"].as_u64().unwrap()).fold(0, u64::saturating_add);
        assert_eq!(sum, seen["tokens"].as_u64().unwrap(), "{file}");
        kinds.extend(tallies.iter().map(|kind| kind["name"].as_str().unwrap().to_owned()));
    }
    for kind in ["text", "reasoning", "opaque_reasoning", "call_arguments", "result"] {
        assert!(kinds.iter().any(|found| found == kind), "{kind}: {kinds:?}");
    }
}

#[test]
fn what_a_provider_would_refuse_is_told_with_its_line_and_remedy() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "s.json",
        b"[{\"role\":\"user\",\"content\":\"u\"},\n{\"role\":\"tool\",\"tool_call_id\":\"x\",\"content\":\"r\"}]",
    );
    let seen = sandbox.run("inspect s.json --json").exits(0).json();
    let found = &seen["violations"][0];
    assert_eq!((&found["line"], &found["call_id"]), (&json!(2), &json!("x")), "{seen}");
    let rules = sandbox.run("lint --rules --json").exits(0).json();
    let rule = named(&rules["rules"], "rule", found["rule"].as_str().unwrap()).unwrap();
    assert_eq!((&found["remedy"], &found["says"]), (&rule["remedy"], &rule["says"]));
    let shown = sandbox.run("inspect s.json").exits(0).out;
    assert!(shown.contains("line 2: ") && shown.contains(rule["remedy"].as_str().unwrap()), "{shown}");
}

#[test]
fn many_open_calls_and_markers_take_few_lines() {
    let sandbox = Sandbox::new();
    let call = |number: usize| {
        json!({"role": "assistant", "tool_calls": [{"id": format!("c{number}"), "type": "function",
            "function": {"name": "dig", "arguments": "{}"}}]})
    };
    let messages: Vec<Value> =
        (0..300).flat_map(|number| [json!({"role": "user", "content": "x"}), call(number)]).collect();
    sandbox.write("s.json", Value::from(messages).to_string().as_bytes());
    let shown = sandbox.run("inspect s.json").exits(0).out;
    assert!(shown.lines().count() < 110, "{shown}");
    assert!(shown.contains("and 290 more of these"), "{shown}");
    assert_eq!(sandbox.run("inspect s.json --json").json()["open_calls"].as_array().map(Vec::len), Some(300));
}

/// Every verb that reads a session takes one of several conversations.
#[test]
fn a_conversation_of_several_is_inspected_planned_compacted_and_compared() {
    let sandbox = Sandbox::new();
    let talk = |who: &str| {
        let message = |number: usize| {
            json!({"role": if number.is_multiple_of(2) { "user" } else { "assistant" },
            "content": format!("{who} {number}: {}", "the pump runs dry at night ".repeat(9))})
        };
        json!({ "messages": (0..12).map(message).collect::<Vec<_>>() })
    };
    let (first, second) = (talk("ada"), talk("bea"));
    sandbox.write("two.jsonl", format!("{first}\n{second}\n").as_bytes());

    let error = sandbox.run("inspect two.jsonl --json").exits(6).error();
    assert_eq!(error["code"], "FORMAT_SEVERAL_CONVERSATIONS");
    assert!(error["remedy"].as_str().unwrap().contains("--conversation N"), "{error}");
    let seen = sandbox.run("inspect two.jsonl --conversation 1 --json").exits(0).json();
    assert_eq!((&seen["conversations"], &seen["conversation"]), (&json!(2), &json!(1)));
    let shown = sandbox.run("inspect two.jsonl --conversation 1").exits(0).out;
    assert!(shown.contains("conversation 1 (from 0) of 2"), "{shown}");

    let which = "two.jsonl --conversation 1";
    sandbox.run(&format!("plan {which} --max-tokens 400 --policy drop-oldest -o p.json")).exits(0);
    for verb in ["verify", "explain", "requests"] {
        sandbox.run(&format!("{verb} {which} --plan p.json")).exits(0);
    }
    sandbox.run("verify two.jsonl --conversation 0 --plan p.json").exits(7);
    sandbox.run(&format!("apply {which} --plan p.json -o out.jsonl")).exits(0);
    sandbox.run(&format!("compact {which} --max-tokens 400 --policy drop-oldest -o same.jsonl")).exits(0);
    assert_eq!(sandbox.bytes("out.jsonl"), sandbox.bytes("same.jsonl"));
    let out = String::from_utf8(sandbox.bytes("out.jsonl")).unwrap();
    assert!(out.starts_with(&format!("{first}\n")) && !out.contains(&second.to_string()), "{out}");
    let difference = sandbox.run("diff two.jsonl out.jsonl --conversation 1 --json").exits(0).json();
    assert!(difference["removed"].as_u64().unwrap() > 0);
    let untouched = sandbox.run("diff two.jsonl out.jsonl --conversation 0 --json").exits(0).json();
    assert_eq!(untouched["first_changed_position"], Value::Null);
    for verb in ["count", "repair", "lint"] {
        sandbox.run(&format!("{verb} {which} --json")).exits(0);
    }
    sandbox.run(&format!("convert {which} --to anthropic-messages")).exits(0);
    let error = sandbox.run("inspect two.jsonl --conversation 2 --json").exits(6).error();
    assert_eq!(error["code"], "FORMAT_NO_SUCH_CONVERSATION");
}

#[test]
fn the_page_of_formats_lists_what_the_command_lists() {
    let listed = Sandbox::new().run("formats --json").exits(0).json();
    let listed: Vec<(String, String)> = listed["formats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|format| {
            assert!(!format["description"].as_str().unwrap().is_empty(), "{format}");
            assert!(!format["told_by"].as_str().unwrap().is_empty(), "{format}");
            (format["name"].as_str().unwrap().to_owned(), format["evidence"].as_str().unwrap().to_owned())
        })
        .collect();
    let page = include_str!("../../../../docs/formats.md");
    let (_, rest) = page.split_once("\n## The formats\n").unwrap();
    let (table, _) = rest.split_once("\n## ").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let mut documented: Vec<(String, String)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), cells[cells.len() - 2].to_owned())
        })
        .collect();
    let mut expected = listed;
    expected.sort();
    documented.sort();
    assert_eq!(documented, expected, "docs/formats.md and `cutctx formats` differ");
}

#[test]
fn the_formats_are_shown_with_what_they_are_told_by_and_rest_on() {
    let shown = Sandbox::new().run("formats").exits(0).out;
    let head = shown.lines().next().unwrap();
    assert!(["name", "what it is", "told by", "evidence"].iter().all(|title| head.contains(title)), "{head}");
    assert!(
        shown.contains("claude-code") && shown.contains("sessions") && shown.contains("grammar"),
        "{shown}"
    );
}
