//! What a session holds beside what its turns tell.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use cutctx_messages::{CallState, MediaKind, MessageView, PartView, Placement, TurnMapper};
use cutctx_types::{CharRatioEstimator, Role, Transcript, TurnError};

use crate::document::Document;
use crate::error::FormatError;
use crate::format::Format;
use crate::marker::Marker;
use crate::raw::Memo;
use crate::request::{Observer, ReadRequest, Seen};

/// What a session holds beside what its turns tell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Inventory {
    /// The calls without a final result, in order.
    pub open_calls: Vec<OpenCall>,
    /// The kinds of media, by turn and part of the turn.
    pub media: BTreeMap<(usize, usize), MediaKind>,
    /// The compactions that were made before, in the order of the file.
    pub markers: Vec<FoundMarker>,
}

/// A call without a final result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenCall {
    /// The turn that calls.
    pub turn: usize,
    /// The provider's id of the call; empty where there is none.
    pub call_id: String,
    /// The tool; empty where it is not named.
    pub tool: String,
    /// What became of it.
    pub state: CallState,
}

/// An earlier compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoundMarker {
    /// The line of its record, from 1.
    pub line: usize,
    /// The byte offset in the file at which it starts.
    pub offset: usize,
    /// The turn that says its summary, where one is told apart.
    pub summary: Option<usize>,
}

impl Inventory {
    /// Reads a text once more, as this format.
    pub(crate) fn of(
        format: &'static dyn Format,
        text: &str,
        transcript: &Transcript,
        conversation: Option<usize>,
    ) -> Result<Self, FormatError> {
        let estimator = CharRatioEstimator::default();
        let listener = Listener { heard: RefCell::new(Heard::new(TurnMapper::new(&estimator))) };
        let mut request = ReadRequest::new(&estimator).observed_by(&listener);
        request.conversation = conversation;
        let memo = Memo::default();
        format.read(&Document::remembered_in(&memo, text)?, &request)?;
        listener.heard.into_inner().inventory(text, transcript)
    }

    /// With the places in the file for those in the text that is held.
    pub(crate) fn moved(mut self, in_file: impl Fn(usize) -> usize) -> Self {
        for marker in &mut self.markers {
            marker.offset = in_file(marker.offset);
        }
        self
    }
}

struct Listener<'e> {
    heard: RefCell<Heard<'e>>,
}

impl Observer for Listener<'_> {
    fn message(&self, seen: &Seen<'_>) {
        self.heard.borrow_mut().message(seen.message);
    }

    fn marker(&self, marker: &Marker) {
        self.heard.borrow_mut().markers.push(*marker);
    }
}

/// What was heard so far. The messages become turns once more, in the same way.
struct Heard<'e> {
    mapper: TurnMapper<'e>,
    /// The calls in order: id and tool.
    calls: Vec<(String, String)>,
    media: BTreeMap<(usize, usize), MediaKind>,
    markers: Vec<Marker>,
    refused: Option<TurnError>,
    any: bool,
}

impl<'e> Heard<'e> {
    const fn new(mapper: TurnMapper<'e>) -> Self {
        Self {
            mapper,
            calls: Vec::new(),
            media: BTreeMap::new(),
            markers: Vec::new(),
            refused: None,
            any: false,
        }
    }

    fn message(&mut self, message: &MessageView<'_>) {
        self.any = true;
        match self.mapper.push(message) {
            Ok(placements) => {
                message.parts.iter().zip(&placements).for_each(|(part, place)| self.part(part, *place));
            }
            Err(error) => self.refused = Some(error),
        }
    }

    fn part(&mut self, part: &PartView<'_>, place: Placement) {
        match part {
            PartView::Media(media) => drop(self.media.insert((place.turn, place.part), media.kind)),
            PartView::ToolCall(call) => {
                self.calls.push((call.call_id.as_ref().into(), call.name.as_ref().into()));
            }
            PartView::ToolResult(result) => {
                for (index, inner) in result.parts.iter().enumerate() {
                    self.part(inner, Placement::at(place.turn, place.part.saturating_add(index)));
                }
            }
            PartView::Text(_) | PartView::Reasoning(_) | PartView::OpaqueReasoning { .. } | _ => {}
        }
    }

    fn inventory(self, text: &str, transcript: &Transcript) -> Result<Inventory, FormatError> {
        if let Some(error) = self.refused {
            return Err(error.into());
        }
        let calls = self.mapper.finish().calls.into_iter().zip(self.calls);
        let open = calls.filter(|(call, _)| !is_closed(call.state));
        let open = open.map(|(call, (call_id, tool))| OpenCall {
            turn: call.turn,
            call_id,
            tool,
            state: call.state,
        });
        let open_calls = if self.any { open.collect() } else { of_turns(transcript) };
        Ok(Inventory { open_calls, media: self.media, markers: found(self.markers, text) })
    }
}

const fn is_closed(state: CallState) -> bool {
    matches!(state, CallState::Answered | CallState::ServerSide)
}

/// Of a file of turns: exchanges without any result. That of the last turn is in flight.
fn of_turns(transcript: &Transcript) -> Vec<OpenCall> {
    let turns = transcript.turns();
    let results = turns.iter().filter(|turn| turn.role() == Role::Tool);
    let answered: BTreeSet<&str> =
        results.filter_map(|turn| turn.tool_call_id().map(AsRef::as_ref)).collect();
    let callers = turns.iter().enumerate().filter(|(_, turn)| turn.role() == Role::Assistant);
    let open = callers.filter_map(|(turn, caller)| {
        let call_id = caller.tool_call_id().map(AsRef::as_ref).filter(|id| !answered.contains(id))?;
        let is_last = turn.saturating_add(1) == turns.len();
        let state = if is_last { CallState::InFlight } else { CallState::Dangling };
        let tool = caller.tool_name().unwrap_or_default();
        Some(OpenCall { turn, call_id: call_id.into(), tool: tool.into(), state })
    });
    open.collect()
}

/// The markers with their lines, in one pass over the text.
fn found(mut markers: Vec<Marker>, text: &str) -> Vec<FoundMarker> {
    markers.sort_unstable_by_key(|marker| (marker.span.start, marker.summary));
    let (mut line, mut counted) = (1_usize, 0_usize);
    let found = markers.into_iter().map(|Marker { span, summary }| {
        let between = text.get(counted..span.start).unwrap_or_default();
        line = line.saturating_add(between.matches('\n').count());
        counted = counted.max(span.start);
        FoundMarker { line, offset: span.start, summary }
    });
    found.collect()
}
