//! The last resort: head and tail of what is newest.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use cutctx_invariants::CompactionPolicy as _;
use cutctx_messages::MessageEstimator;
use cutctx_policies::CallArgumentsPolicy;
use cutctx_types::{
    Action, CompactionBudget, KeptPart, Part, PartKind, Role, Transcript, TranscriptTurn, Trim,
};

use super::estimating::TextEstimates;
use super::files::NAME;

/// The least that stays of a text, in characters.
const LEAST: usize = 16;

/// What happens to each of these turns so that together they take no more than so much, as far as heads and tails of
/// results and of long arguments can do it, and some stay whole. `None` where nothing can be cut.
pub(super) fn clipped(
    turns: &[TranscriptTurn],
    room: u64,
    stays_whole: impl Fn(&TranscriptTurn) -> bool,
    estimator: &Arc<dyn MessageEstimator>,
) -> Option<Vec<Action>> {
    let mut most = usize::try_from(room.saturating_mul(4)).unwrap_or(usize::MAX).max(LEAST);
    let mut best = None;
    loop {
        let actions = cut_to(turns, most, &stays_whole, estimator);
        let taken = turns.iter().zip(&actions).map(|(turn, action)| taken(turn, action));
        let fits = taken.fold(0, u64::saturating_add) <= room;
        if actions.iter().any(|action| *action != Action::Keep) {
            best = Some(actions);
        }
        if fits || most <= LEAST {
            return best;
        }
        most = (most / 2).max(LEAST);
    }
}

fn taken(turn: &TranscriptTurn, action: &Action) -> u64 {
    if let Action::Trim(trim) = action { trim.token_estimate } else { turn.token_estimate() }
}

fn cut_to(
    turns: &[TranscriptTurn],
    most: usize,
    stays_whole: impl Fn(&TranscriptTurn) -> bool,
    estimator: &Arc<dyn MessageEstimator>,
) -> Vec<Action> {
    let cut = |turn: &TranscriptTurn| match turn.role() {
        _ if stays_whole(turn) => None,
        Role::Tool => result(turn, most, &**estimator),
        Role::Assistant => arguments(turn, most, estimator),
        Role::User | Role::System => None,
    };
    turns.iter().map(|turn| cut(turn).unwrap_or(Action::Keep)).collect()
}

/// Head and tail of each text of a result. Its media go where hardly anything may stay.
fn result(turn: &TranscriptTurn, most: usize, estimator: &dyn MessageEstimator) -> Option<Action> {
    let alone = [Part::new(PartKind::Result, turn.content().len(), turn.token_estimate())];
    let parts = if turn.parts().is_empty() { alone.as_slice() } else { turn.parts() };
    let known = parts.iter().map(|part| part.token_estimate).fold(0, u64::saturating_add);
    let mut tokens = turn.token_estimate().saturating_sub(known);
    let (mut kept, mut changed, mut start) = (Vec::new(), false, 0);
    for (part, at) in parts.iter().zip(0_usize..) {
        let bounds = start..part.end;
        start = part.end;
        if part.kind.is_indivisible() && most <= LEAST && parts.len() > 1 {
            changed = true;
            tokens = tokens.saturating_add(NAME);
            continue;
        }
        let ranges = ends(turn.content(), &bounds, most).filter(|_| !part.kind.is_indivisible());
        let cost = ranges.as_ref().map_or(part.token_estimate, |ranges| {
            texts(turn.content(), ranges).map(|text| estimator.text(text)).fold(1, u64::saturating_add)
        });
        changed |= ranges.is_some();
        tokens = tokens.saturating_add(cost);
        if !bounds.is_empty() || part.kind.is_indivisible() {
            kept.push(KeptPart::new(at, ranges.unwrap_or_else(|| alloc::vec![bounds])));
        }
    }
    let less = changed && !kept.is_empty() && tokens < turn.token_estimate();
    less.then(|| Action::Trim(Trim::new(kept, tokens)))
}

fn texts<'t>(content: &'t str, ranges: &'t [Range<usize>]) -> impl Iterator<Item = &'t str> {
    ranges.iter().filter_map(|range| content.get(range.clone()))
}

/// Where head and tail of a text of more than so many characters stand.
fn ends(content: &str, bounds: &Range<usize>, most: usize) -> Option<Vec<Range<usize>>> {
    let text = content.get(bounds.clone())?;
    text.char_indices().nth(most)?;
    let head = text.char_indices().nth(most.div_ceil(2))?.0;
    let tail = text.char_indices().nth_back((most / 2).saturating_sub(1))?.0;
    let place = |at: usize| bounds.start.saturating_add(at);
    Some(alloc::vec![bounds.start..place(head), place(tail)..bounds.end])
}

/// Long texts within the arguments of calls, cut; the arguments stay sound JSON.
fn arguments(turn: &TranscriptTurn, most: usize, estimator: &Arc<dyn MessageEstimator>) -> Option<Action> {
    let most = u64::try_from(most.max(LEAST.saturating_mul(4))).ok()?;
    let policy = CallArgumentsPolicy::new()
        .with_limits(most, most / 2, most / 4)
        .ok()?
        .with_estimator(Arc::new(TextEstimates::of(estimator)));
    let turns = alloc::vec![turn.clone().with_pinned(false)];
    let budget = CompactionBudget::new(0).with_protected_recent_turns(0);
    let transcript = Transcript::new(turns).ok()?;
    let survey = cutctx_invariants::Survey::new(&transcript, &budget).ok()?;
    let draft = policy.propose(&survey).ok()?;
    let action = draft.actions.into_iter().next()?.action;
    matches!(action, Action::Trim(_)).then_some(action)
}
