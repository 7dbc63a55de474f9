//! What only we tell about an application: the truth about each turn, the cache and the budget.

use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_invariants::Floor;
use cutctx_types::CacheAccount;
use serde::Serialize;

pub(crate) use ledger::account;

mod ledger;

/// The account of an application: plain data, for people and for logs. It holds ids and figures, no
/// text of any turn.
///
/// Where the report repeats what the plan promised, the account says what came of it: summaries at
/// their measured cost, turns appended since, and whether the view is within the budget after all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Account {
    /// One entry a turn of the transcript, in order, those appended since included.
    pub turns: Vec<TurnAccount>,
    /// How many turns had which fate; they add up to the turns of the transcript.
    pub fates: FateCounts,
    /// One entry a summary, in order of appearance.
    pub summaries: Vec<SummaryAccount>,
    /// The summaries that cost more than their targets, in order of appearance.
    pub overruns: Vec<Overrun>,
    /// Groups for which a summary was supplied and none was asked, sorted.
    pub unused_summary_groups: Vec<Arc<str>>,
    /// The turns that must stay and were trimmed, in order: the budget lets them be clipped, and could not be met
    /// otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clipped_active_turn_ids: Vec<Arc<str>>,
    /// Turns that the transcript has gained since it was planned over, in order.
    pub appended_turn_ids: Vec<Arc<str>>,
    /// The position of the first turn that is not kept as it is; `None` when nothing changed. All
    /// turns before it stand at the same positions in the view.
    pub first_changed_position: Option<usize>,
    /// Tokens of the view before that position: what a prompt cache can reuse. The whole view when
    /// nothing changed.
    pub tokens_before_change: u64,
    /// Tokens of the view from that position on: what has to be read anew.
    pub tokens_after_change: u64,
    /// What the change does to the provider's prompt cache, as measured, and when it pays back.
    pub cache: CacheAccount,
    /// What the plan could not take away, by reason, in tokens of the transcript planned over; turns that were clipped
    /// count what they cost now.
    pub floor: Floor,
    /// Tokens of the transcript, turns appended since included.
    pub tokens_before: u64,
    /// Tokens of the view, summaries as measured and turns appended since included.
    pub tokens_after_measured: u64,
    /// The budget, in tokens.
    pub max_tokens: u64,
    /// Whether the view, as measured, is above the budget.
    pub over_budget: bool,
}

/// What became of one turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TurnAccount {
    /// The turn.
    pub turn_id: Arc<str>,
    /// Its fate. In JSON it stands beside the other members: `fate`, with `reason` or `group`.
    #[serde(flatten)]
    pub fate: TurnFate,
    /// What it cost, in tokens.
    pub tokens_before: u64,
    /// What it costs now, in tokens; zero for a turn that is gone. The cost of a summary is in
    /// [`SummaryAccount`].
    pub tokens_after: u64,
    /// How many tokens that saves; zero where it saves none, even where a stub costs more than the
    /// turn did.
    pub tokens_freed: u64,
}

/// The fate of a turn, with the reason why where it was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "every turn has exactly one of these fates, as every action has")]
pub enum TurnFate {
    /// It stays as it is.
    Kept {
        /// Why.
        reason: KeptReason,
    },
    /// It says a stub now.
    Masked,
    /// It says less now.
    Trimmed,
    /// A summary stands for it.
    Summarized {
        /// The summary's group.
        group: Arc<str>,
    },
    /// It is gone.
    Dropped,
    /// It came after the plan, and stays as it is.
    Appended,
}

/// Why a planned turn was kept: the first reason that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "these are the floor's items, and the policy's choice")]
pub enum KeptReason {
    /// It is a system turn.
    System,
    /// Its owner pinned it.
    Pinned,
    /// It was among the protected turns at the end.
    ProtectedTail,
    /// It shares an exchange with a turn of one of the kinds above.
    LockedByExchange,
    /// The policy could have taken it and did not.
    PolicyKept,
}

/// How many turns had which fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct FateCounts {
    /// Turns that stayed as they were.
    pub kept: usize,
    /// Turns that say a stub now.
    pub masked: usize,
    /// Turns that say less now.
    pub trimmed: usize,
    /// Turns that a summary stands for.
    pub summarized: usize,
    /// Turns that are gone.
    pub dropped: usize,
    /// Turns that came after the plan.
    pub appended: usize,
}

impl FateCounts {
    /// All of them: the turns of the transcript.
    #[must_use]
    pub const fn total(&self) -> usize {
        let stayed = self.kept.saturating_add(self.masked).saturating_add(self.trimmed);
        let gone = self.summarized.saturating_add(self.dropped);
        stayed.saturating_add(gone).saturating_add(self.appended)
    }
}

/// One summary and the turns that it stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SummaryAccount {
    /// The group.
    pub group_id: Arc<str>,
    /// The turn of the view that holds the summary.
    pub turn_id: Arc<str>,
    /// How many turns it stands for.
    pub replaced_turns: usize,
    /// What those cost, in tokens.
    pub tokens_before: u64,
    /// What the plan counted on, in tokens.
    pub target_tokens: u64,
    /// What it costs, in tokens: measured by the strict executor, the target with the reference one.
    pub tokens: u64,
}

/// A summary that costs more than the plan counted on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Overrun {
    /// The group.
    pub group_id: Arc<str>,
    /// What the plan counted on, in tokens.
    pub target_tokens: u64,
    /// What the summary costs, in tokens.
    pub measured_tokens: u64,
}
