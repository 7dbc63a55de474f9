//! Messages to turns, in one pass.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use cutctx_types::{Role, TranscriptTurn, TurnError};

use crate::call::Call;
use crate::estimate::MessageEstimator;
use crate::fresh_ids::FreshIds;
use crate::pairing::Pairing;
use crate::turn_draft::TurnDraft;
use crate::view::{MessageView, Origin, PartView, ResultView};

/// Where a message part went: the turn, and the first part of that turn that it became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Placement {
    /// Index of the turn.
    pub turn: usize,
    /// Index of the part within the turn. A tool result of several parts takes as many from here on.
    pub part: usize,
}

impl Placement {
    /// This part of this turn.
    #[must_use]
    pub const fn at(turn: usize, part: usize) -> Self {
        Self { turn, part }
    }
}

/// All turns of a conversation and what became of its calls.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Mapped {
    /// The turns in order.
    pub turns: Vec<TranscriptTurn>,
    /// The calls in order.
    pub calls: Vec<Call>,
    /// How many results answer no call.
    pub orphan_results: usize,
}

/// Turns messages into turns.
///
/// * an assistant message is one turn with a part for every text, reasoning block and call;
/// * every tool result is a turn of its own, under the exchange of the assistant turn that called; it says which part
///   of that turn made the call ([`TranscriptTurn::answers`]), and whether the tool reported a failure
///   ([`TranscriptTurn::failed`]);
/// * the rest of a user or system message is one turn.
///
/// A message without any part still becomes a turn, so that a consumer finds every message again.
/// The first turn of message `n` is called `m<n>` or by the message's own id, further ones `<id>.1`, `<id>.2` and so
/// on; an id that is taken already gets `~2`, `~3` and so on behind it.
pub struct TurnMapper<'e> {
    estimator: &'e dyn MessageEstimator,
    turns: Vec<TranscriptTurn>,
    ids: FreshIds,
    pairing: Pairing,
    messages: usize,
    orphan_results: usize,
    /// Whether a person's first words, yet to come, are pinned.
    pins_first_user: bool,
    pins_last_user: bool,
    /// The turn of a person's newest words.
    last_user: Option<usize>,
}

impl fmt::Debug for TurnMapper<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnMapper")
            .field("messages", &self.messages)
            .field("turns", &self.turns.len())
            .finish_non_exhaustive()
    }
}

impl<'e> TurnMapper<'e> {
    /// A mapper that counts with this estimator.
    #[must_use]
    pub fn new(estimator: &'e dyn MessageEstimator) -> Self {
        Self {
            estimator,
            turns: Vec::new(),
            ids: FreshIds::default(),
            pairing: Pairing::default(),
            messages: 0,
            orphan_results: 0,
            pins_first_user: false,
            pins_last_user: false,
            last_user: None,
        }
    }

    /// Pins the first turn in which a person speaks: the task, and what a conversation must start with for providers
    /// that want a user's message first.
    #[must_use]
    pub const fn pinning_first_user(mut self) -> Self {
        self.pins_first_user = true;
        self
    }

    /// Pins the newest turn in which a person speaks: what the model is asked for now.
    #[must_use]
    pub const fn pinning_last_user(mut self) -> Self {
        self.pins_last_user = true;
        self
    }

    /// How many turns there are so far.
    #[must_use]
    pub const fn turn_count(&self) -> usize {
        self.turns.len()
    }

    /// Adds a message and says where its parts went, one placement a part.
    ///
    /// # Errors
    ///
    /// [`TurnError`] when a turn is refused. Ids and parts are made here in a way that none should be.
    pub fn push(&mut self, message: &MessageView<'_>) -> Result<Vec<Placement>, TurnError> {
        let mut parts = MessageTurns::new(self, message);
        let mut placements = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            placements.push(parts.add(part)?);
        }
        parts.close()?;
        self.messages = self.messages.saturating_add(1);
        Ok(placements)
    }

    /// The turns and calls. Turns whose calls wait for a result are pinned in their place.
    #[must_use]
    pub fn finish(self) -> Mapped {
        let calls = self.pairing.finish();
        let mut turns = self.turns;
        let pending = calls.iter().filter(|call| call.state.is_pending()).map(|call| call.turn);
        for index in pending.chain(self.last_user.filter(|_| self.pins_last_user)) {
            if let Some(turn) = turns.get_mut(index).filter(|turn| !turn.pinned()) {
                *turn = turn.clone().with_pinned_in_place();
            }
        }
        Mapped { turns, calls, orphan_results: self.orphan_results }
    }
}

/// The turns of one message while they are made. Results are complete at once; everything else of the message is
/// gathered into one turn, whose place is that of its first part.
struct MessageTurns<'m, 'e> {
    mapper: &'m mut TurnMapper<'e>,
    message: &'m MessageView<'m>,
    gathered: Option<(usize, TurnDraft<'m>)>,
    results: Vec<(usize, TranscriptTurn)>,
    first: usize,
    made: usize,
    calls: bool,
}

impl<'m, 'e> MessageTurns<'m, 'e> {
    fn new(mapper: &'m mut TurnMapper<'e>, message: &'m MessageView<'m>) -> Self {
        let first = mapper.turns.len();
        if message.role == Role::Assistant {
            mapper.pairing.assistant_speaks();
        }
        Self { mapper, message, gathered: None, results: Vec::new(), first, made: 0, calls: false }
    }

    fn add(&mut self, part: &'m PartView<'_>) -> Result<Placement, TurnError> {
        if let PartView::ToolResult(result) = part
            && self.message.role != Role::Assistant
        {
            return self.add_result(part, result);
        }
        let (turn, estimator) = (self.gathered_turn(), self.mapper.estimator);
        let Some((_, draft)) = self.gathered.as_mut() else { return Ok(Placement { turn, part: 0 }) };
        let index = draft.add(part, estimator);
        if let PartView::ToolCall(call) = part {
            self.mapper.pairing.call(turn, index, call);
            self.calls |= !call.server_side;
        }
        Ok(Placement { turn, part: index })
    }

    /// The turn that gathers what is no result, made when first needed.
    fn gathered_turn(&mut self) -> usize {
        if let Some((turn, _)) = &self.gathered {
            return *turn;
        }
        let turn = self.first.saturating_add(self.made);
        self.made = self.made.saturating_add(1);
        self.gathered = Some((turn, TurnDraft::new(self.message.role)));
        turn
    }

    fn add_result(&mut self, part: &PartView<'_>, result: &ResultView<'_>) -> Result<Placement, TurnError> {
        let mut draft = TurnDraft::new(Role::Tool);
        draft.add(part, self.mapper.estimator);
        let mut turn = self.finished(draft, self.made)?;
        let index = self.first.saturating_add(self.made);
        self.made = self.made.saturating_add(1);
        let mut name = result.name.as_deref().map(|name| self.mapper.pairing.shared_name(name));
        let call = self.mapper.pairing.answer(&result.call_id, result.provisional);
        turn = turn.with_failed(result.is_error);
        if let Some((caller, part, called)) = call.and_then(|call| self.mapper.pairing.caller(call)) {
            name = name.or(Some(called));
            if let Ok(part) = u32::try_from(part) {
                turn = turn.with_answers(part);
            }
            if let Some(exchange) = self.mapper.turns.get(caller).map(|turn| Arc::clone(turn.turn_id())) {
                turn = turn.with_tool_call_id(exchange);
            }
        } else {
            self.mapper.orphan_results = self.mapper.orphan_results.saturating_add(1);
        }
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            turn = turn.with_tool_name(name);
        }
        self.results.push((index, turn));
        Ok(Placement { turn: index, part: 0 })
    }

    /// Puts the gathered turn between the results where its first part stood.
    fn close(mut self) -> Result<(), TurnError> {
        if self.made == 0 {
            self.gathered_turn();
        }
        if let Some((index, draft)) = self.gathered.take() {
            let turn = self.gathered_into_turn(index, draft)?;
            if self.results.is_empty() {
                self.mapper.turns.push(turn);
                return Ok(());
            }
            let place = index.saturating_sub(self.first).min(self.results.len());
            self.results.insert(place, (index, turn));
        }
        self.mapper.turns.extend(self.results.into_iter().map(|(_, turn)| turn));
        Ok(())
    }

    fn gathered_into_turn(
        &mut self,
        index: usize,
        draft: TurnDraft<'_>,
    ) -> Result<TranscriptTurn, TurnError> {
        let user = draft.role == Role::User;
        let mut turn = self.finished(draft, index.saturating_sub(self.first))?;
        if user {
            self.mapper.pairing.person_speaks();
        }
        match self.message.origin {
            Origin::Person if user => {
                if core::mem::take(&mut self.mapper.pins_first_user) && !turn.pinned() {
                    turn = turn.with_pinned_in_place();
                }
                self.mapper.last_user = Some(index);
            }
            Origin::Instructions if user => turn = turn.with_pinned(true),
            Origin::Person | Origin::Instructions | Origin::Harness => {}
        }
        if self.calls {
            let exchange = Arc::clone(turn.turn_id());
            turn = turn.with_tool_call_id(exchange);
        }
        Ok(turn)
    }

    fn finished(&mut self, draft: TurnDraft<'_>, nth: usize) -> Result<TranscriptTurn, TurnError> {
        let id = self.fresh_id(nth);
        let framing = self.mapper.estimator.framing(draft.role);
        Ok(draft.into_turn(id, framing)?.with_pinned(self.message.pinned))
    }

    /// An id that no turn has yet, for the message's turn of this number.
    fn fresh_id(&mut self, nth: usize) -> Arc<str> {
        let TurnMapper { ids, turns, messages, .. } = &mut *self.mapper;
        match self.message.id.as_ref().filter(|id| !id.is_empty()) {
            Some(own) => ids.of_own(own, nth, turns),
            None => ids.of_number(*messages, nth),
        }
    }
}
