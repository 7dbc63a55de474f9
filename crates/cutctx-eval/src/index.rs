//! What a turn holds that can be looked for again: references with their lines, plain words, runs of lines.

use crate::fingerprint::{fingerprint, joined};
use crate::passages::{Passage, Source, passages};
use crate::references::{Kind, Reference, distinct, scan_line};
use cutctx::TranscriptTurn;

/// The fewest letters and digits of three lines whose repetition says something.
const HEAVY: usize = 24;

/// What stands beside a line at the border of its passage.
const BORDER: u64 = 0;

/// Everything that may be looked for in a turn, as sorted numbers.
#[derive(Debug, Default)]
pub(crate) struct TurnIndex {
    /// What its speaker says.
    pub(crate) made: Found,
    /// What a tool shows in it.
    pub(crate) results: Found,
    /// The runs of its speaker's passages: three lines each, in order.
    pub(crate) runs: Vec<Vec<u64>>,
    /// Every reference with a number of its line and both neighbours.
    pub(crate) contexts: Vec<(Reference, u64)>,
    /// Every plain long word.
    pub(crate) words: Vec<Reference>,
    /// Every three lines in a row.
    pub(crate) triples: Vec<u64>,
}

/// What stands in some passages, sorted, each once.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) names: Vec<Reference>,
    pub(crate) words: Vec<Reference>,
    pub(crate) triples: Vec<u64>,
}

impl TurnIndex {
    /// The index of a turn, in one pass over its text.
    pub(crate) fn of(turn: &TranscriptTurn) -> Self {
        let mut index = Self::default();
        for passage in passages(turn) {
            index.add(&passage);
        }
        index.sorted()
    }

    fn add(&mut self, passage: &Passage<'_>) {
        let before = (self.contexts.len(), self.words.len());
        self.add_references(passage);
        let triples = triples(passage);
        let group = match passage.source {
            Source::Speech => Some(&mut self.made),
            Source::Result => Some(&mut self.results),
            Source::System | Source::Other => None,
        };
        if let Some(group) = group {
            let names = self.contexts.iter().skip(before.0).map(|(reference, _)| *reference);
            group.names.extend(names);
            group.words.extend(self.words.iter().skip(before.1));
            group.triples.extend(&triples);
        }
        self.triples.extend(&triples);
        if passage.source.is_speech() && !triples.is_empty() {
            self.runs.push(triples);
        }
    }

    fn add_references(&mut self, passage: &Passage<'_>) {
        let (mut before, mut lines) = (BORDER, passage.lines().peekable());
        while let Some(line) = lines.next() {
            let here = fingerprint(line);
            let after = lines.peek().map_or(BORDER, |next| fingerprint(next));
            let context = joined(&[before, here, after]);
            scan_line(line, &mut |kind, reference| match kind {
                Kind::Name => self.contexts.push((reference, context)),
                Kind::Word => self.words.push(reference),
            });
            before = here;
        }
    }

    fn sorted(self) -> Self {
        Self {
            made: self.made.sorted(),
            results: self.results.sorted(),
            runs: self.runs,
            contexts: distinct(self.contexts),
            words: distinct(self.words),
            triples: distinct(self.triples),
        }
    }
}

impl Found {
    fn sorted(self) -> Self {
        Self { names: distinct(self.names), words: distinct(self.words), triples: distinct(self.triples) }
    }
}

/// Every three lines in a row that are not blank, as one number each, in order; those with hardly a letter left out.
fn triples(passage: &Passage<'_>) -> Vec<u64> {
    let weight = |line: &str| line.bytes().filter(u8::is_ascii_alphanumeric).count();
    let full = passage.lines().filter(|line| !line.is_empty());
    let lines: Vec<(u64, usize)> = full.map(|line| (fingerprint(line), weight(line))).collect();
    let heavy =
        lines.windows(3).filter(|three| three.iter().map(|(_, weight)| weight).sum::<usize>() >= HEAVY);
    heavy.map(|three| joined(&three.iter().map(|(line, _)| *line).collect::<Vec<_>>())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutctx::Role;

    fn index(text: &str) -> TurnIndex {
        TurnIndex::of(&TranscriptTurn::new("a", Role::Assistant, text, 1).unwrap())
    }

    #[test]
    fn a_context_is_a_line_and_both_neighbours() {
        let whole = index("first\nuse flow_rate\nthird\nfourth");
        for (text, same) in [
            ("zeroth\nfirst\nuse flow_rate\nthird", true),
            ("first\nuse flow_rate  \nthird\nother", true),
            ("use flow_rate\nthird", false),
            ("first\nuse flow_rate now\nthird", false),
        ] {
            assert_eq!(index(text).contexts == whole.contexts, same, "{text}");
        }
    }

    #[test]
    fn three_lines_in_a_row_are_found_again_whatever_blank_lines_stand_between() {
        let (a, b, c) = ("the first line here", "the second line here", "the third line here");
        let one = index(&format!("{a}\n{b}\n{c}"));
        assert_eq!(one.triples, index(&format!("{a}\n\n{b}\n{c}\n")).triples);
        assert_eq!(one.runs.concat(), one.triples);
        assert!(index("{\n}\n}\n)").triples.is_empty());
    }
}
