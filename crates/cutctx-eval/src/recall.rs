//! How much of what the continuation uses a view still has.

use crate::index::TurnIndex;
use crate::references::Reference;
use crate::share::Share;
use crate::targets::Targets;
use core::cmp::Ordering;
use serde::Serialize;

/// What a view still has of what the real continuation uses. A component without targets is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Recall {
    /// References that stand in the view, anywhere.
    pub bare: Option<Share>,
    /// References that stand in the view with their line and both neighbours as they were.
    pub ctx3: Option<Share>,
    /// Steps of the continuation all of whose references stand in the view.
    pub step: Option<Share>,
    /// Passages of three lines or more that the continuation repeats and that stand in the view.
    pub block: Option<Share>,
    /// References that the continuation never makes and that stand in the view all the same.
    pub placebo: Option<Share>,
    /// Plain long words that stand in the view: the second set of targets.
    pub words: Option<Share>,
}

impl Recall {
    /// What `value` gives for each component, by the way to it.
    pub(crate) fn of_each(value: impl Fn(fn(&Self) -> Option<Share>) -> Option<Share>) -> Self {
        Self {
            bare: value(|recall| recall.bare),
            ctx3: value(|recall| recall.ctx3),
            step: value(|recall| recall.step),
            block: value(|recall| recall.block),
            placebo: value(|recall| recall.placebo),
            words: value(|recall| recall.words),
        }
    }

    /// Q: the mean of the four components; of those that are there.
    #[must_use]
    pub fn q(&self) -> Option<Share> {
        let all: Vec<Share> = [self.bare, self.ctx3, self.step, self.block].into_iter().flatten().collect();
        Share::mean(&all)
    }

    /// What the view has of the references that are used, beyond what it has of those that are not.
    #[must_use]
    pub fn lift(&self) -> Option<Share> {
        Some(self.bare?.minus(self.placebo?))
    }
}

/// Which targets stand in a turn, as places in the sorted lists of [`Targets`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits {
    pub(crate) names: Vec<usize>,
    contexts: Vec<usize>,
    words: Vec<usize>,
    placebo: Vec<usize>,
    pub(crate) triples: Vec<usize>,
}

impl Hits {
    /// The targets in a turn.
    pub(crate) fn of(turn: &TurnIndex, targets: &Targets) -> Self {
        let mut names: Vec<Reference> = turn.contexts.iter().map(|(reference, _)| *reference).collect();
        names.dedup();
        Self {
            names: places(&names, &targets.names, |name, target| name.cmp(&target.reference)),
            contexts: places(&turn.contexts, &targets.contexts, Ord::cmp),
            words: places(&turn.words, &targets.words, Ord::cmp),
            placebo: places(&names, &targets.placebo, Ord::cmp),
            triples: places(&turn.triples, &targets.triples, Ord::cmp),
        }
    }
}

/// The places in `sought` of what is in `held`. Both are sorted; the shorter list is gone through.
fn places<H, S>(held: &[H], sought: &[S], compare: impl Fn(&H, &S) -> Ordering) -> Vec<usize> {
    if held.len() <= sought.len() {
        let place = |held: &H| sought.binary_search_by(|sought| compare(held, sought).reverse()).ok();
        return held.iter().filter_map(place).collect();
    }
    let is_held = |sought: &S| held.binary_search_by(|held| compare(held, sought)).is_ok();
    sought.iter().enumerate().filter(|(_, sought)| is_held(sought)).map(|(place, _)| place).collect()
}

/// Gathers the hits of a view's turns.
#[derive(Debug)]
pub(crate) struct Tally<'t> {
    targets: &'t Targets,
    names: Vec<bool>,
    contexts: Vec<bool>,
    words: Vec<bool>,
    placebo: Vec<bool>,
    triples: Vec<bool>,
}

impl<'t> Tally<'t> {
    pub(crate) fn new(targets: &'t Targets) -> Self {
        Self {
            targets,
            names: vec![false; targets.names.len()],
            contexts: vec![false; targets.contexts.len()],
            words: vec![false; targets.words.len()],
            placebo: vec![false; targets.placebo.len()],
            triples: vec![false; targets.triples.len()],
        }
    }

    /// Adds what stands in a turn.
    pub(crate) fn add(&mut self, hits: &Hits) {
        mark(&mut self.names, &hits.names);
        mark(&mut self.contexts, &hits.contexts);
        mark(&mut self.words, &hits.words);
        mark(&mut self.placebo, &hits.placebo);
        mark(&mut self.triples, &hits.triples);
    }

    /// What it comes to.
    pub(crate) fn recall(&self) -> Recall {
        Recall {
            bare: share(&self.names),
            ctx3: self.with_context(),
            step: self.steps(),
            block: self.blocks(),
            placebo: share(&self.placebo),
            words: share(&self.words),
        }
    }

    /// A reference with several lines before the cut is there with any of them.
    fn with_context(&self) -> Option<Share> {
        let contexts = self.targets.contexts.iter().zip(&self.contexts);
        let mut there: Vec<Reference> =
            contexts.filter(|(_, there)| **there).map(|(line, _)| line.0).collect();
        there.dedup();
        Share::of(there.len(), self.names.len())
    }

    fn steps(&self) -> Option<Share> {
        let mut whole = vec![true; self.targets.steps];
        for (target, there) in self.targets.names.iter().zip(&self.names) {
            if let (Some(step), false) = (whole.get_mut(target.step), *there) {
                *step = false;
            }
        }
        share(&whole)
    }

    fn blocks(&self) -> Option<Share> {
        let is_there = |triple: &usize| self.triples.get(*triple).copied().unwrap_or(false);
        let blocks = self.targets.blocks.iter().map(|block| block.iter().all(is_there));
        share(&blocks.collect::<Vec<_>>())
    }
}

fn mark(found: &mut [bool], places: &[usize]) {
    for place in places {
        if let Some(found) = found.get_mut(*place) {
            *found = true;
        }
    }
}

fn share(found: &[bool]) -> Option<Share> {
    Share::of(found.iter().filter(|found| **found).count(), found.len())
}
