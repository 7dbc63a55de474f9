//! Long results cut to their beginning and their end.

use crate::border::{ends_of, is_cut, is_longer};
use crate::shortening::{Common, Shorten, shortening_policy};
use crate::trimming::{Trimming, TurnPart, parts_of};
use alloc::boxed::Box;
use alloc::vec::Vec;
use cutctx_invariants::Survey;
use cutctx_types::{Action, DetailValue, InvalidValue, KeptPart, PartKind, Role, TranscriptTurn};

/// No text that was cut before is longer, in characters, unless longer ones are allowed.
const LONGEST_CUT: usize = 16_000;

/// How long a text may be, and how much of its two ends stays when it is longer; in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    max: usize,
    head: usize,
    tail: usize,
}

impl Limits {
    /// These limits, which are known to be sound.
    pub(crate) const fn known(max: usize, head: usize, tail: usize) -> Self {
        Self { max, head, tail }
    }

    /// Limits where the two ends are something, and shorter than what they are cut from.
    pub(crate) fn new(max: u64, head: u64, tail: u64) -> Result<Self, InvalidValue> {
        let refused = |setting, value: u64, reason| {
            Err(InvalidValue::Setting { setting, value: Some(DetailValue::from(value)), reason })
        };
        let kept = head.saturating_add(tail);
        if kept == 0 {
            return refused("head_chars", head, "leaves nothing, with tail_chars at zero too");
        }
        if kept >= max {
            return refused("max_chars", max, "is no more than head_chars and tail_chars together");
        }
        let size = |chars| usize::try_from(chars).unwrap_or(usize::MAX);
        Ok(Self { max: size(max), head: size(head), tail: size(tail) })
    }

    /// What stays of a text that begins at byte `start`, if it is too long.
    pub(crate) fn cut(&self, text: &str, start: usize) -> Option<Vec<core::ops::Range<usize>>> {
        if is_longer(text, self.max) { ends_of(text, start, self.head, self.tail) } else { None }
    }

    /// Whether a text was cut before. One that is far longer than cut texts are was not: it holds a line of its own that
    /// reads like the mark, as what tools answer may do.
    fn have_cut(&self, text: &str) -> bool {
        is_cut(text) && !is_longer(text, self.max.saturating_mul(2).max(LONGEST_CUT))
    }

    pub(crate) const fn max(&self) -> usize {
        self.max
    }

    pub(crate) const fn head(&self) -> usize {
        self.head
    }

    pub(crate) const fn tail(&self) -> usize {
        self.tail
    }
}

/// Cuts tool results that are too long to their beginning and their end, at the borders of lines, and tells between them
/// how many lines are gone (`… 120 lines …`).
///
/// A result that was cut before is left alone. One of more than 16,000 characters, and of more than twice as many as it
/// may have, is cut in any case: a line that reads like the mark of a cut does not keep a long text.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::ClipPolicy;
/// use cutctx_types::{Action, CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turns = vec![TranscriptTurn::new("t", Role::Tool, "line\n".repeat(2000), 2500)?];
/// let budget = CompactionBudget::new(1000).with_protected_recent_turns(0);
/// let plan = ClipPolicy::new().decide(&Transcript::new(turns)?, &budget)?;
/// assert!(matches!(plan.actions()[0].action, Action::Trim(_)));
/// assert!(plan.tokens_after_estimate() < 760);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ClipPolicy {
    limits: Limits,
    pub(crate) common: Common,
}

impl ClipPolicy {
    /// The policy at version 2.0.0: results of more than 8,000 characters to 2,000 and 1,000.
    #[must_use]
    pub const fn new() -> Self {
        let limits = Limits::known(8_000, 2_000, 1_000);
        Self { limits, common: Common::new() }
    }

    /// The policy with other limits, in characters: how long a result may be, and how much of its beginning and of
    /// its end stays when it is longer.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] where nothing would stay, and where the pieces are no shorter than what they are
    /// cut from: a result could be cut again and again.
    pub fn with_limits(
        mut self,
        max_chars: u64,
        head_chars: u64,
        tail_chars: u64,
    ) -> Result<Self, InvalidValue> {
        self.limits = Limits::new(max_chars, head_chars, tail_chars)?;
        Ok(self)
    }

    /// The limits that were not named: the defaults.
    pub(crate) const DEFAULTS: [u64; 3] = [8_000, 2_000, 1_000];

    fn prepare<'s>(&'s self, survey: &'s Survey<'_>) -> Shorten<'s> {
        Box::new(|position| {
            let turn = survey.turns().get(position).filter(|turn| turn.role() == Role::Tool);
            let trimming = Trimming::measured_by(&self.common.estimator).counting();
            turn.map_or(Ok(None), |turn| clipped(turn, &self.limits, &trimming))
        })
    }
}

shortening_policy!(ClipPolicy, "clip", ClipPolicy::prepare);

/// A result whose texts are cut to these limits.
pub(crate) fn clipped(
    turn: &TranscriptTurn,
    limits: &Limits,
    trimming: &Trimming<'_>,
) -> Result<Option<Action>, InvalidValue> {
    if !is_longer(turn.content(), limits.max) {
        return Ok(None);
    }
    let kept = parts_of(turn).iter().map(|part| kept_of(part, limits)).collect();
    Ok(trimming.keeping(turn, kept)?.map(Action::Trim))
}

fn kept_of(part: &TurnPart<'_>, limits: &Limits) -> KeptPart {
    let is_text = matches!(part.kind, PartKind::Result | PartKind::Text) && !limits.have_cut(part.text);
    let cut = if is_text { limits.cut(part.text, part.bounds.start) } else { None };
    cut.map_or_else(|| part.whole(), |ranges| KeptPart::new(part.index, ranges))
}
