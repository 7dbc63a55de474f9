//! What a conversion says and lists.

use cutctx_formats::Session;
use cutctx_formats::convert::{Converted, LossKind, Target, convert};
use cutctx_messages::{CallView, Detail, Media, MediaKind, MessageView, PartView, ResultView};
use cutctx_types::{CharRatioEstimator, Role};
use serde_json::{Value, json};

fn said(role: Role, text: &str) -> MessageView<'static> {
    MessageView::new(role, vec![PartView::text(text.to_owned())])
}

fn called(id: &str, arguments: &str) -> MessageView<'static> {
    let call = CallView::new(id.to_owned(), "ns__look.at", arguments.to_owned());
    MessageView::new(Role::Assistant, vec![PartView::ToolCall(call)])
}

fn given(id: &str, text: &str) -> MessageView<'static> {
    let result = ResultView::new(id.to_owned(), text.to_owned()).with_error(true);
    MessageView::new(Role::Tool, vec![PartView::ToolResult(result)])
}

fn json_of(converted: &Converted) -> Value {
    serde_json::from_str(&converted.text).unwrap()
}

fn kinds(converted: &Converted) -> Vec<(LossKind, Option<usize>, usize)> {
    converted.losses.iter().map(|loss| (loss.kind, loss.message, loss.count)).collect()
}

#[test]
fn arguments_are_objects_or_strings_as_the_target_wants() {
    let messages = [said(Role::User, "u"), called("a", "{\"n\": 1.50}"), given("a", "r")];
    let chat = convert(&messages, Target::OpenAiChat);
    assert_eq!(json_of(&chat)["messages"][1]["tool_calls"][0]["function"]["arguments"], "{\"n\": 1.50}");
    assert_eq!(json_of(&chat)["messages"][1]["tool_calls"][0]["function"]["name"], "ns__look.at");
    assert_eq!(kinds(&chat), [(LossKind::ErrorMark, Some(1), 1)]);
    let anthropic = convert(&messages, Target::AnthropicMessages);
    assert!(anthropic.text.contains(r#""input":{"n": 1.50}"#), "{}", anthropic.text);
    assert!(anthropic.losses.is_empty());
    let gemini = convert(&messages, Target::GeminiContents);
    assert_eq!(
        json_of(&gemini)["contents"][2]["parts"][0]["functionResponse"]["response"],
        json!({"error": "r"})
    );
}

#[test]
fn arguments_that_are_no_object_are_wrapped_and_listed() {
    let messages = [said(Role::User, "u"), called("a", "{\"cut"), given("a", "r")];
    let bedrock = convert(&messages, Target::BedrockConverse);
    let input = &json_of(&bedrock)["messages"][1]["content"][0]["toolUse"]["input"];
    assert_eq!(*input, json!({"unparsed_arguments": "{\"cut"}));
    let wanted = [(LossKind::ToolDefinitions, None, 1), (LossKind::WrappedArguments, Some(1), 1)];
    assert_eq!(kinds(&bedrock), wanted);
}

#[test]
fn how_closely_to_look_at_an_image_goes_over_or_is_listed() {
    let image = || Media::new(MediaKind::Image).with_label("image/png").with_base64_data("aGk=");
    let seen = |media: Media<'static>| MessageView::new(Role::User, vec![PartView::Media(media)]);
    let low = [seen(image().with_detail(Detail::Low))];
    let chat = convert(&low, Target::OpenAiChat);
    assert_eq!(json_of(&chat)["messages"][0]["content"][0]["image_url"]["detail"], "low");
    let responses = convert(&low, Target::OpenAiResponses);
    assert_eq!(json_of(&responses)["input"][0]["content"][0]["detail"], "low");
    assert!(chat.losses.is_empty() && responses.losses.is_empty());
    let unsaid = convert(&[seen(image())], Target::OpenAiChat);
    assert_eq!(json_of(&unsaid)["messages"][0]["content"][0]["image_url"].get("detail"), None);
    for target in [Target::AnthropicMessages, Target::BedrockConverse, Target::GeminiContents] {
        assert_eq!(kinds(&convert(&low, target)), [(LossKind::ImageDetail, Some(0), 1)]);
        assert!(convert(&[seen(image())], target).losses.is_empty());
    }
}

#[test]
fn system_prompts_go_to_their_place_and_those_in_the_middle_are_listed() {
    let messages = [said(Role::System, "s"), said(Role::User, "u"), said(Role::System, "t")];
    let anthropic = convert(&messages, Target::AnthropicMessages);
    assert_eq!(json_of(&anthropic)["system"][0]["text"], "s");
    assert_eq!(json_of(&anthropic)["messages"][0]["content"][1]["text"], "t");
    assert_eq!(kinds(&anthropic), [(LossKind::SystemInMiddle, Some(2), 1)]);
    let chat = convert(&messages, Target::OpenAiChat);
    assert_eq!(json_of(&chat)["messages"][2], json!({"role": "system", "content": "t"}));
    assert!(chat.losses.is_empty());
}

#[test]
fn media_go_where_they_are_taken() {
    let image = Media::new(MediaKind::Image).with_label("image/png").with_base64_data("AAAA");
    let sound = Media::new(MediaKind::Audio).with_base64_data("AAAA");
    let parts = vec![PartView::text("look"), PartView::Media(image), PartView::Media(sound)];
    let messages = [MessageView::new(Role::User, parts)];
    let wanted = [
        (Target::OpenAiChat, "data:image/png;base64,AAAA"),
        (Target::OpenAiResponses, "data:image/png;base64,AAAA"),
        (Target::AnthropicMessages, r#""media_type":"image/png","data":"AAAA""#),
        (Target::BedrockConverse, r#"{"image":{"format":"png","source":{"bytes":"AAAA"}}}"#),
        (Target::GeminiContents, r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#),
    ];
    for (target, text) in wanted {
        let converted = convert(&messages, target);
        assert!(converted.text.contains(text), "{}", converted.text);
        assert_eq!(kinds(&converted), [(LossKind::Media, Some(0), 1)], "{target:?}");
    }
}

#[test]
fn media_of_results_are_carried_over_or_put_behind_them() {
    let image = || Media::new(MediaKind::Image).with_label("image/png").with_base64_data("AAAA");
    let seen = |id: &'static str| {
        let parts = vec![PartView::text("see"), PartView::Media(image())];
        MessageView::new(Role::Tool, vec![PartView::ToolResult(ResultView::with_parts(id, parts))])
    };
    let calls = ["a", "b"].map(|id| PartView::ToolCall(CallView::new(id, "look", "{}")));
    let batch = MessageView::new(Role::Assistant, calls.to_vec());
    let messages = [said(Role::User, "u"), batch, seen("a"), seen("b"), said(Role::Assistant, "done")];
    for target in Target::ALL {
        let converted = convert(&messages, target);
        assert_eq!(converted.text.matches("AAAA").count(), 2, "{target:?}: {}", converted.text);
        assert!(!kinds(&converted).iter().any(|(kind, ..)| *kind == LossKind::Media), "{target:?}");
        let format = cutctx_formats::format_named(target.name()).unwrap();
        let read = Session::read_as(format, converted.text.clone(), &CharRatioEstimator::default()).unwrap();
        assert!(read.violations().is_empty(), "{target:?}: {:?}", read.violations());
    }
    let chat = convert(&messages, Target::OpenAiChat);
    let roles: Vec<Value> = json_of(&chat)["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].clone())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "user", "assistant"]);
    let moved = kinds(&chat).into_iter().filter(|(kind, ..)| *kind == LossKind::MovedMedia);
    assert_eq!(moved.map(|(.., count)| count).sum::<usize>(), 2);
}

#[test]
fn what_only_one_provider_can_read_is_listed_with_its_place() {
    let parts = vec![
        PartView::OpaqueReasoning { text: "hm".into(), hidden_bytes: 9 },
        PartView::Reasoning("so".into()),
        PartView::ToolCall(CallView::new("s", "search", "{}").on_server()),
        PartView::Media(Media::new(MediaKind::Other).with_label("web_search_tool_result")),
        PartView::text("there"),
    ];
    let messages = [said(Role::User, "u"), MessageView::new(Role::Assistant, parts)];
    for target in Target::ALL {
        let lost =
            [LossKind::Reasoning, LossKind::SignedReasoning, LossKind::ServerCall, LossKind::ServerResult];
        assert_eq!(kinds(&convert(&messages, target)), lost.map(|kind| (kind, Some(1), 1)));
    }
}

#[test]
fn one_id_for_every_call_is_spelled_anew_in_the_time_of_other_ids() {
    let rounds = 20_000;
    let messages: Vec<MessageView<'_>> =
        (0..rounds).flat_map(|_| [called("one", "{}"), given("one", "r")]).collect();
    let converted = convert(&messages, Target::AnthropicMessages);
    let ids: alloc::collections::BTreeSet<&str> =
        converted.text.split("\"id\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(ids.len(), rounds);
    let respelled = converted.losses.iter().filter(|loss| loss.kind == LossKind::RespelledId);
    assert_eq!(respelled.map(|loss| loss.count).sum::<usize>(), rounds - 1);
}
