//! What is context.

use cutctx_types::Role;

use super::lines::{call, contents, file, result, said, session, text, thinking};

/// A question, an answer in three blocks with two parallel calls whose results stand between, a last word.
pub(crate) fn parallel() -> String {
    file(&[
        said("u1", "", "How warm are the two pumps?"),
        thinking("a1", "u1", "m1", "Both at once."),
        call("a2", "a1", "m1", "toolu_1", "temp 1"),
        result("r1", "a2", "toolu_1", "41 degrees"),
        call("a3", "a2", "m1", "toolu_2", "temp 2"),
        result("r2", "a3", "toolu_2", "47 degrees"),
        text("a4", "r2", "m2", "41 and 47 degrees."),
    ])
}

#[test]
fn the_lines_of_one_message_are_one_turn_and_every_result_is_one() {
    let session = session(&parallel());
    let turns = session.transcript().turns();
    let roles: Vec<Role> = turns.iter().map(cutctx_types::TranscriptTurn::role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::Assistant]);
    assert_eq!(turns[1].parts().len(), 3);
    assert_eq!(&**turns[2].content(), "41 degrees");
    assert!(turns[1].tool_call_id().is_some());
    assert_eq!(turns[3].tool_call_id(), turns[1].tool_call_id());
    assert_eq!(turns[3].tool_name(), Some("Bash"));
    assert_eq!(session.violations(), []);
}

#[test]
fn a_call_and_a_result_beside_the_branch_belong_to_it() {
    let lines = [
        said("u1", "", "both, please"),
        call("a1", "u1", "m1", "toolu_1", "one"),
        call("a2", "a1", "m1", "toolu_2", "two"),
        result("r1", "a1", "toolu_1", "first"),
        result("r2", "a2", "toolu_2", "second"),
        text("a3", "r1", "m2", "done"),
    ];
    let session = session(&file(&lines));
    assert_eq!(contents(&session)[2..4], ["second", "first"]);
    assert_eq!(session.violations(), []);
}

#[test]
fn the_branch_of_the_last_message_is_the_conversation() {
    let lines = [
        said("u1", "", "start"),
        text("a1", "u1", "m1", "first answer"),
        said("u2", "a1", "first try"),
        text("a2", "u2", "m2", "wrong"),
        said("u3", "a1", "second try"),
        text("a3", "u3", "m3", "right"),
    ];
    let session = session(&file(&lines));
    assert_eq!(contents(&session), ["start", "first answer", "second try", "right"]);
}

#[test]
fn a_compaction_ends_what_was_before_it() {
    let boundary = r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"logicalParentUuid":"a1","isSidechain":false}"#;
    let summary =
        said("s1", "b1", "It was about pumps.").replace("\"uuid\"", "\"isCompactSummary\":true,\"uuid\"");
    let lines = [
        said("u1", "", "start"),
        text("a1", "u1", "m1", "long talk"),
        boundary.to_owned(),
        summary,
        text("a2", "s1", "m2", "On we go."),
    ];
    let session = session(&file(&lines));
    assert_eq!(contents(&session), ["It was about pumps.", "On we go."]);
    let head = &session.transcript().turns()[0];
    assert!(head.pinned());
    assert_eq!(head.metadata().get("origin"), Some("harness"));
}

#[test]
fn lines_that_the_model_never_sees_are_no_turns() {
    let lines = [
        "// kept as it is".to_owned(),
        r#"{"type":"file-history-snapshot","messageId":"u1","snapshot":{}}"#.to_owned(),
        said("u1", "", "start"),
        String::new(),
        r#"{"type":"progress","uuid":"p1","parentUuid":"u1","isSidechain":false,"data":{"type":"hook"}}"#
            .to_owned(),
        text("e1", "p1", "m0", "API Error: overloaded").replace("claude-x", "<synthetic>"),
        text("a1", "e1", "m1", "here"),
        text("x1", "", "m9", "a sub-agent speaks").replace("\"isSidechain\":false", "\"isSidechain\":true"),
        r#"{"type":"system","subtype":"turn_duration","uuid":"d1","parentUuid":"a1","isSidechain":false}"#
            .to_owned(),
        r#"{"type":"summary","summary":"Pumps","leafUuid":"a1"}"#.to_owned(),
    ];
    let session = session(&file(&lines));
    assert_eq!(contents(&session), ["start", "here"]);
}

#[test]
fn a_sub_agents_own_file_is_a_session() {
    let side =
        |line: String| line.replace("\"isSidechain\":false", "\"isSidechain\":true,\"agentId\":\"a7\"");
    let lines = [side(said("u1", "", "look it up")), side(text("a1", "u1", "m1", "found"))];
    assert_eq!(contents(&session(&file(&lines))), ["look it up", "found"]);
}

#[test]
fn a_resumed_sessions_repetition_counts_once() {
    let first = [
        said("u1", "", "start"),
        call("a1", "u1", "m1", "toolu_1", "ls"),
        result("r1", "a1", "toolu_1", "two files"),
    ];
    let again = [
        said("u1b", "", "start"),
        call("a1b", "u1b", "m1", "toolu_1", "ls"),
        result("r1b", "a1b", "toolu_1", "two files"),
        text("a2", "r1b", "m2", "two"),
    ];
    let session = session(&file(&[first.to_vec(), again.to_vec()].concat()));
    let turns = session.transcript().turns();
    assert_eq!(turns.len(), 4);
    assert_eq!(&**turns[0].turn_id(), "u1b");
    assert_eq!(session.violations(), []);
}

#[test]
fn of_lines_with_one_id_the_last_message_counts() {
    let lines = [
        said("u1", "", "half").replace("\"half\"", "[]"),
        said("u1", "", "start"),
        r#"{"type":"user","uuid":"u1","message":"broken"}"#.to_owned(),
        text("a1", "u1", "m1", "here"),
    ];
    assert_eq!(contents(&session(&file(&lines))), ["start", "here"]);
}

#[test]
fn a_file_without_links_is_read_from_top_to_bottom() {
    let bare = |line: String| line.replace("\"parentUuid\":null,", "");
    let lines =
        [bare(said("u1", "", "one")), bare(text("a1", "", "m1", "two")), bare(said("u2", "", "three"))];
    assert_eq!(contents(&session(&file(&lines))), ["one", "two", "three"]);
}

#[test]
fn an_open_call_at_the_end_is_pinned_and_an_abandoned_one_is_not() {
    let open = [said("u1", "", "go"), call("a1", "u1", "m1", "toolu_1", "sleep")];
    assert!(session(&file(&open)).transcript().turns()[1].pinned());
    let abandoned = [
        said("u1", "", "go"),
        call("a1", "u1", "m1", "toolu_1", "sleep"),
        said("u2", "a1", "[Request interrupted by user for tool use]"),
        text("a2", "u2", "m2", "Stopped."),
    ];
    let session = session(&file(&abandoned));
    assert!(!session.transcript().turns()[1].pinned());
    assert_eq!(session.violations().len(), 1);
    assert_eq!(session.violations()[0].rule, "unanswered_call");
}

#[test]
fn commands_and_notes_of_the_harness_are_no_human_turns() {
    let lines = [
        said("u1", "", "<command-name>/model</command-name>"),
        said("u2", "u1", "a note").replace("\"uuid\"", "\"isMeta\":true,\"uuid\""),
        said("u3", "u2", "now the pump"),
        text("a1", "u3", "m1", "yes"),
        said("u4", "a1", "[Request interrupted by user]"),
    ];
    let session = session(&file(&lines));
    let origins: Vec<Option<&str>> =
        session.transcript().turns().iter().map(|turn| turn.metadata().get("origin")).collect();
    assert_eq!(origins, [Some("harness"), Some("harness"), None, None, Some("harness")]);
    let pinned: Vec<bool> =
        session.transcript().turns().iter().map(cutctx_types::TranscriptTurn::pinned).collect();
    assert_eq!(pinned, [true, false, true, false, true]);
}

#[test]
fn a_compaction_cuts_also_where_it_names_a_parent() {
    let lines = [
        said("u1", "", "start"),
        r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":"u1","isSidechain":false}"#
            .to_owned(),
        said("u2", "b1", "go on"),
    ];
    assert_eq!(contents(&session(&file(&lines))), ["go on"]);
}
