//! Files: damaged ones, those that were compacted before, and what is in them beside the context.

#![expect(clippy::disallowed_types, reason = "that planning takes no long time is what one test is about")]

use crate::spell::{Step, calls, formats, results, says, spelled, user};
use crate::ways::{budget, decide, read, refused, summaries, ways};
use cutctx::formats::salvage::salvage;
use cutctx::formats::{Session, format_named};
use cutctx::session::{compact_session, render};
use cutctx::{
    CharRatioEstimator, CompactionExecutor, CompactionPolicy, DropOldestPolicy, Fate,
    ObservationMaskingPolicy, PlanRecord, Summaries, SummarizingPolicy,
};
use serde_json::{Value, json};

fn lines() -> Vec<String> {
    let format = format_named("claude-code").unwrap();
    let steps = [user("u"), calls(&["a"]), results(&["a"]), says("x"), user("v"), says("y")];
    spelled(format, &steps).lines().map(str::to_owned).collect()
}

/// What can be had of a damaged file, read as a session.
fn recovered(bytes: &[u8]) -> (Session, usize) {
    let salvaged = salvage(bytes);
    let findings = salvaged.findings().len();
    let format = format_named("claude-code").unwrap();
    (Session::read_as(format, salvaged.bytes(), &CharRatioEstimator::default()).unwrap(), findings)
}

#[test]
fn a_damaged_line_anywhere_does_not_end_the_session() {
    let whole = lines();
    for place in 0..whole.len() {
        let half = whole[place].get(..whole[place].len() / 2).unwrap();
        let damaged = [half.as_bytes().to_vec(), vec![0; 300], [half, &whole[place]].concat().into_bytes()];
        for bad in damaged {
            let mut file = Vec::new();
            for line in &whole[..place] {
                file.extend([line.as_bytes(), b"\n"].concat());
            }
            file.extend([&bad[..], b"\n"].concat());
            for line in &whole[place..] {
                file.extend([line.as_bytes(), b"\n"].concat());
            }
            let (session, findings) = recovered(&file);
            assert!(findings > 0, "line {place}");
            assert_eq!(session.transcript().len(), 6, "line {place}");
            assert_eq!(refused(&session), [""; 0]);
        }
    }
}

#[test]
fn a_record_with_raw_line_ends_in_it_is_read_as_one() {
    let file = lines().join("\n").replace("I look.", "I\nlook\n.") + "\n";
    let (session, findings) = recovered(file.as_bytes());
    assert!(findings > 0);
    assert!(session.transcript().turns()[1].content().contains("I\nlook\n."));
}

/// Rounds with results that are worth masking.
fn rounds() -> Vec<Step> {
    let mut steps = vec![user("count")];
    for round in 0..6 {
        let id = format!("c{round}");
        steps.push(calls(&[&id]));
        steps.push(Step::Results(vec![(id, format!("result {round}: {}", "crate, ".repeat(60)))]));
    }
    steps.push(says("done"));
    steps
}

#[test]
fn a_second_pass_goes_on_behind_what_the_first_one_masked() {
    for format in formats() {
        let session = read(format, &spelled(format, &rounds()));
        let all = session.transcript().token_estimate();
        let policy = ObservationMaskingPolicy::new().with_keep_recent_results(0);
        let masks = |text: &str| text.matches("masked by cutctx").count();
        let (mut before, mut text) = (0, session.text().to_owned());
        for share in [7, 5, 3] {
            let again = read(format, &text);
            let plan = decide(&again, &policy, all * share / 8);
            text = render(&again, &plan, &summaries(&plan, "")).unwrap().to_text();
            assert!(masks(&text) > before, "{} {share}/8", format.name());
            before = masks(&text);
        }
    }
}

#[test]
fn a_masked_file_is_smaller_and_not_only_marked() {
    for format in formats() {
        let session = read(format, &spelled(format, &rounds()));
        let policy = ObservationMaskingPolicy::new().with_keep_recent_results(0);
        let plan = decide(&session, &policy, session.transcript().token_estimate() / 4);
        let text = render(&session, &plan, &summaries(&plan, "")).unwrap().to_text();
        assert!(
            text.len() < session.file_bytes() * 3 / 4,
            "{}: {} of {}",
            format.name(),
            text.len(),
            session.file_bytes()
        );
        assert!(!text.contains("result 0: crate"), "{}", format.name());
    }
}

#[test]
fn a_plan_goes_through_a_file_and_decides_the_same() {
    for format in formats() {
        let session = read(format, &spelled(format, &rounds()));
        let max = session.transcript().token_estimate() / 2;
        let plan = decide(&session, &DropOldestPolicy::new(), max);
        let record = PlanRecord::of(&plan, None, "chars/4");
        let stored = serde_json::to_string(&record).unwrap();
        let again = PlanRecord::from_json(&stored).unwrap().check(session.transcript()).unwrap();
        assert_eq!(again.canonical_json(), plan.canonical_json());
    }
}

#[test]
fn nothing_is_needed_but_the_content() {
    // No ids of stored responses, no usage, no time stamps.
    let format = format_named("openai-responses").unwrap();
    let session = read(format, &spelled(format, &rounds()));
    assert!(!session.text().contains("resp_") && !session.text().contains("\"usage\""));
    assert!(ways(&session).iter().any(|way| way.after.file_bytes() < session.file_bytes()));
}

#[test]
fn fields_that_nobody_knows_stay_through_two_passes() {
    let strange = json!({"x-number": 1.50, "x-deep": {"z": [null, "ü"]}, "a": []});
    for name in ["openai-chat", "anthropic-messages", "openai-responses"] {
        let format = format_named(name).unwrap();
        let mut document: Value = serde_json::from_str(&spelled(format, &rounds())).unwrap();
        let key = if name == "openai-responses" { "input" } else { "messages" };
        let list = if document.is_array() { &mut document } else { &mut document[key] };
        for message in list.as_array_mut().unwrap() {
            message["x-strange"] = strange.clone();
        }
        // A spelling that a number loses when it is parsed and written again.
        let text = document.to_string().replace("\"x-number\":1.5}", "\"x-number\":1.50}");
        let marks = |text: &str| text.matches(r#""x-number":1.50"#).count();
        assert!(marks(&text) > 4);
        let mut session = read(format, &text);
        for share in [6, 3] {
            let policy = ObservationMaskingPolicy::new().with_keep_recent_results(0);
            let max = session.transcript().token_estimate() * share / 8;
            let plan = decide(&session, &policy, max);
            let after = render(&session, &plan, &Summaries::none()).unwrap().to_text();
            assert_eq!(marks(&after), marks(&text), "{name}");
            session = read(format, &after);
        }
    }
}

#[test]
fn there_is_nothing_to_be_stuck_in() {
    // The same call twice gives the same; a half that was not applied leaves no trace.
    for format in formats() {
        let session = read(format, &spelled(format, &rounds()));
        let max = session.transcript().token_estimate() / 2;
        let once = decide(&session, &DropOldestPolicy::new(), max);
        let twice = decide(&session, &DropOldestPolicy::new(), max);
        assert_eq!(once.canonical_json(), twice.canonical_json());
        let done = compact_session(&session, &budget(max), &DropOldestPolicy::new(), &Summaries::none());
        assert_eq!(done.unwrap().outcome.plan.plan_hash(), once.plan_hash());
        let kept = vec![Fate::Kept; session.transcript().len()];
        assert!(session.render(&kept, &[]).unwrap().is_unchanged());
        assert!(CompactionExecutor::new().apply(session.transcript(), &once, &Summaries::none()).is_ok());
    }
}

#[test]
fn a_plan_is_made_in_one_go_however_far_the_budget_is() {
    // Ten times the turns take no more than ten times the work and a little: a plan asks its estimator for every text a
    // bounded number of times, also where hardly anything may stay.
    let policies: [&dyn CompactionPolicy; 2] = [&DropOldestPolicy::new(), &ObservationMaskingPolicy::new()];
    for policy in policies {
        let [few, many] = [30, 300].map(|rounds| {
            let session = read(format_named("openai-chat").unwrap(), &long_session(rounds));
            let started = std::time::Instant::now();
            for step in 0..=8 {
                let max = session.transcript().token_estimate() * step / 8;
                let plan = decide(&session, policy, max);
                assert!(plan.summarization_requests().is_empty());
            }
            started.elapsed()
        });
        assert!(
            many < few * 100 + core::time::Duration::from_millis(500),
            "{}: {few:?} {many:?}",
            policy.name()
        );
    }
}

#[test]
fn a_summarizing_plan_asks_for_all_its_summaries_at_once() {
    let session = read(format_named("openai-chat").unwrap(), &long_session(40));
    for step in 0..=8 {
        let max = session.transcript().token_estimate() * step / 8;
        let policy = SummarizingPolicy::new("p").unwrap();
        let plan = decide(&session, &policy, max);
        let first = render(&session, &plan, &summaries(&plan, "What came before.")).unwrap().to_text();
        let after = read(session.format(), &first);
        // Fulfilled once it is done: with summaries of the promised size the same budget wants nothing more.
        let promised = plan.tokens_after_estimate();
        if promised <= max && after.transcript().token_estimate() <= max {
            let again = decide(&after, &policy, max);
            assert!(again.summarization_requests().is_empty(), "{step}/8");
        }
    }
}

fn long_session(rounds: usize) -> String {
    let mut steps = vec![user("count")];
    for round in 0..rounds {
        let id = format!("c{round}");
        steps.push(calls(&[&id]));
        steps.push(Step::Results(vec![(id, format!("result {round}: {}", "crate, ".repeat(60)))]));
        steps.push(user(&format!("request {round}")));
    }
    spelled(format_named("openai-chat").unwrap(), &steps)
}
