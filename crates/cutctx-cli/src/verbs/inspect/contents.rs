//! What a session holds beside tokens: ballast, open calls, earlier compactions, breaches of rules.

use super::kinds::{KindTally, by_kind};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use cutctx::TranscriptTurn;
use cutctx::formats::{Ballast, BallastGroup, FoundMarker, OpenCall, Session, Violation};
use cutctx::messages::CallState;
use serde::Serialize;

/// What a session holds beside tokens.
#[derive(Debug, Serialize)]
pub(super) struct Contents<'s> {
    /// How many conversations the file holds.
    pub(super) conversations: usize,
    /// Which of them was asked for.
    pub(super) conversation: Option<usize>,
    pub(super) ballast: BallastLines,
    pub(super) by_kind: Vec<KindTally>,
    pub(super) open_calls: Vec<CallLine<'s>>,
    pub(super) markers: Vec<MarkerLine<'s>>,
    pub(super) violations: Vec<ViolationLine>,
}

/// What of the file is no context.
#[derive(Debug, Serialize)]
pub(super) struct BallastLines {
    pub(super) said_bytes: usize,
    pub(super) ballast_bytes: usize,
    pub(super) structure_bytes: usize,
    pub(super) groups: Vec<GroupLine>,
}

/// Ballast of one kind.
#[derive(Debug, Serialize)]
pub(super) struct GroupLine {
    pub(super) what: String,
    pub(super) whole_records: bool,
    pub(super) count: usize,
    pub(super) bytes: usize,
}

/// A call without a final result.
#[derive(Debug, Serialize)]
pub(super) struct CallLine<'s> {
    pub(super) position: usize,
    pub(super) turn_id: &'s str,
    pub(super) tool_name: String,
    pub(super) call_id: String,
    pub(super) state: &'static str,
}

/// An earlier compaction.
#[derive(Debug, Serialize)]
pub(super) struct MarkerLine<'s> {
    pub(super) line: usize,
    pub(super) offset: usize,
    /// The position of the turn that says its summary.
    pub(super) position: Option<usize>,
    pub(super) turn_id: Option<&'s str>,
}

/// A breach of a rule.
#[derive(Debug, Serialize)]
pub(super) struct ViolationLine {
    pub(super) rule: String,
    pub(super) line: usize,
    pub(super) offset: usize,
    pub(super) record: usize,
    pub(super) call_id: Option<String>,
    pub(super) says: &'static str,
    pub(super) remedy: &'static str,
}

impl<'s> Contents<'s> {
    pub(super) fn of(loaded: &'s Loaded) -> Result<Self, Failure> {
        let (session, turns) = (loaded.session(), loaded.transcript().turns());
        let refused = |error| Failure::of(&error, Exit::Refused).file(loaded.input().path());
        let inventory = session.inventory().map_err(refused)?;
        let by_kind = by_kind(turns, &inventory.media);
        let call = |call: OpenCall| CallLine::of(call, turns);
        let marker = |marker: FoundMarker| MarkerLine::of(marker, turns);
        Ok(Self {
            conversations: session.conversations(),
            conversation: session.conversation(),
            ballast: BallastLines::of(session.ballast().map_err(refused)?),
            by_kind,
            open_calls: inventory.open_calls.into_iter().map(call).collect(),
            markers: inventory.markers.into_iter().map(marker).collect(),
            violations: violations(session),
        })
    }
}

fn violations(session: &Session) -> Vec<ViolationLine> {
    session.violations().into_iter().map(ViolationLine::of).collect()
}

impl BallastLines {
    fn of(ballast: Ballast) -> Self {
        Self {
            said_bytes: ballast.said_bytes,
            ballast_bytes: ballast.ballast_bytes,
            structure_bytes: ballast.structure_bytes,
            groups: ballast.groups.into_iter().map(GroupLine::of).collect(),
        }
    }
}

impl GroupLine {
    fn of(group: BallastGroup) -> Self {
        let BallastGroup { what, whole_records, count, bytes, .. } = group;
        Self { what, whole_records, count, bytes }
    }
}

impl<'s> CallLine<'s> {
    fn of(call: OpenCall, turns: &'s [TranscriptTurn]) -> Self {
        Self {
            position: call.turn,
            turn_id: id_of(turns, call.turn).unwrap_or_default(),
            tool_name: call.tool,
            call_id: call.call_id,
            state: word(call.state),
        }
    }
}

impl<'s> MarkerLine<'s> {
    fn of(marker: FoundMarker, turns: &'s [TranscriptTurn]) -> Self {
        let turn_id = marker.summary.and_then(|turn| id_of(turns, turn));
        Self { line: marker.line, offset: marker.offset, position: marker.summary, turn_id }
    }
}

impl ViolationLine {
    fn of(violation: Violation) -> Self {
        Self {
            rule: violation.rule.id(),
            line: violation.line,
            offset: violation.offset,
            record: violation.record,
            call_id: violation.call_id,
            says: violation.rule.says,
            remedy: violation.rule.remedy,
        }
    }
}

fn id_of(turns: &[TranscriptTurn], turn: usize) -> Option<&str> {
    turns.get(turn).map(|turn| &**turn.turn_id())
}

/// The word for the state of a call without a result.
const fn word(state: CallState) -> &'static str {
    match state {
        CallState::InFlight => "in_flight",
        CallState::AwaitingPerson => "awaiting_person",
        CallState::Provisional => "provisional",
        CallState::Aborted => "aborted",
        CallState::Dangling => "dangling",
        CallState::Answered | CallState::ServerSide | _ => "open",
    }
}
