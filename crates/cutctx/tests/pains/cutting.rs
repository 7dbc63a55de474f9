//! Cutting text: on character borders only, and so that what is written is valid.

use crate::spell::{formats, says, spelled, user};
use crate::ways::{budget, read};
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
