//! What holds for every conversion of every conversation.

use crate::spell::{Model, Step, formats, spelled};
use core::cell::RefCell;
use cutctx_formats::convert::{Target, convert};
use cutctx_formats::{Format, Observer, ReadRequest, Seen, Session, Severity, format_named};
use cutctx_messages::PartView;
use cutctx_types::CharRatioEstimator;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn read(format: &'static dyn Format, text: &str) -> Session {
    Session::read_as(format, text, &CharRatioEstimator::default())
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", format.name()))
}

/// Converts to every target whose format can be read and checks that the provider would take it.
fn to_all(session: &Session) -> Vec<(Target, String)> {
    let mut all = Vec::new();
    for target in Target::ALL {
        let converted = session.convert(target).unwrap();
        serde_json::from_str::<serde_json::Value>(&converted.text).unwrap();
        let Some(format) = format_named(target.name()) else {
            println!("SKIPPED: there is no format {}", target.name());
            continue;
        };
        if session.transcript().turns().is_empty() {
            continue;
        }
        let read = read(format, &converted.text);
        let mut found = read.lint();
        found.retain(|violation| violation.rule.severity > Severity::Advice);
        assert!(
            found.is_empty(),
            "{} to {}: {:?}\n{:.4000}\n{:.4000}",
            session.format().name(),
            target.name(),
            found,
            session.text(),
            converted.text
        );
        all.push((target, converted.text));
    }
    all
}

/// Texts, calls and results, in order.
#[derive(Debug, PartialEq, Eq, Clone)]
enum Said {
    Text(String),
    Call(String, String, serde_json::Value),
    Result(String, String),
}

#[derive(Default)]
struct Heard(RefCell<Vec<Said>>);

impl Observer for Heard {
    fn message(&self, seen: &Seen<'_>) {
        self.0.borrow_mut().extend(seen.message.parts.iter().filter_map(said_by));
    }
}

fn said_by(part: &PartView<'_>) -> Option<Said> {
    if let PartView::Text(text) = part {
        return Some(Said::Text(text.to_string()));
    }
    if let PartView::ToolCall(call) = part {
        let arguments = serde_json::from_str(&call.arguments).unwrap_or(serde_json::Value::Null);
        return Some(Said::Call(call.call_id.to_string(), call.name.to_string(), arguments));
    }
    let PartView::ToolResult(result) = part else { return None };
    let texts = result.parts.iter().filter_map(|part| {
        let PartView::Text(text) = part else { return None };
        Some(text.as_ref())
    });
    Some(Said::Result(result.call_id.to_string(), texts.collect()))
}

fn said(format: &'static dyn Format, text: &str) -> Vec<Said> {
    let heard = Heard::default();
    let estimator = CharRatioEstimator::default();
    let request = ReadRequest::new(&estimator).observed_by(&heard);
    Session::read_with(Some(format), text, &request).unwrap();
    heard.0.into_inner()
}

type Round = (usize, bool, bool, bool);

/// A valid conversation.
fn conversation(rounds: &[Round]) -> Vec<Step> {
    let mut steps = vec![Step::User("what is there?".to_owned())];
    for (number, (count, thinks, speaks, asked)) in rounds.iter().enumerate() {
        let calls: Vec<_> =
            (0..*count).map(|call| (format!("c_{number}_{call}"), format!("{{\"n\":{call}}}"))).collect();
        let results: Vec<_> = calls.iter().map(|(id, _)| (id.clone(), format!("{id} found"))).collect();
        let text = (*speaks || calls.is_empty()).then(|| format!("I look {number}."));
        steps.push(Step::Model(Model { thinks: *thinks, text, calls }));
        if results.is_empty() || *asked {
            if !results.is_empty() {
                steps.push(Step::Results(results));
                steps.push(Step::Model(Model { text: Some("found".to_owned()), ..Model::default() }));
            }
            steps.push(Step::User("and then?".to_owned()));
        } else {
            steps.push(Step::Results(results));
        }
    }
    steps.push(Step::Model(Model { text: Some("done".to_owned()), ..Model::default() }));
    steps
}

fn broken_step() -> impl Strategy<Value = Step> {
    let text = || prop_oneof![3 => "[a-z]{1,4}", 1 => Just(" ".to_owned()), 1 => Just("end ".to_owned())];
    let id = || prop_oneof![4 => "c[1-3]", 1 => Just("c 1".to_owned())];
    let arguments = prop_oneof![3 => Just("{\"n\":1}".to_owned()), 1 => Just("[1]".to_owned()), 1 => Just("{\"n".to_owned())];
    prop_oneof![
        text().prop_map(Step::User),
        (proptest::option::of(text()), proptest::collection::vec((id(), arguments), 0..3))
            .prop_filter("says something", |(text, calls)| text.is_some() || !calls.is_empty())
            .prop_map(|(text, calls)| Step::Model(Model { thinks: false, text, calls })),
        proptest::collection::vec((id(), prop_oneof!["[a-z]{1,4}", Just(String::new())]), 1..4)
            .prop_map(Step::Results),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_and_back_keeps_what_is_said(
        rounds in proptest::collection::vec((0_usize..4, any::<bool>(), any::<bool>(), any::<bool>()), 0..6),
    ) {
        let steps = conversation(&rounds);
        for format in formats() {
            let text = spelled(format, &steps);
            let session = read(format, &text);
            let before = said(format, &text);
            let Some(back) = Target::named(format.name()) else { to_all(&session); continue };
            for (target, there) in to_all(&session) {
                let there_format = format_named(target.name()).unwrap();
                prop_assert_eq!(&said(there_format, &there), &before, "{} to {}", format.name(), target.name());
                let back = read(there_format, &there).convert(back).unwrap();
                prop_assert_eq!(&said(format, &back.text), &before, "{} to {} and back", format.name(), target.name());
            }
        }
    }

    #[test]
    fn anything_becomes_something_valid(steps in proptest::collection::vec(broken_step(), 1..9)) {
        for format in formats() {
            if steps.iter().any(|step| matches!(step, Step::User(text) if !text.trim().is_empty())) {
                to_all(&read(format, &spelled(format, &steps)));
            }
        }
    }
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files(&entry, all);
        } else if entry.metadata().is_ok_and(|metadata| metadata.len() < 4 << 20) {
            all.push(entry);
        }
    }
}

#[test]
fn real_sessions_become_something_valid() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    let mut all = Vec::new();
    files(&folder, &mut all);
    if all.is_empty() {
        println!("SKIPPED: there is no folder {}", folder.display());
    }
    let mut count = 0;
    for file in all {
        if let Ok(session) = Session::read(fs::read(&file).unwrap(), &CharRatioEstimator::default()) {
            println!("{}", file.display());
            to_all(&session);
            count += 1;
        }
    }
    println!("{count} sessions converted");
}

#[test]
fn nothing_at_all_can_be_converted() {
    for target in Target::ALL {
        assert!(convert(&[], target).losses.is_empty());
    }
}
