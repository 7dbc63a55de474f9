//! Every session of the optional folder of test data that tells what its provider counted.

use alloc::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cutctx::counting::{Anchored, Counter, Scale, anchored};
use cutctx::formats::{FormatError, Opening, ReadRequest, Session};

fn shared() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("CUTCTX_SHARED").map_or_else(default, PathBuf::from).join("corpus");
    folder.is_dir().then_some(folder)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() { folders.push(entry) } else { found.push(entry) }
        }
    }
    found.sort();
    found
}

/// All conversations of a file.
fn sessions(bytes: &[u8], counter: &Counter) -> Vec<Session> {
    let choose = |opening: &Opening<'_>| counter.choose(opening);
    let request = ReadRequest::new(counter).opened_before(&choose);
    match Session::read_with(None, bytes, &request) {
        Ok(session) => vec![session],
        Err(FormatError::SeveralConversations { conversations, .. }) => (0..conversations)
            .filter_map(|number| Session::read_with(None, bytes, &request.of_conversation(number)).ok())
            .collect(),
        Err(_) => Vec::new(),
    }
}

/// The figures of a format.
#[derive(Debug, Default)]
struct Figures {
    sessions: usize,
    anchored: Vec<Anchored>,
}

impl Figures {
    /// The value in the middle.
    fn median(&self, value: impl Fn(&Anchored) -> u64) -> Option<u64> {
        let mut values: Vec<u64> = self.anchored.iter().map(value).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied()
    }
}

#[test]
fn scaled_estimates_are_near_what_was_counted() {
    let Some(folder) = shared() else {
        eprintln!("SKIPPED: no folder of test data; set CUTCTX_SHARED");
        return;
    };
    let mut formats: BTreeMap<&str, Figures> = BTreeMap::new();
    for file in files(&folder) {
        let bytes = std::fs::read(&file).unwrap();
        let counter = Counter::quick();
        for session in sessions(&bytes, &counter).iter().filter(|session| !session.usages().is_empty()) {
            let figures = formats.entry(session.format().name()).or_default();
            figures.sessions += 1;
            figures.anchored.extend(anchored(session.transcript(), session.usages(), None));
        }
    }
    for (format, figures) in &formats {
        let [error, scale] = [figures.median(|one| one.error), figures.median(|one| one.scale.thousandths())];
        eprintln!(
            "{format}: {} sessions tell, {} are scaled; the medians in thousandths: scale {scale:?}, error {error:?}",
            figures.sessions,
            figures.anchored.len()
        );
        assert!(error.is_none_or(|error| error <= 100), "{format}: {error:?}");
        let within = |one: &Anchored| (Scale::LEAST..=Scale::MOST).contains(&one.scale) && one.error <= 200;
        assert!(figures.anchored.iter().all(within), "{format}: {:?}", figures.anchored);
    }
    for format in ["claude-code", "codex-rollout", "gemini-cli", "opencode", "pi"] {
        assert!(
            formats.get(format).is_some_and(|figures| !figures.anchored.is_empty()),
            "{format}: {formats:?}"
        );
    }
}
