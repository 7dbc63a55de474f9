//! Estimates beside what providers counted.

use cutctx_formats::Usage;
use cutctx_policies::MaskStub;
use cutctx_types::{Transcript, TranscriptTurn};

use super::fit::slope;
use super::scale::{Scale, WHOLE};

/// How many estimated tokens the newest step must have sent, so that it can tell a scale.
const LEAST_SENT: u64 = 500;

/// By which part a count must fall below the one before it, although turns were added, to show that something was
/// taken out: a tenth.
const FALL: u64 = 10;

/// A request of a session: what it sent by our estimate, and by the provider's count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What the turns that were sent are estimated at, in tokens.
    pub estimate: u64,
    /// What the provider counted as input, in tokens: system prompt and tools included, whether the file has them or not.
    pub counted: u64,
    /// All that was counted, and for which message.
    pub usage: Usage,
}

/// The requests of which a session tells what was counted, in order. Linear in turns.
#[must_use]
pub fn steps(transcript: &Transcript, usages: &[Usage]) -> Vec<Step> {
    let mut ordered: Vec<&Usage> = usages.iter().collect();
    ordered.sort_by_key(|usage| usage.first_turn);
    let mut turns = transcript.turns().iter();
    let (mut passed, mut estimate) = (0_usize, 0_u64);
    let step = |usage: &&Usage| {
        let sent = turns.by_ref().take(usage.first_turn.saturating_sub(passed));
        estimate = sent.map(TranscriptTurn::token_estimate).fold(estimate, u64::saturating_add);
        passed = passed.max(usage.first_turn);
        Step { estimate, counted: usage.input(), usage: **usage }
    };
    ordered.iter().map(step).collect()
}

/// What a request has beside the turns of the file, in tokens: a system prompt and tools that are not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FixedPart {
    /// As the caller says.
    Declared(u64),
    /// What is left of the newest count when the scaled turns are taken away.
    Fitted(u64),
    /// Not known: turns were made shorter after the newest count.
    Unknown,
}

impl FixedPart {
    /// It in tokens, where it is known.
    #[must_use]
    pub const fn tokens(self) -> Option<u64> {
        match self {
            Self::Declared(tokens) | Self::Fitted(tokens) => Some(tokens),
            Self::Unknown => None,
        }
    }
}

/// What the counts of a session say about its estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Anchored {
    /// What estimates are to be multiplied by. Those of the newest step and the fixed part then add up to its count.
    pub scale: Scale,
    /// What is sent besides.
    pub fixed: FixedPart,
    /// The newest step: the anchor.
    pub anchor: Step,
    /// How many steps since something was taken out of the context last.
    pub steps: usize,
    /// How far scaled estimates with the fixed part are from the counts, on the mean over these steps, in thousandths
    /// of the counts.
    pub error: u64,
}

/// Why estimates cannot be scaled to what was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unanchored {
    /// The file does not tell what was counted since its last compaction.
    #[error("the file tells of no request since the last compaction what it cost")]
    NoUsage,
    /// The newest request sent too little to tell a scale.
    #[error("the newest count covers {estimate} estimated tokens, which is too little")]
    TooLittle {
        /// What was sent, as estimated, in tokens.
        estimate: u64,
    },
    /// The steps are too few or too much alike to tell the fixed part from the turns.
    #[error("the counts are too few to tell the turns from the system prompt and tools")]
    TooFew,
    /// Results were masked after they had been counted.
    #[error("results were masked since the newest count")]
    Compacted,
    /// The scale would be below a quarter or above four: then it is no matter of counting.
    #[error("the counts are {}.{:03} times the estimates, which is no matter of counting", thousandths / 1_000, thousandths % 1_000)]
    OutOfBounds {
        /// The scale, in thousandths.
        thousandths: u64,
    },
}

/// The scale that brings estimates to the newest of these counts.
///
/// `fixed` is what every request has beside the turns of the file, in tokens, where the caller knows it; the scale then
/// is the newest count without it, divided by the newest estimate. Without it the scale is how much the counts grow for
/// each estimated token, by the median over all steps, which does not depend on the fixed part; and that is what is left
/// of the newest count. All of it is integer arithmetic, near linear in turns and steps.
///
/// A count that falls by a tenth or more although turns were added shows that something was taken out of the context:
/// growth is not measured across it, and counts from before it are void otherwise.
///
/// # Errors
///
/// [`Unanchored`] says why there is none.
pub fn anchored(
    transcript: &Transcript,
    usages: &[Usage],
    fixed: Option<u64>,
) -> Result<Anchored, Unanchored> {
    let all = steps(transcript, usages);
    let stretches = stretches(&all);
    let newest = stretches.last().copied().unwrap_or_default();
    let anchor = *newest.last().ok_or(Unanchored::NoUsage)?;
    if anchor.estimate < LEAST_SENT {
        return Err(Unanchored::TooLittle { estimate: anchor.estimate });
    }
    let is_shorter = stretches.len() == 1 && has_stub(transcript, anchor.usage.first_turn);
    let (scale, rest) = match fixed {
        Some(_) if is_shorter => return Err(Unanchored::Compacted),
        Some(tokens) => (to_count(&anchor, tokens)?, tokens),
        None => by_growth(&anchor, slope(&stretches).ok_or(Unanchored::TooFew)?)?,
    };
    let fixed = match fixed {
        Some(tokens) => FixedPart::Declared(tokens),
        None if is_shorter => FixedPart::Unknown,
        None => FixedPart::Fitted(rest),
    };
    Ok(Anchored { scale, fixed, anchor, steps: newest.len(), error: error(newest, scale, rest) })
}

/// The scale with which a step and the fixed part add up to its count.
fn to_count(step: &Step, fixed: u64) -> Result<Scale, Unanchored> {
    in_bounds(quotient(step.counted.saturating_sub(fixed), step.estimate))
}

/// The scale by which counts grow, and what is left of the newest one; where nothing is, that count alone decides.
fn by_growth(anchor: &Step, slope: u64) -> Result<(Scale, u64), Unanchored> {
    let scale = in_bounds(slope)?;
    match anchor.counted.checked_sub(scale.tokens(anchor.estimate)) {
        Some(rest) => Ok((scale, rest)),
        None => Ok((to_count(anchor, 0)?, 0)),
    }
}

fn in_bounds(thousandths: u64) -> Result<Scale, Unanchored> {
    Scale::of_thousandths(thousandths).ok_or(Unanchored::OutOfBounds { thousandths })
}

/// The stretches over which nothing was taken out of the context.
fn stretches(steps: &[Step]) -> Vec<&[Step]> {
    let grows =
        |before: &Step, after: &Step| after.counted >= before.counted.saturating_sub(before.counted / FALL);
    steps.chunk_by(grows).collect()
}

fn has_stub(transcript: &Transcript, before: usize) -> bool {
    transcript.turns().iter().take(before).any(|turn| MaskStub::parse(turn.content()).is_some())
}

/// The mean distance of scaled estimates and counts, in thousandths of the counts.
fn error(steps: &[Step], scale: Scale, fixed: u64) -> u64 {
    let distance = |step: &Step| {
        let estimate = scale.tokens(step.estimate).saturating_add(fixed);
        quotient(estimate.abs_diff(step.counted), step.counted)
    };
    let sum = steps.iter().map(distance).fold(0, u64::saturating_add);
    sum.checked_div(u64::try_from(steps.len()).unwrap_or(u64::MAX)).unwrap_or(0)
}

/// A quotient in thousandths, rounded to the nearest.
fn quotient(part: u64, whole: u64) -> u64 {
    let (part, whole) = (u128::from(part).saturating_mul(u128::from(WHOLE)), u128::from(whole));
    let rounded = part.saturating_add(whole / 2).checked_div(whole);
    rounded.map_or(0, |quotient| u64::try_from(quotient).unwrap_or(u64::MAX))
}

impl Anchored {
    /// What a step comes to by these figures, in tokens, to be compared with its count. `None` where the fixed part is
    /// not known.
    #[must_use]
    pub fn expected(&self, step: &Step) -> Option<u64> {
        Some(self.scale.tokens(step.estimate).saturating_add(self.fixed.tokens()?))
    }
}
