//! What must hold for every session and all fates that respect exchanges.

use alloc::collections::{BTreeMap, BTreeSet};

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::{PartKind, TranscriptTurn};
use serde_json::Value;

use super::fates::{GROUP, Manner, to_budget};
use super::lines::session;
use super::oracle;

const SUMMARY: &str = "What went before, in short.";
const RULES: [&str; 5] =
    ["first_not_user", "orphan_result", "unanswered_call", "blank_text", "empty_content"];

#[test]
fn the_laws_hold_for_the_example() {
    let file = include_str!("../../../../examples/claude-code.jsonl");
    hold(file);
    let read = session(file);
    assert_eq!(read.violations(), []);
    assert!(read.transcript().len() > 20);
}

/// All laws for one file.
pub(crate) fn hold(file: &str) {
    let read = session(file);
    assert_eq!(read.format().name(), "claude-code");
    let untouched = read.render(&vec![Fate::Kept; read.transcript().len()], &[]).unwrap();
    assert!(untouched.is_unchanged() && untouched.to_text() == file, "untouched files stay as they are");
    agree(&read, file);
    for manner in [Manner::Drop, Manner::Mask, Manner::Summarize, Manner::Mixed] {
        for share in [2, 4] {
            let budget = read.transcript().token_estimate() / share;
            compacted(&read, file, &to_budget(&read, budget, manner));
        }
    }
}

/// The laws for one file and these fates.
pub(crate) fn compacted(before: &Session, file: &str, fates: &[Fate<'_>]) {
    let (after, written) = written(before, file, fates, &[GROUP]);
    breaks_no_new_rule(file, &written);
    agree(&after, &written);
}

/// The laws for fates of a plan with these groups. Returns what was written, read again.
pub(crate) fn planned(before: &Session, file: &str, fates: &[Fate<'_>], groups: &[&str]) -> Session {
    let (after, written) = written(before, file, fates, groups);
    breaks_no_new_rule(file, &written);
    agree(&after, &written);
    after
}

/// The laws that hold for broken sessions too. Returns what was written, read again.
pub(crate) fn written(
    before: &Session,
    file: &str,
    fates: &[Fate<'_>],
    groups: &[&str],
) -> (Session, String) {
    let summaries: Vec<SummaryText<'_>> =
        groups.iter().map(|group| SummaryText { group, text: SUMMARY }).collect();
    let written = before.render(fates, &summaries).unwrap().to_text();
    let after = session(&written);
    says_the_view(before, fates, &after);
    branch_is_whole(file, &written);
    changes_nothing_else(file, &written, groups.len());
    let kept = vec![Fate::Kept; after.transcript().len()];
    assert!(after.render(&kept, &[]).unwrap().is_unchanged());
    masking_again_changes_nothing(&after, &written);
    (after, written)
}

/// The turns that are read again are those that should be left.
fn says_the_view(before: &Session, fates: &[Fate<'_>], after: &Session) {
    let mut summarized = BTreeSet::new();
    let mut expected: Vec<(String, bool)> = Vec::new();
    for (turn, fate) in before.transcript().turns().iter().zip(fates) {
        match fate {
            Fate::Kept => expected.push((turn.content().to_string(), true)),
            Fate::Masked(stub) => expected.push(((*stub).to_owned(), !has_signed(turn))),
            Fate::SummarizedInto(group) if summarized.insert(*group) => {
                expected.push((SUMMARY.to_owned(), true));
            }
            Fate::Trimmed(_) | Fate::SummarizedInto(_) | Fate::Dropped => {}
        }
    }
    let turns = after.transcript().turns();
    assert_eq!(turns.len(), expected.len());
    for (at, (turn, (text, exact))) in turns.iter().zip(&expected).enumerate() {
        let same = if *exact { **turn.content() == **text } else { turn.content().ends_with(text.as_str()) };
        assert!(same, "turn {at} says something else");
    }
}

/// Signed reasoning of the turn that is still going on stays before the stub.
fn has_signed(turn: &TranscriptTurn) -> bool {
    turn.parts().iter().any(|part| part.kind == PartKind::OpaqueReasoning)
}

fn breaks_no_new_rule(before: &str, after: &str) {
    let (before, after) = (oracle::api_messages(before), oracle::api_messages(after));
    let (old, new) = (counted(&oracle::offences(&before)), counted(&oracle::offences(&after)));
    for (rule, count) in new {
        assert!(count <= old.get(rule).copied().unwrap_or(0), "{rule} is broken {count} times");
    }
}

/// The crate finds the offences that the slow reader finds.
fn agree(read: &Session, file: &str) {
    let found = read.lint();
    let names = found.iter().map(|violation| match violation.rule.name {
        // The slow reader does not tell calls apart whose results may still come.
        "call_in_flight" => "unanswered_call",
        name => name,
    });
    let ours: Vec<&str> = names.filter(|rule| RULES.contains(rule)).collect();
    assert_eq!(counted(&ours), counted(&oracle::offences(&oracle::api_messages(file))));
}

fn counted<'r>(rules: &[&'r str]) -> BTreeMap<&'r str, usize> {
    let mut counted = BTreeMap::new();
    for rule in rules {
        *counted.entry(*rule).or_insert(0) += 1;
    }
    counted
}

/// The branch from the last leaf passes the same lines as before, but for those that are gone and those that are new.
fn branch_is_whole(before: &str, after: &str) {
    let ids = |file: &str| -> BTreeSet<String> {
        values(file).iter().filter_map(|line| Some(line.get("uuid")?.as_str()?.to_owned())).collect()
    };
    let (old_ids, new_ids) = (ids(before), ids(after));
    let mut expected = oracle::branch(before);
    expected.retain(|id| new_ids.contains(id));
    let mut found = oracle::branch(after);
    found.retain(|id| old_ids.contains(id));
    assert_eq!(found, expected);
}

/// A line that stays differs in its links and its message's content at most.
fn changes_nothing_else(before: &str, after: &str, groups: usize) {
    let mut old: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in values(before) {
        old.entry(line["uuid"].to_string()).or_default().push(bare(line));
    }
    let mut new_lines = 0;
    for line in values(after) {
        match old.get(&line["uuid"].to_string()) {
            Some(known) => {
                assert!(known.contains(&bare(line)), "a line changed beyond its links and content");
            }
            None => new_lines += 1,
        }
    }
    assert!(new_lines <= groups, "one summary, one line");
}

fn values(file: &str) -> Vec<Value> {
    file.lines()
        .filter(|line| !line.starts_with("//"))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn bare(mut line: Value) -> Value {
    if let Some(fields) = line.as_object_mut() {
        for link in ["parentUuid", "logicalParentUuid", "sourceToolAssistantUUID", "leafUuid"] {
            fields.remove(link);
        }
    }
    if let Some(message) = line.get_mut("message").and_then(Value::as_object_mut) {
        message.remove("content");
    }
    line
}

fn masking_again_changes_nothing(after: &Session, written: &str) {
    let turns = after.transcript().turns();
    let again: Vec<Fate<'_>> = turns
        .iter()
        .map(|turn| if &**turn.content() == "[gone]" { Fate::Masked("[gone]") } else { Fate::Kept })
        .collect();
    assert!(after.render(&again, &[]).unwrap().to_text() == written, "a second mask changes nothing");
}
