//! What models are told besides the messages.

use cutctx_messages::SpokenText;

const SYSTEM: &str = "You condense the history of a session for a later model call. Write only the summary itself; never call any tool here.";

/// Before a fragment of one round that is too long to be read at once.
const FRAGMENT: &str = "Below is one fragment of a longer piece of a session, cut wherever the limit fell. Summarize it so that its summary can be merged with those of the rest. Keep all names, numbers, decisions, errors, and open ends; add nothing to it.\n\n";

/// Before summaries that are to become one.
const MERGE: &str = "Below are the summaries of successive parts of a session, oldest first. Merge them into one summary so that work can go on from it alone. Keep names, numbers, decisions, errors and open ends, and say nothing twice. Add nothing of your own to what they say.\n\n";

/// The system prompt where nobody gives another.
pub(super) fn system() -> SpokenText {
    spoken(SYSTEM)
}

/// What stands before each fragment.
pub(super) fn fragment(instructions: Option<&str>) -> String {
    with_instructions(FRAGMENT, instructions)
}

/// What stands before the summaries to be merged.
pub(super) fn merge(instructions: Option<&str>) -> String {
    with_instructions(MERGE, instructions)
}

fn with_instructions(prompt: &str, instructions: Option<&str>) -> String {
    match instructions {
        None => prompt.into(),
        Some(added) => format!("{prompt}Additional compaction instructions:\n{added}\n\n"),
    }
}

/// A text of ours, which says something.
#[expect(clippy::expect_used, reason = "the text is a constant, and a test reads it")]
pub(in crate::compactor) fn spoken(text: &str) -> SpokenText {
    SpokenText::new(text).expect("a constant text says something")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Conformance vectors count characters of prompts: ours are as long as the reference's.
    #[test]
    fn lengths_are_those_that_the_vectors_count_on() {
        assert_eq!(
            (system().chars().count(), FRAGMENT.chars().count(), MERGE.chars().count()),
            (118, 233, 258)
        );
    }
}
