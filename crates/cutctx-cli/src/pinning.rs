//! The pins of a command line, and what they found.

use crate::arguments::ChosenSession;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::visible;
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::Transcript;
use cutctx::pins::{PinMatch, Pinned, apply_pins};
use serde::Serialize;

/// What the pins found, for documents.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct PinReport {
    pins: Vec<PinLine>,
    /// Pinned results whose call is not in the session: a provider refuses them, and a pin keeps them.
    pin_conflicts: Vec<Arc<str>>,
}

#[derive(Debug, Clone, Serialize)]
struct PinLine {
    pin: String,
    turn_ids: Vec<Arc<str>>,
}

/// Pins what the command line names. A pin that finds nothing gets a remark, a conflict a warning.
pub(crate) fn pin(
    transcript: &Transcript,
    chosen: &ChosenSession,
    terminal: Terminal,
) -> Result<(Transcript, PinReport), Failure> {
    let found = apply_pins(transcript, &chosen.pins)
        .map_err(|error| Failure::of(&error, Exit::Usage).file(chosen.input.path()))?;
    let report = PinReport::of(&found);
    for line in report.pins.iter().filter(|line| line.turn_ids.is_empty()) {
        terminal.note(&format!("no turn is pinned by `{}`", visible(&line.pin)));
    }
    for turn in &report.pin_conflicts {
        terminal.warn(&format!(
            "turn {} is pinned and stays, but the call that it answers is not in the session: a provider would refuse it",
            visible(turn)
        ));
    }
    Ok((found.transcript, report))
}

impl PinReport {
    fn of(found: &Pinned) -> Self {
        let turns = found.transcript.turns();
        let ids = |positions: &[usize]| -> Vec<Arc<str>> {
            let named = positions.iter().filter_map(|position| turns.get(*position));
            named.map(|turn| Arc::clone(turn.turn_id())).collect()
        };
        let line = |found: &PinMatch| PinLine { pin: found.pin.to_string(), turn_ids: ids(&found.turns) };
        Self { pins: found.matches.iter().map(line).collect(), pin_conflicts: ids(&found.orphans) }
    }
}
