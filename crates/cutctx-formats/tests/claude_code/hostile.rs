//! Broken and hostile files: an error or a result, never a panic, never a hang.

use cutctx_formats::{ClaudeCode, Fate, FormatError, Session};
use cutctx_types::CharRatioEstimator;
use proptest::prelude::*;

use super::fates::{Manner, to_budget};
use super::laws;
use super::lines::{call, contents, file, result, said, session, text};
use super::reading::parallel;

fn read(file: &str) -> Result<Session, FormatError> {
    Session::read_as(&ClaudeCode, file.to_owned(), &CharRatioEstimator::default())
}

fn line_of(error: &FormatError) -> usize {
    error.place().unwrap().line
}

#[test]
fn a_torn_last_line_is_named() {
    let whole = parallel();
    let torn = whole.get(..whole.len() - 20).unwrap();
    let error = read(torn).unwrap_err();
    assert!(matches!(error, FormatError::Syntax { truncated: true, .. }), "{error}");
    assert_eq!(line_of(&error), 7);
}

#[test]
fn records_glued_on_one_line_and_zero_bytes_are_named() {
    let glued = parallel().replacen("}\n{", "}{", 1);
    assert_eq!(line_of(&read(&glued).unwrap_err()), 1);
    let zeros = parallel().replacen('\n', "\n\0\0\0\n", 1);
    assert_eq!(line_of(&read(&zeros).unwrap_err()), 2);
}

#[test]
fn lines_that_are_no_messages_stay_as_they_are() {
    let lines = [
        said("u1", "", "start"),
        "\"just a text\"".to_owned(),
        "[1]".to_owned(),
        "42".to_owned(),
        r#"{"silly":"this"}"#.to_owned(),
        r#"{"type":"user","uuid":"x1","parentUuid":"u1","message":"broken"}"#.to_owned(),
        r#"{"type":"user","uuid":"x2","parentUuid":"u1","message":{"role":"user","content":["broken"]}}"#
            .to_owned(),
        text("a1", "u1", "m1", "here"),
    ];
    let before = file(&lines);
    assert_eq!(contents(&session(&before)), ["start", "here"]);
    laws::hold(&before);
}

#[test]
fn links_in_a_loop_end_the_branch() {
    let lines = [
        said("u1", "a2", "one"),
        text("a1", "u1", "m1", "two"),
        said("u2", "a1", "three"),
        text("a2", "u2", "m2", "four"),
        said("u3", "u3", "myself"),
    ];
    let looped = file(&lines[..4]);
    assert_eq!(contents(&session(&looped)), ["one", "two", "three", "four"]);
    let all_gone = session(&looped).render(&[Fate::Dropped; 4], &[]).unwrap().to_text();
    assert_eq!(all_gone, "");
    assert_eq!(contents(&session(&file(&lines))), ["myself"]);
}

#[test]
fn a_parent_that_is_missing_is_a_root() {
    let lines =
        [text("a0", "", "m0", "elsewhere"), said("u1", "lost", "start"), text("a1", "u1", "m1", "here")];
    assert_eq!(contents(&session(&file(&lines))), ["start", "here"]);
}

#[test]
fn children_before_their_parents_are_found() {
    let mut lines = [said("u1", "", "start"), text("a1", "u1", "m1", "one"), said("u2", "a1", "two")];
    lines.swap(0, 1);
    assert_eq!(contents(&session(&file(&lines))), ["start", "one", "two"]);
}

#[test]
fn a_long_branch_is_read_and_written_in_one_go() {
    let mut lines = vec![said("u0", "", "start")];
    for at in 1..100_000 {
        lines.push(text(&format!("u{at}"), &format!("u{}", at - 1), &format!("m{at}"), "on"));
    }
    let before = file(&lines);
    let read = session(&before);
    let mut fates = vec![Fate::Dropped; read.transcript().len()];
    fates[0] = Fate::Kept;
    fates[99_999] = Fate::Kept;
    let after = read.render(&fates, &[]).unwrap().to_text();
    assert_eq!(after.lines().count(), 2);
    assert!(after.contains(r#""parentUuid":"u0""#));
}

#[test]
fn one_message_on_very_many_lines_is_read_in_one_go() {
    let mut lines = vec![said("u0", "", "start")];
    for at in 1..20_000 {
        lines.push(call(&format!("u{at}"), &format!("u{}", at - 1), "m1", &format!("t{at}"), "on"));
    }
    for at in 1..20_000 {
        lines.push(result(&format!("r{at}"), &format!("u{at}"), &format!("t{at}"), "done"));
    }
    assert_eq!(session(&file(&lines)).transcript().len(), 20_001);
}

#[test]
fn deep_nesting_and_repeated_keys_do_no_harm() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let nested = said("u1", "", "start").replacen('{', &format!("{{\"deep\":{deep},"), 1);
    let twice = text("a1", "u1", "m1", "here").replacen('{', "{\"parentUuid\":\"lost\",", 1);
    let before = file(&[nested, twice.clone(), said("u2", "a1", "end")]);
    let read = session(&before);
    assert_eq!(contents(&read), ["start", "here", "end"]);
    assert_eq!(read.render(&[Fate::Kept; 3], &[]).unwrap().to_text(), before);
    let after = read.render(&[Fate::Kept, Fate::Masked("[gone]"), Fate::Kept], &[]).unwrap().to_text();
    assert_eq!(after, before.replace(r#""text":"here""#, r#""text":"[gone]""#));
    laws::hold(&file(&[said("u1", "", "start"), twice, said("u2", "a1", "end")]));
}

#[test]
fn an_empty_conversation_is_fine() {
    let before = "{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}\n";
    assert_eq!(session(before).transcript().len(), 0);
    laws::hold(before);
}

/// A line of a random session: what it is, after which earlier line, in which message.
type Choice = (u8, usize, u8);

fn random_session(choices: &[Choice]) -> String {
    let mut lines = vec![said("n0", "", "start")];
    for (at, (kind, back, message)) in choices.iter().enumerate() {
        let uuid = format!("n{}", at + 1);
        let after = if *back == 0 { String::new() } else { format!("n{}", (at + 1).saturating_sub(*back)) };
        let (message, id) = (format!("m{message}"), format!("t{}", message % 5));
        lines.push(match kind {
            0 => said(&uuid, &after, &format!("say {at}")),
            1 => text(&uuid, &after, &message, &format!("text {at}")),
            2 => call(&uuid, &after, &message, &id, "run"),
            3 => result(&uuid, &after, &id, &format!("result {at}")),
            4 => text(&uuid, &after, &message, "sorry").replace("claude-x", "<synthetic>"),
            5 => {
                format!(r#"{{"type":"progress","uuid":"{uuid}","parentUuid":"{after}","isSidechain":false}}"#)
            }
            6 => text(&uuid, &after, &message, "aside")
                .replace("\"isSidechain\":false", "\"isSidechain\":true"),
            _ => format!(
                r#"{{"type":"system","subtype":"compact_boundary","uuid":"{uuid}","parentUuid":null}}"#
            ),
        });
    }
    file(&lines)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_tree_of_lines_is_read_and_written_without_panic(
        choices in prop::collection::vec((0..8_u8, 0..4_usize, 0..12_u8), 0..40),
        share in 1..5_u64,
        manner in prop::sample::select(vec![Manner::Drop, Manner::Mask, Manner::Summarize, Manner::Mixed]),
    ) {
        let before = random_session(&choices);
        let read = session(&before);
        let untouched = read.render(&vec![Fate::Kept; read.transcript().len()], &[]).unwrap();
        prop_assert!(untouched.is_unchanged());
        let fates = to_budget(&read, read.transcript().token_estimate() / share, manner);
        let (after, _) = laws::written(&read, &before, &fates, &[super::fates::GROUP]);
        prop_assert!(after.violations().len() <= read.violations().len());
    }

    #[test]
    fn any_bytes_give_an_error_or_a_session(noise in prop::collection::vec(any::<u8>(), 0..200), at in 0..2_000_usize) {
        let mut bytes = parallel().into_bytes();
        let at = at.min(bytes.len());
        bytes.splice(at..at, noise);
        if let Ok(session) = Session::read_as(&ClaudeCode, bytes.clone(), &CharRatioEstimator::default()) {
            let untouched = session.render(&vec![Fate::Kept; session.transcript().len()], &[]).unwrap();
            prop_assert_eq!(untouched.to_text().into_bytes(), bytes);
        }
    }
}
