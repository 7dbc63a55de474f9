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
    assert_eq!(session.violations()[0].rule.name, "unanswered_call");
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
fn reminders_and_the_newest_words_of_a_person_are_pinned() {
    let lines = [
        said("u1", "", "now the pump"),
        text("a1", "u1", "m1", "yes"),
        said("u2", "a1", "<system-reminder>be kind</system-reminder>")
            .replace("\"uuid\"", "\"isMeta\":true,\"uuid\""),
        text("a2", "u2", "m2", "well"),
        said("u3", "a2", "and the valve"),
        text("a3", "u3", "m3", "done"),
        said("u4", "a3", "<local-command-stdout>x</local-command-stdout>"),
        text("a4", "u4", "m4", "hm"),
    ];
    let session = session(&file(&lines));
    let turns = session.transcript().turns();
    let pinned: Vec<bool> = turns.iter().map(cutctx_types::TranscriptTurn::pinned).collect();
    assert_eq!(pinned, [true, false, true, false, true, false, false, true]);
    assert_eq!(turns[2].metadata().get("origin"), Some("instructions"));
}

#[test]
fn what_the_branch_ends_in_stays_also_where_it_repeats_a_line() {
    let lines = [
        said("u1", "", "start"),
        text("a1", "u1", "m1", "said twice"),
        said("u2", "a1", "well"),
        said("u3", "", "elsewhere"),
        text("a2", "u2", "m1", "said twice"),
    ];
    let read = session(&file(&lines));
    assert_eq!(contents(&read), ["start", "said twice", "well"]);
    assert!(read.transcript().turns()[1].pinned());
}

#[test]
fn a_line_beside_the_branch_that_repeats_one_of_it_changes_with_it() {
    let lines = [
        said("u1", "", "start"),
        text("a1", "u1", "m1", "said twice"),
        text("a2", "a1", "m1", "said twice"),
        said("u2", "a1", "well"),
    ];
    let read = session(&file(&lines));
    let (kept, masked) = (cutctx_formats::Fate::Kept, cutctx_formats::Fate::Masked("[gone]"));
    let written = read.render(&[kept, masked, kept], &[]).unwrap().to_text();
    assert_eq!(written.matches("[gone]").count(), 2);
    assert_eq!(contents(&session(&written)), ["start", "[gone]", "well"]);
}

/// A compaction that kept the last two messages before it.
fn preserving(tail: &str) -> Vec<String> {
    let boundary = format!(
        r#"{{"type":"system","subtype":"compact_boundary","uuid":"b1","parentUuid":null,"isSidechain":false,"compactMetadata":{{"preservedSegment":{{"headUuid":"u2","anchorUuid":"s1","tailUuid":"{tail}"}}}}}}"#
    );
    vec![
        said("u1", "", "start"),
        text("a1", "u1", "m1", "long talk"),
        said("u2", "a1", "kept"),
        text("a2", "u2", "m2", "kept too"),
        text("a3", "a2", "m3", "kept last"),
        boundary,
        said("s1", "b1", "It was about pumps.").replace("\"uuid\"", "\"isCompactSummary\":true,\"uuid\""),
    ]
}

#[test]
fn messages_that_a_compaction_kept_follow_its_summary() {
    let mut lines = preserving("a3");
    assert_eq!(contents(&session(&file(&lines))), ["It was about pumps.", "kept", "kept too", "kept last"]);
    lines.push(said("u4", "s1", "on we go"));
    lines.push(text("a4", "u4", "m4", "yes"));
    lines.push(said("u5", "a4", "now"));
    let read = session(&file(&lines));
    let all = ["It was about pumps.", "kept", "kept too", "kept last", "on we go", "yes", "now"];
    assert_eq!(contents(&read), all);
    let pinned: Vec<bool> =
        read.transcript().turns().iter().map(cutctx_types::TranscriptTurn::pinned).collect();
    assert_eq!(pinned, [true, true, false, true, false, false, true]);
    let (kept, gone) = (cutctx_formats::Fate::Kept, cutctx_formats::Fate::Dropped);
    let written = read.render(&[kept, kept, gone, kept, gone, gone, kept], &[]).unwrap().to_text();
    assert_eq!(contents(&session(&written)), ["It was about pumps.", "kept", "kept last", "now"]);
    let folded = cutctx_formats::Fate::SummarizedInto("g");
    let summary = [cutctx_formats::SummaryText { group: "g", text: "in short" }];
    let written = read.render(&[kept, kept, folded, kept, folded, folded, kept], &summary).unwrap().to_text();
    assert_eq!(contents(&session(&written)), ["It was about pumps.", "kept", "in short", "kept last", "now"]);
    let written = read.render(&[kept, kept, kept, kept, folded, folded, kept], &summary).unwrap().to_text();
    assert_eq!(
        contents(&session(&written)),
        ["It was about pumps.", "kept", "kept too", "kept last", "in short", "now"]
    );
}

#[test]
fn messages_that_are_not_there_were_not_kept() {
    assert_eq!(contents(&session(&file(&preserving("x")))), ["It was about pumps."]);
    assert_eq!(contents(&session(&file(&preserving("a1")))), ["It was about pumps."]);
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
