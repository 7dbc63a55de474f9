//! Drafts that do not cover the turns one by one.

use alloc::vec::Vec;
use cutctx_types::{Action, TurnAction};

pub(super) fn forget(actions: &mut Vec<TurnAction>, knob: usize) {
    if let Some(at) = knob.checked_rem(actions.len()) {
        actions.remove(at);
    }
}

pub(super) fn repeat(actions: &mut Vec<TurnAction>, knob: usize) {
    actions.extend(super::pick(actions, knob).cloned());
}

pub(super) fn invent(actions: &mut Vec<TurnAction>, knob: usize) {
    let at = knob.checked_rem(actions.len()).unwrap_or_default();
    actions.insert(at, TurnAction::new("nobody at all", Action::Drop));
}

pub(super) fn swap(actions: &mut [TurnAction], knob: usize) {
    if let Some(at) = knob.checked_rem(actions.len()) {
        actions.swap(0, at);
    }
}
