//! Durable messages as views and turns, and back.

use alloc::borrow::Cow;

use crate::build::{call, calls, result, results, says, text};
use cutctx_messages::{
    AttachmentKind, CallView, DurableObject, FileAttachment, FilePart, Media, MediaKind, Message,
    MessageError, MessagePart, MessageView, PartView, ResultView, ThinkingPart, ToolCallPart, TurnMapper,
};
use cutctx_types::{CharRatioEstimator, PartKind, Role};
use proptest::prelude::*;

#[test]
fn a_view_borrows_the_texts_of_its_message() {
    let message = Message::new(Role::Assistant, vec![text("say"), call("c")]).unwrap();
    let view = MessageView::from(&message);
    assert!(matches!(&view.parts[0], PartView::Text(Cow::Borrowed("say"))));
    assert!(matches!(&view.parts[1], PartView::ToolCall(call) if matches!(call.call_id, Cow::Borrowed("c"))));
}

#[test]
fn every_part_has_its_view() {
    let object = |json: &str| serde_json::from_str::<DurableObject>(json).unwrap();
    let part = |json: &str| MessagePart::from_object(&object(json)).unwrap();
    let sealed = ThinkingPart::new("hm").unwrap().with_provider_state(object(r#"{"signature":"s"}"#));
    let evidence = r#""model_step_id":"mstep_00000000000000000000000000000000","model_attempt_id":"matt_00000000000000000000000000000000""#;
    let hosted = part(&format!(
        r#"{{"type":"hosted_tool_call","call_id":"h","status":"completed","provider_name":"p","model":"m",{evidence}}}"#
    ));
    let citation = part(&format!(
        r#"{{"type":"citation","url":"0123456789","title":"ab","provenance":{{}},{evidence}}}"#
    ));
    let parts = vec![
        ThinkingPart::new("hm").unwrap().into(),
        sealed.into(),
        part(r#"{"type":"provider_state","provider":"p","state":{"id":1}}"#),
        part(r#"{"type":"structured_output","output":1}"#),
        hosted,
        citation,
    ];
    let message = Message::new(Role::Assistant, parts).unwrap();
    let kinds: Vec<PartView<'_>> = MessageView::from(&message).parts;
    assert_eq!(kinds[0], PartView::Reasoning("hm".into()));
    assert_eq!(kinds[1], PartView::OpaqueReasoning { text: "hm".into(), hidden_bytes: 17 });
    assert_eq!(kinds[2], PartView::OpaqueReasoning { text: "".into(), hidden_bytes: 8 });
    assert_eq!(kinds[3], PartView::text(""));
    assert_eq!(kinds[4], PartView::ToolCall(CallView::new("h", "web_search", "").on_server()));
    assert_eq!(kinds[5], PartView::Media(Media::new(MediaKind::Other).with_label("citation").with_bytes(12)));
}

#[test]
fn files_of_results_are_media_and_other_artifacts_are_not_shown() {
    let json = r#"{"type":"tool_result","tool_call_id":"c","tool_name":"look","content":"seen","artifacts":[
        {"type":"log","text":"long"},
        {"type":"cayu.file_attachment.v1","artifact_id":"a","kind":"image","filename":"f","content_type":"image/png","size_bytes":9},
        {"type":"cayu.file_attachment.v1"}]}"#;
    let part = MessagePart::from_object(&serde_json::from_str(json).unwrap()).unwrap();
    let PartView::ToolResult(result) = PartView::from(&part) else { panic!("it is a result") };
    assert_eq!(result.name.as_deref(), Some("look"));
    let image = Media::new(MediaKind::Image).with_label("image/png").with_bytes(9).with_file_id("a");
    let broken = Media::new(MediaKind::Other).with_label("file").with_bytes(34);
    let wanted = [PartView::text("seen"), PartView::Media(image), PartView::Media(broken)];
    assert_eq!(result.parts, wanted);
}

#[test]
fn arguments_that_were_taken_out_are_not_shown() {
    let mut call = ToolCallPart::new("c", "look", serde_json::from_str(r#"{"at":"home"}"#).unwrap()).unwrap();
    call.arguments_state = cutctx_messages::ArgumentsState::Unavailable;
    let part = MessagePart::from(call);
    let PartView::ToolCall(view) = PartView::from(&part) else { panic!("it is a call") };
    assert!(!view.arguments.contains("home"));
    assert!(view.arguments.starts_with(r#"{"__cutctx_arguments_unavailable__":""#));
}

#[test]
fn peer_content_is_pinned() {
    let json = format!(
        r#"{{"type":"peer_content","text":"hello","sender_participant_id":"a","sender_participant_incarnation":"b","sender_session_id":"c","sender_session_instance_id":"d","occurrence_id":"e","append_key_json":"","operation_key":"f","projection_id":"g","provenance_sha256":"{}"}}"#,
        "0".repeat(64)
    );
    let part = MessagePart::from_object(&serde_json::from_str(&json).unwrap()).unwrap();
    let message = Message::new(Role::Assistant, vec![part]).unwrap();
    assert!(MessageView::from(&message).pinned);
    assert!(!MessageView::from(&says(Role::Assistant, "x")).pinned);
}

#[test]
fn durable_messages_become_turns() {
    let file = FileAttachment::new("a", AttachmentKind::Document, "f", "application/pdf", 64_000).unwrap();
    let messages = [
        Message::new(Role::User, vec![text("read this"), FilePart::new(file).into()]).unwrap(),
        calls(&["c", "d"]),
        results(&["d", "c"]),
    ];
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    for message in &messages {
        mapper.push(&message.into()).unwrap();
    }
    let turns = mapper.finish().turns;
    let exchanges: Vec<Option<&str>> = turns.iter().map(|turn| turn.tool_call_id()).collect();
    assert_eq!(exchanges, [None, Some("m1"), Some("m1"), Some("m1")]);
    let kinds: Vec<PartKind> = turns[0].parts().iter().map(|part| part.kind).collect();
    assert_eq!(kinds, [PartKind::Text, PartKind::Media]);
    assert_eq!(turns[0].parts()[1].token_estimate, 2_000);
    assert_eq!(turns[2].tool_name(), Some("look"));
}

#[test]
fn a_view_of_results_and_text_is_kept_as_two_messages() {
    let results =
        || [PartView::ToolResult(ResultView::new("a", "1")), PartView::ToolResult(ResultView::new("b", "2"))];
    let [a, b] = results();
    let view = MessageView::new(Role::User, vec![a, PartView::text("go on"), b]);
    let kept = Message::from_view(&view).unwrap();
    assert_eq!(kept.iter().map(Message::role).collect::<Vec<_>>(), [Role::Tool, Role::User]);
    assert_eq!(kept[0].content().len(), 2);
    let [a, b] = results();
    let view = MessageView::new(Role::User, vec![PartView::text("go on"), a, b]);
    let kept = Message::from_view(&view).unwrap();
    assert_eq!(kept.iter().map(Message::role).collect::<Vec<_>>(), [Role::User, Role::Tool]);
    let blank = MessageView::new(Role::User, vec![PartView::text(" ")]);
    assert_eq!(Message::from_view(&blank), Ok(Vec::new()));
}

#[test]
fn what_only_the_file_has_is_not_kept() {
    let kept = |part| Message::from_view(&MessageView::new(Role::Assistant, vec![part])).map(drop);
    let sealed = PartView::OpaqueReasoning { text: "".into(), hidden_bytes: 4 };
    for part in [
        sealed,
        PartView::Media(Media::new(MediaKind::Image)),
        PartView::ToolCall(CallView::new("s", "search", "{}").on_server()),
        PartView::ToolResult(ResultView::new("s", "found")),
    ] {
        assert!(matches!(kept(part), Err(MessageError::NotKept { .. })));
    }
    for arguments in ["[1]", "{\"a\":", "{\"a\":1e400}", "{\"a\":\"\\u0000\"}"] {
        let fault = kept(PartView::ToolCall(CallView::new("c", "look", arguments)));
        assert!(matches!(fault, Err(MessageError::Field { field: "arguments", .. })), "{arguments}");
    }
}

fn message() -> impl Strategy<Value = Message> {
    let says = prop_oneof![Just(Role::User), Just(Role::System), Just(Role::Assistant)];
    let words = prop::collection::vec("[a-z]{1,9}( [a-z]{1,9})?", 1..4);
    let texts = (says, words)
        .prop_map(|(role, words)| Message::new(role, words.iter().map(|word| text(word)).collect()).unwrap());
    let argued = "[ -~]{0,20}".prop_map(|value| {
        let arguments = DurableObject::new(vec![
            ("b".into(), cutctx_messages::DurableValue::text(value).unwrap()),
            ("a".into(), 1.into()),
        ]);
        ToolCallPart::new("c", "look", arguments.unwrap()).unwrap().into()
    });
    let calls = prop::collection::vec(
        prop_oneof![Just(call("x")), argued, Just(ThinkingPart::new("hm").unwrap().into())],
        1..4,
    )
    .prop_map(|parts| Message::new(Role::Assistant, parts).unwrap());
    let results = prop::collection::vec(Just(result("x")), 1..4)
        .prop_map(|parts| Message::new(Role::Tool, parts).unwrap());
    prop_oneof![texts, calls, results]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_a_view_can_say_comes_back(message in message()) {
        let view = MessageView::from(&message);
        prop_assert_eq!(view.parts.len(), message.content().len());
        prop_assert_eq!(Message::from_view(&view).unwrap(), vec![message.clone()]);
        let json = serde_json::to_string(&message).unwrap();
        prop_assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
    }
}
