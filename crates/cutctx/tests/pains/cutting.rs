//! Cutting text: on character borders only, and so that what is written is valid.

use crate::spell::{Step, calls, formats, says, spelled, user};
use crate::ways::{budget, read};
use cutctx::policies::ClipPolicy;
use cutctx::types::{KeptPart, Trim};
use cutctx::{Action, CompactionPolicy, ManualPolicy, PlanDraft, Summaries, TurnAction};

/// Text in which a cut hurts: emoji with joiners, combining marks, CJK, escapes, quotes, a code fence, line ends.
const TRICKY: [&str; 6] = [
    "a👩‍👩‍👧‍👦b🏳️‍🌈c",
    "e\u{301}a\u{308}\u{304}o",
    "港口の船は七隻です",
    "\u{1b}[31mred\u{1b}[0m \"quoted\" \\back\\",
    "```rust\nfn main() {}\n```\n",
    "crlf\r\ntab\tnull\u{0}",
];

/// A plan that keeps these bytes of the second turn, in a session that has more after it.
fn trimmed(session: &cutctx::formats::Session, range: &core::ops::Range<usize>) -> Option<String> {
    let turns = session.transcript().turns();
    let actions = turns.iter().enumerate().map(|(place, turn)| {
        let trim = || Action::Trim(Trim::new(vec![KeptPart::new(0, vec![range.clone()])], 1));
        TurnAction::new(turn.turn_id().clone(), if place == 1 { trim() } else { Action::Keep })
    });
    let draft = PlanDraft::new("by hand", "1", actions.collect());
    let max = session.transcript().token_estimate();
    let plan = ManualPolicy::new(draft).decide(session.transcript(), &budget(max)).ok()?;
    Some(cutctx::session::render(session, &plan, &Summaries::none()).unwrap().to_text())
}

#[test]
fn every_cut_on_a_border_is_written_and_every_other_one_is_refused() {
    for text in TRICKY {
        for format in formats() {
            let session = read(format, &spelled(format, &[user("u"), says(text), user("v"), says("w")]));
            assert_eq!(&**session.transcript().turns()[1].content(), text, "{}", format.name());
            for place in 1..text.len() {
                for range in [0..place, place..text.len()] {
                    let written = trimmed(&session, &range);
                    assert_eq!(
                        written.is_some(),
                        text.is_char_boundary(place),
                        "{} {range:?}",
                        format.name()
                    );
                    let Some(written) = written else { continue };
                    let after = read(format, &written);
                    let content = after.transcript().turns()[1].content().to_string();
                    let kept = text.get(range).unwrap();
                    assert!(
                        kept.trim().is_empty() || content.contains(kept.trim_end_matches('\n')),
                        "{content:?} {kept:?}"
                    );
                    crate::ways::refuses_no_more(&session, &after, &written);
                }
            }
        }
    }
}

#[test]
fn a_clipped_result_parts_no_character_and_no_escape() {
    let line = "\u{1b}[31mréd 👩‍👩‍👧‍👦 e\u{301}\u{1b}[0m 港口 \"q\" \\ ";
    for length in [40, 41, 42, 43, 60, 77] {
        let policy = ClipPolicy::new().with_limits(length + 20, length, 19).unwrap();
        for format in formats() {
            let steps =
                [user("u"), calls(&["a"]), Step::Results(vec![("a".into(), line.repeat(30))]), user("v")];
            let session = read(format, &spelled(format, &steps));
            let plan = policy.decide(session.transcript(), &budget(200)).unwrap();
            let written = cutctx::session::render(&session, &plan, &Summaries::none()).unwrap().to_text();
            let after = read(format, &written);
            let result =
                after.transcript().turns().iter().find(|turn| turn.role() == cutctx::Role::Tool).unwrap();
            assert!(
                result.content().len() < session.transcript().turns()[2].content().len(),
                "{}",
                format.name()
            );
            for piece in result.content().split("…") {
                assert!(is_whole(piece.trim_matches('\n')), "{} {length}: {piece:?}", format.name());
            }
        }
    }
}

/// Whether a piece begins with a character of its own and every escape sequence in it has an end.
fn is_whole(piece: &str) -> bool {
    let joins = |character: char| matches!(character, '\u{301}' | '\u{200d}' | '\u{fe0f}' | '[');
    let ends = |rest: &&str| rest.contains('m');
    !piece.starts_with(joins)
        && !piece.ends_with('\u{200d}')
        && piece.split('\u{1b}').skip(1).all(|rest| ends(&rest))
}
