//! What holds for every repair of every conversation.

use crate::spell::{Model, Step, formats, spelled};
use cutctx_formats::repair::{Repair, RepairOptions, Unrepairable};
use cutctx_formats::{Format, Session, Severity, Violation};
use cutctx_types::CharRatioEstimator;
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn read(format: &'static dyn Format, text: &str) -> Session {
    Session::read_as(format, text, &CharRatioEstimator::default())
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", format.name()))
}

/// What a repair mends or tells: what a provider would refuse, and calls that still wait where one is sent the file.
fn is_wrong(violation: &Violation) -> bool {
    let waits = violation.rule.name == "call_in_flight" && violation.rule.dialect.as_str() != "session";
    waits || violation.rule.severity == Severity::Refused
}

fn wrong(session: &Session) -> Vec<Violation> {
    session.lint().into_iter().filter(is_wrong).collect()
}

/// Repairs and checks the laws.
pub(crate) fn repaired(format: &'static dyn Format, text: &str, options: &RepairOptions) -> Repair {
    let session = read(format, text);
    let repair = session.repair(options).unwrap();
    let again = read(format, repair.text());
    let violations = wrong(&again);
    assert_eq!(
        violations.len(),
        repair.left().len(),
        "{}: {:?} and {:?} after {:?}\n{text}\n{}",
        format.name(),
        violations,
        repair.left(),
        repair.changes(),
        repair.text()
    );
    for left in repair.left() {
        assert!(is_wrong(&left.violation), "{:?}", left.violation);
    }
    if wrong(&session).is_empty() && format.about().dialect.as_str() != "session" {
        assert!(repair.is_unchanged() && repair.text() == text, "{}: {text}", format.name());
    }
    assert_eq!(repair.is_unchanged(), repair.text() == text, "{:?}", repair.changes());
    let twice = again.repair(options).unwrap();
    assert!(
        twice.is_unchanged() && twice.text() == repair.text(),
        "{}: {:?}\n{text}\n{}\n{}",
        format.name(),
        twice.changes(),
        repair.text(),
        twice.text()
    );
    repair
}

fn id() -> impl Strategy<Value = String> {
    prop_oneof![4 => "c[1-4]", 1 => Just("c 1".to_owned())]
}

fn step() -> impl Strategy<Value = Step> {
    let text = || prop_oneof![4 => "[a-z]{1,4}", 1 => Just(" ".to_owned()), 1 => Just("end ".to_owned())];
    let arguments = prop_oneof![3 => Just("{\"n\":1}".to_owned()), 1 => Just("[1]".to_owned())];
    let calls = proptest::collection::vec((id(), arguments), 0..3);
    let results = proptest::collection::vec((id(), "[a-z]{1,4}"), 1..4);
    prop_oneof![
        2 => text().prop_map(Step::User),
        3 => (proptest::option::of(text()), calls, proptest::bool::weighted(0.2))
            .prop_filter("says something", |(text, calls, _)| text.is_some() || !calls.is_empty())
            .prop_map(|(text, calls, thinks)| Step::Model(Model { thinks, text, calls })),
        3 => results.prop_map(Step::Results),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_conversation_is_repaired_or_told_why_not(steps in proptest::collection::vec(step(), 1..9)) {
        for format in formats() {
            let text = spelled(format, &steps);
            repaired(format, &text, &RepairOptions::new());
            let repair = repaired(format, &text, &RepairOptions::new().closing_open_calls());
            let is_open = |reason| reason == Unrepairable::OpenCall;
            prop_assert!(!repair.left().iter().any(|left| is_open(left.reason)),
                "{}: {:?}\n{text}\n{}", format.name(), repair.left(), repair.text());
        }
    }
}

/// Where data for tests is, if there is any.
pub(crate) fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    std::env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus")
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
fn real_sessions_keep_the_laws() {
    let mut all = Vec::new();
    files(&folder(), &mut all);
    if all.is_empty() {
        println!("SKIPPED: there is no folder {}", folder().display());
    }
    let mut count = 0;
    for file in all {
        let Ok(session) = Session::read(fs::read(&file).unwrap(), &CharRatioEstimator::default()) else {
            continue;
        };
        let (format, text) = (session.format(), session.text().to_owned());
        let repair = repaired(format, &text, &RepairOptions::new());
        if !repair.is_unchanged() || !repair.left().is_empty() {
            println!("{}: {:?} {:?}", file.display(), repair.changes().len(), repair.left().len());
        }
        count += 1;
    }
    println!("{count} sessions repaired");
}
