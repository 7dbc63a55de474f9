//! Every rule with documents that break it and documents that just do not.

mod anthropic;
mod bedrock;
mod chat;
mod gemini;
mod responses;
mod stored;

use crate::spell::{lint, names, written_lines};
use alloc::collections::BTreeSet;
use cutctx_formats::{Format, format_named, rules};
use serde_json::{Value, json};

/// A rule, and what follows a change of a sound document.
struct Case {
    format: &'static str,
    rule: &'static str,
    broken: Value,
    sound: Value,
}

fn case(format: &'static str, rule: &'static str, broken: Value, sound: Value) -> Case {
    Case { format, rule, broken, sound }
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn model(content: &Value) -> Value {
    json!({"role": "assistant", "content": content})
}

fn cases() -> Vec<Case> {
    let cases = [
        chat::cases(),
        responses::cases(),
        anthropic::cases(),
        bedrock::cases(),
        gemini::cases(),
        stored::cases(),
    ];
    cases.into_iter().flatten().collect()
}

/// Lines where the format has lines.
fn written(format: &dyn Format, document: &Value) -> String {
    if matches!(format.name(), "codex-rollout" | "claude-code") {
        written_lines(document.as_array().unwrap())
    } else {
        document.to_string()
    }
}

#[test]
fn every_rule_is_broken_by_its_documents_and_kept_by_their_neighbours() {
    for Case { format, rule, broken, sound } in cases() {
        let Some(format) = format_named(format) else {
            println!("SKIPPED: there is no format {format}");
            continue;
        };
        let found = names(format, &written(format, &broken));
        assert!(found.contains(&rule), "{}: {rule} is not among {found:?}: {broken}", format.name());
        let found = names(format, &written(format, &sound));
        assert!(!found.contains(&rule), "{}: {rule} is among {found:?}: {sound}", format.name());
    }
}

#[test]
fn every_rule_has_a_document_that_breaks_it() {
    let mut broken = BTreeSet::new();
    let mut missing = BTreeSet::new();
    for Case { format, broken: document, .. } in cases() {
        let Some(format) = format_named(format) else {
            missing.insert(format);
            continue;
        };
        broken.extend(lint(format, &written(format, &document)).iter().map(|violation| violation.rule.id()));
    }
    println!("SKIPPED: there are no formats {missing:?}");
    let gone = |id: &String| missing.iter().any(|format| format.starts_with(id.split('/').next().unwrap()));
    let unbroken: Vec<String> =
        rules().iter().map(|rule| rule.id()).filter(|id| !broken.contains(id) && !gone(id)).collect();
    assert_eq!(unbroken, Vec::<String>::new());
}

#[test]
fn rules_have_names_of_their_own_and_say_what_to_do() {
    let mut ids = BTreeSet::new();
    for rule in rules() {
        assert!(ids.insert(rule.id()), "{} is there twice", rule.id());
        assert!(rule.name.chars().all(|character| character.is_ascii_lowercase() || character == '_'));
        for text in [rule.says, rule.remedy, rule.source] {
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('|'), "{}: {text}", rule.id());
        }
        assert!(
            rule.source.starts_with("https://") || rule.source.starts_with("observed in "),
            "{}",
            rule.id()
        );
    }
}
