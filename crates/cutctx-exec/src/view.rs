//! The turns that are sent.

use crate::error::ApplyError;
use crate::moved_calls::MovedCalls;
use crate::summaries::Summaries;
use crate::trimmed::trimmed;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::iter::{Peekable, Zip};
use core::slice::Iter;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{
    Action, Metadata, SummarizationRequest, TokenEstimator, Transcript, TranscriptTurn, TurnAction,
    TurnReplacement,
};

/// The metadata that says what a turn of the view is.
const KIND: &str = "cutctx.kind";
/// The metadata that names the group of a summary turn.
const GROUP: &str = "cutctx.summary_group";
/// The metadata that counts the turns behind a summary turn.
const REPLACED: &str = "cutctx.replaced_turn_count";

/// One summary turn a request, in the plan's order. Measured where there is an estimator, else at its
/// target.
pub(crate) fn summary_turns(
    plan: &CompactionPlan,
    summaries: &Summaries,
    estimator: Option<&dyn TokenEstimator>,
) -> Result<Vec<TranscriptTurn>, ApplyError> {
    let requests = plan.summarization_requests().iter();
    requests.map(|request| summary_turn(request, summaries, estimator)).collect()
}

fn summary_turn(
    request: &SummarizationRequest,
    summaries: &Summaries,
    estimator: Option<&dyn TokenEstimator>,
) -> Result<TranscriptTurn, ApplyError> {
    let group = request.group_id();
    let text = summaries.text(group).ok_or_else(|| ApplyError::summary_missing(request))?;
    let tokens = estimator.map_or(request.target_tokens(), |estimator| estimator.estimate(text));
    let turn = request.summary_turn(text.clone(), tokens);
    let metadata = Metadata::none()
        .with(KIND, "summary")
        .with(GROUP, group.clone())
        .with(REPLACED, format!("{}", request.turn_ids().len()));
    Ok(turn.with_metadata(metadata))
}

/// The view: each planned turn by its fate, each summary at its group's first turn, and what was
/// appended since.
pub(crate) fn view<'t>(
    transcript: &'t Transcript,
    plan: &CompactionPlan,
    summary_turns: &[TranscriptTurn],
    appended: &'t [TranscriptTurn],
) -> Vec<TranscriptTurn> {
    let mut renderer = Renderer::of(plan, summary_turns);
    let mut turns = Vec::with_capacity(transcript.len());
    let planned = plan.transcript().turns().iter().zip(plan.actions());
    let rows = transcript.turns().iter().zip(planned);
    turns.extend(rows.filter_map(|(turn, (planned, action))| renderer.render(turn, planned, action)));
    turns.extend(appended.iter().map(|turn| renderer.appended(turn)));
    turns
}

/// Renders turn after turn.
struct Renderer<'p, 't> {
    /// The requests whose summaries are still to come. They stand in order of their first turns, by
    /// rule, so the next one is the only one to look at.
    pending: Peekable<Zip<Iter<'p, SummarizationRequest>, Iter<'p, TranscriptTurn>>>,
    masked: Stamp,
    trimmed: Stamp,
    moved: MovedCalls<'t>,
}

impl<'p, 't> Renderer<'p, 't> {
    fn of(plan: &'p CompactionPlan, summary_turns: &'p [TranscriptTurn]) -> Self {
        Self {
            pending: plan.summarization_requests().iter().zip(summary_turns).peekable(),
            masked: Stamp::new("masked"),
            trimmed: Stamp::new("trimmed"),
            moved: MovedCalls::default(),
        }
    }

    /// The turn that stands in the place of this one; `planned` is the one that the plan was made over.
    fn render(
        &mut self,
        turn: &'t TranscriptTurn,
        planned: &TranscriptTurn,
        action: &TurnAction,
    ) -> Option<TranscriptTurn> {
        if let Action::Trim(trim) = &action.action {
            let (trimmed, pieces) = trimmed(turn, planned, trim);
            self.moved.note(turn, Some(&pieces));
            return Some(self.moved.led(self.trimmed.put_on(trimmed)));
        }
        self.moved.note(turn, None);
        match &action.action {
            Action::Keep | Action::Trim(_) => Some(self.moved.led(turn.clone())),
            Action::Mask(stub) => Some(self.moved.led(self.masked.put_on(masked(turn, stub)))),
            Action::Summarize { .. } => self.summary_at(&action.turn_id),
            Action::Drop => None,
        }
    }

    /// A turn that came after the planned ones: it may answer a call among them.
    fn appended(&mut self, turn: &'t TranscriptTurn) -> TranscriptTurn {
        self.moved.note(turn, None);
        self.moved.led(turn.clone())
    }

    /// The summary turn whose group begins with the turn of this id.
    fn summary_at(&mut self, turn_id: &Arc<str>) -> Option<TranscriptTurn> {
        let begins = |request: &SummarizationRequest| request.turn_ids().first() == Some(turn_id);
        self.pending.next_if(|(request, _)| begins(request)).map(|(_, turn)| turn.clone())
    }
}

fn masked(turn: &TranscriptTurn, stub: &TurnReplacement) -> TranscriptTurn {
    turn.clone().with_content(stub.content.clone(), stub.token_estimate)
}

/// A value of the metadata that says what a turn is, ready to be put on many.
struct Stamp {
    name: Arc<str>,
    value: Arc<str>,
    /// The metadata of a turn that has none besides; shared by all of them.
    alone: Metadata,
}

impl Stamp {
    fn new(value: &str) -> Self {
        let (name, value): (Arc<str>, Arc<str>) = (KIND.into(), value.into());
        let alone = Metadata::none().with(name.clone(), value.clone());
        Self { name, value, alone }
    }

    fn put_on(&self, turn: TranscriptTurn) -> TranscriptTurn {
        let metadata = if turn.metadata().is_empty() {
            self.alone.clone()
        } else {
            turn.metadata().clone().with(self.name.clone(), self.value.clone())
        };
        turn.with_metadata(metadata)
    }
}
