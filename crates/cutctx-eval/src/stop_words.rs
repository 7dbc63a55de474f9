//! References that say nothing about a project, because several projects make them.

use crate::index::TurnIndex;
use crate::references::{Reference, distinct};
use alloc::collections::BTreeMap;

/// The number of projects from which on a reference is a stop-word.
pub const STOP_WORD_PROJECTS: usize = 3;

/// References and plain words that [`STOP_WORD_PROJECTS`] projects or more make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StopWords(Vec<Reference>);

impl StopWords {
    /// None.
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Whether a reference is one.
    pub(crate) fn contains(&self, reference: Reference) -> bool {
        self.0.binary_search(&reference).is_ok()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// What the turns of this many projects make.
    pub(crate) fn of<'p>(sessions: impl IntoIterator<Item = (&'p str, &'p [TurnIndex])>) -> Self {
        let mut projects: BTreeMap<&str, Vec<Reference>> = BTreeMap::new();
        for (project, turns) in sessions {
            let made = turns.iter().flat_map(|turn| turn.made.names.iter().chain(&turn.made.words));
            projects.entry(project).or_default().extend(made);
        }
        Self::of_projects(projects.into_values())
    }

    /// What this many of the projects make; each is given by what its turns make.
    pub(crate) fn of_projects(projects: impl IntoIterator<Item = Vec<Reference>>) -> Self {
        let mut all: Vec<Reference> = projects.into_iter().flat_map(distinct).collect();
        all.sort_unstable();
        let shared =
            all.chunk_by(|left, right| left == right).filter(|same| same.len() >= STOP_WORD_PROJECTS);
        Self(shared.filter_map(|same| same.first().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx::{Role, TranscriptTurn};

    #[test]
    fn a_reference_of_three_projects_is_one_and_of_three_sessions_is_not() {
        let index = |text: &str| [TurnIndex::of(&TranscriptTurn::new("u", Role::User, text, 1).unwrap())];
        let (one, two, three) =
            (index("flow_rate hall_two"), index("flow_rate"), index("flow_rate hall_two"));
        let all = StopWords::of([("a", &one[..]), ("b", &two[..]), ("c", &three[..]), ("a", &three[..])]);
        assert!(all.contains(Reference::spelled("flow_rate")));
        assert_eq!(all.len(), 1);
    }
}
