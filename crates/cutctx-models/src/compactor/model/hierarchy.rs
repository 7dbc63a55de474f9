//! One round that is too long for a prompt: read in fragments, whose summaries are merged level by level.

use alloc::collections::VecDeque;
use core::iter::repeat_n;
use core::mem;

use cutctx_context::{CompactionRequest, CompactionStep, message_digest};
use cutctx_messages::SpokenText;

use super::single::Told;
use super::{Finish, ModelCompactor, prompts};
use crate::compactor::asking::{Answer, Asking};
use crate::compactor::chars;
use crate::compactor::fault::Fault;
use crate::compactor::payload::count;

/// Room for the line that numbers a fragment.
const FRAGMENT_LINE: usize = "Fragment 999999:\n".len();

/// Room for the line that numbers a part.
const PART_LINE: usize = "Part 999999:\n".len();

/// Reads the first messages, so many of them, in fragments.
pub(super) fn begin(
    compactor: &ModelCompactor,
    request: &CompactionRequest,
    unit: usize,
    most: usize,
    mut asking: Asking,
    finish: Finish,
) -> CompactionStep {
    let rules = Rules::of(request, most);
    let text: Vec<String> = request.messages.iter().take(unit).map(message_digest).collect();
    let fragments = match rules.fragments(&text.join("\n")) {
        Ok(fragments) => fragments,
        Err(fault) => return finish(Err(fault.into_failure(asking.payloads))),
    };
    let existing = request.existing_summary.clone();
    let limit = compactor.max_hierarchy_calls;
    if let Err(fault) = rules.check_before(fragments.len(), existing.as_deref(), limit) {
        return finish(Err(fault.into_failure(asking.payloads)));
    }
    asking.most_calls = Some(limit.saturating_add(asking.calls));
    let work = Work {
        compactor: compactor.clone(),
        told: Told::of(compactor, request, "hierarchical_atomic_unit", unit, true),
        pieces: fragments.len(),
        calls_before: asking.calls,
        rules,
        waiting: fragments.into(),
        summaries: existing.into_iter().collect(),
        level: 0,
        size: (usize::MAX, usize::MAX),
        finish,
    };
    work.next(asking)
}

/// What prompts say, and how long they may be.
struct Rules {
    fragment: String,
    merge: String,
    most: usize,
}

impl Rules {
    fn of(request: &CompactionRequest, most: usize) -> Self {
        let instructions = request.instructions.as_deref();
        Self { fragment: prompts::fragment(instructions), merge: prompts::merge(instructions), most }
    }

    /// The prompts of the fragments of a text.
    fn fragments(&self, text: &str) -> Result<Vec<String>, Fault> {
        let size = self.most.saturating_sub(chars::count(&self.fragment)).saturating_sub(FRAGMENT_LINE);
        if size == 0 {
            return Err(Fault::NoRoom { what: "a fragment" });
        }
        let pieces = chars::pieces(text, size).into_iter().zip(1_usize..);
        Ok(pieces.map(|(piece, number)| format!("{}Fragment {number}:\n{piece}", self.fragment)).collect())
    }

    /// How many characters one part of a merge may have.
    fn part_size(&self) -> usize {
        self.most.saturating_sub(chars::count(&self.merge)).saturating_sub(PART_LINE)
    }

    /// Refuses what cannot be done within the limit, before anything is paid: the least number of calls is that of
    /// summaries of one character.
    fn check_before(&self, fragments: usize, existing: Option<&str>, limit: u32) -> Result<(), Fault> {
        let existing = existing.map(chars::count);
        let needs_merge = existing.is_some() || fragments > 1;
        if needs_merge && self.part_size() == 0 {
            return Err(Fault::NoRoom { what: "a part of a merge" });
        }
        let mut least = u64::try_from(fragments).unwrap_or(u64::MAX);
        let mut items: Vec<usize> = existing.into_iter().chain(repeat_n(1, fragments)).collect();
        while items.len() > 1 && least <= u64::from(limit) {
            let groups = self.pack(items.into_iter().flat_map(|length| self.split(length)), |length| *length);
            least = least.saturating_add(u64::try_from(groups.len()).unwrap_or(u64::MAX));
            items = vec![1; groups.len()];
        }
        if least > u64::from(limit) { Err(Fault::TooManyCalls { least, limit }) } else { Ok(()) }
    }

    /// The lengths of the pieces of an item.
    fn split(&self, length: usize) -> Vec<usize> {
        let size = self.part_size().max(1);
        let whole = length.checked_div(size).unwrap_or(0);
        let rest = length.checked_rem(size).filter(|rest| *rest > 0);
        repeat_n(size, whole).chain(rest).collect()
    }

    /// Packs parts in order into as few groups as the limit allows, each with its numbers.
    fn pack<T>(&self, parts: impl Iterator<Item = T>, length: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
        let empty = chars::count(&self.merge);
        let (mut groups, mut group, mut used) = (Vec::new(), Vec::new(), empty);
        for part in parts {
            let rendered = rendered_length(group.len(), length(&part));
            if !group.is_empty() && used.saturating_add(rendered) > self.most {
                groups.push(mem::take(&mut group));
                used = empty;
            }
            used = used.saturating_add(rendered_length(group.len(), length(&part)));
            group.push(part);
        }
        if !group.is_empty() {
            groups.push(group);
        }
        groups
    }

    /// The prompts that merge these summaries.
    fn merges(&self, summaries: &[SpokenText]) -> Vec<String> {
        let size = self.part_size();
        let parts = summaries.iter().flat_map(|summary| chars::pieces(summary, size));
        let groups = self.pack(parts, |part| chars::count(part));
        groups.iter().map(|group| format!("{}{}", self.merge, rendered(group))).collect()
    }
}

/// What a part adds to a prompt after so many others: a blank line, its number, its text.
fn rendered_length(before: usize, length: usize) -> usize {
    let number = chars::count(&before.saturating_add(1).to_string());
    let blank_line = if before > 0 { 2 } else { 0 };
    "Part :\n".len().saturating_add(blank_line).saturating_add(number).saturating_add(length)
}

fn rendered(group: &[&str]) -> String {
    let parts = group.iter().zip(1_usize..).map(|(part, number)| format!("Part {number}:\n{part}"));
    parts.collect::<Vec<_>>().join("\n\n")
}

/// A hierarchy in the making.
struct Work {
    compactor: ModelCompactor,
    told: Told,
    /// How many fragments there were.
    pieces: usize,
    calls_before: u32,
    rules: Rules,
    /// The prompts of this level that are still to be sent.
    waiting: VecDeque<String>,
    /// The summaries of this level so far; before the first level is done, the summary of what was before.
    summaries: Vec<SpokenText>,
    /// How many levels of merging have begun.
    level: u32,
    /// What the parts of this level have together, see [`size_of`].
    size: (usize, usize),
    finish: Finish,
}

impl Work {
    /// Sends the level's prompts one after the other.
    fn next(mut self, asking: Asking) -> CompactionStep {
        let Some(prompt) = self.waiting.pop_front() else { return self.end_level(asking) };
        let Ok(prompt) = SpokenText::new(prompt) else { return self.fail(asking, Fault::BadText) };
        let request = self.compactor.request(&prompt);
        let then = move |asking, answer: Result<Answer, Fault>| match answer {
            Err(fault) => self.fail(asking, fault),
            Ok(answer) => {
                self.summaries.push(answer.summary);
                self.next(asking)
            }
        };
        asking.ask(request, Box::new(then))
    }

    /// The summaries of a level are the next one's parts, until there is one. The first level of merging may make them
    /// longer, no other.
    fn end_level(mut self, asking: Asking) -> CompactionStep {
        let size = size_of(&self.summaries);
        if self.level > 1 && size >= self.size {
            return self.fail(asking, Fault::NotConverging);
        }
        if let [summary] = self.summaries.as_slice() {
            let summary = summary.clone();
            return self.done(summary, asking);
        }
        let parts = mem::take(&mut self.summaries);
        self.waiting = self.rules.merges(&parts).into();
        self.level = self.level.saturating_add(1);
        self.size = size;
        self.next(asking)
    }

    fn done(self, summary: SpokenText, asking: Asking) -> CompactionStep {
        let calls = usize::try_from(asking.calls.saturating_sub(self.calls_before)).unwrap_or(usize::MAX);
        let told = self.told.with("hierarchy_dispatch_count", count(calls));
        (self.finish)(Ok(told.result(summary, self.pieces, asking)))
    }

    fn fail(self, asking: Asking, fault: Fault) -> CompactionStep {
        (self.finish)(Err(fault.into_failure(asking.payloads)))
    }
}

/// How many summaries, and how many characters together: what must become less from level to level.
fn size_of(summaries: &[SpokenText]) -> (usize, usize) {
    let chars = summaries.iter().map(|summary| chars::count(summary));
    (summaries.len(), chars.fold(0, usize::saturating_add))
}
