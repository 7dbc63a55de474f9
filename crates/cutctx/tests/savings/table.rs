//! Sessions of a folder, and what policies save on them.

use core::fmt;
use cutctx::formats::Session;
use cutctx::{CharRatioEstimator, CompactionBudget, CompactionPolicy, Role, Transcript};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The policies, as policy files spell them.
pub(crate) const SAVERS: [(&str, &str); 13] = [
    ("repeated results", r#"{"kind":"repeated_results"}"#),
    ("stale reads, part", r#"{"kind":"stale_reads"}"#),
    ("stale reads, path", r#"{"kind":"stale_reads","stale_by":"path"}"#),
    ("stale reads, path or write", r#"{"kind":"stale_reads","stale_by":"path_or_write"}"#),
    ("failed results", r#"{"kind":"failed_results"}"#),
    ("clip", r#"{"kind":"clip"}"#),
    ("opaque reasoning", r#"{"kind":"opaque_reasoning"}"#),
    ("old reasoning", r#"{"kind":"old_reasoning"}"#),
    ("latest state", r#"{"kind":"latest_state"}"#),
    ("call arguments", r#"{"kind":"call_arguments"}"#),
    ("masking, full stubs", r#"{"kind":"masking"}"#),
    ("masking, short stubs", r#"{"kind":"masking","stub":"short"}"#),
    (
        "repeated, stale and failed",
        r#"{"kind":"chain","members":[{"kind":"repeated_results"},{"kind":"stale_reads"},{"kind":"failed_results"}]}"#,
    ),
];

/// What a policy saves, in tokens.
#[derive(Debug, Default)]
pub(crate) struct Savings {
    pub(crate) saved: u64,
    all: u64,
    /// In how many sessions it saves something.
    touched: usize,
    /// How many sessions are larger afterwards.
    pub(crate) larger: usize,
    /// The largest share of a session, in thousandths.
    most: u64,
}

impl Savings {
    /// What a policy saves when it does all that it can, with the last four turns protected.
    pub(crate) fn of(policy: &dyn CompactionPolicy, sessions: &[Transcript]) -> Self {
        let mut savings = Self::default();
        for transcript in sessions {
            let before = transcript.token_estimate();
            let budget = CompactionBudget::new(before.saturating_sub(1)).with_target(0).unwrap();
            let after =
                policy.decide(transcript, &budget).map_or(before, |plan| plan.tokens_after_estimate());
            let saved = before.saturating_sub(after);
            savings.all = savings.all.saturating_add(before);
            savings.saved = savings.saved.saturating_add(saved);
            savings.touched = savings.touched.saturating_add(usize::from(saved > 0));
            savings.larger = savings.larger.saturating_add(usize::from(after > before));
            savings.most = savings.most.max(share(saved, before));
        }
        savings
    }
}

impl fmt::Display for Savings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent =
            |thousandths: u64| format!("{}.{}", thousandths.div_euclid(10), thousandths.rem_euclid(10));
        let (all, most) = (percent(share(self.saved, self.all)), percent(self.most));
        write!(f, "{all:>5} % of all tokens, {most:>5} % of a session at most, in {} sessions", self.touched)
    }
}

fn share(part: u64, whole: u64) -> u64 {
    part.saturating_mul(1_000).checked_div(whole).unwrap_or(0)
}

/// The sessions of the folder with 30 calls or more, at four characters a token.
pub(crate) fn sessions() -> Vec<Transcript> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let corpus = env::var_os("CUTCTX_SHARED").map_or_else(beside, PathBuf::from).join("corpus");
    let mut files: Vec<PathBuf> = folder(&corpus).iter().flat_map(|format| folder(format)).collect();
    files.sort();
    let estimator = CharRatioEstimator::default();
    let read = |file: &PathBuf| Session::read(fs::read(file).ok()?, &estimator).ok();
    let transcripts = files.iter().filter_map(read).map(|session| session.transcript().clone());
    let results =
        |transcript: &Transcript| transcript.turns().iter().filter(|turn| turn.role() == Role::Tool).count();
    transcripts.filter(|transcript| results(transcript) >= 30).collect()
}

fn folder(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
