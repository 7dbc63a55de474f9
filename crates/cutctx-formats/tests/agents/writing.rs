//! What is written: links, marks of earlier compactions, and what goes with a message.

use cutctx_formats::{Fate, Session, SummaryText};
use cutctx_types::Role;
use serde_json::Value;

use crate::examples::example;
use crate::laws::read;

const SUMMARY: &str = "What was said before, in short.";

/// The file with these fates for some turns; the others are kept.
fn written(session: &Session, fates: &[(usize, Fate<'_>)]) -> String {
    let mut all = vec![Fate::Kept; session.transcript().turns().len()];
    for (turn, fate) in fates {
        all[*turn] = *fate;
    }
    session.render(&all, &[SummaryText { group: "g", text: SUMMARY }]).unwrap().to_text()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn find<'v>(values: &'v [Value], key: &str, wanted: &str) -> &'v Value {
    values.iter().find(|value| value[key] == wanted).unwrap_or_else(|| panic!("no {key} {wanted}"))
}

const FOLDED: Fate<'_> = Fate::SummarizedInto("g");

#[test]
fn pi_links_name_the_nearest_entry_that_stays() {
    let session = read(example("pi.jsonl"));
    // The exchange and the custom message after it; the branch beside hangs on the latter.
    let file = written(&session, &[(3, FOLDED), (4, FOLDED), (5, FOLDED), (6, FOLDED), (7, Fate::Dropped)]);
    let entries = lines(&file);
    let summary = entries.iter().find(|entry| entry["message"]["content"][0]["text"] == SUMMARY).unwrap();
    assert_eq!(summary["parentId"], "a0000009", "what stays above: a label");
    assert_eq!(find(&entries, "id", "a0000010")["parentId"], summary["id"]);
    assert_eq!(find(&entries, "id", "a000000f")["parentId"], summary["id"], "a branch beside");
    assert_eq!(find(&entries, "id", "a0000008")["parentId"], "a0000007", "untouched");
    assert_eq!(summary["id"].as_str().unwrap().len(), 16);
    assert_eq!(
        written(&session, &[(3, FOLDED), (4, FOLDED), (5, FOLDED), (6, FOLDED), (7, Fate::Dropped)]),
        file
    );
}

#[test]
fn pi_names_another_first_entry_when_the_first_one_goes() {
    let session = read(example("pi.jsonl"));
    let dropped = lines(&written(&session, &[(1, Fate::Dropped)]));
    assert_eq!(
        find(&dropped, "type", "compaction")["firstKeptEntryId"],
        "a0000006",
        "itself: nothing is kept"
    );
    let folded = lines(&written(&session, &[(1, FOLDED)]));
    let summary = folded.iter().find(|entry| entry["message"]["content"][0]["text"] == SUMMARY).unwrap();
    assert_eq!(find(&folded, "type", "compaction")["firstKeptEntryId"], summary["id"]);
}

#[test]
fn pi_of_the_first_version_counts_anew() {
    let file = r#"{"type":"session","id":"s","timestamp":"t","cwd":"/"}
{"type":"message","timestamp":"t","message":{"role":"user","content":"old"}}
{"type":"message","timestamp":"t","message":{"role":"user","content":"first"}}
{"type":"message","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"second"}]}}
{"type":"compaction","timestamp":"t","summary":"what was","firstKeptEntryIndex":2,"tokensBefore":9}
{"type":"message","timestamp":"t","message":{"role":"user","content":"new"}}
"#;
    let session = read(file);
    let kept = |file: &str| find(&lines(file), "type", "compaction")["firstKeptEntryIndex"].clone();
    assert_eq!(kept(&written(&session, &[(1, Fate::Dropped)])), 2, "the second one stands there now");
    assert_eq!(
        kept(&written(&session, &[(1, Fate::Dropped), (2, Fate::Dropped)])),
        2,
        "nothing but the mark"
    );
    assert!(!written(&session, &[(2, FOLDED)]).contains("parentId"));
}

#[test]
fn a_new_summary_takes_the_place_of_an_earlier_one() {
    for (name, turn, mark) in [
        ("pi.jsonl", 0, "compaction"),
        ("copilot-cli.jsonl", 1, "session.compaction_complete"),
        ("kimi-cli.jsonl", 2, "context.apply_compaction"),
        ("antigravity.jsonl", 0, "CHECKPOINT"),
    ] {
        let session = read(example(name));
        let file = written(&session, &[(turn, FOLDED)]);
        let mark = find(&lines(&file), "type", mark).to_string();
        assert!(mark.contains(SUMMARY), "{name}: {mark}");
        assert_eq!(file.lines().count(), example(name).lines().count(), "{name}");
        let dropped = written(&session, &[(turn, Fate::Dropped)]);
        assert_eq!(dropped.lines().count(), example(name).lines().count(), "{name}: the mark stays");
        assert_eq!(
            read(dropped.as_str()).transcript().turns().len() + 1,
            session.transcript().turns().len(),
            "{name}"
        );
    }
}

#[test]
fn opencode_ids_stand_between_those_of_their_neighbours() {
    for name in ["opencode.json", "opencode-storage.json"] {
        let session = read(example(name));
        let turns = session.transcript().turns();
        let first = turns.iter().position(|turn| turn.turn_id().as_ref() == "msg_0006").unwrap();
        let group: Vec<_> = (first..first + 6).map(|turn| (turn, FOLDED)).collect();
        let file = written(&session, &group);
        let again = read(file.as_str());
        let ids: Vec<_> = again.transcript().turns().iter().map(|turn| turn.turn_id().to_string()).collect();
        let place =
            again.transcript().turns().iter().position(|turn| turn.content().as_ref() == SUMMARY).unwrap();
        assert!(ids[place - 1] < ids[place] && ids[place] < ids[place + 1], "{name}: {ids:?}");
        assert!(!file.contains("call_o2"), "{name}");
        assert!(!file.contains("aa11"), "{name}: a patch goes with its message");
    }
}

#[test]
fn opencode_results_that_say_something_again_are_not_cleared() {
    let session = read(example("opencode.json"));
    let cleared =
        session.transcript().turns().iter().position(|turn| turn.content().contains("cleared")).unwrap();
    let file = written(&session, &[(cleared, Fate::Masked("[short]"))]);
    assert!(example("opencode.json").contains("\"compacted\""));
    assert!(!file.contains("\"compacted\""));
    assert_eq!(read(file.as_str()).transcript().turns()[cleared].content().as_ref(), "[short]");
}

#[test]
fn media_go_with_a_masked_result() {
    for name in ["opencode.json", "gemini-cli.json", "qwen-code.jsonl", "pi.jsonl", "kimi-cli.jsonl"] {
        let session = read(example(name));
        let turns = session.transcript().turns();
        let held = |turn: &cutctx_types::TranscriptTurn| {
            turn.role() == Role::Tool && turn.content().contains("[image")
        };
        let picture = turns.iter().position(held).unwrap();
        let file = written(&session, &[(picture, Fate::Masked("[a picture]"))]);
        let count = |text: &str| text.matches("iVBORw0KGgo").count();
        assert_eq!(count(&file) + 1, count(example(name)), "{name}");
        assert_eq!(
            read(file.as_str()).transcript().turns()[picture].content().as_ref(),
            "[a picture]",
            "{name}"
        );
    }
}

#[test]
fn older_lines_of_a_message_go_with_it() {
    let session = read(example("gemini-cli.jsonl"));
    let group: Vec<_> = (1..5).map(|turn| (turn, FOLDED)).collect();
    let file = written(&session, &group);
    assert_eq!(example("gemini-cli.jsonl").matches("\"g4\"").count(), 2);
    assert_eq!(file.matches("\"g4\"").count(), 0);
    let again = read(file.as_str());
    assert_eq!(again.transcript().turns()[1].content().as_ref(), SUMMARY);
    let slash =
        session.render(&fates_of(&session, &group), &[SummaryText { group: "g", text: "/srv was read" }]);
    assert_eq!(read(slash.unwrap().to_text()).transcript().turns()[1].role(), Role::Assistant);
}

fn fates_of<'f>(session: &Session, some: &[(usize, Fate<'f>)]) -> Vec<Fate<'f>> {
    let mut all = vec![Fate::Kept; session.transcript().turns().len()];
    for (turn, fate) in some {
        all[*turn] = *fate;
    }
    all
}

#[test]
fn what_frames_a_message_goes_with_it() {
    let kimi = read(example("kimi-cli.jsonl"));
    let file = written(&kimi, &[(4, Fate::Dropped), (5, Fate::Dropped), (6, Fate::Dropped)]);
    assert!(example("kimi-cli.jsonl").contains("\"s1\"") && !file.contains("\"s1\""));
    let copilot = read(example("copilot-cli.jsonl"));
    let file = written(&copilot, &[(3, Fate::Dropped), (4, Fate::Dropped), (5, Fate::Dropped)]);
    assert!(!file.contains("call_1") && !file.contains("call_2") && file.contains("call_3"));
    let events = lines(&file);
    assert_eq!(find(&events, "id", "e12")["parentId"], "e6");
}

#[test]
fn qwen_records_of_one_id_go_together() {
    let session = read(example("qwen-code.jsonl"));
    let group: Vec<_> = (3..7).map(|turn| (turn, FOLDED)).collect();
    let records = lines(&written(&session, &group));
    assert!(records.iter().all(|record| record["uuid"] != "q5"));
    let summary = records.iter().find(|record| record["message"]["parts"][0]["text"] == SUMMARY).unwrap();
    assert_eq!(summary["parentUuid"], "q4");
    assert_eq!(find(&records, "uuid", "q6")["parentUuid"], summary["uuid"]);
    assert_eq!(find(&records, "uuid", "q10")["parentUuid"], "q6", "the dead branch");
    assert_eq!(find(&records, "uuid", "q11")["parentUuid"], "q6");
}

#[test]
fn a_masked_call_without_words_gets_some() {
    for (name, turn) in [
        ("opencode.json", 6),
        ("kimi-cli.jsonl", 8),
        ("copilot-cli.jsonl", 3),
        ("gemini-cli.json", 5),
        ("happy-trace.json", 2),
    ] {
        let session = read(example(name));
        let again = read(written(&session, &[(turn, Fate::Masked("[short]"))]));
        let said = again.transcript().turns()[turn].content();
        assert!(said.starts_with("[short]"), "{name}: {said}");
    }
}

/// The file with the lines that hold `mark` said again right behind themselves.
fn repeated(file: &str, mark: &str, times: usize) -> String {
    let again = |line: &str| if line.contains(mark) { times } else { 1 };
    file.lines().map(|line| [line, "\n"].concat().repeat(again(line))).collect()
}

#[test]
fn media_of_every_record_of_a_message_go_with_a_masked_result() {
    let file = repeated(example("qwen-code.jsonl"), r#"{"uuid":"q8","#, 3);
    let session = read(file);
    let turns = session.transcript().turns();
    let shown = turns.iter().enumerate().filter(|(_, turn)| turn.content().contains("[image"));
    let masks: Vec<_> = shown.map(|(turn, _)| (turn, Fate::Masked("[gone]"))).collect();
    assert_eq!(masks.len(), 3);
    assert!(!written(&session, &masks).contains("inlineData"));
}

#[test]
fn a_result_of_media_alone_becomes_a_text() {
    for result in [
        r#"[{"functionRespons":{"id":"c"}}]"#,
        r#"[{"functionResponse":{"id":"c"}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]"#,
    ] {
        let file = [
            r#"{"sessionId":"s","projectHash":"h","messages":[{"id":"u","type":"user","content":"look"},"#,
            r#"{"id":"g","type":"gemini","content":"","toolCalls":[{"id":"c","name":"f","args":{},"result":"#,
            result,
            r#"}]},{"id":"v","type":"user","content":"and?"}]}"#,
        ]
        .concat();
        let session = read(file);
        let again = read(written(&session, &[(2, Fate::Masked("[gone]"))]));
        assert_eq!(&**again.transcript().turns()[2].content(), "[gone]", "{result}");
    }
}

#[test]
fn copies_of_an_entry_go_with_it() {
    let file = repeated(example("pi.jsonl"), r#""id":"a0000010","#, 3);
    let session = read(file);
    let place = |session: &Session| {
        session.transcript().turns().iter().position(|turn| &**turn.turn_id() == "a0000010")
    };
    let again = read(written(&session, &[(place(&session).unwrap(), Fate::Dropped)]));
    assert_eq!(place(&again), None);
}

#[test]
fn a_step_for_which_messages_wait_stays() {
    let event = |event: &str| [r#"{"type":"context.append_loop_event","event":"#, event, "}\n"].concat();
    let said = |text: &str| {
        let content = [r#"{"role":"user","content":[{"type":"text","text":""#, text, r#""}]}"#].concat();
        [r#"{"type":"context.append_message","message":"#, &content, "}\n"].concat()
    };
    let step = |id: &str| event(&[r#"{"type":"step.begin","uuid":""#, id, r#"","step":1}"#].concat());
    let file = [
        "{\"type\":\"metadata\",\"protocol_version\":\"1.4\"}\n",
        &said("first"),
        &step("s1"),
        &event(r#"{"type":"tool.call","stepUuid":"s1","toolCallId":"c1","name":"f","args":{"of":1}}"#),
        &event(r#"{"type":"tool.call","stepUuid":"s1","toolCallId":"c2","name":"f","args":{"of":2}}"#),
        &event(r#"{"type":"tool.result","toolCallId":"c2","result":{"output":"one of two"}}"#),
        &said("this waits"),
        &step("s2"),
        &event(r#"{"type":"content.part","stepUuid":"s2","part":{"type":"text","text":"still at it"}}"#),
    ]
    .concat();
    let session = read(file);
    let turns = session.transcript().turns();
    assert_eq!(&**turns.last().unwrap().content(), "this waits");
    let call = turns.iter().find(|turn| turn.content().contains("[call f")).unwrap();
    assert!(call.pinned(), "without it, the message would come before the second step");
}
