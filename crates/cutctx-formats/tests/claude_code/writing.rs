//! What is written.

use cutctx_formats::{Fate, SummaryText};
use cutctx_types::{KeptPart, Trim};
use serde_json::json;

use super::laws;
use super::lines::{call, contents, field, file, result, said, session, text, thinking};
use super::reading::parallel;

#[test]
fn a_dropped_exchange_takes_its_lines_and_the_branch_closes_over_it() {
    let before = parallel();
    let fates = [Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Dropped, Fate::Kept];
    let after = session(&before).render(&fates, &[]).unwrap().to_text();
    assert_eq!(after.lines().count(), 2);
    assert_eq!(field(&after, "a4", "parentUuid"), json!("u1"));
    laws::compacted(&session(&before), &before, &fates);
}

#[test]
fn a_masked_result_loses_its_content_and_keeps_the_rest_of_its_line() {
    let before = parallel();
    let fates = [Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Kept, Fate::Kept];
    let after = session(&before).render(&fates, &[]).unwrap().to_text();
    let expected = before.replacen(r#""content":"41 degrees""#, r#""content":"[gone]""#, 1);
    assert_eq!(after, expected);
    assert!(after.contains(r#""stdout":"41 degrees""#));
}

#[test]
fn a_masked_message_keeps_its_calls_without_arguments_and_its_text_line() {
    let before = file(&[
        said("u1", "", "start"),
        thinking("a1", "u1", "m1", "hm"),
        text("a2", "a1", "m1", "Let me look."),
        call("a3", "a2", "m1", "toolu_1", "ls"),
        result("r1", "a3", "toolu_1", "two files"),
        said("u2", "r1", "and now?"),
        text("a4", "u2", "m2", "two"),
    ]);
    let fates = [Fate::Kept, Fate::Masked("[gone]"), Fate::Kept, Fate::Kept, Fate::Kept];
    let after = session(&before).render(&fates, &[]).unwrap().to_text();
    assert_eq!(after.lines().count(), 6, "the thinking line goes");
    assert_eq!(field(&after, "a2", "parentUuid"), json!("u1"));
    assert_eq!(field(&after, "a2", "message")["content"], json!([{"type": "text", "text": "[gone]"}]));
    assert_eq!(field(&after, "a3", "message")["content"][0]["input"], json!({}));
    laws::compacted(&session(&before), &before, &fates);
}

#[test]
fn a_masked_message_without_text_gets_a_text_block_before_its_call() {
    let before = parallel();
    let fates = [Fate::Kept, Fate::Masked("[gone]"), Fate::Kept, Fate::Kept, Fate::Kept];
    let after = session(&before).render(&fates, &[]).unwrap().to_text();
    let content = &field(&after, "a2", "message")["content"];
    assert_eq!(content[0], json!({"type": "text", "text": "[gone]"}));
    assert_eq!(content[1]["id"], json!("toolu_1"));
    assert!(after.contains("Both at once."), "signed reasoning of the turn that is going on stays");
}

#[test]
fn a_summary_is_a_user_line_in_the_place_of_what_it_stands_for() {
    let before = parallel();
    let group = Fate::SummarizedInto("g");
    let fates = [Fate::Kept, group, group, group, Fate::Kept];
    let read = session(&before);
    let summary = SummaryText { group: "g", text: "Pump 1: 41, pump 2: 47." };
    let after = read.render(&fates, &[summary]).unwrap().to_text();
    assert_eq!(after.lines().count(), 3);
    let uuid = field(&after, "a4", "parentUuid");
    let uuid = uuid.as_str().unwrap();
    assert_eq!(field(&after, uuid, "parentUuid"), json!("u1"));
    assert_eq!(field(&after, uuid, "sessionId"), json!("s-1"));
    assert_eq!(field(&after, uuid, "isMeta"), json!(true));
    assert_eq!(contents(&session(&after))[1], "Pump 1: 41, pump 2: 47.");
    assert_eq!(after, read.render(&fates, &[summary]).unwrap().to_text(), "the id is always the same");
    let dashes: Vec<usize> = uuid.match_indices('-').map(|(at, _)| at).collect();
    assert_eq!((uuid.len(), dashes), (36, vec![8, 13, 18, 23]));
}

#[test]
fn a_blank_summary_leaves_no_line() {
    let before = parallel();
    let group = Fate::SummarizedInto("g");
    let fates = [Fate::Kept, group, group, group, Fate::Kept];
    let after =
        session(&before).render(&fates, &[SummaryText { group: "g", text: " \n" }]).unwrap().to_text();
    assert_eq!(after.lines().count(), 2);
    assert_eq!(field(&after, "a4", "parentUuid"), json!("u1"));
    assert!(session(&before).render(&fates, &[]).is_err(), "a missing text is an error");
}

#[test]
fn a_second_summary_of_the_same_group_id_gets_another_uuid() {
    let once = |file: &str, fates: &[Fate<'_>]| {
        session(file).render(fates, &[SummaryText { group: "g", text: "short" }]).unwrap().to_text()
    };
    let group = Fate::SummarizedInto("g");
    let first = once(&parallel(), &[Fate::Kept, group, group, group, Fate::Kept]);
    let more = first + &said("u5", "a4", "more") + "\n" + &text("a5", "u5", "m5", "yes") + "\n";
    let second = once(&more, &[Fate::Kept, Fate::Kept, group, Fate::Kept, Fate::Kept]);
    assert_eq!(contents(&session(&second)), ["How warm are the two pumps?", "short", "short", "more", "yes"]);
}

#[test]
fn summaries_of_two_groups_follow_each_other() {
    let before = file(&[
        said("u1", "", "start"),
        text("a1", "u1", "m1", "one"),
        said("u2", "a1", "two"),
        text("a2", "u2", "m2", "three"),
        said("u3", "a2", "end"),
    ]);
    let (g, h) = (Fate::SummarizedInto("g"), Fate::SummarizedInto("h"));
    let texts = [SummaryText { group: "g", text: "first" }, SummaryText { group: "h", text: "second" }];
    let after = session(&before).render(&[Fate::Kept, g, h, h, Fate::Kept], &texts).unwrap().to_text();
    assert_eq!(contents(&session(&after)), ["start", "first", "second", "end"]);
}

#[test]
fn links_of_all_kinds_follow_to_the_nearest_line_that_stays() {
    let before = file(&[
        said("u1", "", "start"),
        text("a1", "u1", "m1", "one"),
        said("u2", "a1", "two"),
        r#"{"type":"progress","uuid":"p1","parentUuid":"u2","isSidechain":false,"data":{}}"#.to_owned(),
        text("a2", "u2", "m2", "a dead branch hangs here"),
        said("x1", "a2", "dead branch"),
        said("u3", "a2", "end"),
        r#"{"type":"summary","uuid":"t1","summary":"x","leafUuid":"a1"}"#.to_owned(),
    ]);
    let fates = [Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Dropped, Fate::Kept];
    let after = session(&before).render(&fates, &[]).unwrap().to_text();
    for line in ["p1", "x1", "u3"] {
        assert_eq!(field(&after, line, "parentUuid"), json!("u1"), "{line}");
    }
    assert_eq!(field(&after, "t1", "leafUuid"), json!("u1"));
    laws::compacted(&session(&before), &before, &fates);
}

#[test]
fn a_user_line_with_a_result_and_text_loses_only_what_is_dropped() {
    let both = result("r1", "a1", "toolu_1", "two files").replace(
        r#""tool_use_id":"toolu_1","type":"tool_result"}]"#,
        r#""tool_use_id":"toolu_1","type":"tool_result"},{"type":"text","text":"by the way"}]"#,
    );
    assert!(both.contains("by the way"));
    let before = file(&[
        said("u1", "", "start"),
        call("a1", "u1", "m1", "toolu_1", "ls"),
        both,
        text("a2", "r1", "m2", "two"),
    ]);
    let read = session(&before);
    assert_eq!(contents(&read)[2..4], ["two files", "by the way"]);
    let fates = [Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Dropped, Fate::Kept];
    let after = read.render(&fates, &[]).unwrap().to_text();
    assert_eq!(contents(&session(&after))[2..], ["[gone]", "two"]);
    assert_eq!(session(&after).violations(), []);
}

#[test]
fn a_repeated_line_gets_the_same_edit() {
    let twice = result("r1", "a1", "toolu_1", "two files");
    let before = file(&[
        said("u1", "", "start"),
        call("a1", "u1", "m1", "toolu_1", "ls"),
        twice.clone(),
        twice,
        text("a2", "r1", "m2", "two"),
    ]);
    let read = session(&before);
    let masked =
        read.render(&[Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Kept], &[]).unwrap().to_text();
    assert_eq!(masked.matches(r#""content":"[gone]""#).count(), 2);
    let dropped =
        read.render(&[Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Kept], &[]).unwrap().to_text();
    assert_eq!(dropped.lines().count(), 2);
}

#[test]
fn a_trimmed_result_keeps_its_pieces_and_trimmed_arguments_stay_json() {
    let before = parallel();
    let read = session(&before);
    let turns = read.transcript().turns();
    let end = turns[1].parts()[0].end;
    let calls = Trim::new(vec![KeptPart::new(0, vec![0..end])], 4);
    let piece = Trim::new(vec![KeptPart::new(0, vec![0..2])], 1);
    let fates = [Fate::Kept, Fate::Trimmed(&calls), Fate::Trimmed(&piece), Fate::Kept, Fate::Kept];
    let after = read.render(&fates, &[]).unwrap().to_text();
    assert_eq!(field(&after, "a2", "message")["content"][0]["input"], json!({}));
    let kept = field(&after, "r1", "message")["content"][0]["content"].clone();
    assert!(
        kept.as_str().unwrap().starts_with("41") && !kept.as_str().unwrap().contains("degrees"),
        "{kept}"
    );
    assert_eq!(session(&after).violations(), []);
}

#[test]
fn a_last_line_without_line_feed_stays_so() {
    let before = parallel();
    let before = before.trim_end().to_owned();
    let fates = [Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Dropped, Fate::Kept];
    laws::compacted(&session(&before), &before, &fates);
    assert!(!session(&before).render(&fates, &[]).unwrap().to_text().ends_with('\n'));
}

#[test]
fn what_the_branch_says_twice_is_one_turn_and_changes_in_both_places() {
    let before = file(&[
        said("u1", "", "start"),
        call("a1", "u1", "m1", "toolu_1", "ls"),
        result("r1", "a1", "toolu_1", "two files"),
        call("a1b", "r1", "m1", "toolu_1", "ls"),
        result("r1b", "a1b", "toolu_1", "two files"),
        text("a2", "r1b", "m2", "two"),
    ]);
    let read = session(&before);
    assert_eq!(read.transcript().len(), 4);
    assert_eq!(read.violations(), []);
    let masked = [Fate::Kept, Fate::Kept, Fate::Masked("[gone]"), Fate::Kept];
    let masked = read.render(&masked, &[]).unwrap().to_text();
    assert_eq!(masked.matches(r#""content":"[gone]""#).count(), 2);
    assert_eq!(contents(&session(&masked)).len(), 4);
    let dropped = [Fate::Kept, Fate::Dropped, Fate::Dropped, Fate::Kept];
    assert_eq!(read.render(&dropped, &[]).unwrap().to_text().lines().count(), 2);
}

#[test]
fn a_masked_message_keeps_one_line_on_the_branch() {
    let before = file(&[
        said("u1", "", "start"),
        thinking("a1", "u1", "m1", "hm"),
        text("a2", "a1", "m1", "Let me look."),
        said("u2", "a1", "never mind"),
        text("a3", "u2", "m2", "fine"),
    ]);
    let read = session(&before);
    let fates = [Fate::Kept, Fate::Masked("[gone]"), Fate::Kept, Fate::Kept];
    let after = session(&read.render(&fates, &[]).unwrap().to_text());
    assert_eq!(after.transcript().len(), 4);
    assert!(contents(&after)[1].ends_with("[gone]"));
}
