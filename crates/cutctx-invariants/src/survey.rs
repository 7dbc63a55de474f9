//! What there is to know about a transcript and a budget before anything is decided.

use crate::exchanges::Exchanges;
use crate::floor::{BudgetUnsatisfiable, Floor, LockedCosts};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};

/// A transcript under a budget: exchanges, what is untouchable, what is removable, and the floors.
///
/// Computed once, in near-linear time and over positions; policies and rules all read it.
///
/// ```
/// use cutctx_invariants::Survey;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turns = vec![
///     TranscriptTurn::new("s", Role::System, "be brief", 2)?,
///     TranscriptTurn::new("u", Role::User, "a long story", 3)?,
/// ];
/// let transcript = Transcript::new(turns)?;
/// let budget = CompactionBudget::new(4).with_protected_recent_turns(0);
/// let survey = Survey::new(&transcript, &budget).unwrap();
/// assert!(survey.is_untouchable(0) && survey.is_removable(1));
/// assert_eq!(survey.goal(), Some(4));
/// # Ok::<(), cutctx_types::InvalidValue>(())
/// ```
#[derive(Debug, Clone)]
pub struct Survey<'t> {
    transcript: &'t Transcript,
    budget: CompactionBudget,
    exchanges: Exchanges,
    untouchable: Vec<bool>,
    /// By exchange: whether one of its members is untouchable.
    locked: Vec<bool>,
    floor: Floor,
    untouchable_turns: usize,
    /// By position: whether the turn stands in for a summary that this very plan will ask for.
    stand_ins: Vec<bool>,
    /// By position: the turns that an earlier step of the plan in the making has shortened, as they were.
    originals: BTreeMap<usize, TranscriptTurn>,
    continues: bool,
}

impl<'t> Survey<'t> {
    /// Surveys a transcript under a budget.
    ///
    /// # Errors
    ///
    /// [`BudgetUnsatisfiable`] when the untouchable turns alone are above the budget (the reference's
    /// floor); those that the budget lets be clipped do not count.
    pub fn new(transcript: &'t Transcript, budget: &CompactionBudget) -> Result<Self, BudgetUnsatisfiable> {
        Self::take(transcript, *budget, Vec::new(), false).satisfiable()
    }

    /// Surveys a working state of a plan in the making: the budget was exceeded, some turns are already
    /// decided, and the work goes on towards the goal even where the maximum is met by now.
    ///
    /// `stand_ins` says by position which turns stand in for summaries that the plan will ask for; it
    /// may be shorter than the transcript.
    ///
    /// # Errors
    ///
    /// As [`Survey::new`].
    pub fn continuing(
        transcript: &'t Transcript,
        budget: &CompactionBudget,
        stand_ins: Vec<bool>,
    ) -> Result<Self, BudgetUnsatisfiable> {
        Self::take(transcript, *budget, stand_ins, true).satisfiable()
    }

    /// The survey with the turns that earlier steps of the plan in the making have shortened, by position and as they
    /// were before.
    #[must_use]
    pub fn with_originals(mut self, originals: BTreeMap<usize, TranscriptTurn>) -> Self {
        self.originals = originals;
        self
    }

    fn take(
        transcript: &'t Transcript,
        budget: CompactionBudget,
        stand_ins: Vec<bool>,
        continues: bool,
    ) -> Self {
        let turns = transcript.turns();
        let exchanges = Exchanges::of_turns(turns);
        let first_protected = budget.first_protected(turns.len());
        let mut floor = Floor::default();
        let untouchable: Vec<bool> = turns
            .iter()
            .enumerate()
            .map(|(position, turn)| floor.count_untouchable(turn, position >= first_protected))
            .collect();
        let locked = locked_exchanges(&exchanges, &untouchable);
        let mut survey = Self {
            transcript,
            budget,
            exchanges,
            untouchable_turns: untouchable.iter().filter(|untouchable| **untouchable).count(),
            untouchable,
            locked,
            floor,
            stand_ins,
            originals: BTreeMap::new(),
            continues,
        };
        survey.floor.locked = survey.locked_costs().total();
        survey
    }

    /// The survey, unless its budget is below the untouchable turns.
    fn satisfiable(self) -> Result<Self, BudgetUnsatisfiable> {
        let mut clippable = self.clippable_costs();
        clippable.lower(|_| Some(0));
        let floor = self.floor_clipped(&clippable);
        if floor.untouchable() > self.budget.max_tokens() {
            return Err(BudgetUnsatisfiable::of(&self, floor));
        }
        Ok(self)
    }

    /// The survey of a plan, which was made over one that was satisfiable.
    pub(crate) fn of_plan(transcript: &'t Transcript, budget: CompactionBudget) -> Self {
        Self::take(transcript, budget, Vec::new(), false)
    }

    /// The transcript.
    #[must_use]
    pub const fn transcript(&self) -> &'t Transcript {
        self.transcript
    }

    /// The turns in order.
    #[must_use]
    pub fn turns(&self) -> &'t [TranscriptTurn] {
        self.transcript.turns()
    }

    /// The budget.
    #[must_use]
    pub const fn budget(&self) -> &CompactionBudget {
        &self.budget
    }

    /// Which turns belong together.
    #[must_use]
    pub const fn exchanges(&self) -> &Exchanges {
        &self.exchanges
    }

    /// What to work towards, in tokens; `None` when the transcript fits and nothing is to be done.
    ///
    /// A transcript over its maximum is brought down to the target. Version 1.0.0 of the policies looks
    /// at the maximum alone.
    #[must_use]
    pub fn goal(&self) -> Option<u64> {
        let goal = self.budget.goal_tokens();
        let total = self.transcript.token_estimate();
        (total > self.budget.max_tokens() || (self.continues && total > goal)).then_some(goal)
    }

    /// Whether the turn at a position must be kept as it is: system, pinned, or in the protected tail.
    #[must_use]
    pub fn is_untouchable(&self, position: usize) -> bool {
        self.untouchable.get(position).copied().unwrap_or(true)
    }

    /// Whether the turn at a position may be trimmed although it is untouchable: the budget lets turns that must stay be
    /// clipped, and this is no system turn, and pinned for its place alone, or one of the protected turns at the end and
    /// not pinned.
    #[must_use]
    pub fn is_clippable(&self, position: usize) -> bool {
        let may_clip = |turn: &TranscriptTurn| turn.role() != Role::System && !turn.pinned_whole();
        self.budget.clip_active()
            && self.is_untouchable(position)
            && self.turns().get(position).is_some_and(may_clip)
    }

    /// Whether the turn at a position may be dropped or summarized, together with its exchange.
    #[must_use]
    pub fn is_removable(&self, position: usize) -> bool {
        self.exchanges.of(position).is_some_and(|exchange| self.is_removable_exchange(exchange))
    }

    /// Whether no member of an exchange is untouchable.
    #[must_use]
    pub fn is_removable_exchange(&self, exchange: usize) -> bool {
        self.locked.get(exchange).is_some_and(|locked| !locked)
    }

    /// Whether the turn at a position stands in for a summary that the plan in the making asks for.
    /// Such a turn may be dropped; folding or masking it again is pointless.
    #[must_use]
    pub fn is_stand_in(&self, position: usize) -> bool {
        self.stand_ins.get(position).copied().unwrap_or(false)
    }

    /// The turn at a position as the transcript has it, where an earlier step of the plan in the making has shortened
    /// it: what digests and counts in a stub are about. Any other turn as it is.
    #[must_use]
    pub fn original(&self, position: usize) -> Option<&TranscriptTurn> {
        self.originals.get(&position).or_else(|| self.turns().get(position))
    }

    /// Whether an earlier step of the plan in the making has already worked on the transcript.
    #[must_use]
    pub const fn continues(&self) -> bool {
        self.continues
    }

    /// How many turns are untouchable.
    #[must_use]
    pub const fn untouchable_turns(&self) -> usize {
        self.untouchable_turns
    }

    /// What cannot be taken away, by reason. [`Floor::untouchable`] is the reference's floor,
    /// [`Floor::total`] the locked one.
    #[must_use]
    pub const fn floor(&self) -> Floor {
        self.floor
    }

    /// The floor with turns that may be clipped at these costs.
    #[must_use]
    pub fn floor_clipped(&self, clippable: &LockedCosts) -> Floor {
        let mut floor = self.floor;
        for (position, cost) in clippable.iter().filter(|(position, _)| self.is_clippable(*position)) {
            let Some(turn) = self.turns().get(position) else { continue };
            let item = if turn.pinned() { &mut floor.pinned } else { &mut floor.tail };
            *item = item.saturating_sub(turn.token_estimate().saturating_sub(cost));
        }
        floor
    }

    /// The cost of every turn that may be clipped, for a policy to lower. There are none unless the budget permits it.
    #[must_use]
    pub fn clippable_costs(&self) -> LockedCosts {
        if !self.budget.clip_active() {
            return LockedCosts::none();
        }
        let turns = self.turns().iter().map(TranscriptTurn::token_estimate).enumerate();
        LockedCosts::new(turns.filter(|(position, _)| self.is_clippable(*position)).collect())
    }

    /// The cost of every locked turn that is not itself untouchable, for a policy to lower.
    #[must_use]
    pub fn locked_costs(&self) -> LockedCosts {
        let exchanges = self.exchanges.iter().zip(&self.locked);
        let members =
            exchanges.filter(|(_, locked)| **locked).flat_map(|(members, _)| members.iter().copied());
        let mut costs: Vec<(usize, u64)> =
            members.filter_map(|position| self.locked_cost(position)).collect();
        costs.sort_unstable();
        LockedCosts::new(costs)
    }

    /// The position and the cost of a turn of a locked exchange, unless it is itself untouchable.
    fn locked_cost(&self, position: usize) -> Option<(usize, u64)> {
        let turn = self.turns().get(position)?;
        (!self.is_untouchable(position)).then(|| (position, turn.token_estimate()))
    }

    /// Admits the budget by the locked floor, with these costs for the locked turns.
    ///
    /// # Errors
    ///
    /// [`BudgetUnsatisfiable`] when the untouchable turns and the locked ones together are above it.
    pub fn admit(&self, locked: &LockedCosts) -> Result<(), BudgetUnsatisfiable> {
        self.admit_clipped(locked, &LockedCosts::none())
    }

    /// Admits the budget by the locked floor, with these costs for the locked turns, and these for turns that may be
    /// clipped.
    ///
    /// # Errors
    ///
    /// As [`Survey::admit`].
    pub fn admit_clipped(
        &self,
        locked: &LockedCosts,
        clippable: &LockedCosts,
    ) -> Result<(), BudgetUnsatisfiable> {
        let floor = Floor { locked: locked.total(), ..self.floor_clipped(clippable) };
        if floor.total() > self.budget.max_tokens() {
            return Err(BudgetUnsatisfiable::of(self, floor));
        }
        Ok(())
    }
}

fn locked_exchanges(exchanges: &Exchanges, untouchable: &[bool]) -> Vec<bool> {
    let is_untouchable = |position: &usize| untouchable.get(*position).copied().unwrap_or(true);
    exchanges.iter().map(|members| members.iter().any(is_untouchable)).collect()
}
