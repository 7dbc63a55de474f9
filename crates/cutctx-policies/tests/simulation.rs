//! Agent loops of sixty rounds: the view that the model sees must stay within its budget, round after
//! round, for as long as that is possible at all.
//!
//! `cargo test -p cutctx-policies --test simulation -- --nocapture` prints the figures that
//! `docs/policies.md` reports.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::wildcard_enum_match_arm,
    clippy::std_instead_of_alloc,
    reason = "a test may be short about what cannot happen, and has std"
)]

#[cfg(test)]
#[path = "simulation/agent.rs"]
mod agent;
#[cfg(test)]
#[path = "simulation/run.rs"]
mod run;
#[cfg(test)]
#[path = "simulation/tally.rs"]
mod tally;

#[cfg(test)]
mod tests {
    use super::agent::Habits;
    use super::run::{Contestant, Ending, Run};
    use super::tally::Tally;
    use cutctx_policies::PolicyVersion;
    use std::fs;
    use std::path::Path;

    const BUDGETS: [u64; 4] = [600, 1_000, 1_500, 3_000];
    const SEEDS: u64 = 100;

    fn runs(version: PolicyVersion, habits: Habits, budget: u64) -> Vec<Run> {
        let contestant = Contestant::at(version);
        (0..SEEDS).map(|seed| contestant.run(habits, budget, seed)).collect()
    }

    /// The figures of all budgets, printed as one table.
    fn tallies(title: &str, version: PolicyVersion, habits: Habits) -> Vec<Tally> {
        let tally = |budget| Tally::of(budget, &runs(version, habits, budget));
        let tallies: Vec<Tally> = BUDGETS.into_iter().map(tally).collect();
        let lines: Vec<String> = tallies.iter().map(ToString::to_string).collect();
        let table = format!("{title}\n{}\n{}\n", Tally::HEADER, lines.join("\n"));
        println!("\n{table}");
        assert_reported(&table);
        tallies
    }

    /// The page on policies shows these very figures.
    fn assert_reported(table: &str) {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/policies.md");
        match fs::read_to_string(&page) {
            Ok(text) => assert!(text.contains(table), "docs/policies.md does not show this table:\n{table}"),
            Err(_) => println!("SKIPPED: {} is not here to be compared", page.display()),
        }
    }

    #[test]
    fn version_2_stays_within_budget_in_every_round_of_every_run() {
        let title = "default chain 2.0.0, strict executor, plain agent";
        for tally in tallies(title, PolicyVersion::V2, Habits::Plain) {
            assert_eq!((tally.runs, tally.floor_did_not_fit), (100, 0), "the floor fits in every round");
            assert_eq!((tally.over_at_the_end, tally.crashed, tally.ever_over), (0, 0, 0), "{tally}");
            assert_eq!(tally.with_growth, 0, "{tally}");
        }
    }

    #[test]
    fn version_2_stays_within_budget_whenever_the_locked_floor_fits() {
        let title = "default chain 2.0.0, strict executor, agent with pins, late results and system turns";
        let tallies = tallies(title, PolicyVersion::V2, Habits::Wild);
        for tally in &tallies {
            assert_eq!((tally.crashed, tally.ever_over, tally.with_growth), (0, 0, 0), "{tally}");
        }
        let unfit: usize = tallies.iter().map(|tally| tally.floor_did_not_fit).sum();
        assert!(unfit < 300, "enough runs must have a floor that fits: {unfit} of 400 have not");
    }

    #[test]
    fn version_1_ends_every_run_over_budget_or_crashed() {
        let title = "default chain 1.0.0, reference executor, plain agent";
        for tally in tallies(title, PolicyVersion::V1, Habits::Plain) {
            assert_eq!(tally.floor_did_not_fit, 0, "the floor fits in every round");
            assert_eq!(tally.over_at_the_end + tally.crashed, tally.runs, "{tally}");
        }
    }

    #[test]
    fn a_run_is_the_same_every_time() {
        let contestant = Contestant::at(PolicyVersion::V2);
        let once = contestant.run(Habits::Wild, 1_500, 7);
        assert_eq!(once, contestant.run(Habits::Wild, 1_500, 7));
        assert!(matches!(once.ending, Ending::Finished | Ending::FloorDidNotFit { .. }), "{once:?}");
    }
}
