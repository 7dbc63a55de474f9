//! Effort grows as the session does.

#![expect(
    clippy::disallowed_types,
    reason = "a measurement reads the clock; the bound is far from what is measured"
)]

use alloc::sync::Arc;
use core::time::Duration;
use std::time::Instant;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, CheckpointCompactionContextPolicy,
    CheckpointCompactionSettings, ContextPolicy, ContextRequest, ExtractiveCompactor, build_context_locally,
    trim_context_messages,
};
use cutctx_messages::Message;
use cutctx_types::Role;

use crate::sessions::{round, says, session};

fn long(count: usize) -> Vec<Message> {
    let mut messages = vec![says(Role::User, "paint the fence")];
    let mut at = 0_usize;
    while messages.len() < count {
        messages.push(says(Role::Assistant, &format!("plank {at} is painted; the brush is cleaned")));
        messages.extend(round(at, &["the plank is dry and looks fine"]));
        messages.push(says(Role::User, "go on with the next one, please"));
        at = at.saturating_add(1);
    }
    messages
}

fn first_compaction(policy: &dyn ContextPolicy, messages: &[Message]) -> Duration {
    let request = ContextRequest::new(session(), messages);
    let begun = Instant::now();
    let built = build_context_locally(policy, request, None).unwrap();
    let taken = begun.elapsed();
    assert!(built.messages.len() < messages.len() / 2, "{}", built.messages.len());
    taken
}

/// The bound is that of a loaded machine and a build that is hardly optimized; a quadratic path takes minutes.
#[test]
fn a_hundred_thousand_messages_are_compacted_in_one_go() {
    let messages = long(100_000);
    let by_size = CheckpointCompactionSettings {
        reserved_summary_tokens: 10_000,
        ..CheckpointCompactionSettings::by_size(100_000, 60_000)
    };
    let compactor = Arc::new(ExtractiveCompactor::default());
    let size = CheckpointCompactionContextPolicy::new(compactor.clone(), by_size).unwrap();
    let count =
        CheckpointCompactionContextPolicy::new(compactor, CheckpointCompactionSettings::default()).unwrap();
    let budgeted = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(100_000)).unwrap();
    let policies: [(&str, &dyn ContextPolicy); 3] =
        [("size mode", &size), ("count mode", &count), ("budgeted", &budgeted)];
    for (name, policy) in policies {
        let taken = first_compaction(policy, &messages);
        println!("first compaction of {} messages, {name}: {taken:?}", messages.len());
        assert!(taken < Duration::from_secs(20), "{name}: {taken:?}");
    }
    let begun = Instant::now();
    trim_context_messages(&messages, 50_000, true).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(20));
}
