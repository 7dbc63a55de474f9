//! Ids that nobody else has.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;

/// The ids that are taken, and what to call those that repeat one.
#[derive(Debug)]
pub(crate) struct FreshIds {
    taken: BTreeSet<String>,
    /// How many characters of an id stand before its number.
    stem: usize,
    /// The number that was last put behind a stem, so that a file of one repeated id takes no longer than others.
    numbers: BTreeMap<String, u32>,
}

impl FreshIds {
    /// With these taken already; of an id that gets a number so many characters are kept.
    pub(crate) const fn new(taken: BTreeSet<String>, stem: usize) -> Self {
        Self { taken, stem, numbers: BTreeMap::new() }
    }

    /// The id itself, or with a number, so that nobody has had it; from now on it is taken.
    pub(crate) fn give_out(&mut self, id: &str) -> String {
        if self.taken.insert(String::from(id)) {
            return String::from(id);
        }
        let stem: String = id.chars().take(self.stem).collect();
        let number = self.numbers.entry(stem.clone()).or_insert(1);
        loop {
            *number = number.saturating_add(1);
            let candidate = format!("{stem}_{number}");
            if *number == u32::MAX || self.taken.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_id_gets_the_next_free_number() {
        let taken = ["a", "a_2", "b"].map(String::from).into_iter().collect();
        let mut ids = FreshIds::new(taken, 4);
        let given = ["a", "a", "c", "c", "b", "long-one", "long-one", "long-two", "long-two"];
        let given = given.map(|id| ids.give_out(id));
        let wanted = ["a_3", "a_4", "c", "c_2", "b_2", "long-one", "long_2", "long-two", "long_3"];
        assert_eq!(given, wanted);
    }
}
