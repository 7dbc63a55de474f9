//! What compactions leave in files: it is replaced, not piled up, and what other tools left stays.

use crate::loops::policies;
use crate::spell::{Step, calls, formats, lint, says, spelled, user, written_lines};
use crate::ways::{budget, read, summaries};
use cutctx::formats::Format;
use cutctx::policies::RollingSummaryPolicy;
use cutctx::session::render;
use cutctx::{CompactionPolicy, Summaries, recommended};
use serde_json::{Value, json};

/// A document with what was said since. `pass` makes ids new.
fn appended(format: &'static dyn Format, document: &str, steps: &[Step], pass: usize) -> String {
    let since = spelled(format, steps);
    match format.name() {
        "codex-rollout" => since.lines().skip(1).fold(document.to_owned(), |all, line| all + line + "\n"),
        "claude-code" => {
            let last: Value = serde_json::from_str(document.lines().last().unwrap()).unwrap();
            let since =
                since.replace("\"u", &format!("\"p{pass}u")).replace("\"msg_", &format!("\"m{pass}_"));
            let since = since
                .replace(&format!("\"p{pass}user\""), "\"user\"")
                .replace(&format!("\"p{pass}uuid\""), "\"uuid\"");
            document.to_owned()
                + &since.replacen("\"parentUuid\":null", &format!("\"parentUuid\":{}", last["uuid"]), 1)
        }
        _ => {
            let [mut document, mut since] =
                [document, &since].map(|text| serde_json::from_str::<Value>(text).unwrap());
            let list = |document: &mut Value| -> Vec<Value> {
                let keys = ["messages", "input", "contents"];
                let key = keys.into_iter().find(|key| document.get(key).is_some());
                let list = match key {
                    Some(key) => &mut document[key],
                    None => document,
                };
                core::mem::take(list.as_array_mut().unwrap())
            };
            let mut all = list(&mut document);
            all.append(&mut list(&mut since));
            match ["messages", "input", "contents"].into_iter().find(|key| document.get(key).is_some()) {
                Some(key) => document[key] = all.into(),
                None => document = all.into(),
            }
            document.to_string()
        }
    }
}

/// An emergency pass, time and again: there is one summary, however many passes there were.
#[test]
fn passes_over_a_file_replace_the_summary_that_the_last_one_left() {
    for format in formats() {
        let mut text = spelled(format, &[user("count")]);
        for pass in 0..6 {
            let mut steps = vec![says("I begin")];
            for n in 0..8 {
                let id = format!("c{pass}_{n}");
                steps.extend([calls(&[&id]), Step::Results(vec![(id, "crate, ".repeat(60))])]);
            }
            steps.extend([says("I see"), user(&format!("request {pass}"))]);
            let session = read(format, &appended(format, &text, &steps, pass));
            let policy = RollingSummaryPolicy::new("p").unwrap().with_min_span_turns(1).unwrap();
            let max = session.transcript().token_estimate() / 2;
            let plan = policy.decide(session.transcript(), &budget(max)).unwrap();
            assert_eq!(plan.summarization_requests().len(), 1, "{} {pass}", format.name());
            let summary = format!("What came before pass {pass}.");
            let group = plan.summarization_requests()[0].group_id().clone();
            text =
                render(&session, &plan, &Summaries::none().with(group, summary.as_str())).unwrap().to_text();
            assert_eq!(text.matches("What came before pass").count(), 1, "{} {pass}", format.name());
            assert!(text.contains(&summary) && lint(format, &text).is_empty(), "{} {pass}", format.name());
        }
    }
}

/// What another tool writes when it compacts a session, behind all that was said; `parent` is the last record's id.
fn foreign_marker(format: &'static dyn Format, parent: &str, pass: usize) -> String {
    let says = format!("What the host says came before {pass}.");
    let lines = match format.name() {
        "claude-code" => vec![
            json!({"type": "system", "subtype": "compact_boundary", "uuid": format!("k{pass}"), "parentUuid": null,
                "logicalParentUuid": parent, "compactMetadata": {"trigger": "auto", "preTokens": 9}}),
            json!({"type": "user", "uuid": format!("s{pass}"), "parentUuid": format!("k{pass}"), "isCompactSummary": true,
                "message": {"role": "user", "content": says}}),
        ],
        _ => {
            vec![json!({"timestamp": "2026-01-01T00:00:00Z", "type": "compacted", "payload": {"message": "",
            "replacement_history": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": says}]}]}})]
        }
    };
    written_lines(&lines)
}

/// Two compactors of one session: what the other one wrote stays to the byte, with all that stands before it, and its
/// summary is what the session begins with.
#[test]
fn a_loop_whose_host_compacts_too_keeps_the_hosts_markers_and_goes_on_from_them() {
    for format in
        formats().into_iter().filter(|format| matches!(format.name(), "claude-code" | "codex-rollout"))
    {
        let mut text = spelled(format, &[user("count")]);
        for pass in 0..8 {
            let mut steps = vec![says("I begin")];
            for n in 0..10 {
                let id = format!("c{pass}_{n}");
                steps.extend([
                    calls(&[&id]),
                    Step::Results(vec![(id, format!("{n} {}", "crate, ".repeat(60)))]),
                ]);
            }
            steps.extend([says("I see"), user(&format!("request {pass}"))]);
            if pass % 3 == 1 {
                let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
                text += &foreign_marker(format, last["uuid"].as_str().unwrap_or_default(), pass);
            }
            text = appended(format, &text, &steps, pass);
            let session = read(format, &text);
            let markers = session.inventory().unwrap().markers;
            assert_eq!(markers.len(), usize::from(pass > 0), "{} {pass}", format.name());
            let budget = budget(session.transcript().token_estimate() * 2 / 3);
            for policy in policies() {
                let note = format!("{} {pass} {}", format.name(), policy.name());
                let plan = policy.decide(session.transcript(), &budget).unwrap();
                let written =
                    render(&session, &plan, &summaries(&plan, "What came before.")).unwrap().to_text();
                let again = read(format, &written);
                assert_eq!(again.inventory().unwrap().markers.len(), markers.len(), "{note}");
                let kept = markers.last().map_or(0, |marker| marker.offset);
                assert_eq!(written.get(..kept), text.get(..kept), "{note}");
                assert!(lint(format, &written).is_empty(), "{note}");
            }
            let plan = recommended().decide(session.transcript(), &budget).unwrap();
            text = render(&session, &plan, &Summaries::none()).unwrap().to_text();
            let again = read(format, &text);
            assert!(again.transcript().token_estimate() <= budget.max_tokens(), "{} {pass}", format.name());
            let settled = recommended().decide(again.transcript(), &budget).unwrap();
            assert_eq!(settled.first_changed_position(), None, "{} {pass}", format.name());
            if let Some(newest) = (1..=pass).rev().find(|pass| pass % 3 == 1) {
                let first = again.transcript().turns()[0].content();
                assert_eq!(**first, format!("What the host says came before {newest}."), "{}", format.name());
            }
        }
    }
}
