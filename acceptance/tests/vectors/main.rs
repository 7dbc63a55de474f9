//! The conformance vectors against version 1.0.0 of the policies and the reference executor.
//!
//! A few hundred lines live in `acceptance/vectors` and always run. The whole set is part of an optional folder of
//! test data: the folder `CUTCTX_VECTORS`, or `vectors` in `CUTCTX_SHARED`, or `../shared/vectors` beside the
//! checkout; each may hold `plans.jsonl` itself or in a folder `cutctx`.
//!
//! What a line may do differently, by the README of the vectors: a plan whose ratio is no number may be refused one
//! stage earlier; where Python itself fails any error or result will do; totals beyond 64 bits may be refused.

#![expect(clippy::arithmetic_side_effects, reason = "an overflow fails the test, as it should")]

extern crate alloc;

#[cfg(test)]
mod choice;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod line;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod tally;

#[cfg(test)]
mod tests {
    use super::line::Line;
    use super::outcome::{Verdict, judge};
    use super::tally::Tally;
    use super::{choice, folder};
    use std::fs;

    /// Runs every line of a text.
    fn run(text: &str) -> Tally {
        let mut tally = Tally::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            match Line::read(line) {
                Ok(line) => tally.add(line.name(), judge(&line)),
                Err(error) => tally.add(&format!("line {}", number + 1), Verdict::Failed(error.to_string())),
            }
        }
        tally
    }

    #[test]
    fn the_committed_vectors_hold() {
        let text = fs::read_to_string(folder::committed().join("plans.jsonl")).unwrap();
        let tally = run(&text);
        println!("committed vectors: {tally}");
        assert_eq!(tally.ran(), text.lines().count());
        assert!(tally.passed() > 200, "too few of the committed vectors pass: {tally}");
        tally.assert_no_failure();
    }

    #[test]
    fn all_vectors_of_the_test_data_hold() {
        let Some(path) = folder::plans() else {
            println!(
                "SKIPPED: there is no plans.jsonl; set CUTCTX_VECTORS or CUTCTX_SHARED to a folder that has it"
            );
            return;
        };
        let tally = run(&fs::read_to_string(&path).unwrap());
        println!("{}: {tally}", path.display());
        assert!(tally.ran() > 0, "there are no vectors in {}", path.display());
        tally.assert_no_failure();
    }

    #[test]
    fn a_vector_that_does_not_hold_is_noticed() {
        let text = fs::read_to_string(folder::committed().join("plans.jsonl")).unwrap();
        let wrong = text.replace("\\\"tokens_before\\\":", "\\\"tokens_before\\\":1");
        let expected =
            text.lines().filter(|line| line.contains("\"expect\"") && !line.contains("python_only")).count();
        assert!(run(&wrong).failed() > expected / 2, "{}", run(&wrong));
    }

    /// With `CUTCTX_BLESS` set it writes `acceptance/vectors/plans.jsonl` anew.
    #[test]
    fn the_committed_vectors_are_the_chosen_ones() {
        let Some(path) = folder::plans().filter(|_| std::env::var_os("CUTCTX_VECTORS").is_none()) else {
            println!("SKIPPED: there is no plans.jsonl in the test data to choose from");
            return;
        };
        let chosen = choice::choose(&fs::read_to_string(path).unwrap());
        let committed = folder::committed().join("plans.jsonl");
        if std::env::var_os("CUTCTX_BLESS").is_some() {
            fs::write(&committed, &chosen).unwrap();
        }
        assert!(chosen == fs::read_to_string(committed).unwrap(), "choose them anew with CUTCTX_BLESS=1");
    }
}
