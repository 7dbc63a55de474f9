//! The parts of the projects.

use cutctx::{PolicySpec, Role, Transcript, TranscriptTurn};
use cutctx_eval::{
    Contender, EvalOptions, EvalSession, Evaluation, ReplayOptions, Share, Split, evaluate, replay,
};

/// Sessions of four projects, two in each part, that all name one thing.
fn sessions() -> Vec<EvalSession> {
    let session = |project: &str| {
        let said = ["see docs/pump/manual.md", "flow_rate of hall_two", "noted", "open docs/pump/manual.md"];
        let turn = |(n, text): (usize, &&str)| {
            let role = if n % 2 == 0 { Role::User } else { Role::Assistant };
            TranscriptTurn::new(format!("t{n}"), role, format!("{text} {project}_one"), 10).unwrap()
        };
        let turns = Transcript::new(said.iter().enumerate().map(turn).collect()).unwrap();
        EvalSession::new(project, project, turns)
    };
    ["a", "b", "e", "pump"].map(session).to_vec()
}

fn evaluated(split: Split) -> Evaluation {
    let options = EvalOptions::default()
        .with_cuts(vec![Share::percent(75)])
        .with_budgets(vec![Share::percent(70)])
        .with_protected_turns(1)
        .with_min_calls(0)
        .with_split(split);
    let contenders = [Contender::random(), Contender::spec("drop-oldest", PolicySpec::drop_oldest())];
    evaluate(&sessions(), &contenders, &options, &|| {}).unwrap()
}

fn names(evaluation: &Evaluation) -> Vec<&str> {
    evaluation.sessions.iter().map(|session| session.name.as_str()).collect()
}

#[test]
fn each_part_has_its_own_projects_and_the_figures_that_they_have_in_the_whole() {
    let [all, tuning, unseen] = [Split::All, Split::Tuning, Split::Unseen].map(evaluated);
    assert_eq!(names(&all), ["a", "b", "e", "pump"]);
    assert_eq!((names(&tuning), names(&unseen)), (vec!["e", "pump"], vec!["a", "b"]));
    assert!(all.stop_words > 0);
    for (part, offset) in [(&unseen, 0), (&tuning, 2)] {
        assert_eq!(part.stop_words, all.stop_words, "stop-words are those of all projects");
        let mut cells = part.cells.clone();
        for cell in &mut cells {
            cell.session = cell.session.saturating_add(offset);
        }
        let there = |session| (offset..offset.saturating_add(2)).contains(&session);
        let expected: Vec<_> = all.cells.iter().filter(|cell| there(cell.session)).copied().collect();
        assert!(!cells.is_empty());
        assert_eq!(cells, expected);
    }
}

#[test]
fn a_replay_of_a_part_is_that_part_of_the_replay() {
    let contenders = [Contender::spec("drop-oldest", PolicySpec::drop_oldest())];
    let replayed = |split| {
        let options = ReplayOptions::default().with_split(split);
        replay(&sessions(), &contenders, &options, &|| {}).unwrap().replayed
    };
    let [all, tuning, unseen] = [Split::All, Split::Tuning, Split::Unseen].map(replayed);
    assert_eq!((all.len(), tuning.len(), unseen.len()), (4, 2, 2));
    assert_eq!([unseen, tuning].concat(), all);
}
