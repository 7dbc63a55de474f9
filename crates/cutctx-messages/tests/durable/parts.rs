//! The JSON of every part, and what it refuses.

use crate::build::{call, result, text};
use cutctx_messages::{
    AttachmentKind, CitationSpan, DurableObject, DurableValue, FileAttachment, FilePart, Message,
    MessageError, MessagePart, StructuredOutputPart, WireMessage, messages_digest,
};
use cutctx_types::{Coded, Role};

const STEP: &str = r#""mstep_00000000000000000000000000000001""#;
const ATTEMPT: &str = r#""matt_0000000000000000000000000000000f""#;
const ROUND: &str = r#""tround_000000000000000000000000000000aa""#;

/// Every sort of part with every field written, and a role that may say it.
fn full_parts() -> Vec<(&'static str, String)> {
    let identity = format!(r#""tool_round_id":{ROUND},"model_step_id":{STEP},"model_attempt_id":{ATTEMPT}"#);
    let evidence = format!(r#""model_step_id":{STEP},"model_attempt_id":{ATTEMPT}"#);
    let file = r#"{"type":"cayu.file_attachment.v1","artifact_id":"a","kind":"image","filename":"pole 7.png","content_type":"image/png","size_bytes":9,"metadata":{"z":1,"a":0.5}}"#;
    let digest = "ab".repeat(32);
    vec![
        ("user", r#"{"type":"text","text":" hi "}"#.into()),
        (
            "assistant",
            format!(
                r#"{{"type":"tool_call","tool_call_id":"c","tool_name":"look","arguments":{{"b":1,"a":[]}},"arguments_state":"unavailable",{identity}}}"#
            ),
        ),
        (
            "tool",
            format!(
                r#"{{"type":"tool_result","tool_call_id":"c","tool_name":"look","content":"","structured":{{}},"artifacts":[{file},{{"type":"log"}}],"is_error":true,{identity}}}"#
            ),
        ),
        ("assistant", r#"{"type":"provider_state","provider":"p","state":{"id":"x"}}"#.into()),
        ("assistant", r#"{"type":"thinking","text":"","provider_state":{"signature":"s"}}"#.into()),
        ("user", format!(r#"{{"type":"file","attachment":{file}}}"#)),
        ("tool", r#"{"type":"structured_output","name":"n","output":[1,null,"x"]}"#.into()),
        (
            "assistant",
            format!(
                r#"{{"type":"hosted_tool_call","hosted_tool":"web_search","call_id":"h","status":"outcome_unknown","action":{{"q":"?"}},"provider_name":"p","model":"m",{evidence}}}"#
            ),
        ),
        (
            "assistant",
            format!(
                r#"{{"type":"citation","citation_type":"url_citation","url":"https://example.org/","title":null,"start_index":0,"end_index":4,"provenance":{{}},{evidence}}}"#
            ),
        ),
        (
            "assistant",
            format!(
                r#"{{"type":"peer_content","text":"hello","sender_participant_id":"a","sender_participant_incarnation":"b","sender_session_id":"c","sender_session_instance_id":"d","occurrence_id":"e","append_key_json":"{{}}","operation_key":"f","projection_id":"g","provenance_sha256":"{digest}","executable":false}}"#
            ),
        ),
    ]
}

fn message(role: &str, part: &str) -> String {
    format!(r#"{{"role":"{role}","content":[{part}]}}"#)
}

fn read(json: &str) -> Result<Message, MessageError> {
    serde_json::from_str::<WireMessage>(json).unwrap().try_into()
}

#[test]
fn every_part_is_written_as_it_was_read_field_by_field() {
    for (role, part) in full_parts() {
        let json = message(role, &part);
        let message: Message = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), json);
        assert_eq!(message, read(&message.durable_json()).unwrap(), "the order of fields says nothing");
    }
}

#[test]
fn defaults_are_written() {
    let cases = [
        (
            "assistant",
            r#"{"type":"tool_call","tool_call_id":"c","tool_name":"n"}"#,
            r#"{"type":"tool_call","tool_call_id":"c","tool_name":"n","arguments":{},"arguments_state":"finalized","tool_round_id":null,"model_step_id":null,"model_attempt_id":null}"#,
        ),
        (
            "tool",
            r#"{"type":"tool_result","tool_call_id":"c","tool_name":"n"}"#,
            r#"{"type":"tool_result","tool_call_id":"c","tool_name":"n","content":"","structured":null,"artifacts":[],"is_error":false,"tool_round_id":null,"model_step_id":null,"model_attempt_id":null}"#,
        ),
        ("assistant", r#"{"type":"thinking"}"#, r#"{"type":"thinking","text":"","provider_state":null}"#),
        (
            "assistant",
            r#"{"type":"provider_state","provider":"p"}"#,
            r#"{"type":"provider_state","provider":"p","state":{}}"#,
        ),
        (
            "assistant",
            r#"{"type":"structured_output","output":2.0}"#,
            r#"{"type":"structured_output","name":null,"output":2}"#,
        ),
    ];
    for (role, short, full) in cases {
        let read = read(&message(role, short)).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), message(role, full));
    }
}

#[test]
fn a_digest_frames_each_message_by_its_length() {
    let asks = message("user", r#"{"type":"text","text":"how tall is pole 7?"}"#);
    let call = r#"{"type":"tool_call","tool_call_id":"call_1","tool_name":"measure","arguments":{"unit":2.5,"pole":7.0}}"#;
    let messages = [read(&asks).unwrap(), read(&message("assistant", call)).unwrap()];
    let digest = messages_digest(&messages).to_hex();
    assert_eq!(digest, "3d557fc5d620165441f1ff5c28477d53ea2c88d81df45a14d829c79d0dfd87c3");
}

#[test]
fn the_canonical_form_has_its_keys_in_order_of_code_points() {
    let json = message(
        "assistant",
        r#"{"type":"tool_call","tool_call_id":"c","tool_name":"n","arguments":{"b":1e-7,"é":2.0,"Z":"\u0001\n\"é","a":0.5}}"#,
    );
    let wanted = r#"{"content":[{"arguments":{"Z":"\u0001\n\"é","a":5e-1,"b":1e-7,"é":2},"arguments_state":"finalized","model_attempt_id":null,"model_step_id":null,"tool_call_id":"c","tool_name":"n","tool_round_id":null,"type":"tool_call"}],"role":"assistant"}"#;
    assert_eq!(read(&json).unwrap().durable_json(), wanted);
}

/// A fault: the role, the part, and the code and details.
type Refusal = (&'static str, String, &'static str, &'static str);

fn refused_fields() -> Vec<Refusal> {
    let call = |rest: &str| format!(r#"{{"type":"tool_call","tool_call_id":"c","tool_name":"n"{rest}}}"#);
    let result = |rest: &str| format!(r#"{{"type":"tool_result","tool_call_id":"c","tool_name":"n"{rest}}}"#);
    let v = "VALIDATION_ERROR";
    vec![
        ("user", r#"{"type":"text","text":" \u001c\u00a0"}"#.into(), v, r#"{"part":"text","field":"text","fault":"blank"}"#),
        ("user", r#"{"type":"text"}"#.into(), v, r#"{"part":"text","field":"text","fault":"missing"}"#),
        ("user", r#"{"type":"text","text":null}"#.into(), v, r#"{"part":"text","field":"text","fault":"type"}"#),
        ("user", r#"{"type":"text","text":"x","more":1}"#.into(), v, r#"{"part":"text","field":"(another)","fault":"unknown"}"#),
        ("user", r#"{"type":"sound"}"#.into(), v, r#"{"part":"part","field":"type","fault":"choice"}"#),
        ("user", r#"{"text":"x"}"#.into(), v, r#"{"part":"part","field":"type","fault":"missing"}"#),
        ("user", r#""x""#.into(), v, r#"{"part":"part","field":"(itself)","fault":"type"}"#),
        ("assistant", r#"{"type":"tool_call","tool_call_id":" c","tool_name":"n"}"#.into(), v, r#"{"part":"tool_call","field":"tool_call_id","fault":"outer-whitespace"}"#),
        ("assistant", call(r#","arguments":null"#), v, r#"{"part":"tool_call","field":"arguments","fault":"type"}"#),
        ("assistant", call(r#","arguments":[1]"#), v, r#"{"part":"tool_call","field":"arguments","fault":"type"}"#),
        ("assistant", call(r#","arguments_state":"lost""#), v, r#"{"part":"tool_call","field":"arguments_state","fault":"choice"}"#),
        ("assistant", call(&format!(r#","model_step_id":{STEP}"#)), v, r#"{"part":"tool_call","field":"model_step_id","fault":"alone"}"#),
        ("assistant", call(&format!(r#","tool_round_id":{ROUND},"model_step_id":{STEP},"model_attempt_id":"matt_1""#)), v, r#"{"part":"tool_call","field":"model_attempt_id","fault":"pattern"}"#),
        ("assistant", call(r#","arguments":{"a":{"b":9223372036854775808}}"#), "INTEGER_OUT_OF_RANGE", "{}"),
        ("tool", result(r#","artifacts":[1]"#), v, r#"{"part":"tool_result","field":"artifacts","fault":"type"}"#),
        ("tool", result(r#","is_error":1"#), v, r#"{"part":"tool_result","field":"is_error","fault":"type"}"#),
        ("tool", result(r#","content":"a\u0000b""#), "NUL_CHARACTER", "{}"),
        ("user", r#"{"type":"text","te\u0000xt":"x"}"#.into(), "NUL_CHARACTER", "{}"),
        ("user", r#"{"type":"file","attachment":{"type":"cayu.file_attachment.v1","artifact_id":"a","kind":"image","filename":"f","content_type":"application/pdf","size_bytes":1}}"#.into(), v, r#"{"part":"file attachment","field":"content_type","fault":"choice"}"#),
        ("user", r#"{"type":"file","attachment":{"type":"cayu.file_attachment.v1","artifact_id":"a","kind":"document","filename":"f","content_type":"application/pdf","size_bytes":0}}"#.into(), v, r#"{"part":"file attachment","field":"size_bytes","fault":"range"}"#),
        ("user", r#"{"type":"file","attachment":{"artifact_id":"a"}}"#.into(), v, r#"{"part":"file attachment","field":"type","fault":"choice"}"#),
        ("assistant", format!(r#"{{"type":"citation","url":"u","start_index":4,"end_index":4,"provenance":{{}},"model_step_id":{STEP},"model_attempt_id":{ATTEMPT}}}"#), v, r#"{"part":"citation","field":"end_index","fault":"range"}"#),
        ("assistant", format!(r#"{{"type":"citation","url":"u","end_index":4,"provenance":{{}},"model_step_id":{STEP},"model_attempt_id":{ATTEMPT}}}"#), v, r#"{"part":"citation","field":"end_index","fault":"alone"}"#),
    ]
}

#[test]
fn faults_are_told_with_part_field_and_fault() {
    for (role, part, code, details) in refused_fields() {
        let error = read(&message(role, &part)).unwrap_err();
        assert_eq!(error.code().as_str(), code, "{part}");
        assert_eq!(serde_json::to_string(&error.details()).unwrap(), details, "{part}");
        assert!(serde_json::from_str::<Message>(&message(role, &part)).is_err());
    }
}

#[test]
fn executable_peer_content_is_refused() {
    let (role, part) = full_parts().pop().unwrap();
    let error =
        read(&message(role, &part.replace("\"executable\":false", "\"executable\":true"))).unwrap_err();
    assert_eq!(error.to_string(), "the field `executable` of a peer_content is none of the values known");
}

#[test]
fn each_role_has_its_parts() {
    for (named, part) in full_parts() {
        let mut allowed = Vec::new();
        for role in ["user", "system", "assistant", "tool"] {
            match read(&message(role, &part)) {
                Ok(_) => allowed.push(role),
                Err(error) => assert!(matches!(error, MessageError::PartNotAllowed { .. }), "{error}"),
            }
        }
        assert!(allowed.contains(&named), "{part}");
        let kind = MessagePart::from_object(&serde_json::from_str(&part).unwrap()).unwrap().kind();
        let wanted: &[&str] = match kind.as_str() {
            "text" => &["user", "system", "assistant"],
            "file" => &["user"],
            "tool_result" => &["tool"],
            "structured_output" => &["assistant", "tool"],
            _ => &["assistant"],
        };
        assert_eq!(allowed, wanted, "{part}");
    }
    assert_eq!(Message::new(Role::User, Vec::new()), Err(MessageError::NoContent { role: Role::User }));
    let details = read(r#"{"role":"tool","content":[{"type":"text","text":"x"}]}"#).unwrap_err().details();
    assert_eq!(serde_json::to_string(&details).unwrap(), r#"{"role":"tool","part":"text"}"#);
}

#[test]
fn metadata_of_a_file_has_limits_of_its_own() {
    let file = || FileAttachment::new("a", AttachmentKind::Document, "f", "application/pdf", 1).unwrap();
    let filled = |length: usize| {
        DurableObject::new(vec![("k".into(), DurableValue::text("x".repeat(length)).unwrap())]).unwrap()
    };
    // {"k":"…"} is eight bytes longer than its text.
    assert!(file().with_metadata(filled((256 << 10) - 8)).is_ok());
    let error = file().with_metadata(filled((256 << 10) - 7)).unwrap_err();
    assert_eq!(error.code().as_str(), "JSON_VALUE_TOO_LARGE");
}

#[test]
fn a_citation_stands_for_at_least_one_character() {
    let span = CitationSpan::new(3, 5).unwrap();
    assert_eq!((span.start(), span.end()), (3, 5));
    assert_eq!(CitationSpan::new(3, 3), None);
    assert_eq!(CitationSpan::new(0, u64::MAX), None);
}

#[test]
fn debug_output_shows_no_text() {
    let secret =
        DurableObject::new(vec![("hunter2".into(), DurableValue::text("hunter2").unwrap())]).unwrap();
    let file = FileAttachment::new("a", AttachmentKind::Image, "hunter2", "image/png", 1).unwrap();
    let parts: Vec<MessagePart> = vec![
        text("hunter2"),
        cutctx_messages::ToolCallPart::new("c", "n", secret.clone()).unwrap().into(),
        cutctx_messages::ToolResultPart::new("c", "n", "hunter2").unwrap().into(),
        FilePart::new(file).into(),
        StructuredOutputPart::new(secret.into()).into(),
    ];
    assert!(!format!("{parts:?} {:?} {:?}", call("c"), result("c")).contains("hunter2"));
}
