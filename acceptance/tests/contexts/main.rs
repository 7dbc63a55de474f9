//! Contexts of real sessions, step by step, as an agent would have built them.
//!
//! A folder of real session files is optional test data: the folder `CUTCTX_CORPUS`, or `corpus` in `CUTCTX_SHARED`, or
//! `../shared/corpus` beside the checkout. Before every turn of the model a context is built from the turns so far and
//! from the checkpoint of the step before. No build fails, nothing that was sent changes outside a compaction, what does
//! not fit cannot fit, and the last context of each session, written in its own format, breaks no rule of its provider
//! that the session did not break.
//!
//! Prints the table of `docs/context.md`: `cargo test -p acceptance --test contexts -- --nocapture`.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::sync::Arc;
    use std::env;
    use std::fs;
    use std::path::{Path, PathBuf};

    use cutctx_context::{
        BudgetedContextPolicy, BudgetedContextSettings, ContextOutcome, ExtractiveCompactor,
        Session as Whose, TurnContextRequest, TurnContextResult, build_turn_context_locally,
    };
    use cutctx_formats::{RenderRequest, Session, SummaryText};
    use cutctx_types::{CharRatioEstimator, Role, Transcript, TranscriptTurn};

    /// Sessions of more turns are left out: each step reads the session anew.
    const MOST_TURNS: usize = 1_500;

    const WINDOWS: [u64; 3] = [4_000, 16_000, 64_000];

    /// What came of the sessions in one window.
    #[derive(Debug, Default)]
    struct Figures {
        sessions: usize,
        builds: usize,
        over: usize,
        degraded: usize,
        rewrites: u64,
        calls: u64,
    }

    #[test]
    fn real_sessions_stay_within_their_windows() {
        let Some(folder) = test_data() else {
            println!("SKIPPED: no folder of session files; set CUTCTX_CORPUS or CUTCTX_SHARED to run it");
            return;
        };
        let sessions: Vec<(PathBuf, Session)> = files_under(&folder).into_iter().filter_map(read).collect();
        assert!(!sessions.is_empty(), "no file in {} could be read", folder.display());
        println!("| policy | window | sessions | builds | over | degraded | rewrites | calls |");
        for window in WINDOWS {
            for (name, policy) in policies(window) {
                let mut found = Figures::default();
                for (path, session) in &sessions {
                    run(path, session, &policy, &mut found);
                }
                let Figures { sessions, builds, over, degraded, rewrites, calls } = found;
                println!(
                    "| {name} | {window} | {sessions} | {builds} | {over} | {degraded} | {rewrites} | {calls} |"
                );
            }
        }
    }

    fn policies(window: u64) -> [(&'static str, BudgetedContextPolicy); 2] {
        let settings = BudgetedContextSettings::for_window(window);
        let plain = BudgetedContextPolicy::new(settings.clone()).unwrap();
        let estimator = Arc::new(CharRatioEstimator::default());
        let extract = Arc::new(ExtractiveCompactor::default());
        [
            ("recommended", plain),
            ("extract", BudgetedContextPolicy::with(settings, extract, estimator).unwrap()),
        ]
    }

    fn test_data() -> Option<PathBuf> {
        let shared = || {
            let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
            env::var_os("CUTCTX_SHARED").map_or(beside, PathBuf::from).join("corpus")
        };
        Some(env::var_os("CUTCTX_CORPUS").map_or_else(shared, PathBuf::from)).filter(|folder| folder.is_dir())
    }

    fn files_under(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        files
    }

    /// A session that has outgrown the smallest window, and is not too long.
    fn read(path: PathBuf) -> Option<(PathBuf, Session)> {
        let session = Session::read(fs::read(&path).unwrap(), &CharRatioEstimator::default()).ok()?;
        let transcript = session.transcript();
        let wanted = transcript.token_estimate() > WINDOWS[0] && transcript.len() <= MOST_TURNS;
        wanted.then_some((path, session))
    }

    fn run(path: &Path, session: &Session, policy: &BudgetedContextPolicy, figures: &mut Figures) {
        let turns = session.transcript().turns();
        let mut checkpoint = None;
        let mut last: Vec<TranscriptTurn> = Vec::new();
        let mut built = None;
        for upto in steps(turns) {
            let transcript = Transcript::new(turns[..upto].to_vec()).unwrap();
            let request = TurnContextRequest::new(Whose::new("s", "a").unwrap(), transcript);
            let step = build_turn_context_locally(policy, request, checkpoint.as_ref()).unwrap();
            figures.builds += 1;
            match step.outcome {
                ContextOutcome::Unchanged { .. } => assert!(
                    step.view.starts_with(&last),
                    "{}: what was sent changes at turn {upto}",
                    path.display()
                ),
                ContextOutcome::OverBudget { floor, allowed, .. } => {
                    figures.over += 1;
                    assert!(floor > allowed, "{}: {floor} fits into {allowed}", path.display());
                }
                ContextOutcome::Degraded { .. } => figures.degraded += 1,
                ContextOutcome::Compacted { .. } | _ => {}
            }
            checkpoint = step.checkpoint.clone().or(checkpoint);
            last.clone_from(&step.view);
            built = Some(step);
        }
        let Some(built) = built else { return };
        figures.sessions += 1;
        figures.rewrites += built.rewrites;
        figures.calls += built.compactor_calls;
        if built.actions.len() == turns.len() {
            check_written(path, session, &built);
        }
    }

    /// Behind which turns the model was asked: before each of its own, and at the end.
    fn steps(turns: &[TranscriptTurn]) -> Vec<usize> {
        let asked = (1..turns.len())
            .filter(|at| turns[*at].role() == Role::Assistant && turns[at - 1].role() != Role::Assistant);
        asked.chain([turns.len()]).collect()
    }

    /// The last context in the session's own format breaks no rule that the session keeps.
    fn check_written(path: &Path, session: &Session, built: &TurnContextResult) {
        let estimator = CharRatioEstimator::default();
        let fates = built.fates();
        let texts: Vec<SummaryText<'_>> =
            built.summaries.iter().map(|(group, text)| SummaryText { group, text }).collect();
        let request = RenderRequest::new(&fates, &estimator).with_summaries(&texts);
        let written = match session.render_as(&request) {
            Ok(written) => written.to_text(),
            Err(error) => panic!("{} cannot be written: {error}", path.display()),
        };
        let again = Session::read_as(session.format(), written, &estimator).unwrap();
        let rules = |session: &Session| -> BTreeSet<String> {
            session.violations().iter().map(|violation| violation.rule.name.to_owned()).collect()
        };
        assert!(
            rules(&again).is_subset(&rules(session)),
            "{}: {:?} beside {:?}",
            path.display(),
            rules(&again),
            rules(session)
        );
    }
}
