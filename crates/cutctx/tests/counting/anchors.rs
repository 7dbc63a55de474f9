//! Scales from counts.

use cutctx::counting::{FixedPart, Scale, Unanchored, anchored, steps};
use cutctx::formats::Usage;
use cutctx::{Role, Transcript, TranscriptTurn};

/// A transcript of turns with these estimates.
fn transcript(estimates: &[u64]) -> Transcript {
    let turn = |(number, tokens): (usize, &u64)| {
        TranscriptTurn::new(format!("t{number}"), Role::User, "x", *tokens).unwrap()
    };
    Transcript::new(estimates.iter().enumerate().map(turn).collect()).unwrap()
}

fn counted(input: u64, first_turn: usize) -> Usage {
    Usage::apart(input, 0, 0, 1).of_turn(first_turn)
}

/// Counts for these turns, each a constant and so much for each turn before.
fn growing(turns: core::ops::Range<u64>, constant: u64, each: u64) -> Vec<Usage> {
    turns.map(|turn| counted(constant + each * turn, usize::try_from(turn).unwrap())).collect()
}

#[test]
fn the_fixed_part_and_the_scale_are_told_apart_by_growth() {
    let transcript = transcript(&[1_000; 10]);
    let found = anchored(&transcript, &growing(1..10, 10_000, 1_200), None).unwrap();
    assert_eq!((found.scale.thousandths(), found.fixed), (1_200, FixedPart::Fitted(10_000)));
    assert_eq!((found.error, found.steps, found.anchor.counted), (0, 9, 20_800));
    assert_eq!(found.expected(&found.anchor), Some(20_800));
}

#[test]
fn an_overhead_that_is_declared_needs_one_count() {
    let transcript = transcript(&[1_000, 1_000]);
    let usages = [counted(3_600, 2)];
    assert_eq!(anchored(&transcript, &usages, None), Err(Unanchored::TooFew));
    let found = anchored(&transcript, &usages, Some(1_000)).unwrap();
    assert_eq!((found.scale.thousandths(), found.fixed), (1_300, FixedPart::Declared(1_000)));
}

#[test]
fn odd_steps_do_not_move_the_scale() {
    let transcript = transcript(&[1_000; 30]);
    let mut usages = growing(1..30, 5_000, 900);
    for usage in usages.iter_mut().skip(3).step_by(9) {
        usage.fresh += 1_500;
    }
    assert_eq!(anchored(&transcript, &usages, None).unwrap().scale.thousandths(), 900);
}

#[test]
fn a_count_that_falls_voids_those_before_it() {
    let transcript = transcript(&[1_000; 12]);
    let usages = [growing(1..6, 90_000, 1_000), growing(6..12, 2_000, 1_000)].concat();
    let found = anchored(&transcript, &usages, None).unwrap();
    assert_eq!((found.scale, found.fixed, found.steps), (Scale::ONE, FixedPart::Fitted(2_000), 6));
}

#[test]
fn counts_from_before_a_mask_tell_growth_and_no_total() {
    let mut turns = transcript(&[1_000; 6]).turns().to_vec();
    let stub = format!("[cut] (original: 1000 tokens, sha256:{})", "0".repeat(64));
    turns[1] = TranscriptTurn::new("m", Role::Tool, stub, 20).unwrap();
    let transcript = Transcript::new(turns).unwrap();
    let usages = growing(1..6, 60_000, 1_000);
    let found = anchored(&transcript, &usages, None).unwrap();
    assert_eq!((found.fixed, found.expected(&found.anchor)), (FixedPart::Unknown, None));
    assert_eq!(anchored(&transcript, &usages, Some(5)), Err(Unanchored::Compacted));
}

#[test]
fn what_is_no_matter_of_counting_is_named() {
    let transcript = transcript(&[100, 400, 600]);
    assert_eq!(anchored(&transcript, &[], None), Err(Unanchored::NoUsage));
    assert_eq!(anchored(&transcript, &[counted(9, 1)], None), Err(Unanchored::TooLittle { estimate: 100 }));
    let usages = [counted(1_000, 1), counted(10_000, 3)];
    assert_eq!(anchored(&transcript, &usages, None), Err(Unanchored::OutOfBounds { thousandths: 9_000 }));
    let message = Unanchored::OutOfBounds { thousandths: 9_000 }.to_string();
    assert_eq!(message, "the counts are 9.000 times the estimates, which is no matter of counting");
}

#[test]
fn steps_add_up_what_was_sent_before_them() {
    let found = steps(&transcript(&[1, 20, 300]), &[counted(9, 3), counted(5, 1), counted(7, 2)]);
    let figures: Vec<(u64, u64)> = found.iter().map(|step| (step.estimate, step.counted)).collect();
    assert_eq!(figures, [(1, 5), (21, 7), (321, 9)]);
}
