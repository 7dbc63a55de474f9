//! `cutctx convert`: the request, the losses, and where both go.

use crate::sandbox::Sandbox;
use serde_json::json;

#[test]
fn a_session_becomes_a_request_of_every_provider() {
    let sandbox = Sandbox::with_chat();
    for target in
        ["openai-chat", "openai-responses", "anthropic-messages", "bedrock-converse", "gemini-contents"]
    {
        sandbox.run(&format!("convert chat.json --to {target} -o {target}.json")).exits(0);
        assert!(sandbox.json(&format!("{target}.json")).is_object());
    }
    sandbox.run("lint openai-chat.json openai-responses.json").exits(0);
    sandbox.run("lint anthropic-messages.json --format anthropic-messages").exits(0);
}

#[test]
fn losses_are_listed_with_their_places_and_no_text() {
    let sandbox = Sandbox::new();
    let file = "[{\"role\":\"user\",\"content\":\"secret\"},\n{\"role\":\"assistant\",\"reasoning_content\":\"secret\",\"content\":\"x\"}]";
    sandbox.write("s.json", file.as_bytes());
    let ran = sandbox.run("convert s.json --to gemini-contents --json").exits(0);
    let losses: serde_json::Value = serde_json::from_str(&ran.err).unwrap();
    let loss =
        json!({"loss": "reasoning", "message": 1, "line": 2, "count": 1, "says": "reasoning left out"});
    assert_eq!((&losses["to"], &losses["losses"]), (&json!("gemini-contents"), &json!([loss])));
    let ran = sandbox.run("convert s.json --to openai-chat -o out.json").exits(0);
    assert!(
        ran.err.contains("1 x reasoning left out (line 2)") && !ran.err.contains("secret"),
        "{}",
        ran.err
    );
}

#[test]
fn an_unknown_target_and_an_existing_output_are_refused() {
    let sandbox = Sandbox::with_chat();
    sandbox.run("convert chat.json --to cobol").exits(2);
    sandbox.run("convert chat.json --to openai-chat -o chat.json").exits(2);
}
