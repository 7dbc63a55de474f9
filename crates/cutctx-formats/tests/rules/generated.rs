//! Conversations as they should be break no rule, in any format.

use crate::spell::{Model, Step, formats, lint, says, spelled, user};
use cutctx_formats::Severity;
use proptest::prelude::*;

/// A round: how many calls, whether it thinks and speaks, whether a person speaks after it, in what order results come.
type Round = (usize, bool, bool, bool, bool);

fn conversation(rounds: &[Round]) -> Vec<Step> {
    let mut steps = vec![user("what is there?")];
    for (number, (count, thinks, speaks, is_asked, is_reversed)) in rounds.iter().enumerate() {
        let text = (*speaks || *count == 0).then(|| format!("I look {number}."));
        let calls = (0..*count).map(|call| (format!("call_{number}_{call}"), format!("{{\"n\":{call}}}")));
        let calls: Vec<_> = calls.collect();
        let mut results: Vec<_> =
            calls.iter().map(|(id, _)| (id.clone(), format!("what {id} found"))).collect();
        if *is_reversed {
            results.reverse();
        }
        steps.push(Step::Model(Model { thinks: *thinks, text, calls }));
        if results.is_empty() {
            steps.push(user("and then?"));
        } else {
            steps.push(Step::Results(results));
            if *is_asked {
                steps.push(says("that is what I found"));
                steps.push(user("go on"));
            }
        }
    }
    steps.push(says("done"));
    steps
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_valid_conversation_breaks_no_rule(
        rounds in proptest::collection::vec((0_usize..4, any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()), 0..8),
    ) {
        for format in formats() {
            let document = spelled(format, &conversation(&rounds));
            let mut found = lint(format, &document);
            found.retain(|violation| violation.rule.severity > Severity::Advice);
            prop_assert_eq!(found, vec![], "{}: {}", format.name(), document);
        }
    }

    #[test]
    fn a_conversation_with_pieces_taken_out_is_checked_without_a_panic(
        rounds in proptest::collection::vec((0_usize..4, any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()), 0..8),
        cut in proptest::collection::vec(0_usize..24, 0..4),
    ) {
        let mut steps = conversation(&rounds);
        for place in cut {
            if place < steps.len() && steps.len() > 1 {
                steps.remove(place);
            }
        }
        for format in formats() {
            let document = spelled(format, &steps);
            let found = lint(format, &document);
            prop_assert!(found.windows(2).all(|pair| pair[0].offset <= pair[1].offset));
            let lines = document.lines().count();
            prop_assert!(found.iter().all(|violation| (1..=lines).contains(&violation.line)));
        }
    }
}
