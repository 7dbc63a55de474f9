//! The turns that are sent.

use crate::error::ApplyError;
use crate::summaries::Summaries;
use crate::trimmed::trimmed;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::iter::{Peekable, Zip};
use core::slice::Iter;
use cutctx_invariants::CompactionPlan;
use cutctx_types::{
    Action, Metadata, Role, SummarizationRequest, TokenEstimator, Transcript, TranscriptTurn, TurnAction,
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
    let turn = TranscriptTurn::new(request.summary_turn_id(), Role::Assistant, text.clone(), tokens)?;
    let metadata = Metadata::none()
        .with(KIND, "summary")
        .with(GROUP, group.clone())
        .with(REPLACED, format!("{}", request.turn_ids().len()));
    Ok(turn.with_metadata(metadata))
}

/// The view: each planned turn by its fate, each summary at its group's first turn, and what was
/// appended since.
pub(crate) fn view(
    transcript: &Transcript,
    plan: &CompactionPlan,
    summary_turns: &[TranscriptTurn],
    appended: &[TranscriptTurn],
) -> Vec<TranscriptTurn> {
    let mut renderer = Renderer::of(plan, summary_turns);
    let mut turns = Vec::with_capacity(transcript.len());
    let planned = plan.transcript().turns().iter().zip(plan.actions());
    let rows = transcript.turns().iter().zip(planned);
    turns.extend(rows.filter_map(|(turn, (planned, action))| renderer.render(turn, planned, action)));
    turns.extend_from_slice(appended);
    turns
}

/// Renders turn after turn.
struct Renderer<'p> {
    /// The requests whose summaries are still to come. They stand in order of their first turns, by
    /// rule, so the next one is the only one to look at.
    pending: Peekable<Zip<Iter<'p, SummarizationRequest>, Iter<'p, TranscriptTurn>>>,
    masked: Stamp,
    trimmed: Stamp,
}

impl<'p> Renderer<'p> {
    fn of(plan: &'p CompactionPlan, summary_turns: &'p [TranscriptTurn]) -> Self {
        Self {
            pending: plan.summarization_requests().iter().zip(summary_turns).peekable(),
            masked: Stamp::new("masked"),
            trimmed: Stamp::new("trimmed"),
        }
    }

    /// The turn that stands in the place of this one; `planned` is the one that the plan was made over.
    fn render(
        &mut self,
        turn: &TranscriptTurn,
        planned: &TranscriptTurn,
        action: &TurnAction,
    ) -> Option<TranscriptTurn> {
        match &action.action {
            Action::Keep => Some(turn.clone()),
            Action::Mask(stub) => Some(self.masked.put_on(masked(turn, stub))),
            Action::Trim(trim) => Some(self.trimmed.put_on(trimmed(turn, planned, trim))),
            Action::Summarize { .. } => self.summary_at(&action.turn_id),
            Action::Drop => None,
        }
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
