//! `cutctx repair`: dry runs, writing, damage, pins, and how the run ends.

use crate::sandbox::Sandbox;
use serde_json::json;

/// A call without a result, and a result without a call.
const BROKEN: &str = r#"[
  {"role": "user", "content": "secret words"},
  {"role": "assistant", "content": null, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
  {"role": "user", "content": "secret words again"},
  {"role": "tool", "tool_call_id": "c9", "content": "secret"}
]"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_chat();
    sandbox.write("broken.json", BROKEN.as_bytes());
    sandbox
}

#[test]
fn a_dry_run_says_everything_and_writes_nothing() {
    let sandbox = sandbox();
    let before = sandbox.names();
    let ran = sandbox.run("repair broken.json").exits(8);
    assert!(
        ran.out.contains("broken.json:3: ") && ran.out.contains("(call c1) [answered_call]"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("broken.json:6: ") && ran.out.contains("[removed_orphan_result]"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("secret"), "{}", ran.out);
    assert_eq!((sandbox.names(), sandbox.bytes("broken.json")), (before, BROKEN.as_bytes().to_vec()));
    assert!(sandbox.run("repair chat.json").exits(0).out.contains("nothing to repair"));
}

#[test]
fn what_is_written_is_clean_and_the_original_can_be_had_back() {
    let sandbox = sandbox();
    sandbox.run("repair broken.json -o mended.json").exits(0);
    sandbox.run("lint mended.json").exits(0);
    sandbox.run("repair broken.json -o mended.json").exits(6);
    let said = sandbox.run("repair broken.json --in-place --json").exits(0).json();
    assert!(
        said["backup"].as_str().unwrap().ends_with("broken.json.cutctx-backup")
            && said["changed"] == json!(true)
    );
    assert_eq!(sandbox.bytes("broken.json"), sandbox.bytes("mended.json"));
    sandbox.run("repair broken.json").exits(0);
    sandbox.run("restore broken.json").exits(0);
    assert_eq!(sandbox.bytes("broken.json"), BROKEN.as_bytes());
}

#[test]
fn a_sound_session_comes_out_as_it_was() {
    let sandbox = sandbox();
    sandbox.run("repair chat.json -o same.json").exits(0);
    assert_eq!(sandbox.bytes("same.json"), sandbox.bytes("chat.json"));
    sandbox.run("repair chat.json --in-place").exits(0);
    assert!(!sandbox.names().contains(&"chat.json.cutctx-backup".to_owned()));
}

#[test]
fn a_pinned_orphan_is_left_and_said() {
    let sandbox = sandbox();
    let said = sandbox.run("repair broken.json --pin role:tool -o out.json --json").exits(8).json();
    assert_eq!(said["left"][0]["reason"], json!("pinned"));
    assert_eq!(said["left"][0]["rule"], json!("openai-chat/orphan_result"));
    assert_eq!(said["changes"].as_array().unwrap().len(), 1);
}

#[test]
fn an_open_call_is_closed_when_that_is_asked_for() {
    let sandbox = sandbox();
    let open = r#"[{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]}]"#;
    sandbox.write("open.json", open.as_bytes());
    let said = sandbox.run("repair open.json --json").exits(8).json();
    assert_eq!((&said["left"][0]["reason"], &said["changed"]), (&json!("open_call"), &json!(false)));
    let ran = sandbox.run("repair open.json --close-open-calls -o -").exits(0);
    assert!(ran.out.contains("not completed"), "{}", ran.out);
}

#[test]
fn a_damaged_file_is_refused_unless_leniency_is_asked_for() {
    let sandbox = sandbox();
    let line = |role: &str, text: &str| json!({"role": role, "content": text}).to_string();
    let (one, two) = (line("user", "one"), line("assistant", "two"));
    let torn = format!("{one}\n{}{two}\n\0\0\0\0{}\n{two}\n", one.split_at(18).0, line("user", "three"));
    sandbox.write("torn.jsonl", torn.as_bytes());
    let error = sandbox.run("repair torn.jsonl --json").exits(6).error();
    assert_eq!((&error["code"], &error["details"]["line"]), (&json!("FORMAT_DAMAGED"), &json!(2)));
    let said = sandbox.run("repair torn.jsonl --lenient --json").exits(8).json();
    let damage: Vec<&str> =
        said["damage"].as_array().unwrap().iter().map(|one| one["damage"].as_str().unwrap()).collect();
    assert!(damage.contains(&"torn") && damage.contains(&"zeros"), "{damage:?}");
    sandbox.run("repair torn.jsonl --lenient -o whole.jsonl").exits(0);
    let whole = [&one, &two, &line("user", "three"), &two].map(|line| format!("{line}\n")).concat();
    assert_eq!(String::from_utf8(sandbox.bytes("whole.jsonl")).unwrap(), whole);
}
