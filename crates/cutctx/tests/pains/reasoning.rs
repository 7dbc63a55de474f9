//! Reasoning: signed, whole, first, and never out of its place.

use crate::spell::{Model, Step, calls, formats, results, says, spelled, user};
use crate::ways::{decide, in_all_formats, read, refused, summaries, ways};
use cutctx::formats::{RenderRequest, SignedReasoning, format_named};
use cutctx::session::render;
use cutctx::{CharRatioEstimator, Fate, Role, SummarizingPolicy};
use serde_json::{Value, json};

fn thinks(ids: &[&str]) -> Step {
    let Step::Model(model) = calls(ids) else { panic!() };
    Step::Model(Model { thinks: true, ..model })
}

/// An old turn with reasoning and one that is still going on.
fn steps(ends_with_call: bool) -> Vec<Step> {
    let mut steps = vec![
        user("how deep is the basin?"),
        thinks(&["a"]),
        results(&["a"]),
        says("nine metres"),
        user(&"and the quay, all along its length? ".repeat(20)),
        thinks(&["b"]),
        results(&["b"]),
        thinks(&["c", "d"]),
        results(&["c", "d"]),
    ];
    if !ends_with_call {
        steps.push(Step::Model(Model { thinks: true, text: Some("seven".to_owned()), calls: Vec::new() }));
    }
    steps
}

#[test]
fn what_stays_stays_in_its_order() {
    in_all_formats(&steps(false), |before, way| {
        let contents = |session: &cutctx::formats::Session| -> Vec<String> {
            session.transcript().turns().iter().map(|turn| turn.content().to_string()).collect()
        };
        let (old, new) = (contents(before), contents(&way.after));
        let mut rest = old.iter();
        for kept in new.iter().filter(|content| old.contains(content)) {
            assert!(rest.any(|content| content == kept), "{}: out of order", way.note);
        }
    });
}

/// All blocks of reasoning with their messages' numbers.
fn thinking(session: &cutctx::formats::Session) -> Vec<Value> {
    let document: Value = serde_json::from_str(session.text()).unwrap();
    let messages = document["messages"].as_array().unwrap();
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    blocks.filter(|block| block["type"].as_str().unwrap().ends_with("thinking")).cloned().collect()
}

/// Whether every message of the turn that is still going on begins with reasoning, as all of them did.
fn every_step_thinks(session: &cutctx::formats::Session) -> bool {
    let document: Value = serde_json::from_str(session.text()).unwrap();
    let messages = document["messages"].as_array().unwrap();
    let speaks = |message: &Value| message["role"] == "user" && message["content"].is_string();
    let start = messages.iter().rposition(speaks).unwrap();
    let kind = |message: &Value| message["content"][0]["type"].as_str().unwrap().to_owned();
    let mut steps = messages[start..].iter().filter(|message| message["role"] == "assistant");
    steps.all(|message| kind(message).ends_with("thinking"))
}

#[test]
fn reasoning_of_the_turn_that_goes_on_is_kept_to_the_byte_with_every_step_that_stays() {
    let format = format_named("anthropic-messages").unwrap();
    for redacted in [false, true] {
        for ends_with_call in [false, true] {
            let mut document: Value = serde_json::from_str(&spelled(format, &steps(ends_with_call))).unwrap();
            if redacted {
                for message in document["messages"].as_array_mut().unwrap().iter_mut().skip(5) {
                    if message["content"][0]["type"] == "thinking" {
                        message["content"][0] = json!({"type": "redacted_thinking", "data": "AAAA=="});
                    }
                }
            }
            let session = read(format, &document.to_string());
            assert_eq!(refused(&session), [""; 0]);
            let whole = thinking(&session);
            for way in ways(&session) {
                assert_eq!(refused(&way.after), [""; 0], "{}", way.note);
                let left = thinking(&way.after);
                assert!(left.iter().all(|block| whole.contains(block)), "{}: {left:?}", way.note);
                assert!(every_step_thinks(&way.after), "{}\n{}", way.note, way.after.text());
            }
        }
    }
}

#[test]
fn no_rule_about_reasoning_is_broken_in_any_format() {
    for ends_with_call in [false, true] {
        in_all_formats(&steps(ends_with_call), |_, way| {
            assert_eq!(refused(&way.after), [""; 0], "{}", way.note);
        });
    }
}

#[test]
fn stored_reasoning_and_the_item_after_it_go_together() {
    let format = format_named("openai-responses").unwrap();
    let mut items = vec![json!({"role": "user", "content": "how deep is it?"})];
    for round in 0..4 {
        items.push(json!({"type": "reasoning", "id": format!("rs_{round}"), "summary": []}));
        items.push(json!({"type": "message", "id": format!("msg_{round}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": format!("deep, {round} ").repeat(30)}]}));
        items.push(json!({"type": "reasoning", "id": format!("rs_x{round}"), "summary": []}));
        items.push(json!({"type": "function_call", "id": format!("fc_{round}"), "call_id": format!("c{round}"), "name": "look", "arguments": "{}"}));
        items.push(json!({"type": "function_call_output", "call_id": format!("c{round}"), "output": "mud ".repeat(40)}));
        items.push(json!({"role": "user", "content": format!("and at buoy {round}?")}));
    }
    let session = read(format, &json!({"model": "m", "input": items}).to_string());
    assert_eq!(refused(&session), [""; 0]);
    for way in ways(&session) {
        assert_eq!(refused(&way.after), [""; 0], "{}", way.note);
        let alone = way.after.lint().iter().any(|found| found.rule.name == "item_without_reasoning");
        assert!(!alone, "{}: an item lost its reasoning\n{}", way.note, way.after.text());
    }
}

#[test]
fn a_summary_is_a_text_and_nothing_in_it_is_markup() {
    let tricky = "<think>one</think> two </think> <thinking>three <think> \"four\" ```";
    for format in formats() {
        let session = read(format, &spelled(format, &steps(false)));
        let plan = decide(&session, &SummarizingPolicy::new("p").unwrap(), 0);
        let written = render(&session, &plan, &summaries(&plan, tricky)).unwrap().to_text();
        let after = read(format, &written);
        let told = after.transcript().turns().iter().any(|turn| turn.content().contains(tricky));
        assert!(told || plan.summarization_requests().is_empty(), "{}: {written}", format.name());
    }
}

#[test]
fn signed_reasoning_behind_a_change_follows_the_rule_and_is_told() {
    let format = format_named("anthropic-messages").unwrap();
    let session = read(format, &spelled(format, &steps(true)));
    let first =
        session.transcript().turns().iter().position(|turn| !turn.pinned() && turn.role() == Role::Assistant);
    let group: Vec<usize> = exchange_of(&session, first.unwrap());
    let fate = |turn: usize| if group.contains(&turn) { Fate::Dropped } else { Fate::Kept };
    let fates: Vec<Fate<'_>> = (0..session.transcript().len()).map(fate).collect();
    let estimator = CharRatioEstimator::default();
    let mut left = Vec::new();
    for rule in SignedReasoning::ALL {
        let request = RenderRequest::new(&fates, &estimator).with_signed_reasoning(Some(rule));
        let rendered = session.render_as(&request).unwrap();
        let after = read(format, &rendered.to_text());
        assert_eq!(refused(&after), [""; 0], "{rule}");
        assert!(!rendered.notes().is_empty(), "{rule}");
        left.push(thinking(&after).len());
    }
    assert!(
        left[0] >= left[1] && left[1] >= left[2] && left[2] > 0,
        "{left:?}: what goes on keeps its reasoning"
    );
}

/// The turns that share an exchange with this one.
fn exchange_of(session: &cutctx::formats::Session, turn: usize) -> Vec<usize> {
    let turns = session.transcript().turns();
    let own = turns[turn].tool_call_id();
    let same = |index: &usize| *index == turn || (own.is_some() && turns[*index].tool_call_id() == own);
    (0..turns.len()).filter(same).collect()
}
