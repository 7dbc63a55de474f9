//! Trimmed turns.

use crate::generated::{Case, cases as generated};
use core::ops::Range;
use cutctx_exec::{Applied, CompactionExecutor, Summaries};
use cutctx_invariants::{CompactionPlan, Survey};
use cutctx_types::{
    Action, CompactionBudget, KeptPart, Part, PartKind, PlanDraft, Role, Transcript, TranscriptTurn, Trim,
    TurnAction,
};
use proptest::prelude::*;

fn apply(case: &Case) -> Applied {
    CompactionExecutor::new().apply(&case.transcript, &case.plan, &case.summaries).unwrap()
}

/// What a trim must give: each byte is kept or cut, and every run of cut ones becomes a line, or a character alone where
/// arguments of a call stay around it.
fn slow_text(turn: &TranscriptTurn, trim: &Trim) -> String {
    let is_kept = |at: usize| trim.kept.iter().flat_map(|kept| &kept.ranges).any(|range| range.contains(&at));
    let call_at = |at: usize| {
        let part = turn.parts().iter().position(|part| at < part.end)?;
        let stays = trim.kept.iter().any(|kept| kept.part == part);
        (stays && turn.parts()[part].kind == PartKind::CallArguments).then_some(part)
    };
    let mut text = String::new();
    let mut before = None;
    for (at, character) in turn.content().char_indices() {
        let cut = (!is_kept(at)).then(|| call_at(at));
        match cut {
            None => text.push(character),
            Some(_) if before == Some(cut) => {}
            Some(Some(_)) => text.push('…'),
            Some(None) => text.push_str(if text.is_empty() { "…\n" } else { "\n…\n" }),
        }
        before = Some(cut);
    }
    if before == Some(Some(None)) { text.strip_suffix('\n').unwrap().to_owned() } else { text }
}

fn trimmed_pairs<'c>(
    case: &'c Case,
    applied: &'c Applied,
) -> Vec<(&'c TranscriptTurn, &'c Trim, &'c TranscriptTurn)> {
    let rows = case.transcript.turns().iter().zip(case.plan.actions());
    rows.filter_map(|(turn, action)| {
        let Action::Trim(trim) = &action.action else { return None };
        let after = applied.compacted.turns.iter().find(|after| after.turn_id() == turn.turn_id())?;
        Some((turn, trim, after))
    })
    .collect()
}

fn part_texts(turn: &TranscriptTurn) -> Vec<(PartKind, &str)> {
    let ends = turn.parts().iter().map(|part| part.end);
    let starts = [0].into_iter().chain(ends);
    let bounds = starts.zip(turn.parts());
    bounds.map(|(start, part)| (part.kind, &turn.content()[start..part.end])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_cut_stretch_leaves_one_line_with_a_mark(case in generated(true)) {
        let applied = apply(&case);
        for (before, trim, after) in trimmed_pairs(&case, &applied) {
            prop_assert_eq!(&**after.content(), slow_text(before, trim));
            prop_assert_eq!(after.token_estimate(), trim.token_estimate);
            prop_assert_eq!(after.metadata().get("cutctx.kind"), Some("trimmed"));
            prop_assert_eq!(after.tool_name(), before.tool_name());
            prop_assert_eq!((after.role(), after.tool_call_id()), (before.role(), before.tool_call_id()));
        }
    }

    #[test]
    fn parts_stay_in_order_and_indivisible_ones_stay_what_they_were(case in generated(true)) {
        let applied = apply(&case);
        for (before, trim, after) in trimmed_pairs(&case, &applied) {
            prop_assert_eq!(before.parts().is_empty(), after.parts().is_empty());
            let (old, new) = (part_texts(before), part_texts(after));
            let mut rest = new.iter();
            for kept in trim.kept.iter().filter(|_| !before.parts().is_empty()) {
                let (kind, text) = old[kept.part];
                let same = |part: &&(PartKind, &str)| part.0 == kind && (!kind.is_indivisible() || part.1 == text);
                prop_assert!(rest.any(|part| same(&part)), "part {} is not in {:?}", kept.part, new);
            }
            let own_marks = new.len() - trim.kept.len().min(new.len());
            prop_assert!(new.iter().filter(|(_, text)| text.trim() == "…").count() >= own_marks);
        }
    }
}

fn trimmed(turn: TranscriptTurn, kept: Vec<KeptPart>) -> TranscriptTurn {
    trimmed_by(turn, Trim::new(kept, 7))
}

fn trimmed_by(turn: TranscriptTurn, trim: Trim) -> TranscriptTurn {
    let transcript = Transcript::new(vec![turn]).unwrap();
    let budget = CompactionBudget::new(9).with_protected_recent_turns(0);
    let action = TurnAction::new("t", Action::Trim(trim));
    let draft = PlanDraft::new("by hand", "1", vec![action]);
    let plan = CompactionPlan::check(draft, &Survey::new(&transcript, &budget).unwrap()).unwrap();
    let applied = CompactionExecutor::new().apply(&transcript, &plan, &Summaries::none()).unwrap();
    applied.compacted.turns[0].clone()
}

fn turn(text: &str) -> TranscriptTurn {
    TranscriptTurn::new("t", Role::Tool, text, 20).unwrap()
}

/// Where a word stands in a text.
fn place(text: &str, word: &str) -> Range<usize> {
    let start = text.find(word).unwrap();
    start..start + word.len()
}

#[test]
fn head_and_tail_of_a_long_result_stay_with_a_mark_between() {
    let text = "日本語 the head … much more … the tail é";
    let kept = KeptPart::new(0, vec![place(text, "日本語 the head"), place(text, "the tail é")]);
    let after = trimmed(turn(text), vec![kept]);
    assert_eq!(&**after.content(), "日本語 the head\n…\nthe tail é");
    assert!(after.parts().is_empty());
}

#[test]
fn a_cut_at_either_end_is_marked_too() {
    let text = "before, the middle, after";
    let after = trimmed(turn(text), vec![KeptPart::new(0, vec![place(text, "the middle")])]);
    assert_eq!(&**after.content(), "…\nthe middle\n…");
}

#[test]
fn ranges_that_touch_leave_no_mark() {
    let after = trimmed(turn("one two three"), vec![KeptPart::new(0, vec![0..3, 3..7])]);
    assert_eq!(&**after.content(), "one two\n…");
}

#[test]
fn a_mark_tells_how_much_was_cut_out_of_a_part_where_it_is_asked_to() {
    let lines: Vec<String> = (0..40).map(|line| format!("a longer line {line}")).collect();
    let text = [lines.join("\n"), "word ".repeat(200), "gone".repeat(200)].concat();
    let (long, words) = (lines.join("\n").len(), lines.join("\n").len() + 1_000);
    let ends = [(PartKind::Text, long), (PartKind::Text, words), (PartKind::Reasoning, text.len())];
    let parts = ends.map(|(kind, end)| Part::new(kind, end, 5)).to_vec();
    let kept = vec![
        KeptPart::new(0, vec![0..15, place(&text, "a longer line 38")]),
        KeptPart::new(1, vec![long..long + 4, words - 5..words]),
    ];
    let trim = Trim::new(kept, 7).with_counts(true);
    let after = trimmed_by(turn(&text).with_parts(parts).unwrap(), trim);
    let expected = "a longer line 0\n… 37 lines …\na longer line 38\n…\nword\n… 991 characters …\nword \n…";
    assert_eq!(&**after.content(), expected);
}

#[test]
fn parts_that_are_gone_leave_a_text_part_with_the_mark() {
    let text = "thinking<signed>hello{\"a\":1}";
    let parts = vec![
        Part::new(PartKind::Reasoning, 8, 3),
        Part::new(PartKind::OpaqueReasoning, 16, 5),
        Part::new(PartKind::Text, 21, 3),
        Part::new(PartKind::CallArguments, text.len(), 4),
    ];
    let kept =
        vec![KeptPart::new(0, vec![0..5]), KeptPart::new(1, vec![8..16]), KeptPart::new(3, vec![21..28])];
    let after = trimmed(turn(text).with_parts(parts).unwrap(), kept);
    assert_eq!(
        part_texts(&after),
        [
            (PartKind::Reasoning, "think\n…\n"),
            (PartKind::OpaqueReasoning, "<signed>"),
            (PartKind::Text, "\n…\n"),
            (PartKind::CallArguments, "{\"a\":1}"),
        ]
    );
    let estimates: Vec<u64> = after.parts().iter().map(|part| part.token_estimate).collect();
    // Five of eight bytes of three tokens are not quite two.
    assert_eq!(estimates, [2, 5, 0, 4]);
}

#[test]
fn an_empty_part_within_a_cut_does_not_double_the_mark() {
    let text = "headtail";
    let parts = vec![
        Part::new(PartKind::Text, 4, 1),
        Part::new(PartKind::OpaqueReasoning, 4, 9),
        Part::new(PartKind::Text, text.len(), 1),
    ];
    let kept = vec![KeptPart::new(0, vec![0..2]), KeptPart::new(1, vec![4..4]), KeptPart::new(2, vec![6..8])];
    let after = trimmed(turn(text).with_parts(parts).unwrap(), kept);
    let expected = [(PartKind::Text, "he\n…\n"), (PartKind::OpaqueReasoning, ""), (PartKind::Text, "il")];
    assert_eq!(part_texts(&after), expected);
}

#[test]
fn parts_found_elsewhere_do_not_move_the_cut() {
    // The strict executor does not compare parts; the trim was checked against the planned ones.
    let text = "abcdef";
    let halves = |end| vec![Part::new(PartKind::Text, end, 1), Part::new(PartKind::Text, 6, 1)];
    let planned = Transcript::new(vec![turn(text).with_parts(halves(4)).unwrap()]).unwrap();
    let budget = CompactionBudget::new(9).with_protected_recent_turns(0);
    let trim = Trim::new(vec![KeptPart::new(0, vec![0..4])], 7);
    let draft = PlanDraft::new("by hand", "1", vec![TurnAction::new("t", Action::Trim(trim))]);
    let plan = CompactionPlan::check(draft, &Survey::new(&planned, &budget).unwrap()).unwrap();
    for other in [turn(text), turn(text).with_parts(halves(2)).unwrap()] {
        let other = Transcript::new(vec![other]).unwrap();
        let applied = CompactionExecutor::new().apply(&other, &plan, &Summaries::none()).unwrap();
        assert_eq!(
            part_texts(&applied.compacted.turns[0]),
            [(PartKind::Text, "abcd"), (PartKind::Text, "\n…")]
        );
    }
}

#[test]
fn results_answer_the_part_that_their_call_has_become() {
    let kinds = [(PartKind::Reasoning, 8), (PartKind::CallArguments, 24), (PartKind::CallArguments, 40)];
    let parts = kinds.map(|(kind, end)| Part::new(kind, end, 10)).to_vec();
    let caller = TranscriptTurn::new("a", Role::Assistant, "thinking[call one {1}]  [call two {2}]  ", 30);
    let caller = caller.unwrap().with_tool_call_id("c").with_parts(parts).unwrap();
    let result = |id: &str, part| {
        let result = TranscriptTurn::new(id, Role::Tool, "done", 1).unwrap();
        result.with_tool_call_id("c").with_answers(part)
    };
    let turns = vec![caller, result("r1", 1), result("r2", 2)];
    let (planned, appended) = (Transcript::new(turns.clone()).unwrap(), result("r3", 2));
    let trim = Trim::new(vec![KeptPart::new(2, vec![24..40])], 12);
    let mut actions = vec![TurnAction::new("a", Action::Trim(trim))];
    actions.extend(["r1", "r2"].map(|id| TurnAction::new(id, Action::Keep)));
    let budget = CompactionBudget::new(20).with_protected_recent_turns(0);
    let draft = PlanDraft::new("by hand", "1", actions);
    let plan = CompactionPlan::check(draft, &Survey::new(&planned, &budget).unwrap()).unwrap();
    let longer = Transcript::new([turns, vec![appended]].concat()).unwrap();
    let applied = CompactionExecutor::new().apply(&longer, &plan, &Summaries::none()).unwrap();
    let view = &applied.compacted.turns;
    let place = view[0].parts().iter().position(|part| part.kind == PartKind::CallArguments).unwrap();
    let place = u32::try_from(place).unwrap();
    assert_ne!(place, 2);
    // The first call is gone: its result answers no part, and not the call that took its place.
    let answers: Vec<u32> = view[1..].iter().map(|result| result.answers().unwrap()).collect();
    assert_eq!(answers, [u32::MAX, place, place]);
}
