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

/// The session file that one step of a context policy makes: the turns as the step shows them.
///
/// ```
/// use cutctx::CharRatioEstimator;
/// use cutctx::context::{
///     BudgetedContextPolicy, BudgetedContextSettings, TurnContextRequest, build_turn_context_locally,
/// };
/// use cutctx::formats::Session;
///
/// let said = "a long story ".repeat(40);
/// let turn = |n: usize| format!(r#"{{"turn_id":"t{n}","role":"user","content":"{said}","token_estimate":130}}"#);
/// let turns: Vec<String> = (0..40).map(turn).collect();
/// let session = Session::read(format!(r#"{{"turns":[{}]}}"#, turns.join(",")), &CharRatioEstimator::default())?;
///
/// let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(4_000))?;
/// let told = cutctx::context::Session::new("s1", "teller")?;
/// let request = TurnContextRequest::new(told, session.transcript().clone());
/// let step = build_turn_context_locally(&policy, request, None)?;
/// let file = cutctx::session::render_context(&session, &step)?;
/// assert!(file.to_text().len() < session.text().len() / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`FormatError`] when a turn cannot have its fate in this format, or a group has no text.
#[cfg(feature = "context")]
pub fn render_context<'s>(
    session: &'s Session,
    context: &cutctx_context::TurnContextResult,
) -> Result<Rendered<'s>, FormatError> {
    let fates = context.fates();
    let texts = context.summaries.iter().map(|(group, text)| SummaryText { group, text });
    let texts: Vec<SummaryText<'_>> = texts.collect();
    let estimator = CharRatioEstimator::default();
    session.render_as(&RenderRequest::new(&fates, &estimator).with_summaries(&texts))
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
        let turn = turn.clone();
        if is_pinned(&turn) { turn.with_pinned(true) } else { turn }
    });
    Transcript::new(turns.collect())
}
