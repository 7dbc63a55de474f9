//! The distinctive references of texts: what a later turn can only repeat if it has been seen.
//!
//! | kind | for example | what counts |
//! |---|---|---|
//! | URL | `https://example.org/a` | a scheme, `://` and something behind it |
//! | path | `src/pump/valve.rs`, `./run`, `notes.md` | two slashes, or a beginning or an ending that only paths have |
//! | identifier | `flow_rate`, `PumpValve`, `sha256` | an underscore, a hump or a digit inside, four characters or more |
//! | called function | `open(` | a name of three characters or more before a bracket |
//! | number | `8080` | four digits or more |
//! | quoted phrase | `"the valve is stuck"` | two words or more in quotes, 8 to 80 bytes on one line |
//!
//! Beside them stand the *plain long words*, lower-case words of seven letters or more: a second set of targets that no
//! index of names can serve.
//!
//! A path is one reference; its segments are none. The line number behind a path (`valve.rs:12`) is not part of it. What
//! a reader of a view finds is decided with the same scan, so that half of a name is not taken for the name.

mod phrases;
mod runs;

use crate::fingerprint::{fingerprint, fingerprint_with};
use crate::passages::passages;
use cutctx::TranscriptTurn;

/// A reference or a plain word, by a 64-bit number of its spelling. No text is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub(crate) u64);

impl Reference {
    /// The reference with this spelling.
    ///
    /// ```
    /// use cutctx_eval::{Reference, references_in};
    /// assert_eq!(references_in("see src/pump/valve.rs:12."), [Reference::spelled("src/pump/valve.rs")]);
    /// ```
    #[must_use]
    pub fn spelled(text: &str) -> Self {
        Self(fingerprint(text))
    }

    /// The reference to a function that is called, which is told from a word of the same spelling.
    #[must_use]
    pub fn called(function: &str) -> Self {
        Self(fingerprint_with(function, "("))
    }
}

/// What a scan finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A distinctive reference.
    Name,
    /// A plain long word.
    Word,
}

/// Tells every reference and every plain word of a line, in order but for quoted phrases, which come last.
pub(crate) fn scan_line(line: &str, found: &mut impl FnMut(Kind, Reference)) {
    runs::scan(line, found);
    phrases::scan(line, found);
}

/// The references of a text, sorted, each once.
#[must_use]
pub fn references_in(text: &str) -> Vec<Reference> {
    let mut all = Vec::new();
    for line in text.split('\n') {
        scan_line(line, &mut |kind, reference| {
            if kind == Kind::Name {
                all.push(reference);
            }
        });
    }
    distinct(all)
}

/// The references of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TurnReferences {
    /// Those that its speaker makes: in a user's text, in the model's text and in the arguments of its calls. Sorted, each
    /// once.
    pub made: Vec<Reference>,
    /// Those that a reader finds in it: the former, and those in results and in reasoning. Sorted, each once.
    pub shown: Vec<Reference>,
}

impl TurnReferences {
    /// The references of a turn.
    #[must_use]
    pub fn of(turn: &TranscriptTurn) -> Self {
        let (mut made, mut shown) = (Vec::new(), Vec::new());
        for passage in passages(turn) {
            let found = references_in(&passage.text);
            if passage.source.is_speech() {
                made.extend_from_slice(&found);
            }
            shown.extend(found);
        }
        Self { made: distinct(made), shown: distinct(shown) }
    }
}

/// Sorted, each once.
pub(crate) fn distinct<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort_unstable();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Reference> {
        references_in(text)
    }

    fn spelled(all: &[&str]) -> Vec<Reference> {
        distinct(all.iter().map(|text| Reference::spelled(text)).collect())
    }

    #[test]
    fn every_kind_is_found_and_nothing_else() {
        assert_eq!(found("see https://example.org/a/b, please"), spelled(&["https://example.org/a/b"]));
        assert_eq!(
            found("in src/pump/valve.rs:12:3 and notes.md"),
            spelled(&["src/pump/valve.rs", "notes.md"])
        );
        assert_eq!(
            found("flow_rate PumpValve HTTPServer sha256"),
            spelled(&["flow_rate", "PumpValve", "HTTPServer", "sha256"])
        );
        assert_eq!(found("port 8080, not 443"), spelled(&["8080"]));
        assert_eq!(found("it said \"the valve is stuck\" again"), spelled(&["the valve is stuck"]));
        assert_eq!(found("then open(it)"), [Reference::called("open")]);
        assert_eq!(found("The pump in hall two runs dry, and/or not. README 3.14 1/2"), []);
    }

    #[test]
    fn half_of_a_name_is_another_name() {
        assert_eq!(found("src/pump/valve.r"), spelled(&["src/pump/valve.r"]));
        assert_ne!(found("src/pump/valve.rs"), found("pump/valve.rs"));
    }

    #[test]
    fn a_turn_makes_what_it_says_and_shows_what_it_was_told() {
        use cutctx::{Part, PartKind, Role};
        let text = "flow_rate[call read {\"path\":\"src/a/b.rs\"}]hidden_thought";
        let ends = ["flow_rate".len(), text.len() - "hidden_thought".len(), text.len()];
        let kinds = [PartKind::Text, PartKind::CallArguments, PartKind::Reasoning];
        let parts = kinds.into_iter().zip(ends).map(|(kind, end)| Part::new(kind, end, 1)).collect();
        let turn = TranscriptTurn::new("a", Role::Assistant, text, 3).unwrap().with_parts(parts).unwrap();
        let all = TurnReferences::of(&turn);
        assert_eq!(all.made, spelled(&["flow_rate", "src/a/b.rs"]));
        assert_eq!(all.shown, spelled(&["flow_rate", "src/a/b.rs", "hidden_thought"]));
        let result = TranscriptTurn::new("t", Role::Tool, "flow_rate", 1).unwrap();
        assert_eq!(TurnReferences::of(&result).made, []);
    }
}
