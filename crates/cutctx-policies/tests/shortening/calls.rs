//! Reads that are stale, states that are outdated, arguments that are long.

use super::session::{Session, positions, touched};
use cutctx_policies::{CallArgumentsPolicy, LatestStatePolicy, MaskStub, StaleBy, StaleReadsPolicy};
use cutctx_types::Transcript;

const TEXT: &str = "some text that a file may hold, long enough to be worth a stub";

fn reading() -> Transcript {
    Session::default()
        .call("Read", r#"{"file_path":"a","offset":1,"limit":9}"#, TEXT) // 1
        .call("Read", r#"{"file_path":"a","offset":10,"limit":9}"#, TEXT) // 3
        .call("Read", r#"{"file_path":"b"}"#, TEXT) // 5
        .call("Bash", r#"{"command":"cat a"}"#, TEXT) // 7
        .call("Edit", r#"{"file_path":"b","old_string":"x","new_string":"y"}"#, TEXT) // 9
        .call("Read", r#"{"file_path":"a","offset":1,"limit":9}"#, TEXT) // 11
        .call("Read", r#"{"file_path":"c"}"#, TEXT) // 13
        .call("Read", r#"{"file_path":"c"}"#, "no such file, and a long text about why") // 15
        .failed()
        .done()
}

#[test]
fn a_read_is_stale_once_its_part_was_read_again() {
    assert_eq!(positions(&StaleReadsPolicy::new(), &reading()), [1, 3]);
    let stub = touched(&StaleReadsPolicy::new(), &reading())[&1].clone();
    let stub = MaskStub::parse(&stub).unwrap();
    assert!(stub.placeholder == "old" && stub.is_of(TEXT));
}

#[test]
fn by_path_and_by_writes_more_is_stale() {
    let by = |by| positions(&StaleReadsPolicy::new().with_stale_by(by), &reading());
    assert_eq!(by(StaleBy::Path), [1, 3, 7]);
    assert_eq!(by(StaleBy::PathOrWrite), [1, 3, 5, 7]);
}

#[test]
fn parallel_calls_are_told_apart_whatever_the_order_of_their_results() {
    let session = Session::default()
        .calls(&[("Read", r#"{"file_path":"a"}"#, TEXT), ("Read", r#"{"file_path":"b"}"#, TEXT)]) // b is 1, a is 2
        .call("Read", r#"{"file_path":"b"}"#, TEXT)
        .done();
    assert_eq!(positions(&StaleReadsPolicy::new(), &session), [1]);
}

#[test]
fn tools_of_ones_own_are_known_by_the_names_that_are_given() {
    let session = Session::default()
        .call("slurp", r#"{"path":"a"}"#, TEXT)
        .call("slurp", r#"{"path":"a"}"#, TEXT)
        .call("run", r#"{"cmd":"cat b"}"#, TEXT)
        .call("spit", r#"{"path":"b"}"#, TEXT)
        .done();
    assert!(positions(&StaleReadsPolicy::new(), &session).is_empty());
    let policy = StaleReadsPolicy::new().with_read_tools(["slurp"]).with_shell_tools(["run"]);
    let policy = policy.with_write_tools(["spit"]).with_stale_by(StaleBy::PathOrWrite);
    assert_eq!(positions(&policy, &session), [1, 5]);
}

#[test]
fn older_states_are_reduced_and_the_newest_that_did_not_fail_stays() {
    let list = r#"{"todos":[{"content":"write the first half of the report","status":"pending"}]}"#;
    let session = Session::default()
        .call("TodoWrite", list, "the list was written down, go on with what is first")
        .call("Read", r#"{"file_path":"a"}"#, TEXT)
        .call("TodoWrite", list, "the list was written down, go on with what is second")
        .call("TodoWrite", list, "the list could not be written down, try again later")
        .failed()
        .done();
    let touched = touched(&LatestStatePolicy::new(), &session);
    assert_eq!(touched.keys().copied().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(touched[&0], "[call TodoWrite {…}]");
    assert_eq!(MaskStub::parse(&touched[&1]).unwrap().placeholder, "later");
    let own = Session::default().call("status", "{}", TEXT).call("status", "{}", TEXT).done();
    assert!(positions(&LatestStatePolicy::new(), &own).is_empty());
    assert_eq!(positions(&LatestStatePolicy::new().with_state_tools(["status"]), &own), [1]);
}

#[test]
fn long_arguments_are_cut_between_escapes_and_stay_json() {
    let long = "a \\n\\u00e9\\ud83d\\ude00 é 漢".repeat(200);
    let arguments = format!(r#"{{"path":"x","edits":[{{"text":"{long}"}}],"n":1}}"#);
    let session = Session::default().call("Edit", &arguments, "done").done();
    let policies = (1..40).map(|head| CallArgumentsPolicy::new().with_limits(500, head, 40 - head).unwrap());
    for policy in policies.chain([CallArgumentsPolicy::new()]) {
        let text = touched(&policy, &session)[&0].clone();
        let json = text.strip_prefix("[call Edit ").unwrap().strip_suffix(']').unwrap();
        let read: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!((&read["path"], &read["n"]), (&"x".into(), &1.into()));
        let cut = read["edits"][0]["text"].as_str().unwrap();
        assert!(cut.contains('…') && cut.chars().count() <= 301, "{cut}");
    }
    // What is short, and what is no JSON, is left alone.
    let odd =
        Session::default().call("Edit", r#"{"a":"b"}"#, "").call("patch", &"*** ".repeat(900), "").done();
    assert!(positions(&CallArgumentsPolicy::new(), &odd).is_empty());
}
