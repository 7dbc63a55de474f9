//! Results that repeat each other, that failed, and that are long.

use super::session::{Session, all_it_can, numbered, positions, touched};
use cutctx_policies::{ClipPolicy, Exemptions, FailedResultsPolicy, MaskStub, RepeatedResultsPolicy};
use cutctx_types::{Action, Coded, Role, Trim};

fn log(word: &str) -> String {
    format!("{word} of a log\n").repeat(40)
}

#[test]
fn all_copies_but_the_last_become_stubs_of_their_text() {
    let (same, other) = (log("line"), log("word"));
    let session = Session::default()
        .call("ls", "{}", &same)
        .call("ls", "{}", &other)
        .call("ls", "{}", &same)
        .call("ls", "{}", &same)
        .call("ls", "{}", "short")
        .call("ls", "{}", "short")
        .done();
    let touched = touched(&RepeatedResultsPolicy::new(), &session);
    assert_eq!(touched.keys().copied().collect::<Vec<_>>(), [1, 5]);
    let stub = MaskStub::parse(&touched[&1]).unwrap();
    assert!(stub.placeholder == "again" && stub.is_of(&same), "{stub:?}");
    assert_eq!(positions(&RepeatedResultsPolicy::new().with_min_chars(5).unwrap(), &session), [1, 5]);
}

#[test]
fn exempt_copies_stay_and_a_protected_copy_makes_the_earlier_ones_stubs() {
    let same = log("line");
    let session =
        Session::default().call("a", "{}", &same).call("b", "{}", &same).call("c", "{}", &same).done();
    let sparing = RepeatedResultsPolicy::new().with_exemptions(Exemptions::none().with_tools(["a"]));
    assert_eq!(positions(&sparing, &session), [3]);
    let plan = all_it_can(&RepeatedResultsPolicy::new(), &session, 1);
    let masked = plan.actions().iter().filter(|action| matches!(action.action, Action::Mask(_)));
    assert_eq!(masked.count(), 2);
}

#[test]
fn failures_that_formats_tell_are_cut_to_their_ends() {
    let trace = ["first words\n", &log("trace"), "last words"].concat();
    let session = Session::default()
        .call("run", "{}", &trace)
        .failed()
        .call("run", "{}", &["Error: ", &trace].concat())
        .done();
    let touched = touched(&FailedResultsPolicy::new(), &session);
    // The second one is not told to have failed, and the first shows that this transcript tells.
    assert_eq!(touched.keys().copied().collect::<Vec<_>>(), [1]);
    let text = &touched[&1];
    assert!(
        text.starts_with("first words\n") && text.ends_with("last words") && text.contains("\n…\n"),
        "{text}"
    );
    assert!(text.chars().count() <= 203);
}

#[test]
fn where_no_turn_tells_of_failures_texts_are_asked() {
    let session = Session::default()
        .call("run", "{}", &["Traceback (most recent call last):\n", &log("trace")].concat())
        .call("run", "{}", &log("fine"))
        .done();
    assert_eq!(positions(&FailedResultsPolicy::new(), &session), [1]);
}

#[test]
fn long_results_keep_whole_lines_of_both_ends_and_are_never_cut_twice() {
    let long = numbered(2_000);
    let session = Session::default().call("run", "{}", &long).said(Role::User, &long).done();
    let policy = ClipPolicy::new();
    let touched = touched(&policy, &session);
    assert_eq!(touched.keys().copied().collect::<Vec<_>>(), [1]);
    let text = &touched[&1];
    let gap = text.lines().position(Trim::is_mark).unwrap();
    let kept = text.lines().count() - 1;
    assert_eq!(text.lines().nth(gap), Some(format!("… {} lines …", 2_000 - kept).as_str()));
    assert!(text.lines().enumerate().all(|(at, line)| at == gap || line.starts_with("line ")), "{text}");
    assert!(text.chars().count() <= 3_017 && text.ends_with("line 1999\n"));
    // Another policy, with smaller limits, sees that it was cut.
    let again = Session::default().call("run", "{}", text).done();
    let smaller = ClipPolicy::new().with_limits(500, 100, 100).unwrap();
    assert!(positions(&smaller, &again).is_empty());
}

#[test]
fn a_clipped_result_leaves_no_block_of_code_open() {
    let page = format!("# How to\n\n```sh\n{}```\n\n{}", numbered(600), numbered(600));
    let session = Session::default().call("fetch", "{}", &page).done();
    let text = touched(&ClipPolicy::new(), &session).remove(&1).unwrap();
    let fences = text.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences, 2, "{text}");
    assert!(text.contains(" lines …\n```\n… "), "{text}");
}

#[test]
fn a_line_that_reads_like_a_mark_does_not_keep_a_long_result() {
    let hostile = format!("…\n{}", numbered(4_000));
    let session = Session::default().call("run", "{}", &hostile).done();
    let text = touched(&ClipPolicy::new(), &session).remove(&1).unwrap();
    assert!(text.chars().count() <= 3_017, "{}", text.chars().count());
    let again = Session::default().call("run", "{}", &text).done();
    assert!(positions(&ClipPolicy::new(), &again).is_empty());
}

#[test]
fn limits_that_contradict_each_other_are_refused() {
    for (max, head, tail, setting) in
        [(10, 0, 0, "head_chars"), (10, 5, 5, "max_chars"), (10, u64::MAX, 1, "max_chars")]
    {
        let refused = ClipPolicy::new().with_limits(max, head, tail).unwrap_err();
        assert!(serde_json::to_string(&refused.details()).unwrap().contains(setting), "{refused}");
    }
    assert!(FailedResultsPolicy::new().with_ends(0, 0).is_err());
    assert!(RepeatedResultsPolicy::new().with_min_chars(0).is_err());
}
