//! Real sessions from the optional folder of test data: the scale has the order that it must have.

use cutctx::formats::{ReadRequest, Session};
use cutctx::{CharRatioEstimator, PolicySpec};
use cutctx_eval::{Contender, EvalOptions, EvalSession, Evaluation, ReplayOptions, Share, evaluate, replay};
use std::fs;
use std::path::{Path, PathBuf};

/// The formats whose sessions are long.
const FORMATS: [&str; 6] = ["claude-code", "codex-rollout", "gemini-cli", "mini-swe-agent", "opencode", "pi"];

/// The sessions of these formats.
fn sessions() -> Option<Vec<EvalSession>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("CUTCTX_SHARED").map_or(here, PathBuf::from);
    let mut files = Vec::new();
    for format in FORMATS {
        files.extend(
            fs::read_dir(shared.join("corpus").join(format)).ok()?.map(|entry| entry.unwrap().path()),
        );
    }
    files.sort();
    Some(files.iter().flat_map(|path| sessions_of(path)).collect())
}

/// The sessions of a file: none, one or several.
fn sessions_of(path: &Path) -> Vec<EvalSession> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let project = name.rsplit_once("__").map_or("", |(project, _)| project);
    let named = |session: Session| EvalSession::new(name, project, session.transcript().clone());
    conversations(&fs::read(path).unwrap()).into_iter().map(named).collect()
}

fn conversations(bytes: &[u8]) -> Vec<Session> {
    let estimator = CharRatioEstimator::default();
    if let Ok(session) = Session::read(bytes.to_vec(), &estimator) {
        return vec![session];
    }
    let request = |number| ReadRequest::new(&estimator).of_conversation(number);
    let read = |number| Session::read_with(None, bytes.to_vec(), &request(number)).ok();
    (0..).map_while(read).collect()
}

/// The sessions, or a loud word that there are none.
fn sessions_or_word() -> Option<Vec<EvalSession>> {
    let sessions = sessions();
    if sessions.is_none() {
        println!("SKIPPED: there is no folder of test data; CUTCTX_SHARED names one");
    }
    sessions
}

fn mask_then_drop() -> PolicySpec {
    PolicySpec::chain([PolicySpec::masking(), PolicySpec::drop_oldest()])
}

fn mean_q(evaluation: &Evaluation, policy: &str, budget: u32) -> Share {
    let summary = evaluation.summary(None);
    let row = summary.rows.iter().find(|row| row.policy == policy && row.budget == Share::percent(budget));
    row.unwrap().q.unwrap().mean
}

#[test]
fn on_real_sessions_the_oracle_is_above_masking_and_that_above_dropping() {
    let Some(sessions) = sessions_or_word() else { return };
    let contenders = [
        Contender::oracle(),
        Contender::spec("mask", mask_then_drop()),
        Contender::spec("drop", PolicySpec::drop_oldest()),
        Contender::random(),
    ];
    let evaluation = evaluate(&sessions, &contenders, &EvalOptions::default(), &|| {}).unwrap();
    assert!(evaluation.sessions.len() >= 10, "{}", evaluation.sessions.len());
    assert_eq!(evaluation.refused, [0; 4]);
    assert!(evaluation.cells.iter().all(|cell| !cell.over_budget));
    for budget in [20, 35, 50] {
        let [oracle, mask, drop, random] =
            ["oracle", "mask", "drop", "random"].map(|policy| mean_q(&evaluation, policy, budget));
        assert!(oracle > mask && mask > drop && oracle > random, "{budget}: {oracle} {mask} {drop} {random}");
    }
}

/// The bars: the least Q of `cover`, and of its form that keeps whole items, in per cent.
const BARS: [(u32, u32, u32); 3] = [(20, 65, 62), (35, 77, 75), (50, 85, 83)];

#[test]
fn on_real_sessions_choosing_by_value_is_above_choosing_by_age() {
    let Some(sessions) = sessions_or_word() else { return };
    let whole = PolicySpec::cover_whole_items();
    let contenders = [
        Contender::spec("mask", mask_then_drop()),
        Contender::spec("cover", PolicySpec::cover()),
        Contender::spec("whole", whole),
        Contender::spec("recommended", PolicySpec::recommended()),
    ];
    let evaluation = evaluate(&sessions, &contenders, &EvalOptions::default(), &|| {}).unwrap();
    assert_eq!(evaluation.refused, [0; 4]);
    assert!(evaluation.cells.iter().all(|cell| !cell.over_budget));
    let summary = evaluation.summary(Some("mask"));
    for row in summary.rows.iter().filter(|row| row.policy != "mask") {
        let gain = row.against.unwrap();
        assert!(gain.low > Share::default(), "{} at {}: {gain:?}", row.policy, row.budget);
    }
    for (budget, cover, whole) in BARS {
        assert!(mean_q(&evaluation, "cover", budget) >= Share::percent(cover), "{budget}");
        assert!(mean_q(&evaluation, "whole", budget) >= Share::percent(whole), "{budget}");
    }
    // What is tuned to names serves neither of these.
    let row = |budget| {
        summary.rows.iter().find(|row| row.policy == "cover" && row.budget == Share::percent(budget)).unwrap()
    };
    assert!(row(35).recall.words >= Some(Share::percent(67)), "{:?}", row(35).recall);
    assert!(row(20).lift.unwrap().mean >= Share::percent(36), "{:?}", row(20).lift);
}

#[test]
fn on_real_sessions_the_loop_with_a_frozen_head_meets_its_bars() {
    let Some(sessions) = sessions_or_word() else { return };
    let policies = [Contender::spec("cover", PolicySpec::cover())];
    let plain = ReplayOptions::default().with_min_calls(30);
    let [plain, frozen] = [plain, plain.with_frozen_head(600)].map(|options| {
        let rows = replay(&sessions, &policies, &options, &|| {}).unwrap().rows();
        let row = rows.first().unwrap();
        (row.cost.unwrap().mean, row.misses_per_hundred.unwrap(), row.breaks_per_hundred.unwrap())
    });
    let [cost, misses, breaks] = [78, 20, 4].map(Share::percent);
    assert!(frozen.0 <= cost && frozen.1 <= misses && frozen.2 <= breaks, "{frozen:?}");
    assert!(frozen.0 < plain.0 && frozen.1 <= plain.1, "{frozen:?} {plain:?}");
}
