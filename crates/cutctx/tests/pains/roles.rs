//! Who speaks, in what order, and messages with nothing in them.

use crate::spell::{Step, calls, results, says, user};
use crate::ways::{budget, in_all_formats, read, refused, ways};
use cutctx::formats::format_named;
use cutctx::{CompactionPolicy, DropOldestPolicy, Role};
use serde_json::json;

/// One question and a long row of tool steps.
fn one_question(rounds: usize) -> Vec<Step> {
    let mut steps = vec![user("count the crates on the quay")];
    for round in 0..rounds {
        let id = format!("c{round}");
        steps.push(calls(&[&id]));
        steps.push(Step::Results(vec![(id, "crate, ".repeat(30))]));
    }
    steps
}

#[test]
fn the_only_words_of_a_person_stay_in_front_of_a_long_row_of_tool_steps() {
    in_all_formats(&one_question(20), |before, way| {
        let first = &way.after.transcript().turns()[0];
        let words = before.transcript().turns()[0].content();
        assert!(first.role() == Role::User && first.content().starts_with(&**words), "{}", way.note);
        let names: Vec<&str> = way.after.lint().iter().map(|found| found.rule.name).collect();
        assert!(!names.contains(&"first_not_user"), "{}: {names:?}", way.note);
    });
}

#[test]
fn a_person_is_told_from_a_carrier_of_results_so_no_more_goes_than_must() {
    let mut steps = Vec::new();
    for round in 0..8 {
        steps.push(user(&format!("question {round}")));
        for call in 0..6 {
            let id = format!("c{round}_{call}");
            steps.push(calls(&[&id]));
            steps.push(Step::Results(vec![(id, "crate, ".repeat(30))]));
        }
        steps.push(says("counted"));
    }
    for format in crate::spell::formats() {
        let session = read(format, &crate::spell::spelled(format, &steps));
        let all = session.transcript().token_estimate();
        let largest = 200;
        for share in 2..8 {
            let max = all * share / 8;
            let plan = DropOldestPolicy::new().decide(session.transcript(), &budget(max)).unwrap();
            let left = plan.tokens_after_estimate();
            assert!(left <= max && left + largest >= max, "{} {share}/8: {left} of {max}", format.name());
        }
    }
}

#[test]
fn no_step_of_two_messages_is_assumed() {
    let steps = [
        user("u"),
        says("one"),
        says("two"),
        calls(&["a"]),
        results(&["a"]),
        says("three"),
        user("v"),
        user("w"),
        calls(&["b", "c"]),
        results(&["b", "c"]),
        says("four"),
    ];
    in_all_formats(&steps, |_, _| {});
}

#[test]
fn the_first_words_of_a_person_are_no_part_of_the_calls_after_them() {
    for text in ["u", "a long question ".repeat(50).as_str()] {
        let mut steps = vec![user(text)];
        steps.extend(one_question(6).into_iter().skip(1));
        in_all_formats(&steps, |before, way| {
            assert!(before.transcript().turns()[0].tool_call_id().is_none());
            let first = &way.after.transcript().turns()[0];
            assert!(first.tool_call_id().is_none() && first.content().starts_with(text), "{}", way.note);
        });
    }
}

#[test]
fn a_message_that_only_thinks_goes_whole_and_an_empty_result_still_answers() {
    let format = format_named("anthropic-messages").unwrap();
    let thinking = json!({"type": "thinking", "thinking": "hm ".repeat(200), "signature": "c2ln"});
    let call = json!({"type": "tool_use", "id": "a", "name": "look", "input": {}});
    let messages = json!([
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": [thinking]},
        {"role": "user", "content": "go on"},
        {"role": "assistant", "content": [thinking, call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": ""}]},
        {"role": "assistant", "content": "done"},
        {"role": "user", "content": "thanks"},
    ]);
    let session = read(format, &json!({"max_tokens": 9, "tools": [], "messages": messages}).to_string());
    assert_eq!(refused(&session), [""; 0]);
    for way in ways(&session) {
        assert_eq!(refused(&way.after), [""; 0], "{}\n{}", way.note, way.after.text());
    }
}

#[test]
fn white_space_counts_as_nothing() {
    let format = format_named("anthropic-messages").unwrap();
    for blank in ["", " ", "\n\n", "\t \u{a0}"] {
        let call = json!({"type": "tool_use", "id": "a", "name": "look", "input": {}});
        let messages = json!([
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": [{"type": "text", "text": blank}, call]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "r ".repeat(99)}]},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "thanks"},
        ]);
        let session = read(format, &json!({"max_tokens": 9, "tools": [], "messages": messages}).to_string());
        assert_eq!(refused(&session), ["blank_text"]);
        assert!(!ways(&session).is_empty());
    }
}
