//! Counting turns again that brought their own estimates.

use cutctx_messages::{CallView, MessageEstimator};
use cutctx_types::{Part, PartKind, Transcript, TranscriptError, TranscriptTurn};

/// The transcript as this estimator counts it: each turn by its content, or by its parts where it has some, and with
/// what is added around a turn. Media and opaque reasoning keep their estimates, since a turn has only their place.
///
/// For turns that brought estimates of another counter; those of a session that was read with this one stay as they are.
///
/// ```
/// use cutctx::counting::{Counter, recounted};
/// use cutctx::{Role, Transcript, TranscriptTurn};
///
/// let turns = vec![TranscriptTurn::new("u", Role::User, "four by four make sixteen", 900)?];
/// let (counter, _) = Counter::named("chars/4")?;
/// assert_eq!(recounted(&Transcript::new(turns)?, &counter)?.turns()[0].token_estimate(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`TranscriptError`] when the total is beyond 64 bits.
pub fn recounted(
    transcript: &Transcript,
    estimator: &dyn MessageEstimator,
) -> Result<Transcript, TranscriptError> {
    Transcript::new(transcript.turns().iter().map(|turn| counted(turn, estimator)).collect())
}

fn counted(turn: &TranscriptTurn, estimator: &dyn MessageEstimator) -> TranscriptTurn {
    let around = estimator.framing(turn.role());
    if turn.parts().is_empty() {
        let tokens = estimator.text(turn.content()).saturating_add(around);
        return turn.clone().with_estimates(tokens, Vec::new());
    }
    let mut start = 0;
    let part = |part: &Part| {
        let text = turn.content().get(start..part.end).unwrap_or_default();
        start = part.end;
        tokens(part, text, estimator)
    };
    let parts: Vec<u64> = turn.parts().iter().map(part).collect();
    let tokens = parts.iter().copied().fold(around, u64::saturating_add);
    turn.clone().with_estimates(tokens, parts)
}

fn tokens(part: &Part, text: &str, estimator: &dyn MessageEstimator) -> u64 {
    match part.kind {
        PartKind::Text | PartKind::Reasoning | PartKind::Result => estimator.text(text),
        PartKind::CallArguments => estimator.call(&CallView::new("", "", text)),
        PartKind::OpaqueReasoning | PartKind::Media | _ => part.token_estimate,
    }
}
