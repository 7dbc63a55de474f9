//! Requests that do not fit the actions.

use alloc::sync::Arc;
use alloc::vec::Vec;
use cutctx_types::SummarizationRequest;

type Requests = Vec<SummarizationRequest>;

pub(super) fn repeat(requests: &mut Requests, knob: usize) {
    requests.extend(super::pick(requests, knob).cloned());
}

pub(super) fn forget(requests: &mut Requests, knob: usize) {
    if let Some(at) = knob.checked_rem(requests.len()) {
        requests.remove(at);
    }
}

pub(super) fn invent(requests: &mut Requests) {
    let nobody = alloc::vec![Arc::from("nobody")];
    requests.extend(SummarizationRequest::new("of nothing", nobody, 1, "brief"));
}

pub(super) fn rotate(requests: &mut Requests) {
    if !requests.is_empty() {
        requests.rotate_left(1);
    }
}

/// Targets that are each legal and together beyond 64 bits.
pub(super) fn inflate(requests: &mut Requests) {
    for request in requests {
        replace(request, request.turn_ids().to_vec(), u64::MAX);
    }
}

/// Other turns, fewer, or in another order.
pub(super) fn misname(requests: &mut Requests, knob: usize) {
    let at = knob.checked_rem(requests.len()).unwrap_or_default();
    let Some(request) = requests.get_mut(at) else { return };
    let mut turns = request.turn_ids().to_vec();
    match knob.checked_rem(3) {
        Some(0) if turns.len() > 1 => turns.reverse(),
        Some(1) if turns.len() > 1 => turns.truncate(1),
        _ => turns.push(Arc::from("nobody at all")),
    }
    replace(request, turns, request.target_tokens());
}

fn replace(request: &mut SummarizationRequest, turns: Vec<Arc<str>>, target: u64) {
    let (group, prompt) = (request.group_id().clone(), request.prompt_id().clone());
    if let Ok(other) = SummarizationRequest::new(group, turns, target, prompt) {
        *request = other;
    }
}
