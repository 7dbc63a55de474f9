//! Every policy that shortens turns, on every session file.

use super::files::{corpus, examples, name_of};
use super::passes::{Counts, Read};
use cutctx::{CompactionBudget, PolicySpec};
use std::fs;
use std::path::PathBuf;

const POLICIES: [(&str, &str); 12] = [
    ("recommended", r#"{"kind":"recommended"}"#),
    ("cover", r#"{"kind":"cover"}"#),
    ("cover, whole items", r#"{"kind":"cover","whole_items":true}"#),
    ("masking, short stubs", r#"{"kind":"masking","stub":"short"}"#),
    ("repeated results", r#"{"kind":"repeated_results"}"#),
    ("stale reads", r#"{"kind":"stale_reads"}"#),
    ("failed results", r#"{"kind":"failed_results"}"#),
    ("clip", r#"{"kind":"clip","max_chars":400,"head_chars":100,"tail_chars":50}"#),
    ("call arguments", r#"{"kind":"call_arguments","max_chars":60,"head_chars":20,"tail_chars":10}"#),
    ("opaque reasoning", r#"{"kind":"opaque_reasoning"}"#),
    ("old reasoning", r#"{"kind":"old_reasoning","keep_recent_turns":1}"#),
    ("latest state", r#"{"kind":"latest_state"}"#),
];

/// The budgets, in percent of a session, each with how many turns at the end are protected.
const BUDGETS: [(u64, u64); 4] = [(20, 0), (30, 2), (50, 2), (70, 4)];

/// The largest file of the folder that is read, in bytes: the longer ones are of the same formats.
const MOST_BYTES: u64 = 150_000;

/// What is wrong with how a file is compacted, and how often it was changed.
#[derive(Debug, Default)]
struct Findings {
    changed: usize,
    faults: Vec<String>,
}

impl Findings {
    fn of(files: &[PathBuf]) -> Self {
        let mut findings = Self::default();
        for file in files {
            let bytes = fs::read(file).unwrap();
            for counts in [Counts::Ratio, Counts::Auto] {
                findings.look_at(&name_of(file), &bytes, counts);
            }
        }
        println!("written anew: {} times", findings.changed);
        findings
    }

    fn look_at(&mut self, name: &str, bytes: &[u8], counts: Counts) {
        let Some(first) = Read::of(bytes, counts) else { return };
        for (policy, json) in POLICIES {
            let spec: PolicySpec = serde_json::from_str(json).unwrap();
            for (percent, tail) in BUDGETS {
                let budget = CompactionBudget::new(first.tokens().saturating_mul(percent).div_euclid(100));
                let budget = budget.with_protected_recent_turns(tail);
                let fault = self.fault_of(&first, &spec, &budget);
                self.faults
                    .extend(fault.map(|fault| format!("{name}, {policy}, {percent} %, {counts:?}: {fault}")));
            }
        }
    }

    fn fault_of(&mut self, first: &Read, spec: &PolicySpec, budget: &CompactionBudget) -> Option<String> {
        let plan = first.planned(spec, budget)?;
        let written = first.written(&plan)?;
        self.changed = self.changed.saturating_add(1);
        let Some(second) = Read::of(&written, first.counts) else { return Some("cannot be read".to_owned()) };
        let (planned, read) = (plan.tokens_after_estimate(), second.tokens());
        if read > planned {
            return Some(format!("{planned} tokens planned, {read} read"));
        }
        let again = second.planned(spec, budget);
        let is_settled = again.is_some_and(|again| second.written(&again).is_none());
        (!is_settled).then(|| "a second pass changes it".to_owned())
    }
}

/// What is wrong with how this session is compacted. It must be one that can be.
pub(crate) fn faults_of(name: &str, session: &[u8]) -> Vec<String> {
    let mut findings = Findings::default();
    for counts in [Counts::Ratio, Counts::Auto] {
        findings.look_at(name, session, counts);
    }
    assert!(findings.changed > 0, "{name}: nothing was tried");
    findings.faults
}

#[test]
fn an_example_is_read_to_hold_no_more_than_planned_and_a_second_pass_changes_nothing() {
    let findings = Findings::of(&examples());
    assert!(findings.changed > 1_000, "{} are too few to say anything", findings.changed);
    assert!(findings.faults.is_empty(), "{}", findings.faults.join("\n"));
}

#[test]
fn a_file_of_the_folder_is_read_to_hold_no_more_than_planned_and_a_second_pass_changes_nothing() {
    let files = corpus(MOST_BYTES);
    if files.is_empty() {
        println!("SKIPPED: no sessions; set CUTCTX_SHARED to a folder of test data");
        return;
    }
    let findings = Findings::of(&files);
    assert!(findings.faults.is_empty(), "{}", findings.faults.join("\n"));
}
