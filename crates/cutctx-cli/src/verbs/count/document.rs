//! What is found, for programs.

use super::provider::ProviderCount;
use crate::counting::EstimatorLine;
use crate::loaded::Loaded;
use cutctx::counting::{Anchored, Step, steps};
use serde::Serialize;

/// All that is found.
#[derive(Debug, Serialize)]
pub(super) struct Count<'l> {
    pub(super) session: String,
    pub(super) format: &'l str,
    #[serde(flatten)]
    estimator: EstimatorLine,
    #[serde(skip)]
    pub(super) words: String,
    pub(super) turns: usize,
    /// Of the transcript, in tokens.
    pub(super) tokens: u64,
    /// What the provider counts for the whole context, where it was asked.
    #[serde(rename = "provider_count")]
    pub(super) by_provider: Option<ProviderCount>,
    pub(super) steps: Vec<StepLine<'l>>,
    pub(super) anchor: Option<AnchorLine>,
    /// Why there is none.
    pub(super) no_anchor: Option<String>,
}

/// A request.
#[derive(Debug, Serialize)]
pub(super) struct StepLine<'l> {
    /// The turn that it produced.
    pub(super) position: usize,
    pub(super) turn_id: &'l str,
    /// What the turns before are estimated at.
    pub(super) estimate: u64,
    /// What that comes to with the scale and the fixed part; null without them.
    pub(super) expected: Option<u64>,
    /// What the provider counted as input.
    pub(super) counted: u64,
    pub(super) fresh: u64,
    pub(super) cache_write: u64,
    pub(super) cache_read: u64,
    pub(super) output: u64,
    pub(super) reasoning: Option<u64>,
}

/// What the newest count says.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct AnchorLine {
    pub(super) position: usize,
    pub(super) counted: u64,
    /// By what estimates are to be multiplied, in thousandths.
    pub(super) scale: u64,
    /// What every request has besides the turns of the file, in tokens; null where it is not known.
    pub(super) fixed: Option<u64>,
    /// Over how many steps the error is taken.
    pub(super) over_steps: usize,
    /// The mean error with scale and fixed part, in thousandths.
    pub(super) scaled_error: u64,
}

impl<'l> Count<'l> {
    /// What a session says.
    pub(super) fn of(loaded: &'l Loaded, by_provider: Option<ProviderCount>) -> Self {
        let (session, counting) = (loaded.session(), loaded.counting());
        let turns = loaded.transcript().turns();
        let anchored = counting.anchored.as_ref();
        let line = |step: &Step| StepLine {
            position: step.usage.first_turn,
            turn_id: turns.get(step.usage.first_turn).map(|turn| turn.turn_id().as_ref()).unwrap_or_default(),
            estimate: step.estimate,
            expected: anchored.ok().and_then(|anchored| anchored.expected(step)),
            counted: step.counted,
            fresh: step.usage.fresh,
            cache_write: step.usage.cache_write,
            cache_read: step.usage.cache_read,
            output: step.usage.output,
            reasoning: step.usage.reasoning,
        };
        Self {
            session: loaded.input().path().display().to_string(),
            format: session.format().name(),
            estimator: counting.line(),
            words: counting.words(),
            turns: turns.len(),
            tokens: loaded.transcript().token_estimate(),
            by_provider,
            steps: steps(session.transcript(), session.usages()).iter().map(line).collect(),
            anchor: anchored.ok().map(AnchorLine::of),
            no_anchor: anchored.err().map(ToString::to_string),
        }
    }
}

impl AnchorLine {
    const fn of(anchored: &Anchored) -> Self {
        Self {
            position: anchored.anchor.usage.first_turn,
            counted: anchored.anchor.counted,
            scale: anchored.scale.thousandths(),
            fixed: anchored.fixed.tokens(),
            over_steps: anchored.steps,
            scaled_error: anchored.error,
        }
    }
}

impl StepLine<'_> {
    /// How far off a number is from what was counted, in thousandths of it, below zero where it is less.
    pub(super) fn error(&self, tokens: u64) -> i128 {
        error(tokens, self.counted)
    }
}

/// How far off a number is from a count, in thousandths of the count, below zero where it is less.
pub(super) fn error(tokens: u64, counted: u64) -> i128 {
    let distance = i128::from(tokens).saturating_sub(i128::from(counted));
    distance.saturating_mul(1_000).checked_div(i128::from(counted)).unwrap_or(0)
}
