//! Keeping the exchanges that the future uses.

use super::{VERSION, contest, cost, draft};
use crate::recall::Hits;
use crate::references::distinct;
use crate::scene::Scene;
use crate::targets::Targets;
use alloc::borrow::Cow;
use alloc::collections::BinaryHeap;
use core::cmp::Reverse;
use cutctx::{CompactionPolicy, PlanDraft, PolicyError, Survey};

/// What is worth most is worth this much.
const WHOLE: usize = 1_000_000;

/// Knows the continuation and keeps the exchanges that serve it best for their tokens, each as a whole. It is greedy, so
/// it is near the best choice of whole exchanges and no proof of it; a policy that keeps parts of turns may surpass it.
#[derive(Debug)]
pub(crate) struct Oracle<'s> {
    scene: &'s Scene,
    worth: Worth,
}

impl<'s> Oracle<'s> {
    pub(crate) fn new(scene: &'s Scene) -> Self {
        Self { scene, worth: Worth::of(&scene.targets) }
    }
}

impl CompactionPolicy for Oracle<'_> {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("oracle")
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let mut choice = Choice::new(self, survey);
        choice.make();
        Ok(draft(self, survey, &choice.keeps))
    }
}

/// What having a target is worth, by its share in the four components.
#[derive(Debug)]
struct Worth {
    names: Vec<usize>,
    triples: Vec<usize>,
}

impl Worth {
    fn of(targets: &Targets) -> Self {
        Self { names: names_worth(targets), triples: triples_worth(targets) }
    }
}

/// A name counts in `bare` and, with its whole exchange, in `ctx3`; and with the others of its step in `step`.
fn names_worth(targets: &Targets) -> Vec<usize> {
    let mut in_step = vec![0_usize; targets.steps];
    for target in &targets.names {
        if let Some(count) = in_step.get_mut(target.step) {
            *count = count.saturating_add(1);
        }
    }
    let twice = part(WHOLE.saturating_mul(2), targets.names.len());
    let worth = targets.names.iter().map(|target| {
        let others = in_step.get(target.step).copied().unwrap_or(1);
        twice.saturating_add(part(part(WHOLE, targets.steps), others))
    });
    worth.collect()
}

/// Every three lines count by their share in their block.
fn triples_worth(targets: &Targets) -> Vec<usize> {
    let mut worth = vec![0_usize; targets.triples.len()];
    for block in &targets.blocks {
        let each = part(part(WHOLE, targets.blocks.len()), block.len());
        for triple in block {
            if let Some(worth) = worth.get_mut(*triple) {
                *worth = worth.saturating_add(each);
            }
        }
    }
    worth
}

fn part(whole: usize, parts: usize) -> usize {
    whole.checked_div(parts).unwrap_or_default()
}

/// The choice in the making.
struct Choice<'c, 's> {
    oracle: &'c Oracle<'s>,
    survey: &'c Survey<'c>,
    /// What is still to be had, and worth nothing once it is kept.
    worth: Worth,
    keeps: Vec<bool>,
}

impl<'c, 's> Choice<'c, 's> {
    fn new(oracle: &'c Oracle<'s>, survey: &'c Survey<'c>) -> Self {
        let worth = Worth { names: oracle.worth.names.clone(), triples: oracle.worth.triples.clone() };
        let mut choice = Self { oracle, survey, worth, keeps: vec![false; survey.exchanges().len()] };
        for exchange in 0..survey.exchanges().len() {
            if !survey.is_removable_exchange(exchange) {
                choice.keep(exchange);
            }
        }
        choice
    }

    /// Takes the densest exchange that fits until none is worth anything. Worth only falls, so an exchange whose worth
    /// is still the highest after it was counted anew is the densest.
    fn make(&mut self) {
        let (removable, mut room) = contest(self.survey);
        let mut heap: BinaryHeap<(usize, Reverse<usize>)> =
            removable.into_iter().map(|exchange| (self.density(exchange), Reverse(exchange))).collect();
        while let Some((_, Reverse(exchange))) = heap.pop() {
            let (density, cost) = (self.density(exchange), cost(self.survey, exchange));
            if density == 0 || cost > room {
                continue;
            }
            if heap.peek().is_some_and(|(next, _)| *next > density) {
                heap.push((density, Reverse(exchange)));
                continue;
            }
            room = room.saturating_sub(cost);
            self.keep(exchange);
        }
    }

    /// What an exchange is worth for a thousand tokens.
    fn density(&self, exchange: usize) -> usize {
        let names = sum(&self.worth.names, &self.places(exchange, |hits| &hits.names));
        let triples = sum(&self.worth.triples, &self.places(exchange, |hits| &hits.triples));
        let cost = usize::try_from(cost(self.survey, exchange)).unwrap_or(usize::MAX);
        part(names.saturating_add(triples).saturating_mul(1_000), cost.max(1))
    }

    /// Which targets stand in an exchange, each once.
    fn places(&self, exchange: usize, of: fn(&Hits) -> &Vec<usize>) -> Vec<usize> {
        let members = self.survey.exchanges().members(exchange).iter();
        let hits = members.filter_map(|position| self.oracle.scene.hits.get(*position));
        distinct(hits.flat_map(of).copied().collect())
    }

    fn keep(&mut self, exchange: usize) {
        let names = self.places(exchange, |hits| &hits.names);
        spend(&mut self.worth.names, &names);
        let triples = self.places(exchange, |hits| &hits.triples);
        spend(&mut self.worth.triples, &triples);
        if let Some(keep) = self.keeps.get_mut(exchange) {
            *keep = true;
        }
    }
}

fn sum(worth: &[usize], places: &[usize]) -> usize {
    places.iter().filter_map(|place| worth.get(*place)).fold(0, |sum, worth| sum.saturating_add(*worth))
}

fn spend(worth: &mut [usize], places: &[usize]) {
    for place in places {
        if let Some(worth) = worth.get_mut(*place) {
            *worth = 0;
        }
    }
}
