//! What the real continuation of a session makes use of.

use crate::index::TurnIndex;
use crate::references::{Reference, distinct};
use crate::stop_words::StopWords;
use alloc::collections::BTreeSet;
use core::mem;

/// A reference that the continuation makes, with the step that makes it first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) reference: Reference,
    /// Steps are numbered from 0; those without a target have no number.
    pub(crate) step: usize,
}

/// What a view is asked for: everything that the continuation uses, that the session held before the cut, and that no
/// result shows again before its first use.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Sorted by reference.
    pub(crate) names: Vec<Target>,
    /// How many steps have a target.
    pub(crate) steps: usize,
    /// The second set: plain long words. Sorted.
    pub(crate) words: Vec<Reference>,
    /// References that the continuation never makes. Sorted.
    pub(crate) placebo: Vec<Reference>,
    /// Passages that the continuation repeats: every three lines of each, as places in `triples`.
    pub(crate) blocks: Vec<Vec<usize>>,
    /// Every three lines of any block. Sorted.
    pub(crate) triples: Vec<u64>,
    /// The targets with their lines, as they stood before the cut. Sorted.
    pub(crate) contexts: Vec<(Reference, u64)>,
}

impl Targets {
    /// The targets of a continuation, of what `body` holds.
    pub(crate) fn of(body: &[&TurnIndex], continuation: &[TurnIndex], stop_words: &StopWords) -> Self {
        let body = Body::of(body);
        let mut search = Search::new(&body, stop_words);
        for turn in continuation {
            search.read(turn);
        }
        search.finish()
    }
}

/// What stood before the cut and may be lost.
struct Body {
    contexts: Vec<(Reference, u64)>,
    names: Vec<Reference>,
    words: Vec<Reference>,
    triples: Vec<u64>,
}

impl Body {
    fn of(turns: &[&TurnIndex]) -> Self {
        let (mut contexts, mut words, mut triples) = (Vec::new(), Vec::new(), Vec::new());
        for turn in turns {
            contexts.extend_from_slice(&turn.contexts);
            words.extend_from_slice(&turn.words);
            triples.extend_from_slice(&turn.triples);
        }
        let contexts = distinct(contexts);
        let mut names: Vec<Reference> = contexts.iter().map(|(reference, _)| *reference).collect();
        names.dedup();
        Self { contexts, names, words: distinct(words), triples: distinct(triples) }
    }
}

/// Reads a continuation turn by turn.
struct Search<'s> {
    body: &'s Body,
    stop_words: &'s StopWords,
    targets: Targets,
    blocks: Vec<Vec<u64>>,
    /// What needs no target any more: it was used, or a result showed it again.
    names_done: BTreeSet<Reference>,
    words_done: BTreeSet<Reference>,
    triples_done: BTreeSet<u64>,
    made: BTreeSet<Reference>,
}

impl<'s> Search<'s> {
    fn new(body: &'s Body, stop_words: &'s StopWords) -> Self {
        Self {
            body,
            stop_words,
            targets: Targets::default(),
            blocks: Vec::new(),
            names_done: BTreeSet::new(),
            words_done: BTreeSet::new(),
            triples_done: BTreeSet::new(),
            made: BTreeSet::new(),
        }
    }

    fn read(&mut self, turn: &TurnIndex) {
        self.read_names(turn);
        self.read_words(turn);
        self.read_blocks(turn);
        self.made.extend(&turn.made.names);
        self.names_done.extend(&turn.results.names);
        self.words_done.extend(&turn.results.words);
        self.triples_done.extend(&turn.results.triples);
    }

    fn read_names(&mut self, turn: &TurnIndex) {
        let (step, before) = (self.targets.steps, self.targets.names.len());
        for reference in &turn.made.names {
            let stood = self.body.names.binary_search(reference).is_ok();
            if self.names_done.insert(*reference) && stood && !self.stop_words.contains(*reference) {
                self.targets.names.push(Target { reference: *reference, step });
            }
        }
        if self.targets.names.len() > before {
            self.targets.steps = step.saturating_add(1);
        }
    }

    fn read_words(&mut self, turn: &TurnIndex) {
        for word in &turn.made.words {
            let stood = self.body.words.binary_search(word).is_ok();
            if self.words_done.insert(*word) && stood && !self.stop_words.contains(*word) {
                self.targets.words.push(*word);
            }
        }
    }

    /// Every longest run of lines that stood before is one block.
    fn read_blocks(&mut self, turn: &TurnIndex) {
        for run in &turn.runs {
            let mut block = Vec::new();
            for triple in run {
                let stood = self.body.triples.binary_search(triple).is_ok();
                if self.triples_done.insert(*triple) && stood {
                    block.push(*triple);
                } else if !block.is_empty() {
                    self.blocks.push(mem::take(&mut block));
                }
            }
            if !block.is_empty() {
                self.blocks.push(block);
            }
        }
    }

    fn finish(mut self) -> Targets {
        self.targets.names.sort_unstable();
        self.targets.words.sort_unstable();
        let names = &self.targets.names;
        let is_target =
            |reference: &Reference| names.binary_search_by(|target| target.reference.cmp(reference)).is_ok();
        let contexts = self.body.contexts.iter().filter(|(reference, _)| is_target(reference));
        let unused = self.body.names.iter();
        let unused = unused.filter(|name| !self.made.contains(name) && !self.stop_words.contains(**name));
        let triples = distinct(self.blocks.concat());
        let place = |triple: &u64| triples.binary_search(triple).ok();
        Targets {
            contexts: contexts.copied().collect(),
            placebo: unused.copied().collect(),
            blocks: self.blocks.iter().map(|block| block.iter().filter_map(place).collect()).collect(),
            triples,
            ..self.targets
        }
    }
}
