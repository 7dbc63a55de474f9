//! Results of tools that a compaction policy over turns shortened.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_invariants::CompactionPolicy;
use cutctx_messages::{
    DurableError, DurableText, DurableValue, Mapped, Message, MessageEstimator, MessagePart, MessageView,
    Placement, RoundMessage as _, TurnMapper, ValueView,
};
use cutctx_types::{Action, CompactionBudget, Transcript, TranscriptTurn, TurnAction};

/// What is shown in place of results: by message, and part of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Edits(BTreeMap<(usize, usize), DurableText>);

/// What a policy is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The first message that may be shortened.
    pub(super) from: usize,
    /// The first that is protected.
    pub(super) recent: usize,
    /// What the messages from the first on may take, in tokens by estimate.
    pub(super) most: u64,
}

impl Edits {
    /// The results that a policy shortens when it is asked for this much. What it would do with other turns is left
    /// alone: calls must stand as they were made, and what goes as a whole is for a summary.
    pub(super) fn planned(
        policy: &dyn CompactionPolicy,
        estimator: &dyn MessageEstimator,
        shown: &[Message],
        wanted: Wanted,
    ) -> Option<Self> {
        let (mapped, places, protected) = mapped(estimator, shown, wanted)?;
        let turns = u64::try_from(mapped.turns.len().saturating_sub(protected)).ok()?;
        let transcript = Transcript::new(mapped.turns).ok()?;
        let budget = CompactionBudget::new(wanted.most).with_protected_recent_turns(turns);
        let plan = policy.decide(&transcript, &budget).ok()?;
        let texts = places.into_iter().filter_map(|(place, turn)| {
            let text = shortened(plan.actions().get(turn)?, transcript.turns().get(turn)?)?;
            Some((place, DurableText::new(text).ok()?))
        });
        Some(Self(texts.collect()))
    }

    /// The messages with these results in place of their own.
    pub(super) fn put_into(&self, messages: &mut [Message]) {
        for ((message, part), text) in &self.0 {
            let Some(message) = messages.get_mut(*message) else { continue };
            let mut parts = message.content().to_vec();
            if let Some(MessagePart::ToolResult(result)) = parts.get_mut(*part) {
                result.content = text.clone();
                *message = Message::from_pieces(message.role(), parts);
            }
        }
    }

    /// With those of another in place of its own.
    pub(super) fn take(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Without those before a message.
    pub(super) fn forget_before(&mut self, cursor: usize) {
        self.0 = self.0.split_off(&(cursor, 0));
    }

    /// The message behind the last one that was shortened.
    pub(super) fn end(&self) -> usize {
        self.0.last_key_value().map_or(0, |((message, _), _)| message.saturating_add(1))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As a checkpoint has them: `[[message, part, text], …]`.
    pub(super) fn to_value(&self) -> Result<DurableValue, DurableError> {
        let number = |value: usize| DurableValue::from(i64::try_from(value).unwrap_or(i64::MAX));
        let edits = self.0.iter().map(|((message, part), text)| {
            let text = DurableValue::text(text.shared().clone())?;
            DurableValue::array(alloc::vec![number(*message), number(*part), text])
        });
        DurableValue::array(edits.collect::<Result<Vec<DurableValue>, DurableError>>()?)
    }

    /// What a checkpoint has.
    pub(super) fn from_value(value: &DurableValue) -> Option<Self> {
        let ValueView::Array(edits) = value.view() else { return None };
        edits.iter().map(edit).collect::<Option<_>>().map(Self)
    }
}

fn edit(value: &DurableValue) -> Option<((usize, usize), DurableText)> {
    let ValueView::Array([message, part, text]) = value.view() else { return None };
    let number = |value: &DurableValue| {
        if let ValueView::Int(number) = value.view() { usize::try_from(number).ok() } else { None }
    };
    Some(((number(message)?, number(part)?), DurableText::new(text.as_text()?.clone()).ok()?))
}

/// A result's message and part, and the turn that it became.
type Place = ((usize, usize), usize);

/// The turns of the messages that are asked about, where their results went, and how many turns are not protected.
fn mapped(
    estimator: &dyn MessageEstimator,
    shown: &[Message],
    wanted: Wanted,
) -> Option<(Mapped, Vec<Place>, usize)> {
    let mut mapper = TurnMapper::new(estimator);
    let mut places = Vec::new();
    let mut protected = None;
    for (at, message) in shown.iter().enumerate().skip(wanted.from) {
        if at >= wanted.recent {
            protected = protected.or(Some(mapper.turn_count()));
        }
        let placements = mapper.push(&MessageView::from(message)).ok()?;
        places.extend(results(at, message, &placements));
    }
    let protected = protected.unwrap_or_else(|| mapper.turn_count());
    Some((mapper.finish(), places, protected))
}

fn results<'m>(
    at: usize,
    message: &'m Message,
    placements: &'m [Placement],
) -> impl Iterator<Item = Place> + 'm {
    let parts = message.content().iter().enumerate().zip(placements);
    parts.filter_map(move |((part, content), placement)| {
        matches!(content, MessagePart::ToolResult(_)).then_some(((at, part), placement.turn))
    })
}

/// What is shown of a turn, where it is shortened.
fn shortened(action: &TurnAction, turn: &TranscriptTurn) -> Option<Arc<str>> {
    match &action.action {
        Action::Mask(replacement) => Some(replacement.content.clone()),
        Action::Trim(trim) => Some(trim.applied_to(turn).content().as_ref().into()),
        Action::Keep | Action::Summarize { .. } | Action::Drop => None,
    }
}
