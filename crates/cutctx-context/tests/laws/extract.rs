//! The extractive compactor always makes progress, and keeps to its budget.

use cutctx_context::{CompactionRequest, ExtractiveCompactor};
use cutctx_messages::SpokenText;
use cutctx_types::{CharRatioEstimator, Role, TokenEstimator};
use proptest::prelude::*;

use crate::sessions::{events, messages, round, says, session};

fn tokens(text: &str) -> u64 {
    CharRatioEstimator::default().estimate(text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_summary_covers_everything_within_its_budget(events in events(40), budget in 16..400_u64, existing in proptest::option::of("[a-z\n ]{0,400}x")) {
        let messages = messages(&events);
        let count = messages.len();
        let mut request = CompactionRequest::new(session(), messages);
        request.existing_summary = existing.map(|text| SpokenText::new(text).unwrap());
        let compactor = ExtractiveCompactor::new(budget).unwrap();
        let result = compactor.compact(&request).unwrap();
        prop_assert_eq!(result.covered_message_count, count);
        prop_assert!(!result.is_progress_exhausted());
        prop_assert!(tokens(&result.summary) <= budget, "{} > {budget}", tokens(&result.summary));
        prop_assert_eq!(result.represented_existing_summary_sha256.is_some(), request.existing_summary.is_some());
        prop_assert_eq!(compactor.compact(&request).unwrap(), result);
    }

    #[test]
    fn a_tiny_budget_of_the_request_is_kept_to_as_well(events in events(12), budget in 1..16_u64) {
        let request = CompactionRequest::new(session(), messages(&events)).with_summary_token_budget(budget);
        let result = ExtractiveCompactor::default().compact(&request).unwrap();
        prop_assert!(tokens(&result.summary) <= budget);
    }
}

#[test]
fn summaries_of_summaries_do_not_grow_and_count_what_they_leave_out() {
    let compactor = ExtractiveCompactor::new(120).unwrap();
    let mut existing: Option<SpokenText> = None;
    for pass in 0..50 {
        let mut messages = vec![says(Role::User, &format!("request {pass}"))];
        messages.extend(round(pass, &["line\n".repeat(400).as_str()]));
        let mut request = CompactionRequest::new(session(), messages);
        request.existing_summary = existing;
        let result = compactor.compact(&request).unwrap();
        assert!(tokens(&result.summary) <= 120, "pass {pass}");
        assert!(result.summary.contains(&format!("request {pass}")), "{}", &*result.summary);
        existing = Some(result.summary);
    }
    let summary = existing.unwrap();
    assert!(summary.starts_with('('), "{}", &*summary);
    let left_out: usize = summary.split(' ').next().unwrap().trim_start_matches('(').parse().unwrap();
    let lines = summary.lines().count().saturating_sub(1);
    assert_eq!(left_out.saturating_add(lines), 150, "every line is there or counted");
}

#[test]
fn what_was_asked_outlives_what_a_tool_gave() {
    let mut messages = vec![says(Role::User, "never touch the north gate")];
    for id in 0..40 {
        messages.extend(round(id, &["x ".repeat(2_000).as_str()]));
    }
    messages.push(says(Role::Assistant, "the south side is painted"));
    let request = CompactionRequest::new(session(), messages);
    let summary = ExtractiveCompactor::new(200).unwrap().compact(&request).unwrap().summary;
    assert!(summary.contains("asked: never touch the north gate"), "{}", &*summary);
    assert!(summary.contains("said: the south side is painted"), "{}", &*summary);
    assert!(summary.contains("called: read"), "{}", &*summary);
}

#[test]
fn a_failure_is_kept_longer_than_a_result() {
    let mut messages = Vec::new();
    for id in 0..30 {
        messages.extend(round(id, &["fine ".repeat(60).as_str()]));
    }
    let [call, result] = round(99, &["no such file"]);
    let failed = serde_json::to_string(&result).unwrap().replace("\"is_error\":false", "\"is_error\":true");
    messages.extend([call, serde_json::from_str(&failed).unwrap()]);
    let request = CompactionRequest::new(session(), messages);
    let summary = ExtractiveCompactor::new(100).unwrap().compact(&request).unwrap().summary;
    assert!(summary.contains("failed: read no such file"), "{}", &*summary);
}
