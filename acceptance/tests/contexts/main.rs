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
    use cutctx_types::{CharRatioEstimator, Part, PartKind, Role, Transcript, TranscriptTurn};

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
        compacted: usize,
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
                let Figures { sessions, builds, over, degraded, compacted, rewrites, calls } = found;
                assert!(compacted > 20, "{name} {window}: {compacted}");
                println!(
                    "| {name} | {window} | {sessions} | {builds} | {over} | {degraded} | {rewrites} | {calls} |"
                );
            }
        }
    }

    /// Where also a person's words may be cut, it is not texts that are over.
    #[test]
    fn real_sessions_whose_every_text_may_be_clipped_are_over_only_for_what_stays_whole() {
        let Some(folder) = test_data() else {
            println!("SKIPPED: no folder of session files; set CUTCTX_CORPUS or CUTCTX_SHARED to run it");
            return;
        };
        let sessions: Vec<(PathBuf, Session)> = files_under(&folder).into_iter().filter_map(read).collect();
        for window in WINDOWS {
            let settings = BudgetedContextSettings::for_window(window);
            let clipping = BudgetedContextSettings { clip_active: true, ..settings.clone() };
            let [told, clipped] = [settings, clipping].map(|settings| {
                let policy = BudgetedContextPolicy::new(settings).unwrap();
                let mut found = Figures::default();
                for (path, session) in &sessions {
                    run(path, session, &policy, &mut found);
                }
                found.over
            });
            println!("{window}: {told} over, {clipped} where all may be clipped");
            assert!(clipped <= told && (window > WINDOWS[0] || clipped < told), "{told} {clipped}");
        }
    }

    /// What of a view nobody cuts, in tokens: what the system says, what its owner pinned, media and signed reasoning.
    fn whole(view: &[TranscriptTurn]) -> u64 {
        let is_whole =
            |turn: &TranscriptTurn| turn.role() == Role::System || (turn.pinned() && !turn.pinned_in_place());
        let parts = |turn: &TranscriptTurn| -> u64 {
            let is_whole = |part: &&Part| matches!(part.kind, PartKind::Media | PartKind::OpaqueReasoning);
            turn.parts().iter().filter(is_whole).map(|part| part.token_estimate).sum()
        };
        view.iter().map(|turn| if is_whole(turn) { turn.token_estimate() } else { parts(turn) }).sum()
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
            let request = || request(transcript.clone());
            let step = build_turn_context_locally(policy, request(), checkpoint.as_ref()).unwrap();
            figures.builds += 1;
            checkpoint = step.checkpoint.clone().or(checkpoint);
            match step.outcome {
                ContextOutcome::Unchanged { .. } => assert!(
                    step.view.starts_with(&last),
                    "{}: what was sent changes at turn {upto}",
                    path.display()
                ),
                ContextOutcome::OverBudget { floor, allowed, .. } => {
                    figures.over += 1;
                    assert!(floor > allowed, "{}: {floor} fits into {allowed}", path.display());
                    let is_told = !policy.settings().clip_active || whole(&step.view) * 2 > allowed;
                    assert!(is_told, "{}: turn {upto} could be clipped", path.display());
                }
                ContextOutcome::Degraded { .. } => figures.degraded += 1,
                ContextOutcome::Compacted { tokens_before, tokens_after, .. } => {
                    figures.compacted += 1;
                    check_compacted(path, policy, (tokens_before, tokens_after), &step.view);
                    let again = build_turn_context_locally(policy, request(), checkpoint.as_ref()).unwrap();
                    let is_settled = !matches!(again.outcome, ContextOutcome::Compacted { .. });
                    let (once, twice) = (step.outcome, again.outcome);
                    assert!(
                        is_settled && again.view == step.view,
                        "{}: turn {upto}: {once:?}, then {twice:?}",
                        path.display()
                    );
                }
                _ => {}
            }
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

    fn request(transcript: Transcript) -> TurnContextRequest {
        TurnContextRequest::new(Whose::new("s", "a").unwrap(), transcript)
    }

    /// How many of the newest turns may be protected: eight messages have at most so many here.
    const NEWEST: usize = 16;

    /// A compaction begins above the high mark, makes the context smaller, and brings it down to the low mark, unless what
    /// must stay and the newest turns alone are above that: so the next one is as far away as it can be.
    fn check_compacted(
        path: &Path,
        policy: &BudgetedContextPolicy,
        (before, after): (u64, u64),
        view: &[TranscriptTurn],
    ) {
        let settings = policy.settings();
        assert!(
            before > settings.high_water_tokens && after < before,
            "{}: {before} {after}",
            path.display()
        );
        let newest = view.len().saturating_sub(NEWEST);
        let stays = |(at, turn): &(usize, &TranscriptTurn)| {
            *at >= newest || turn.pinned() || turn.role() == Role::System
        };
        let least: u64 = view.iter().enumerate().filter(stays).map(|(_, turn)| turn.token_estimate()).sum();
        let low = settings.low_water_tokens;
        assert!(after <= low || least > low, "{}: {after} above {low}, {least} stay", path.display());
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
