//! What of a file is no context.

use crate::files::{examples, opened, read};
use cutctx_formats::Ballast;

fn bytes_of(ballast: &Ballast, what: &str) -> Option<(bool, usize, usize)> {
    let group = ballast.groups.iter().find(|group| group.what == what)?;
    Some((group.whole_records, group.count, group.bytes))
}

#[test]
fn the_sums_are_the_size_of_the_file() {
    let files = examples();
    assert!(files.len() > 25, "{}", files.len());
    for (name, text) in files {
        let ballast = read(&text).ballast().unwrap();
        let sum = ballast.said_bytes + ballast.ballast_bytes + ballast.structure_bytes;
        assert_eq!(sum, text.len(), "{name}");
        let groups: usize = ballast.groups.iter().map(|group| group.bytes).sum();
        assert_eq!(groups, ballast.ballast_bytes, "{name}");
        assert!(ballast.groups.is_sorted_by(|one, next| one.bytes >= next.bytes), "{name}");
        assert!(ballast.said_bytes > 0, "{name}: nothing of it is said");
    }
}

/// Escapes and quotes only add to what is said, so less than the turns' text would mean that some of it is missing.
#[test]
fn what_is_said_is_not_less_than_the_text_of_the_turns() {
    for (name, text) in examples() {
        let session = read(&text);
        let ballast = session.ballast().unwrap();
        // Calls are shown with their names and in brackets, media as descriptors, and JSON results anew.
        let calls = session.transcript().turns().iter().map(|turn| turn.parts().len()).sum::<usize>();
        let least = session.context_bytes().saturating_sub(calls * 60);
        assert!(ballast.said_bytes >= least, "{name}: {} of {least}", ballast.said_bytes);
    }
}

#[test]
fn a_file_that_is_held_in_part_has_the_same_ballast() {
    let mut parts = 0;
    for (name, text) in examples() {
        let session = opened(&text);
        parts += usize::from(session.is_abridged());
        assert_eq!(session.ballast(), read(&text).ballast(), "{name}");
        assert_eq!(session.inventory(), read(&text).inventory(), "{name}");
    }
    assert!(parts > 0, "no example is held in part");
}

const CLAUDE: &str = concat!(
    r#"{"type":"progress","data":"xxxxxxxxxx"}"#,
    "\n",
    r#"{"parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","content":"find the leak"},"uuid":"u1"}"#,
    "\n",
    r#"{"parentUuid":"u1","sessionId":"s","type":"assistant","message":{"role":"assistant","id":"m","content":[{"type":"tool_use","id":"c1","name":"look","input":{"at":"pump"}}],"usage":{"input_tokens":3}},"uuid":"u2"}"#,
    "\n",
    r#"{"parentUuid":"u2","sessionId":"s","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"dry"}]},"toolUseResult":{"stdout":"dry"},"uuid":"u3"}"#,
    "\n",
    r#"{"type":"progress","data":"yyyyyyyyyy"}"#,
    "\n",
);

#[test]
fn records_without_turns_and_members_beside_them_are_told_apart() {
    for session in [read(CLAUDE), opened(CLAUDE)] {
        let ballast = session.ballast().unwrap();
        assert_eq!(bytes_of(&ballast, "progress"), Some((true, 2, 80)));
        let copy = r#""toolUseResult":{"stdout":"dry"}"#.len();
        assert_eq!(bytes_of(&ballast, "user.toolUseResult"), Some((false, 1, copy)));
        let usage = r#""usage":{"input_tokens":3}"#.len();
        assert_eq!(bytes_of(&ballast, "assistant.message.usage"), Some((false, 1, usage)));
        assert_eq!(bytes_of(&ballast, "user.message.content"), None);
    }
}

#[test]
fn a_document_has_its_ballast_by_path() {
    let text = r#"{"bill":{"cost":3},"messages":[{"role":"user","content":"hi","x":12},{"role":"assistant","content":"ho"}]}"#;
    let ballast = read(text).ballast().unwrap();
    assert_eq!(bytes_of(&ballast, "bill"), Some((false, 1, r#""bill":{"cost":3}"#.len())));
    assert_eq!(bytes_of(&ballast, "messages[].x"), Some((false, 1, r#""x":12"#.len())));
    assert_eq!(ballast.said_bytes, r#""hi""ho""#.len());
}

#[test]
fn keys_that_are_texts_are_not_shown() {
    let text = r#"{"the secret of the lake, in a key":1,"messages":[{"role":"user","content":"hi"}]}"#;
    let ballast = read(text).ballast().unwrap();
    assert!(!format!("{ballast:?}").contains("secret"), "{ballast:?}");
    assert!(bytes_of(&ballast, "(unnamed)").is_some());
}

#[test]
fn many_kinds_become_few_groups() {
    let members: String =
        (0..5_000).flat_map(|number: u32| ["\"k", &number.to_string(), "\":0,"].map(str::to_owned)).collect();
    let text = format!(r#"{{{members}"messages":[{{"role":"user","content":"hi"}}]}}"#);
    let ballast = read(&text).ballast().unwrap();
    assert!((250..300).contains(&ballast.groups.len()), "{}", ballast.groups.len());
    assert_eq!(ballast.groups[0].what, "other");
}

/// System prompts stand outside of the messages in most requests.
#[test]
fn a_system_prompt_outside_of_the_messages_is_said() {
    let messages = r#""messages":[{"role":"user","content":"hi"}]"#;
    for text in [
        format!(r#"{{"model":"claude-opus-4-5","max_tokens":9,"system":"be brief","tools":[],{messages}}}"#),
        r#"{"system":[{"text":"be brief"}],"messages":[{"role":"user","content":[{"text":"hi"}]}]}"#.to_owned(),
        r#"{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#.to_owned(),
        r#"{"model":"gpt-5","instructions":"be brief","input":[{"type":"message","role":"user","content":"hi"}]}"#.to_owned(),
    ] {
        let session = read(&text);
        assert_eq!(session.transcript().turns().len(), 2, "{text}");
        let ballast = session.ballast().unwrap();
        assert!(ballast.said_bytes >= r#""be brief""hi""#.len(), "{text}: {ballast:?}");
        assert!(ballast.groups.iter().all(|group| !group.what.contains("system")), "{text}: {ballast:?}");
    }
}
