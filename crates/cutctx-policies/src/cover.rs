//! Choosing what to keep by what it is worth for its cost.

mod chunks;
mod decay;
mod division;
mod field;
mod least;
mod lexicon;
mod names;
mod selection;
mod settle;
mod verdicts;
mod worth;

use crate::exemptions::Exemptions;
use crate::masking::Estimator;
use crate::proposal::Proposal;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use chunks::Sizes;
use cutctx_invariants::{CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_types::{Action, InvalidValue, PlanDraft, TokenEstimator};
use field::{Cutting, Field, milli};
use least::Least;
use lexicon::Lexicon;
use selection::Selection;
use verdicts::Verdicts;

/// The most lines of a piece of what was said, or of arguments, unless told otherwise.
pub(crate) const DEFAULT_CHUNK_LINES: u64 = 12;

/// The most characters of such a piece, unless told otherwise.
pub(crate) const DEFAULT_CHUNK_CHARACTERS: u64 = 900;

/// How many lines a chosen line of a result brings along on each side, unless told otherwise.
pub(crate) const DEFAULT_CONTEXT_LINES: u64 = 2;

/// A line of a result with more characters is cut.
const LONG_LINE: usize = 360;

/// Where a long line is cut, in characters.
const LINE_PIECE: usize = 240;

/// The share of the room that all talk may need to be kept whole, in percent.
const TALK_PERCENT: u64 = 70;

/// Keeps of the turns what is worth most for its cost: what names much that is not visible yet, what is recent, what
/// people and the model said before what tools answered.
///
/// The transcript is cut into units: what was said and the arguments of calls in pieces of at most 12 lines or 900
/// characters, results line by line. A unit is worth the names in it (identifiers, paths, addresses, long numbers, quoted
/// phrases; long words less), each until it is visible somewhere, and a little for its length; a name is worth more the
/// more turns name it, and somewhat more where several results show it. Units are chosen by worth for cost until the goal
/// is reached. If everything said and all arguments need no more than 70 % of the room, they are kept whole, and results
/// alone compete.
///
/// Of a turn with gaps, each gap becomes one line `…`. A result of which nothing was chosen becomes a stub of a dozen
/// tokens, a call is cut to its name, and an exchange of which nothing was chosen is dropped.
///
/// Everything is integer arithmetic. It reads the text of the turns, in time near-linear in its length; none of it gets
/// into the plan.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::CoverPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let log = format!("{}error in src/parser/lexer.rs:42\n{}", "ok\n".repeat(400), "ok\n".repeat(400));
/// let turns = vec![
///     TranscriptTurn::new("a", Role::Assistant, "run the tests", 4)?.with_tool_call_id("c"),
///     TranscriptTurn::new("t", Role::Tool, log, 600)?.with_tool_call_id("c"),
///     TranscriptTurn::new("u", Role::User, "why?", 1)?,
/// ];
/// let budget = CompactionBudget::new(40).with_protected_recent_turns(1);
/// let plan = CoverPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(plan.tokens_after_estimate() <= 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CoverPolicy {
    whole_items: bool,
    chunk_lines: u64,
    chunk_characters: u64,
    context_lines: u64,
    estimator: Estimator,
    exemptions: Exemptions,
}

impl CoverPolicy {
    /// The policy with its usual pieces, and with four characters a token.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            whole_items: false,
            chunk_lines: DEFAULT_CHUNK_LINES,
            chunk_characters: DEFAULT_CHUNK_CHARACTERS,
            context_lines: DEFAULT_CONTEXT_LINES,
            estimator: Estimator::Own,
            exemptions: Exemptions::none(),
        }
    }

    /// The policy that keeps each part of a turn whole or not at all: nothing is cut but calls down to their names.
    #[must_use]
    pub const fn whole_items() -> Self {
        Self::new().with_whole_items(true)
    }

    /// The policy with each part of a turn as one unit, or not.
    #[must_use]
    pub const fn with_whole_items(mut self, whole_items: bool) -> Self {
        self.whole_items = whole_items;
        self
    }

    /// The policy cutting what was said and arguments into pieces of at most so many lines and characters.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when one of them is none.
    pub fn with_chunks(mut self, lines: u64, characters: u64) -> Result<Self, InvalidValue> {
        for (setting, value) in [("chunk_lines", lines), ("chunk_chars", characters)] {
            if value == 0 {
                return Err(InvalidValue::Setting {
                    setting,
                    value: Some(value.into()),
                    reason: "is too small",
                });
            }
        }
        (self.chunk_lines, self.chunk_characters) = (lines, characters);
        Ok(self)
    }

    /// The policy bringing so many lines of a result along on each side of a chosen one; at most 100.
    #[must_use]
    pub fn with_context_lines(mut self, lines: u64) -> Self {
        self.context_lines = lines.min(100);
        self
    }

    /// The policy measuring what it leaves with this estimator: the one that the turns were counted with, as a rule.
    #[must_use]
    pub fn with_estimator(self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.measured_by(Estimator::Injected(estimator))
    }

    pub(crate) fn measured_by(mut self, estimator: Estimator) -> Self {
        self.estimator = estimator;
        self
    }

    /// The policy leaving some turns alone, and their exchanges in place.
    #[must_use]
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Self {
        self.exemptions = exemptions;
        self
    }

    fn cutting(&self) -> Cutting {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let characters = size(self.chunk_characters);
        Cutting {
            talk: Sizes { lines: size(self.chunk_lines), characters, cut_at: characters },
            results: Sizes { lines: 1, characters: LONG_LINE, cut_at: LINE_PIECE },
            context: size(self.context_lines),
            whole_items: self.whole_items,
        }
    }

    fn is_fixed(&self, survey: &Survey<'_>, position: usize) -> bool {
        survey.is_untouchable(position)
            || survey.turns().get(position).is_some_and(|turn| self.exemptions.cover(turn))
    }
}

impl Default for CoverPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl CompactionPolicy for CoverPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed(if self.whole_items { "cover_whole_items" } else { "cover" })
    }

    fn version(&self) -> &str {
        PolicyVersion::V2.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        let mut proposal = Proposal::keeping(survey);
        let Some(goal) = survey.goal() else { return Ok(proposal.into_draft(self)) };
        let least = Least::measured_by(&self.estimator)?;
        let field = Field::of(survey, self.cutting(), &least, |position| self.is_fixed(survey, position));
        let selection = select(&field, survey, goal);
        let verdicts = Verdicts { survey, field: &field, least: &least, estimator: &self.estimator };
        let mut ratio = None;
        for (position, action) in settle::within(goal, selection, &verdicts)? {
            if matches!(action, Action::Mask(_)) {
                ratio = self.estimator.ratio();
            }
            proposal.set(position, action);
        }
        Ok(proposal.into_draft(self).with_estimator_ratio(ratio))
    }

    /// A locked turn costs what is left when nothing of it is chosen.
    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        let Ok(least) = Least::measured_by(&self.estimator) else { return };
        if survey.goal().is_none() {
            return;
        }
        costs.lower(|position| {
            let turn = survey.turns().get(position)?;
            let may_touch = !self.is_fixed(survey, position) && !survey.is_stand_in(position);
            may_touch.then(|| least.cost_of(turn, survey.original(position).unwrap_or(turn)))
        });
    }
}

/// Chooses what fits the goal, as near as costs can be told before turns are cut.
fn select<'f>(field: &'f Field, survey: &'f Survey<'_>, goal: u64) -> Selection<'f> {
    let lexicon = Lexicon::of(field, survey.turns());
    let mut selection = Selection::of(field, survey.exchanges(), lexicon);
    let room = milli(goal).saturating_sub(selection.cost_of_fixed());
    if selection.cost_of_talk().saturating_mul(100) <= room.saturating_mul(TALK_PERCENT) {
        selection.take_talk();
    }
    selection.spend(milli(goal));
    selection
}
