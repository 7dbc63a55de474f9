//! Calls and results: every position of a conversation, in every format.

use crate::spell::{Step, calls, dialect, formats, names, results, says, spelled, user};
use cutctx_formats::Dialect;

/// The rules about pairs.
const PAIRING: [&str; 6] = [
    "call_in_flight",
    "orphan_result",
    "repeated_call_id",
    "repeated_result",
    "split_results",
    "unanswered_call",
];

/// Rounds of one, two and three parallel calls.
fn rounds() -> Vec<Step> {
    vec![
        user("what is there?"),
        calls(&["a"]),
        results(&["a"]),
        calls(&["b", "c"]),
        results(&["b", "c"]),
        says("so far so good"),
        user("go on"),
        calls(&["d", "e", "f"]),
        results(&["d", "e", "f"]),
        says("done"),
    ]
}

/// Checks a conversation in all formats against what is expected of the rules about pairs.
fn check(steps: &[Step], expected: impl Fn(Dialect) -> Vec<&'static str>, note: &str) {
    for format in formats() {
        let document = spelled(format, steps);
        let mut found = names(format, &document);
        found.retain(|name| PAIRING.contains(name));
        assert_eq!(found, expected(dialect(format)), "{} {note}\n{document}", format.name());
    }
}

/// The places of all results: the step and the place in it.
fn places() -> Vec<(usize, usize)> {
    let steps = rounds();
    let results = steps.iter().enumerate().filter_map(|(step, one)| match one {
        Step::Results(results) => Some((step, results.len())),
        Step::User(_) | Step::Model(_) => None,
    });
    results.flat_map(|(step, count)| (0..count).map(move |place| (step, place))).collect()
}

fn results_of(steps: &mut [Step], step: usize) -> &mut Vec<(String, String)> {
    let Step::Results(results) = &mut steps[step] else { panic!("no results") };
    results
}

#[test]
fn a_whole_conversation_breaks_no_rule() {
    check(&rounds(), |_| vec![], "whole");
    for format in formats() {
        assert_eq!(names(format, &spelled(format, &rounds())), Vec::<&str>::new(), "{}", format.name());
    }
}

#[test]
fn a_missing_result_is_found_at_every_place() {
    for (step, place) in places() {
        let mut steps = rounds();
        results_of(&mut steps, step).remove(place);
        if results_of(&mut steps, step).is_empty() {
            steps.remove(step);
        }
        check(&steps, |_| vec!["unanswered_call"], &format!("without result {place} of step {step}"));
    }
}

#[test]
fn a_missing_call_is_found_at_every_place() {
    for (step, place) in places() {
        let mut steps = rounds();
        let Step::Model(model) = &mut steps[step - 1] else { panic!() };
        model.calls.remove(place);
        check(&steps, |_| vec!["orphan_result"], &format!("without call {place} of step {}", step - 1));
    }
}

#[test]
fn a_result_that_comes_twice_is_found_at_every_place() {
    for (step, place) in places() {
        let mut steps = rounds();
        let results = results_of(&mut steps, step);
        results.insert(place, results[place].clone());
        let expected =
            |dialect| vec![if dialect == Dialect::Gemini { "orphan_result" } else { "repeated_result" }];
        check(&steps, expected, &format!("result {place} of step {step} twice"));
    }
}

#[test]
fn results_come_in_any_order() {
    let mut steps = rounds();
    for step in [4, 8] {
        results_of(&mut steps, step).reverse();
    }
    check(&steps, |_| vec![], "reversed");
}

#[test]
fn a_result_far_from_its_call_is_an_orphan_where_it_must_follow() {
    for (step, place) in places() {
        let mut steps = rounds();
        let moved = results_of(&mut steps, step).remove(place);
        if results_of(&mut steps, step).is_empty() {
            steps.remove(step);
        }
        steps.push(user("and?"));
        steps.push(says("nothing"));
        steps.push(Step::Results(vec![moved]));
        let expected = |dialect| {
            let anywhere = matches!(dialect, Dialect::OpenAiResponses | Dialect::Free);
            if anywhere { vec![] } else { vec!["orphan_result", "unanswered_call"] }
        };
        check(&steps, expected, &format!("result {place} of step {step} at the end"));
    }
}

#[test]
fn a_result_before_its_call_is_an_orphan_everywhere() {
    let steps = [user("u"), results(&["a"]), calls(&["a"])];
    check(&steps, |_| vec!["call_in_flight", "orphan_result"], "result first");
}

#[test]
fn a_call_at_the_end_is_open() {
    for ids in [&["a"][..], &["a", "b"], &["a", "b", "c"]] {
        let steps = [user("u"), calls(ids)];
        check(&steps, |_| vec!["call_in_flight"; ids.len()], "open at the end");
    }
}

#[test]
fn results_of_one_batch_in_several_messages_are_split() {
    let steps =
        [user("u"), calls(&["a", "b", "c"]), results(&["a"]), results(&["b"]), results(&["c"]), says("x")];
    let expected = |dialect| {
        let joins = matches!(dialect, Dialect::Anthropic | Dialect::Bedrock | Dialect::Gemini);
        if joins { vec!["split_results"; 2] } else { vec![] }
    };
    for format in formats().into_iter().filter(|format| format.name() != "claude-code") {
        let mut found = names(format, &spelled(format, &steps));
        found.retain(|name| PAIRING.contains(name));
        assert_eq!(found, expected(dialect(format)), "{}", format.name());
    }
}

#[test]
fn parallel_calls_in_messages_of_their_own_are_no_batch() {
    let steps = [user("u"), calls(&["a"]), calls(&["b"]), results(&["a", "b"]), says("x")];
    let expected = |dialect| {
        let one_message = dialect == Dialect::OpenAiChat;
        if one_message { vec!["orphan_result", "unanswered_call"] } else { vec![] }
    };
    check(&steps, expected, "split calls");
}

#[test]
fn two_calls_of_one_id_are_told_apart_by_place_or_found() {
    let twice = [user("u"), calls(&["a", "a"]), results(&["a", "a"]), says("x")];
    let expected = |dialect| {
        if matches!(dialect, Dialect::OpenAiChat | Dialect::Anthropic | Dialect::Bedrock) {
            vec!["repeated_call_id", "repeated_result"]
        } else if dialect == Dialect::OpenAiResponses {
            vec!["repeated_call_id"]
        } else {
            vec![]
        }
    };
    check(&twice, expected, "two calls of one id in a message");
    let again = [user("u"), calls(&["a"]), results(&["a"]), calls(&["a"]), results(&["a"]), says("x")];
    let expected = |dialect| if dialect == Dialect::Anthropic { vec!["repeated_call_id"] } else { vec![] };
    check(&again, expected, "an id that comes again later");
}

#[test]
fn a_violation_names_its_call_and_its_line() {
    let format = cutctx_formats::format_named("claude-code").unwrap();
    let found = crate::spell::lint(format, &spelled(format, &[user("u"), calls(&["a"]), user("v")]));
    let [only] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((only.line, only.record, only.call_id.as_deref()), (2, 1, Some("a")));
}
