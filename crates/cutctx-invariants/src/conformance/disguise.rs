//! Scenarios whose text can be recognised wherever it turns up.

use crate::strategy::Scenario;
use alloc::string::String;
use alloc::vec::Vec;
use cutctx_types::{Metadata, Part, Transcript, TranscriptError, TranscriptTurn};

/// A character that no id, name or stub has.
const MARK: char = '\u{13080}';

/// Whether a text shows anything of a disguised turn, as it is or escaped.
pub(super) fn shows_text(output: &str) -> bool {
    output.contains(MARK) || output.contains("\\u{13080}") || output.contains("\\ud80c\\udc80")
}

/// The same scenario with every character of every turn's text replaced by the mark, so that even an
/// excerpt of one character is found.
pub(super) fn disguised(scenario: &Scenario) -> Result<Scenario, TranscriptError> {
    rewritten(scenario, disguised_turn)
}

/// An equal scenario that shares no memory with the given one.
pub(super) fn twin(scenario: &Scenario) -> Result<Scenario, TranscriptError> {
    rewritten(scenario, |turn| {
        let content = String::from(turn.content().as_ref());
        rebuilt(turn, content, turn.parts().to_vec(), turn.metadata().clone())
    })
}

/// The same scenario with other metadata on every turn.
pub(super) fn relabelled(scenario: &Scenario) -> Result<Scenario, TranscriptError> {
    rewritten(scenario, |turn| {
        let metadata = Metadata::none().with("cutctx.kind", "masked").with("label", "other");
        Ok(turn.clone().with_metadata(metadata))
    })
}

fn rewritten(
    scenario: &Scenario,
    rewrite: impl Fn(&TranscriptTurn) -> Result<TranscriptTurn, TranscriptError>,
) -> Result<Scenario, TranscriptError> {
    let turns: Result<Vec<_>, _> = scenario.transcript.turns().iter().map(rewrite).collect();
    Ok(Scenario::new(Transcript::new(turns?)?, scenario.budget))
}

/// Parts keep their lengths in characters.
fn disguised_turn(turn: &TranscriptTurn) -> Result<TranscriptTurn, TranscriptError> {
    let length_of = |bytes: usize| {
        let characters = turn.content().get(..bytes).map_or(0, |text| text.chars().count());
        characters.saturating_mul(MARK.len_utf8())
    };
    let parts =
        turn.parts().iter().map(|part| Part::new(part.kind, length_of(part.end), part.token_estimate));
    let content = turn.content().chars().map(|_| MARK).collect();
    rebuilt(turn, content, parts.collect(), turn.metadata().clone())
}

fn rebuilt(
    turn: &TranscriptTurn,
    content: String,
    parts: Vec<Part>,
    metadata: Metadata,
) -> Result<TranscriptTurn, TranscriptError> {
    let id = String::from(turn.turn_id().as_ref());
    let mut fresh = TranscriptTurn::new(id, turn.role(), content, turn.token_estimate())?
        .pinned_like(turn)
        .with_failed(turn.failed())
        .with_reasoning_held(turn.holds_reasoning())
        .with_metadata(metadata)
        .with_parts(parts)?;
    if let Some(part) = turn.answers() {
        fresh = fresh.with_answers(part);
    }
    if let Some(call) = turn.tool_call_id() {
        fresh = fresh.with_tool_call_id(call);
    }
    if let Some(name) = turn.tool_name() {
        fresh = fresh.with_tool_name(name);
    }
    Ok(fresh)
}
