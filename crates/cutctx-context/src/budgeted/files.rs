//! Files that were answered are named only.

use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_types::{Action, KeptPart, PartKind, Role, TranscriptTurn, Trim, TurnReplacement};

use super::ledger::Shown;

/// What naming a file takes, in tokens: about a line.
const NAME: u64 = 32;

/// What happens to each turn that is shown so that files which were answered are named only. `None` where there are
/// none: of the results with files the last so many keep them, a request keeps its files until somebody answered it and
/// the user has spoken again.
pub(super) fn without_answered(shown: &[Shown], most_results: usize) -> Option<Vec<Action>> {
    let mut left = most_results;
    let mut seen = Seen::default();
    let mut actions: Vec<Action> = shown
        .iter()
        .rev()
        .map(|shown| {
            let goes = seen.goes(&shown.turn, &mut left);
            if goes { without_media(&shown.turn).unwrap_or(Action::Keep) } else { Action::Keep }
        })
        .collect();
    actions.reverse();
    actions.iter().any(|action| *action != Action::Keep).then_some(actions)
}

/// Who spoke behind a turn.
#[derive(Debug, Default)]
struct Seen {
    user: bool,
    /// Whether somebody answered before the user spoke last.
    answered: bool,
}

impl Seen {
    /// Whether the files of the turn before those that were seen go.
    fn goes(&mut self, turn: &TranscriptTurn, left: &mut usize) -> bool {
        let holds = !turn.pinned() && turn.parts().iter().any(|part| part.kind == PartKind::Media);
        match turn.role() {
            Role::User => {
                self.user = true;
                holds && self.answered
            }
            Role::Tool => {
                self.answered |= self.user;
                let stays = holds && *left > 0;
                *left = left.saturating_sub(usize::from(stays));
                holds && !stays
            }
            Role::Assistant => {
                self.answered |= self.user;
                false
            }
            Role::System => false,
        }
    }
}

/// The turn without its media; where nothing else is in it, with their descriptions as a text.
fn without_media(turn: &TranscriptTurn) -> Option<Action> {
    let mut kept = Vec::new();
    let (mut media, mut names, mut start) = (0_u64, 0_u64, 0);
    for (part, at) in turn.parts().iter().zip(0_usize..) {
        if part.kind == PartKind::Media {
            media = media.saturating_add(part.token_estimate);
            names = names.saturating_add(NAME);
        } else if part.end > start {
            let whole = start..part.end;
            kept.push(KeptPart::new(at, alloc::vec![whole]));
        }
        start = part.end;
    }
    let after = turn.token_estimate().saturating_sub(media).saturating_add(names);
    if after >= turn.token_estimate() {
        return None;
    }
    Some(if kept.is_empty() {
        Action::Mask(TurnReplacement::new(Arc::clone(turn.content()), after))
    } else {
        Action::Trim(Trim::new(kept, after))
    })
}
