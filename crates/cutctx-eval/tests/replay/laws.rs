//! The laws of loops, step by step: of long ones that are made up, and of real sessions from the optional folder of test
//! data.

use crate::sessions::{agent, session};
use crate::watched::Watched;
use cutctx::formats::Session;
use cutctx::policies::ClipActivePolicy;
use cutctx::{
    CachePrices, CharRatioEstimator, CompactionBudget, PolicySpec, Role, StickyView, TranscriptTurn,
};
use cutctx_eval::{EvalSession, replay_loop};
use std::fs;
use std::path::{Path, PathBuf};

/// Policies, and how much of the goal is a frozen head, in thousandths.
fn policies() -> Vec<(&'static str, PolicySpec, Option<u64>)> {
    let mask_then_drop = || PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()]);
    vec![
        ("recommended", PolicySpec::recommended(), None),
        ("recommended, frozen", PolicySpec::recommended(), Some(600)),
        ("whole items", PolicySpec::cover_whole_items(), None),
        ("mask-then-drop", mask_then_drop(), None),
        ("default", PolicySpec::default_chain(), None),
    ]
}

/// What came of loops: how many there were, their compactions, and how often one was not possible.
#[derive(Debug, Default)]
struct Tally {
    loops: usize,
    compactions: usize,
    unmet: usize,
}

/// Runs a session as a loop under each policy. Whatever is not as it should be panics.
fn watch(session: &EvalSession, max: u64, target: u64, tally: &mut Tally) {
    let budget = CompactionBudget::new(max).with_target(target).unwrap();
    for (name, spec, frozen) in policies() {
        let note = format!("{name} at {max} and {target} on {}", session.name);
        let mut view = StickyView::new(spec.build().unwrap(), budget);
        if let Some(thousandths) = frozen {
            view = view.with_frozen_head(thousandths).unwrap();
        }
        let mut watched = Watched::new(view, note);
        let replayed = replay_loop(session, name, &mut watched, &budget, CachePrices::ANTHROPIC).unwrap();
        assert_eq!(replayed.over_limit, watched.unmet);
        assert_eq!(replayed.compactions, watched.compactions);
        tally.loops += 1;
        tally.compactions += watched.compactions;
        tally.unmet += watched.unmet;
    }
}

#[test]
fn a_long_loop_keeps_the_laws_at_every_step() {
    let mut tally = Tally::default();
    for (seed, max) in [(1, 2_500), (2, 6_000)] {
        let session = agent(1_000, seed);
        for percent in [35, 50, 90] {
            watch(&session, max, max * percent / 100, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.compactions > 1_000 && tally.unmet == 0, "{tally:?}");
}

/// A long loop in which a tool now and then answers with more than there is room for.
fn with_huge_results() -> EvalSession {
    let turns = agent(300, 4).transcript.turns().to_vec();
    let huge = |(at, turn): (usize, TranscriptTurn)| {
        if turn.role() != Role::Tool || at % 120 != 3 {
            return turn;
        }
        let text = "a plain line\n".repeat(12_000);
        let huge = TranscriptTurn::new(turn.turn_id().clone(), Role::Tool, text, 39_000).unwrap();
        huge.with_tool_call_id(turn.tool_call_id().unwrap()).with_tool_name("read")
    };
    session(turns.into_iter().enumerate().map(huge).collect())
}

#[test]
fn a_huge_turn_in_a_loop_is_told_while_it_is_new_and_clipped_only_where_that_is_asked_for() {
    let session = with_huge_results();
    let budget = CompactionBudget::new(8_000).with_target(4_000).unwrap();
    let huge = session.transcript.turns().iter().filter(|turn| turn.token_estimate() == 39_000).count();
    assert!(huge >= 4, "{huge}");
    let run = |budget: CompactionBudget| {
        let policy = ClipActivePolicy::new(Box::new(cutctx::recommended()));
        let mut watched = Watched::new(StickyView::new(Box::new(policy), budget), "huge".to_owned());
        let replayed = replay_loop(&session, "huge", &mut watched, &budget, CachePrices::ANTHROPIC).unwrap();
        (replayed.over_limit, watched.unmet, watched.compactions)
    };
    // Four turns are protected: a call, its result, and once more. So each is told at two requests, and then goes.
    let (over, unmet, compactions) = run(budget);
    assert_eq!((over, unmet), (2 * huge, 2 * huge));
    assert!(compactions > huge);
    let (over, unmet, clipping) = run(budget.with_clip_active(true));
    assert_eq!((over, unmet), (0, 0));
    assert!(clipping > huge && clipping < 2 * compactions, "{clipping} {compactions}");
}

/// At the limit itself, and a token beside it, nothing swings to and fro.
#[test]
fn at_the_threshold_nothing_happens_and_a_token_above_it_one_thing() {
    for (name, spec, _) in policies() {
        let budget = CompactionBudget::new(10_000).with_target(5_000).unwrap();
        let mut view = StickyView::new(spec.build().unwrap(), budget);
        let mut turns = 0;
        let mut append = |view: &mut StickyView, tokens: u64| {
            turns += 1;
            let text = format!("word {turns} ").repeat(usize::try_from(tokens / 3 + 1).unwrap());
            view.append(crate::sessions::user(&format!("u{turns}"), &text, tokens));
        };
        (0..100).for_each(|_| append(&mut view, 100));
        for _ in 0..50 {
            assert!(matches!(cutctx_eval::ContextLoop::settle(&mut view), Ok(cutctx_eval::Settled::Grown)));
            append(&mut view, 0);
        }
        assert_eq!((view.tokens(), view.compactions()), (10_000, 0), "{name}");
        let mut last = None;
        for step in 0..20_000_u64 {
            append(&mut view, 1);
            let settled = cutctx_eval::ContextLoop::settle(&mut view).unwrap();
            if settled == cutctx_eval::Settled::Compacted {
                assert!(view.tokens() <= 5_000, "{name}: {}", view.tokens());
                let respite = last.map_or(u64::MAX, |last| step - last);
                assert!(respite > 5_000, "{name}: {respite} steps after the last");
                last = Some(step);
            }
        }
        assert!((2..=4).contains(&view.compactions()), "{name}: {}", view.compactions());
    }
}

/// The formats whose sessions are long.
const FORMATS: [&str; 6] = ["claude-code", "codex-rollout", "gemini-cli", "mini-swe-agent", "opencode", "pi"];

/// Sessions of fewer turns are no loop, and of more take too long here.
const TURNS: core::ops::RangeInclusive<usize> = 20..=1_500;

fn real() -> Option<Vec<EvalSession>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CUTCTX_SHARED").map_or(here, PathBuf::from);
    let mut files = Vec::new();
    for format in FORMATS {
        let entries = fs::read_dir(shared.join("corpus").join(format)).ok()?;
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.sort();
    let estimator = CharRatioEstimator::default();
    let read = |path: &PathBuf| Session::read(fs::read(path).unwrap(), &estimator).ok();
    let named = |path: &PathBuf| {
        let session = read(path).filter(|session| TURNS.contains(&session.transcript().len()))?;
        Some(EvalSession::new(path.display().to_string(), "real", session.transcript().clone()))
    };
    Some(files.iter().filter_map(named).collect())
}

#[test]
fn loops_of_real_sessions_keep_the_laws_at_every_step() {
    let Some(sessions) = real() else {
        println!("SKIPPED: there is no folder of test data; CUTCTX_SHARED names one");
        return;
    };
    assert!(sessions.len() > 20, "{}", sessions.len());
    let mut tally = Tally::default();
    for session in &sessions {
        let all = session.transcript.token_estimate();
        for share in [2, 4, 8] {
            watch(session, all / share, all / share / 2, &mut tally);
        }
    }
    println!("{} sessions: {tally:?}", sessions.len());
    assert!(tally.compactions > 500, "{tally:?}");
}
