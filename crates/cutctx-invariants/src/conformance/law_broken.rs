//! What is told about a broken law.

use super::law::Law;
use crate::strategy::Scenario;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use cutctx_types::TranscriptTurn;

/// A policy broke a law: which, why, and on what.
#[derive(Debug, Clone)]
pub struct LawBroken {
    law: Law,
    reason: String,
    scenario: Option<Scenario>,
}

impl LawBroken {
    pub(super) const fn new(law: Law, reason: String, scenario: Option<Scenario>) -> Self {
        Self { law, reason, scenario }
    }

    /// The law.
    #[must_use]
    pub const fn law(&self) -> Law {
        self.law
    }

    /// What was seen instead of what the law asks for; never text of a turn.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The smallest scenario found; `None` when the trial could not be run at all.
    #[must_use]
    pub const fn scenario(&self) -> Option<&Scenario> {
        self.scenario.as_ref()
    }

    /// The ids of that scenario's turns.
    #[must_use]
    pub fn turn_ids(&self) -> Vec<&str> {
        let turns = self.scenario.iter().flat_map(|scenario| scenario.transcript.turns());
        turns.map(|turn| turn.turn_id().as_ref()).collect()
    }
}

impl core::error::Error for LawBroken {}

impl fmt::Display for LawBroken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the law `{}` is broken: {}", self.law, self.reason)?;
        let Some(scenario) = &self.scenario else { return Ok(()) };
        let budget = &scenario.budget;
        write!(f, "\n  budget: {} tokens", budget.max_tokens())?;
        if let Some(target) = budget.target_tokens() {
            write!(f, ", target {target}")?;
        }
        write!(f, ", {} protected turns", budget.protected_recent_turns())?;
        scenario.transcript.turns().iter().try_for_each(|turn| write_turn(turn, f))
    }
}

fn write_turn(turn: &TranscriptTurn, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (characters, tokens) = (turn.content().chars().count(), turn.token_estimate());
    write!(f, "\n  {:?} {}: {tokens} tokens, {characters} characters", turn.turn_id(), turn.role())?;
    if let Some(call) = turn.tool_call_id() {
        write!(f, ", call {call:?}")?;
    }
    if !turn.parts().is_empty() {
        write!(f, ", {} parts", turn.parts().len())?;
    }
    f.write_str(if turn.pinned() { ", pinned" } else { "" })
}
