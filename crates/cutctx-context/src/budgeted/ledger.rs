//! What became of every turn of a source, over all compactions, and what is shown of it.

mod answers;
mod compose;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Action, Role, SUMMARY_PREFIX, TranscriptTurn};

use answers::MovedCalls;
use compose::{composed, shown_as};

/// The turns of a source with the fate of each, and the turns that stand in their place.
///
/// Each turn of the source has one fate, composed over all compactions: a fate is about the turn as the source has it,
/// not about what an earlier compaction left. Gone turns are not kept.
#[derive(Debug, Clone, Default)]
pub(super) struct Ledger {
    /// One for each turn of the source.
    actions: Vec<Action>,
    shown: Vec<Shown>,
    summaries: BTreeMap<Arc<str>, Summary>,
    tokens: u64,
    /// Whether the user's first turn was seen.
    has_task: bool,
}

/// A turn that is shown.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) place: Place,
    /// The turn of the source, where less of it is shown.
    source: Option<TranscriptTurn>,
    /// The part of the calling turn that it answers, as the source has it.
    answers: Option<u32>,
    pub(super) turn: TranscriptTurn,
}

impl Shown {
    /// The turn as the source has it.
    pub(super) fn source(&self) -> &TranscriptTurn {
        self.source.as_ref().unwrap_or(&self.turn)
    }
}

/// What a turn that is shown stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The turn of the source at this position.
    Source(usize),
    /// The turns of this group.
    Summary(Arc<str>),
}

/// A summary that stands for turns of the source.
#[derive(Debug, Clone)]
pub(super) struct Summary {
    pub(super) text: Arc<str>,
    /// What it takes, with what is put around it.
    pub(super) tokens: u64,
    /// The turns that it stands for, in order.
    members: Vec<usize>,
}

impl Summary {
    pub(super) const fn new(text: Arc<str>, tokens: u64) -> Self {
        Self { text, tokens, members: Vec::new() }
    }

    fn turn(&self, group: &str) -> Option<TranscriptTurn> {
        let id = format!("{SUMMARY_PREFIX}{group}");
        TranscriptTurn::new(id, Role::Assistant, Arc::clone(&self.text), self.tokens).ok()
    }
}

impl Ledger {
    /// A ledger whose turns will be recorded with these summaries among their fates.
    pub(super) fn with_summaries(summaries: BTreeMap<Arc<str>, Summary>) -> Self {
        Self { summaries, ..Self::default() }
    }

    /// Puts a turn at the end of the source. The user's first one is pinned where it takes no more than so much.
    pub(super) fn append(&mut self, turn: TranscriptTurn, task_tokens: u64) {
        self.record(turn, Action::Keep, task_tokens);
    }

    /// Puts a turn at the end of the source whose fate is known. [`Self::lead`] is due afterwards.
    pub(super) fn record(&mut self, turn: TranscriptTurn, action: Action, task_tokens: u64) {
        let turn = self.with_pin(turn, task_tokens);
        let at = self.actions.len();
        if let Action::Summarize { group } = &action {
            self.join(at, group);
        } else {
            self.show(Place::Source(at), turn, &action);
        }
        self.actions.push(action);
    }

    fn with_pin(&mut self, turn: TranscriptTurn, task_tokens: u64) -> TranscriptTurn {
        let is_task = turn.role() == Role::User && !self.has_task;
        self.has_task |= is_task;
        if is_task && turn.token_estimate() <= task_tokens { turn.with_pinned(true) } else { turn }
    }

    /// Counts a turn of the source to a group. The summary stands where the group's first turn stood.
    fn join(&mut self, at: usize, group: &Arc<str>) {
        let Some(summary) = self.summaries.get_mut(group) else { return };
        summary.members.push(at);
        if summary.members.len() == 1 {
            self.show_summary(group);
        }
    }

    fn show_summary(&mut self, group: &Arc<str>) {
        let Some(turn) = self.summaries.get(group).and_then(|summary| summary.turn(group)) else { return };
        self.push(Shown { place: Place::Summary(Arc::clone(group)), source: None, answers: None, turn });
    }

    fn show(&mut self, place: Place, source: TranscriptTurn, action: &Action) {
        let Some(turn) = shown_as(&source, action) else { return };
        let answers = source.answers();
        let source = (*action != Action::Keep).then_some(source);
        self.push(Shown { place, source, answers, turn });
    }

    fn push(&mut self, shown: Shown) {
        self.tokens = self.tokens.saturating_add(shown.turn.token_estimate());
        self.shown.push(shown);
    }

    /// Does with each turn that is shown what is said, with these texts for new groups; what was appended since nothing
    /// is said of stays. The first turn of the source whose fate changed.
    pub(super) fn apply(
        &mut self,
        actions: &[Action],
        written: impl IntoIterator<Item = (Arc<str>, Summary)>,
    ) -> Option<usize> {
        if actions.len() > self.shown.len() {
            return None;
        }
        self.summaries.extend(written);
        self.tokens = 0;
        let mut first = None;
        let shown = core::mem::take(&mut self.shown);
        let all = actions.iter().chain(core::iter::repeat(&Action::Keep));
        for (shown, action) in shown.into_iter().zip(all) {
            let at = self.settle(shown, action);
            first = first.or(at);
        }
        self.order_groups();
        self.lead();
        first
    }

    /// Does this with one turn that is shown. The turn of the source whose fate changes, where one does.
    fn settle(&mut self, shown: Shown, action: &Action) -> Option<usize> {
        match &shown.place {
            _ if *action == Action::Keep => {
                self.push(shown);
                None
            }
            Place::Source(at) => {
                let at = *at;
                self.settle_source(at, shown, action);
                Some(at)
            }
            Place::Summary(group) => {
                let group = Arc::clone(group);
                self.settle_summary(&group, &shown.turn, action)
            }
        }
    }

    fn settle_source(&mut self, at: usize, shown: Shown, action: &Action) {
        let Some(prior) = self.actions.get(at) else { return };
        let action = composed(prior, action, shown.source(), &shown.turn);
        let mut source = shown.source.unwrap_or(shown.turn);
        if let Some(answers) = shown.answers {
            source = source.with_answers(answers);
        }
        if let Action::Summarize { group } = &action {
            self.join(at, group);
        } else {
            self.show(Place::Source(at), source, &action);
        }
        if let Some(slot) = self.actions.get_mut(at) {
            *slot = action;
        }
    }

    fn settle_summary(&mut self, group: &Arc<str>, turn: &TranscriptTurn, action: &Action) -> Option<usize> {
        let mut summary = self.summaries.remove(group)?;
        let first = summary.members.first().copied();
        match action {
            Action::Keep | Action::Mask(_) | Action::Trim(_) => {
                let less = shown_as(turn, action)?;
                summary.text = Arc::clone(less.content());
                summary.tokens = less.token_estimate();
                self.summaries.insert(Arc::clone(group), summary);
                let place = Place::Summary(Arc::clone(group));
                self.push(Shown { place, source: None, answers: None, turn: less });
            }
            Action::Drop => self.give(&summary.members, &Action::Drop),
            Action::Summarize { group: next } => {
                self.give(&summary.members, action);
                for at in summary.members {
                    self.join(at, next);
                }
            }
        }
        first
    }

    fn give(&mut self, members: &[usize], action: &Action) {
        for at in members {
            if let Some(slot) = self.actions.get_mut(*at) {
                *slot = action.clone();
            }
        }
    }

    /// Groups that took in others list their members in order again.
    fn order_groups(&mut self) {
        for summary in self.summaries.values_mut() {
            if !summary.members.is_sorted() {
                summary.members.sort_unstable();
            }
        }
    }

    /// Leads results to the parts that the calls of trimmed turns have become.
    pub(super) fn lead(&mut self) {
        self.summaries.retain(|_, summary| !summary.members.is_empty());
        let mut moved = MovedCalls::default();
        for shown in &mut self.shown {
            let action = match shown.place {
                Place::Source(at) => self.actions.get(at),
                Place::Summary(_) => None,
            };
            moved.note(shown.source.as_ref(), &shown.turn, action);
            if let Some(answers) = shown.answers.map(|part| moved.answered(&shown.turn, part)) {
                shown.turn = shown.turn.clone().with_answers(answers);
            }
        }
    }

    /// How many turns the source has.
    pub(super) fn len(&self) -> usize {
        self.actions.len()
    }

    /// The fate of each turn of the source.
    pub(super) fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The turns that are shown, in order.
    pub(super) fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// What they take, by estimate.
    pub(super) const fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The summaries by group.
    pub(super) const fn summaries(&self) -> &BTreeMap<Arc<str>, Summary> {
        &self.summaries
    }

    /// What is shown of the first so many turns of the source takes, by estimate.
    pub(super) fn taken_before(&self, turns: usize) -> u64 {
        let is_before = |shown: &&Shown| match &shown.place {
            Place::Source(at) => *at < turns,
            Place::Summary(_) => true,
        };
        let shown = self.shown.iter().filter(is_before);
        shown.map(|shown| shown.turn.token_estimate()).fold(0, u64::saturating_add)
    }

    /// The number of turns up to the last one that is not shown as the source has it.
    pub(super) fn settled(&self) -> usize {
        self.actions.iter().rposition(|action| *action != Action::Keep).map_or(0, |at| at.saturating_add(1))
    }
}
