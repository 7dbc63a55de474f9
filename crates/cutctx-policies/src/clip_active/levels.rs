//! How far texts are cut so that what must stay fits.

use crate::arguments;
use crate::border::is_cut;
use crate::clip::Limits;
use crate::exemptions::Exemptions;
use crate::masking::Estimator;
use crate::trimming::{Trimming, TurnPart, parts_of};
use alloc::vec::Vec;
use cutctx_invariants::{LockedCosts, Survey};
use cutctx_types::{Action, InvalidValue, KeptPart, PartKind, Role, TranscriptTurn};

/// No text of a tool is cut further while something else can be cut, in characters.
const SPARED: usize = 2_000;

/// No text is cut further, in characters.
const LEAST: usize = 200;

/// How long a text may be, in characters.
#[derive(Debug, Clone, Copy)]
struct Levels {
    /// What a tool answered, or was called with.
    tools: usize,
    /// What a person or the model said.
    said: usize,
}

impl Levels {
    /// What is cut in turn, each with the length that it ends at: what tools said; what was said beside it; all.
    const STAGES: [(usize, Stage); 3] = [
        (SPARED, |length| Self { tools: length, said: usize::MAX }),
        (SPARED, |length| Self { tools: SPARED, said: length }),
        (LEAST, |length| Self { tools: length, said: length }),
    ];
}

/// What of a text of one kind or another stays where the longest may have so many characters.
type Stage = fn(usize) -> Levels;

/// Turns with what becomes of them, by position.
type Cuts = Vec<(usize, Action)>;

/// The turns that may be clipped.
#[derive(Debug)]
pub(super) struct Clippable<'s> {
    /// In order of position.
    turns: Vec<Long<'s>>,
    /// What they cost as they are, and what those do that stay whole all the same.
    costs: LockedCosts,
    /// What the latter cost together, in tokens.
    whole: u64,
    /// What measures what is left.
    estimator: &'s Estimator,
}

/// A turn that may be clipped.
#[derive(Debug, Clone, Copy)]
struct Long<'s> {
    position: usize,
    turn: &'s TranscriptTurn,
    /// Whether it was cut before: how much of it is gone can then not be counted.
    was_cut: bool,
}

impl<'s> Clippable<'s> {
    pub(super) fn of(survey: &'s Survey<'_>, estimator: &'s Estimator, exemptions: &Exemptions) -> Self {
        let turns = survey.turns().iter().enumerate();
        let clippable = turns.filter(|(position, _)| survey.is_clippable(*position));
        let (exempt, turns): (Vec<_>, Vec<_>) = clippable.partition(|(_, turn)| exemptions.cover(turn));
        let whole = exempt.iter().map(|(_, turn)| turn.token_estimate()).fold(0, u64::saturating_add);
        let long = |(position, turn): (usize, &'s TranscriptTurn)| Long {
            position,
            turn,
            was_cut: is_cut(turn.content()),
        };
        let turns = turns.into_iter().map(long).collect();
        Self { turns, costs: survey.clippable_costs(), whole, estimator }
    }

    /// What they cost at the least.
    pub(super) fn least(&self) -> Result<LockedCosts, InvalidValue> {
        let (cuts, _) = self.cut_to(Levels { tools: LEAST, said: LEAST })?;
        let mut cuts = cuts.into_iter().peekable();
        let mut costs = self.costs.clone();
        costs.lower(|position| {
            let (_, Action::Trim(trim)) = cuts.next_if(|(cut, _)| *cut == position)? else { return None };
            Some(trim.token_estimate)
        });
        Ok(costs)
    }

    /// What becomes of them so that together they cost no more than so many tokens; `None` where that cannot be.
    pub(super) fn within(&self, room: u64) -> Result<Option<Cuts>, InvalidValue> {
        for (least, levels) in Levels::STAGES {
            let (mut best, cost) = self.cut_to(levels(least))?;
            if cost > room {
                continue;
            }
            let (mut low, mut high) = (least, self.longest());
            // Until the two are a thirtieth apart: a cut falls on the border of a line, so nothing finer counts.
            while high.saturating_sub(low) > low / 30 {
                let level = low.saturating_mul(high).isqrt().clamp(low.saturating_add(1), high);
                let (cuts, cost) = self.cut_to(levels(level))?;
                if cost <= room {
                    (best, low) = (cuts, level);
                } else {
                    high = level.saturating_sub(1);
                }
            }
            return Ok(Some(best));
        }
        Ok(None)
    }

    /// How long the longest of them is, in characters: no text is longer.
    fn longest(&self) -> usize {
        let lengths = self.turns.iter().map(|long| long.turn.content().chars().count());
        lengths.max().unwrap_or(0)
    }

    /// What becomes of them at these levels, and what they then cost, in tokens.
    fn cut_to(&self, levels: Levels) -> Result<(Cuts, u64), InvalidValue> {
        let (mut cuts, mut cost) = (Vec::new(), self.whole);
        let uncounted = || Trimming::measured_by(self.estimator);
        for Long { position, turn, was_cut } in &self.turns {
            let kept = parts_of(turn).iter().map(|part| kept_of(turn.role(), part, levels)).collect();
            let trimming = if *was_cut { uncounted() } else { uncounted().counting() };
            let trim = trimming.keeping(turn, kept)?;
            let tokens = trim.as_ref().map_or(turn.token_estimate(), |trim| trim.token_estimate);
            cost = cost.saturating_add(tokens);
            cuts.extend(trim.map(|trim| (*position, Action::Trim(trim))));
        }
        Ok((cuts, cost))
    }
}

/// What stays of a part: its two ends where it is a text that is too long, and else all of it.
fn kept_of(speaker: Role, part: &TurnPart<'_>, levels: Levels) -> KeptPart {
    let cut = match part.kind {
        PartKind::CallArguments => arguments::clipped(part, &limits(levels.tools)),
        PartKind::Result => ends_of(part, levels.tools),
        PartKind::Text if speaker == Role::Tool => ends_of(part, levels.tools),
        PartKind::Text => ends_of(part, levels.said),
        PartKind::Reasoning | PartKind::OpaqueReasoning | PartKind::Media | _ => None,
    };
    cut.unwrap_or_else(|| part.whole())
}

fn ends_of(part: &TurnPart<'_>, most: usize) -> Option<KeptPart> {
    let ranges = limits(most).cut(part.text, part.bounds.start)?;
    Some(KeptPart::new(part.index, ranges))
}

/// A text of more than so many characters is cut to two thirds of them at its beginning, and a quarter at its end.
const fn limits(most: usize) -> Limits {
    Limits::known(most, (most / 3).saturating_mul(2), most / 4)
}
