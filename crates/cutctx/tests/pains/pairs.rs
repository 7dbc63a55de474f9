//! Tool calls and their results.

use crate::spell::{Model, Step, calls, dialect, formats, names, results, says, spelled, user};
use crate::ways::{budget, decide, in_all_formats, read, refused, summaries, ways, ways_of_broken};
use cutctx::formats::{Dialect, format_named};
use cutctx::messages::{CallState, CallView, MessageView, PartView, ResultView, TurnMapper};
use cutctx::session::render;
use cutctx::{
    ApplyError, CharRatioEstimator, CompactionExecutor, CompactionPolicy, DropOldestPolicy, Fate, Role,
    Transcript, TranscriptTurn,
};
use serde_json::json;

/// Rounds of calls with results of some size: a cut may fall anywhere.
fn rounds() -> Vec<Step> {
    let mut steps = vec![user("what is in the harbour?")];
    for round in 0..5_usize {
        let ids: Vec<String> = (0..=round % 3).map(|call| format!("c{round}_{call}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        steps.push(calls(&ids));
        steps.push(long_results(&ids));
        if round == 2 {
            steps.push(says("two ships so far"));
            steps.push(user("and the quay?"));
        }
    }
    steps.push(says("nine crates"));
    steps
}

fn long_results(ids: &[&str]) -> Step {
    Step::Results(
        ids.iter().map(|id| ((*id).to_owned(), format!("{id}: {}", "a crate, ".repeat(40)))).collect(),
    )
}

#[test]
fn half_of_a_pair_is_never_left_behind() {
    in_all_formats(&rounds(), |_, way| assert_eq!(refused(&way.after), [""; 0], "{}", way.note));
}

#[test]
fn a_result_that_a_repair_made_up_counts_as_a_result() {
    for place in 0..4 {
        let mut steps = rounds();
        let results = steps.iter_mut().filter_map(|step| match step {
            Step::Results(results) => Some(results),
            Step::User(_) | Step::Model(_) => None,
        });
        for result in results.skip(place).take(1).flatten() {
            "[not completed]".clone_into(&mut result.1);
        }
        in_all_formats(&steps, |_, way| assert_eq!(refused(&way.after), [""; 0], "{}", way.note));
    }
}

#[test]
fn an_orphan_beside_a_good_pair_is_named_and_does_not_multiply() {
    for place in 1..rounds().len() {
        let mut steps = rounds();
        steps.insert(place, results(&["gone"]));
        for format in formats() {
            let session = read(format, &spelled(format, &steps));
            let found = session.lint();
            assert!(
                found.iter().any(|violation| violation.rule.name == "orphan_result"),
                "{} {place}",
                format.name()
            );
            let orphans = |session: &cutctx::formats::Session| {
                session.lint().iter().filter(|violation| violation.rule.name == "orphan_result").count()
            };
            let all = ways_of_broken(&session);
            assert!(!all.is_empty() && all.iter().all(|way| orphans(&way.after) <= orphans(&session)));
        }
    }
}

#[test]
fn a_call_in_flight_stays_as_it_is() {
    for ids in [&["open"][..], &["open", "too"]] {
        let mut steps = rounds();
        steps.push(user("look again"));
        steps.push(calls(ids));
        in_all_formats(&steps, |before, way| {
            let (last, fates) =
                (before.transcript().len() - 1, cutctx::exec::fates_with_appended(&way.plan, 0));
            assert!(matches!(fates[last], Fate::Kept), "{}", way.note);
            assert_eq!(
                way.after.transcript().turns().last().unwrap().content(),
                before.transcript().turns()[last].content()
            );
        });
    }
}

#[test]
fn long_arguments_leave_with_their_result_or_stay_with_it() {
    let Step::Model(model) = calls(&["big"]) else { panic!() };
    let arguments = json!({"text": "a line of a file\n".repeat(200)}).to_string();
    let big = Step::Model(Model { calls: vec![("big".to_owned(), arguments)], ..model });
    for place in [1, 3, 5] {
        let mut steps = rounds();
        steps.splice(place..place, [big.clone(), results(&["big"])]);
        in_all_formats(&steps, |_, way| {
            assert_eq!(refused(&way.after), [""; 0], "{}", way.note);
            let text = way.after.text();
            let (call, result) = (text.contains("a line of a file"), text.contains("what big found"));
            assert!(call || !result, "{}: the result stays without what was asked", way.note);
        });
    }
}

#[test]
fn a_call_that_was_never_answered_is_reported_and_never_passed_on_silently() {
    for place in [1, 3, 5] {
        let mut steps = rounds();
        steps.splice(place..place, [calls(&["left"]), user("never mind")]);
        for format in formats() {
            let session = read(format, &spelled(format, &steps));
            let names = |session: &cutctx::formats::Session| {
                let found =
                    session.lint().into_iter().filter(|violation| violation.rule.name == "unanswered_call");
                found.count()
            };
            assert_eq!(names(&session), 1, "{}", format.name());
            for way in ways(&session) {
                let stays =
                    way.after.transcript().turns().iter().any(|turn| turn.content().contains("I look."));
                assert!(names(&way.after) <= 1 && (stays || names(&way.after) == 0), "{}", way.note);
            }
        }
    }
}

#[test]
fn a_plan_for_another_transcript_is_refused_and_one_that_goes_on_is_kept_whole() {
    let planned = [user("u"), calls(&["a", "b"]), results(&["a"])];
    let grown = [user("u"), calls(&["a", "b"]), results(&["a", "b"]), says("x")];
    for format in formats() {
        let (before, after) =
            (read(format, &spelled(format, &planned)), read(format, &spelled(format, &grown)));
        let plan = decide(&before, &DropOldestPolicy::new(), 0);
        let applied = CompactionExecutor::new().apply(after.transcript(), &plan, &summaries(&plan, ""));
        if let Ok(applied) = applied {
            assert_eq!(
                applied.account.appended_turn_ids.len(),
                after.transcript().len() - before.transcript().len()
            );
            let written = render(&after, &plan, &summaries(&plan, "")).unwrap().to_text();
            assert_eq!(refused(&read(format, &written)), [""; 0], "{}", format.name());
        }
        let other =
            read(format, &spelled(format, &[user("another"), calls(&["a", "b"]), results(&["a", "b"])]));
        let error =
            CompactionExecutor::new().apply(other.transcript(), &plan, &summaries(&plan, "")).unwrap_err();
        assert!(matches!(error, ApplyError::PlanTranscriptMismatch(_)), "{error}");
    }
}

#[test]
fn a_parallel_batch_is_one_exchange_in_whatever_order_its_results_come() {
    for shift in 0..3 {
        let mut steps = rounds();
        for step in &mut steps {
            if let Step::Results(results) = step {
                let shift = shift % results.len();
                results.rotate_left(shift);
            }
        }
        in_all_formats(&steps, |_, way| assert_eq!(refused(&way.after), [""; 0], "{}", way.note));
    }
}

#[test]
fn a_result_that_comes_twice_is_a_named_defect() {
    let steps = [user("u"), calls(&["a", "b"]), results(&["a", "a", "b"]), says("x"), user("v"), says("y")];
    for format in formats() {
        let session = read(format, &spelled(format, &steps));
        let found = names(format, session.text());
        let name = if dialect(format) == Dialect::Gemini { "orphan_result" } else { "repeated_result" };
        assert_eq!(found, [name], "{}", format.name());
        assert!(!ways(&session).is_empty());
    }
}

/// The turns of a person's question, a call in a state, and a long talk after it.
fn talk_after(call: CallView<'_>, answers: Vec<ResultView<'_>>) -> Vec<TranscriptTurn> {
    let estimator = CharRatioEstimator::default();
    let mut mapper = TurnMapper::new(&estimator);
    let said = |role, text: String| MessageView::new(role, vec![PartView::text(text)]);
    mapper.push(&said(Role::User, "may I?".to_owned())).unwrap();
    mapper.push(&MessageView::new(Role::Assistant, vec![PartView::ToolCall(call)])).unwrap();
    for answer in answers {
        mapper.push(&MessageView::new(Role::Tool, vec![PartView::ToolResult(answer)])).unwrap();
    }
    for number in 0..20 {
        mapper.push(&said(Role::User, format!("a long story, part {number}"))).unwrap();
        mapper.push(&said(Role::Assistant, format!("I see, {number}"))).unwrap();
    }
    mapper.finish().turns
}

#[test]
fn a_call_that_waits_for_a_person_stays_however_old_it_is() {
    for state in [CallState::AwaitingPerson, CallState::Provisional] {
        let turns = talk_after(CallView::new("c", "confirm", "{}").in_state(state), Vec::new());
        stays(&turns, 1);
    }
}

#[test]
fn a_first_word_of_a_tool_at_work_is_no_answer() {
    let first = ResultView::new("c", "pending").provisionally();
    let turns =
        talk_after(CallView::new("c", "build", "{}").in_state(CallState::Provisional), vec![first.clone()]);
    stays(&turns, 1);
    let both = talk_after(CallView::new("c", "build", "{}"), vec![first, ResultView::new("c", "done")]);
    let exchange = both[1].tool_call_id();
    assert!(exchange.is_some() && both[2].tool_call_id() == exchange && both[3].tool_call_id() == exchange);
    assert!(!both[1].pinned(), "it is answered");
}

fn stays(turns: &[TranscriptTurn], place: usize) {
    let transcript = Transcript::new(turns.to_vec()).unwrap();
    let floor = 40;
    let plan = DropOldestPolicy::new().decide(&transcript, &budget(floor)).unwrap();
    let fates = cutctx::exec::fates_with_appended(&plan, 0);
    assert!(matches!(fates[place], Fate::Kept));
    assert!(fates.iter().any(|fate| matches!(fate, Fate::Dropped)), "others went");
}

#[test]
fn planning_is_total_on_malformed_transcripts() {
    let pieces = [
        calls(&["a"]),
        results(&["a"]),
        results(&["z"]),
        calls(&["a"]),
        user("u"),
        says("x"),
        calls(&["b", "b"]),
    ];
    for first in 0..pieces.len() {
        for second in 0..pieces.len() {
            let steps =
                [user("u"), pieces[first].clone(), pieces[second].clone(), results(&["b"]), says("end")];
            for format in formats() {
                let session = read(format, &spelled(format, &steps));
                let all = session.transcript().token_estimate();
                let plan = decide(&session, &DropOldestPolicy::new(), all / 2);
                render(&session, &plan, &summaries(&plan, "")).unwrap();
            }
        }
    }
}

#[test]
fn a_providers_own_tool_keeps_call_and_result_together() {
    let format = format_named("anthropic-messages").unwrap();
    let call =
        |id: &str| json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"q": "tide"}});
    let result = |id: &str| json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []});
    let text = json!({"type": "text", "text": "the tide is high,".repeat(30)});
    let mut messages = Vec::new();
    for round in 0..4 {
        let (one, other) = (format!("s{round}"), format!("t{round}"));
        messages.push(json!({"role": "user", "content": format!("question {round}")}));
        let blocks = json!([text, call(&one), call(&other), result(&other), text, result(&one), text]);
        messages.push(json!({"role": "assistant", "content": blocks}));
    }
    let session = read(format, &json!({"max_tokens": 9, "tools": [], "messages": messages}).to_string());
    assert_eq!(refused(&session), [""; 0]);
    assert!(ways(&session).iter().all(|way| refused(&way.after).is_empty()));
}

#[test]
fn names_of_tools_are_spelled_out_whole_for_whoever_summarizes() {
    let format = format_named("openai-chat").unwrap();
    let document = spelled(format, &rounds()).replace("\"look\"", "\"harbour__NS__look.v2\"");
    let session = read(format, &document);
    let calling = session.transcript().turns().iter().filter(|turn| turn.content().contains("[call "));
    let mut count = 0;
    for turn in calling {
        assert!(turn.content().contains("[call harbour__NS__look.v2 "), "{}", turn.content());
        count += 1;
    }
    assert_eq!(count, 5);
}
