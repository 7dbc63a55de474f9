//! Numbers to plan by: what the context takes for any cursor, in constant time each.

use alloc::vec::Vec;

use cutctx_messages::{Message, MessagePart, RoundMessage as _};
use cutctx_types::Role;

use super::cost::Costs;
use super::memory::Memory;
use super::scale::Ratio;
use super::shorten::stubbed;

/// A transcript as it is shown, and what its messages take.
#[derive(Debug)]
pub(super) struct Layout {
    /// The messages without files that were answered.
    pub(super) shown: Vec<Message>,
    /// Stubs for results of tools, where there is something to gain.
    stubs: Vec<Option<Message>>,
    /// How many of the first messages are always shown.
    pub(super) head: usize,
    /// The first message behind the head that is measured.
    from: usize,
    /// Where the transcript may be cut.
    pub(super) boundaries: Vec<usize>,
    /// What the first so many messages take.
    whole: Sums,
    /// What they take with stubs.
    stubbed: Sums,
    /// What the parts of others in them take.
    peers: Sums,
    overhead: u64,
}

/// Sums over the first so many of a list.
#[derive(Debug)]
struct Sums(Vec<u64>);

impl Sums {
    fn of(costs: impl Iterator<Item = u64>) -> Self {
        let mut total = 0_u64;
        let sums = costs.map(|cost| {
            total = total.saturating_add(cost);
            total
        });
        Self(core::iter::once(0).chain(sums).collect())
    }

    fn between(&self, from: usize, to: usize) -> u64 {
        let sum = |at: usize| self.0.get(at).or(self.0.last()).copied().unwrap_or(0);
        sum(to).saturating_sub(sum(from))
    }
}

impl Layout {
    /// Of messages between the head and `from`, which a summary stands for, nothing is measured.
    pub(super) fn new(
        shown: Vec<Message>,
        boundaries: Vec<usize>,
        (head, from): (usize, usize),
        costs: &Costs<'_>,
    ) -> Self {
        let is_shown = |at: usize| at < head || at >= from;
        let stub = |(at, message): (usize, &Message)| is_shown(at).then(|| stubbed(message)).flatten();
        let stubs: Vec<Option<Message>> = shown.iter().enumerate().map(stub).collect();
        let cost = |(at, message): (usize, &Message)| if is_shown(at) { costs.of(message) } else { 0 };
        let whole: Vec<u64> = shown.iter().enumerate().map(cost).collect();
        let with_stubs = stubs.iter().zip(&whole).map(|(stub, whole)| {
            let stub = stub.as_ref().map_or(*whole, |stub| costs.of(stub));
            stub.min(*whole)
        });
        let stubbed = Sums::of(with_stubs);
        let peers = shown.iter().map(|message| peer_content(message).map_or(0, |peer| costs.of(&peer)));
        let peers = Sums::of(peers);
        let (whole, overhead) = (Sums::of(whole.into_iter()), costs.overhead());
        Self { shown, stubs, head, from, boundaries, whole, stubbed, peers, overhead }
    }

    /// What the context takes, by estimate: head, a summary of so many tokens, stubs from the cursor on and whole
    /// messages behind.
    pub(super) fn tokens(&self, cursor: usize, pruned: usize, summary: u64) -> u64 {
        let pruned = pruned.max(cursor);
        self.fixed(cursor, summary)
            .saturating_add(self.stubbed.between(cursor, pruned))
            .saturating_add(self.whole.between(pruned, self.shown.len()))
    }

    /// What stands before the cursor takes, and what a request holds besides messages.
    pub(super) fn fixed(&self, cursor: usize, summary: u64) -> u64 {
        self.overhead
            .saturating_add(self.whole.between(0, self.head))
            .saturating_add(summary)
            .saturating_add(self.peers.between(self.head, cursor))
    }

    /// All messages, with stubs before `pruned`.
    pub(super) fn with_stubs(&self, pruned: usize) -> Vec<Message> {
        let stubs = self.stubs.iter().take(pruned).map(Option::as_ref).chain(core::iter::repeat(None));
        self.shown.iter().zip(stubs).map(|(whole, stub)| stub.unwrap_or(whole).clone()).collect()
    }

    /// The same with other messages shown.
    pub(super) fn showing(&mut self, shown: Vec<Message>, costs: &Costs<'_>) {
        let boundaries = core::mem::take(&mut self.boundaries);
        *self = Self::new(shown, boundaries, (self.head, self.from), costs);
    }

    /// What can never go: the head and the last unit, with stubs.
    pub(super) fn floor(&self) -> u64 {
        let last = self.last_unit();
        self.overhead
            .saturating_add(self.whole.between(0, self.head.min(last)))
            .saturating_add(self.stubbed.between(last, self.shown.len()))
    }

    /// The last boundary that leaves so many messages, at least the last unit; never inside the head.
    pub(super) fn leaving(&self, messages: usize) -> usize {
        let most = self.shown.len().saturating_sub(messages).min(self.last_unit());
        let at = self.boundaries.partition_point(|boundary| *boundary <= most);
        let boundary = at.checked_sub(1).and_then(|at| self.boundaries.get(at)).copied().unwrap_or(0);
        boundary.max(self.head)
    }

    /// What the messages from here on take.
    pub(super) fn tail(&self, from: usize) -> u64 {
        self.whole.between(from, self.shown.len())
    }

    /// Where the last unit begins.
    pub(super) fn last_unit(&self) -> usize {
        let end = self.shown.len();
        let at = self.boundaries.partition_point(|boundary| *boundary < end);
        at.checked_sub(1).and_then(|at| self.boundaries.get(at)).copied().unwrap_or(0)
    }

    /// The first boundary above `from` and up to `to` at which a condition holds that, once it holds, holds on.
    pub(super) fn first_boundary(
        &self,
        from: usize,
        to: usize,
        holds: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let first = self.boundaries.partition_point(|boundary| *boundary <= from);
        let end = self.boundaries.partition_point(|boundary| *boundary <= to);
        let candidates = self.boundaries.get(first..end)?;
        let at = candidates.partition_point(|boundary| !holds(*boundary));
        candidates.get(at).copied()
    }

    /// The context: head, summary, what others said in what it stands for, and the rest.
    pub(super) fn context(&self, memory: &Memory, summary: Option<Message>) -> Vec<Message> {
        let range = |from: usize, to: usize| self.shown.get(from..to).unwrap_or_default();
        let mut context = range(0, self.head).to_vec();
        context.extend(summary);
        context.extend(range(self.head, memory.cursor).iter().filter_map(peer_content));
        let pruned = memory.pruned.max(memory.cursor);
        let stubs = self.stubs.get(memory.cursor..pruned).unwrap_or_default();
        let whole = range(memory.cursor, pruned).iter().zip(stubs);
        context.extend(whole.map(|(whole, stub)| stub.as_ref().unwrap_or(whole).clone()));
        context.extend_from_slice(range(pruned, self.shown.len()));
        context
    }
}

/// The most tokens that a context may have, and the ratio by which estimates count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub(super) tokens: u64,
    pub(super) ratio: Ratio,
}

impl Target {
    /// The largest estimate that is allowed.
    pub(super) fn estimate(self) -> u64 {
        self.ratio.unscaled(self.tokens)
    }

    pub(super) fn allows(self, estimate: u64) -> bool {
        self.ratio.scaled(estimate) <= self.tokens
    }
}

/// What other participants said in a message, as a message of its own.
fn peer_content(message: &Message) -> Option<Message> {
    let is_peer = |part: &&MessagePart| matches!(part, MessagePart::PeerContent(_));
    let parts: Vec<MessagePart> = message.content().iter().filter(is_peer).cloned().collect();
    (!parts.is_empty()).then(|| Message::from_pieces(Role::Assistant, parts))
}
