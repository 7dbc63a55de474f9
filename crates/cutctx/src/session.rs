//! The one-call path for session files.

use crate::compact::{Outcome, compact};
use crate::error::Error;
use cutctx_exec::{Fate, Summaries, fates_with_appended};
use cutctx_formats::{FormatError, RenderRequest, Rendered, Session, SignedReasoning, SummaryText};
use cutctx_invariants::{CompactionPlan, CompactionPolicy};
use cutctx_types::{CharRatioEstimator, CompactionBudget, Transcript, TranscriptError, TranscriptTurn};

/// A session's outcome: the plan, what applying it gave, and the session file to write.
#[derive(Debug)]
#[non_exhaustive]
pub struct SessionOutcome<'s> {
    /// What was decided and what applying it gave.
    pub outcome: Outcome,
    /// The file in its own format.
    pub rendered: Rendered<'s>,
}

/// Decides, applies and renders in one call. As [`compact()`](compact), for session files.
///
/// # Errors
///
/// As [`compact`]; [`Error::Format`] when the session cannot be written so.
///
/// # Example
///
/// ```
/// use cutctx::formats::Session;
/// use cutctx::{CharRatioEstimator, CompactionBudget, DropOldestPolicy, Summaries};
///
/// let file = br#"{"turns": [
///   {"turn_id": "a", "role": "user", "content": "a long story", "token_estimate": 3},
///   {"turn_id": "b", "role": "user", "content": "what now?", "token_estimate": 3}]}"#;
/// let session = Session::read(file.to_vec(), &CharRatioEstimator::default())?;
/// let budget = CompactionBudget::new(4).with_protected_recent_turns(1);
/// let done = cutctx::session::compact_session(&session, &budget, &DropOldestPolicy::new(), &Summaries::none())?;
/// assert!(!done.rendered.to_text().contains("long story"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compact_session<'s>(
    session: &'s Session,
    budget: &CompactionBudget,
    policy: &dyn CompactionPolicy,
    summaries: &Summaries,
) -> Result<SessionOutcome<'s>, Error> {
    let outcome = compact(session.transcript(), budget, policy, summaries)?;
    let rendered = render(session, &outcome.plan, summaries)?;
    Ok(SessionOutcome { outcome, rendered })
}

/// The session file that a plan makes, with these summaries. Turns that came after the planned ones are kept.
///
/// # Errors
///
/// [`FormatError`] when a turn cannot have its fate in this format, or a group has no text.
pub fn render<'s>(
    session: &'s Session,
    plan: &CompactionPlan,
    summaries: &Summaries,
) -> Result<Rendered<'s>, FormatError> {
    render_with(session, plan, summaries, None)
}

/// As [`render`], with a rule for signed reasoning behind the first change; `None` for what the format's provider asks
/// for.
///
/// # Errors
///
/// As [`render`].
pub fn render_with<'s>(
    session: &'s Session,
    plan: &CompactionPlan,
    summaries: &Summaries,
    signed_reasoning: Option<SignedReasoning>,
) -> Result<Rendered<'s>, FormatError> {
    let appended = session.transcript().len().saturating_sub(plan.actions().len());
    let fates: Vec<Fate<'_>> = fates_with_appended(plan, appended);
    let texts = plan.summarization_requests().iter().filter_map(|request| {
        let group: &str = request.group_id();
        summaries.get(group).map(|text| SummaryText { group, text })
    });
    let texts: Vec<SummaryText<'_>> = texts.collect();
    let estimator = CharRatioEstimator::default();
    let request = RenderRequest::new(&fates, &estimator).with_summaries(&texts);
    session.render_as(&request.with_signed_reasoning(signed_reasoning))
}

/// The transcript with the turns pinned for which `is_pinned` says so, beside those that are already.
///
/// # Errors
///
/// None in practice: pins change neither ids nor totals. The error is that of [`Transcript::new`].
pub fn pinned(
    transcript: &Transcript,
    mut is_pinned: impl FnMut(&TranscriptTurn) -> bool,
) -> Result<Transcript, TranscriptError> {
    let turns = transcript.turns().iter().map(|turn| {
        let pin = turn.pinned() || is_pinned(turn);
        turn.clone().with_pinned(pin)
    });
    Transcript::new(turns.collect())
}
