//! Going back, seeing what was done, and keeping what somebody wanted kept.

use crate::spell::{Step, calls, formats, lint, results, says, spelled, user};
use crate::ways::{budget, decide, in_all_formats, read, summaries};
use cutctx::formats::{OpenOptions, ReadRequest, Session, Severity, format_named};
use cutctx::session::{pinned, render};
use cutctx::{CompactionPolicy, DropOldestPolicy, Fate, Role, SummarizingPolicy};

fn rounds() -> Vec<Step> {
    let mut steps = vec![user("count")];
    for round in 0..5 {
        let id = format!("c{round}");
        steps.push(calls(&[&id]));
        steps.push(Step::Results(vec![(id, format!("result {round}: {}", "crate, ".repeat(40)))]));
        steps.push(says("I see"));
        steps.push(user(&format!("request {round}")));
    }
    steps
}

#[test]
fn a_session_that_was_replayed_behind_a_marker_is_read_once_and_reported() {
    let format = format_named("claude-code").unwrap();
    let history = spelled(format, &rounds());
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"k","parentUuid":null,"logicalParentUuid":"u20","compactMetadata":{"trigger":"manual","preTokens":9}}"#;
    let summary = r#"{"type":"user","uuid":"k1","parentUuid":"k","isCompactSummary":true,"message":{"role":"user","content":"What came before."}}"#;
    let answer = r#"{"type":"assistant","uuid":"k2","parentUuid":"k1","message":{"id":"m_k","role":"assistant","content":[{"type":"text","text":"Understood."}]}}"#;
    let once = format!("{history}{boundary}\n{summary}\n{answer}\n");
    let session = read(format, &once);
    assert_eq!(session.transcript().len(), 2, "the marker ends what is context");
    assert!(session.lint().is_empty(), "{:?}", session.lint());

    let replayed = format!("{history}{boundary}\n{history}{summary}\n{answer}\n");
    let session = read(format, &replayed);
    assert_eq!(session.transcript().len(), 2);
    let found = session.lint();
    let copies = found.iter().filter(|found| found.rule.name == "replayed_record").count();
    assert_eq!(copies, history.lines().count(), "{found:?}");
    assert!(found.iter().all(|found| found.rule.severity == Severity::Repaired));
}

#[test]
fn an_open_call_before_a_marker_is_nobodys_business() {
    let format = format_named("claude-code").unwrap();
    let history = spelled(format, &[user("u"), calls(&["left"]), user("v")]);
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"k","parentUuid":null,"compactMetadata":{"trigger":"auto","preTokens":9}}"#;
    let summary = r#"{"type":"user","uuid":"k1","parentUuid":"k","isCompactSummary":true,"message":{"role":"user","content":"What came before."}}"#;
    assert!(!lint(format, &history).is_empty());
    assert!(lint(format, &format!("{history}{boundary}\n{summary}\n")).is_empty());
}

#[test]
fn the_plan_and_the_original_give_the_view_and_without_the_plan_all_is_there() {
    in_all_formats(&rounds(), |before, way| {
        let again = render(before, &way.plan, &summaries(&way.plan, "What came before.")).unwrap().to_text();
        assert_eq!(again, way.after.text(), "{}", way.note);
        let kept = vec![Fate::Kept; before.transcript().len()];
        assert_eq!(before.render(&kept, &[]).unwrap().to_text(), before.text());
    });
}

#[test]
fn calls_that_are_kept_are_kept_with_all_that_they_say() {
    in_all_formats(&rounds(), |before, way| {
        let fates = cutctx::exec::fates_with_appended(&way.plan, 0);
        let kept =
            before.transcript().turns().iter().zip(&fates).filter(|(_, fate)| matches!(fate, Fate::Kept));
        let mut rest = way.after.transcript().turns().iter();
        for (turn, _) in kept.filter(|(turn, _)| turn.role() == Role::Assistant) {
            assert!(rest.any(|found| found.content() == turn.content()), "{}", way.note);
        }
    });
}

#[test]
fn the_newest_request_stands_last_in_its_own_words_and_no_summary_comes_after_it() {
    in_all_formats(&rounds(), |_, way| {
        let last = way.after.transcript().turns().last().unwrap();
        // Where roles must alternate, neighbours are joined into one message.
        assert!(last.role() == Role::User && last.content().ends_with("request 4"), "{}", way.note);
    });
}

#[test]
fn what_is_pinned_stays_in_every_pass_also_an_orphan() {
    let mut steps = rounds();
    steps.insert(3, results(&["gone"]));
    for format in formats() {
        let mut text = spelled(format, &steps);
        for share in [5, 3, 1] {
            let session = read(format, &text);
            let wanted = |content: &str| content.contains("what gone found") || content.contains("result 1:");
            let transcript = pinned(session.transcript(), |turn| wanted(turn.content())).unwrap();
            let max = transcript.token_estimate() * share / 8;
            let policy = DropOldestPolicy::new();
            let plan = match policy.decide(&transcript, &budget(max)) {
                Err(cutctx::PolicyError::Unsatisfiable(error)) => {
                    policy.decide(&transcript, &budget(error.floor.total())).unwrap()
                }
                plan => plan.unwrap(),
            };
            text = render(&session, &plan, &summaries(&plan, "")).unwrap().to_text();
            assert!(
                text.contains("what gone found") && text.contains("result 1:"),
                "{} {share}/8",
                format.name()
            );
        }
    }
}

#[test]
fn a_summary_stands_where_what_it_stands_for_stood() {
    for format in formats() {
        let session = read(format, &spelled(format, &rounds()));
        let plan = decide(
            &session,
            &SummarizingPolicy::new("p").unwrap(),
            session.transcript().token_estimate() / 2,
        );
        assert!(!plan.summarization_requests().is_empty(), "{}", format.name());
        let after =
            read(format, &render(&session, &plan, &summaries(&plan, "What came before.")).unwrap().to_text());
        let said: Vec<&str> = after.transcript().turns().iter().map(|turn| &**turn.content()).collect();
        let said = said.concat();
        let (summary, newest) = (said.find("What came before."), said.find("request 4"));
        assert!(summary.is_some() && summary < newest, "{}: {said}", format.name());
    }
}

#[test]
fn the_only_copy_of_a_session_is_never_written_over() {
    // What is read is not what is written: rendering leaves the session as it is, and a file that it was opened from is
    // not opened for writing. The command writes elsewhere unless it is told otherwise, and keeps a backup then.
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    for format in formats() {
        let path = folder.join(format.name());
        let text = spelled(format, &rounds());
        std::fs::write(&path, &text).unwrap();
        let opened = std::fs::File::open(&path).unwrap();
        let estimator = cutctx::CharRatioEstimator::default();
        let options = OpenOptions::default().with_small_bytes(0);
        let session = Session::open(Some(format), opened, &ReadRequest::new(&estimator), &options).unwrap();
        let plan = decide(&session, &DropOldestPolicy::new(), session.transcript().token_estimate() / 3);
        let rendered = render(&session, &plan, &summaries(&plan, "")).unwrap();
        assert!(!rendered.is_unchanged(), "{}", format.name());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::remove_file(&path).unwrap();
    }
}
