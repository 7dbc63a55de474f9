//! Summaries that no model wrote: extracts of the length that was asked for.

use alloc::collections::BTreeMap;
use cutctx::{CompactionPlan, Role, Summaries, SummarizationRequest, Transcript, TranscriptTurn};

/// An extract for every summary that a plan asks for: the beginning of each of its turns, by equal shares, as long as
/// the target. It stands in for a model's summary, of which verbatim references say nothing.
pub(crate) fn extracts(transcript: &Transcript, plan: &CompactionPlan) -> Summaries {
    let turns: BTreeMap<&str, &TranscriptTurn> =
        transcript.turns().iter().map(|turn| (turn.turn_id().as_ref(), turn)).collect();
    plan.summarization_requests().iter().fold(Summaries::none(), |summaries, request| {
        let asked = request.turn_ids().iter().filter_map(|id| turns.get(id.as_ref()).copied());
        summaries.with(request.group_id().clone(), extract(&asked.collect::<Vec<_>>(), request))
    })
}

/// What the session itself takes for a token is the measure of the target.
fn extract(turns: &[&TranscriptTurn], request: &SummarizationRequest) -> String {
    let spoken: Vec<&TranscriptTurn> =
        turns.iter().filter(|turn| turn.role() != Role::Tool).copied().collect();
    let turns = if spoken.is_empty() { turns } else { &spoken };
    let bytes = turns.iter().fold(0_u128, |sum, turn| sum.saturating_add(wide(turn.content().len())));
    let tokens = turns.iter().fold(0_u128, |sum, turn| sum.saturating_add(u128::from(turn.token_estimate())));
    let wanted = bytes.saturating_mul(u128::from(request.target_tokens())).checked_div(tokens.max(1));
    let mut left = wanted.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or_default();
    let mut text = String::new();
    for (number, turn) in turns.iter().enumerate() {
        let share = left.checked_div(turns.len().saturating_sub(number)).unwrap_or_default();
        let piece = beginning(turn.content(), share.saturating_sub(1));
        text.push_str(piece);
        text.push('\n');
        left = left.saturating_sub(piece.len().saturating_add(1));
    }
    text
}

/// The beginning of a text, at most so many bytes, on a character border.
fn beginning(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

fn wide(bytes: usize) -> u128 {
    u128::try_from(bytes).unwrap_or(u128::MAX)
}
