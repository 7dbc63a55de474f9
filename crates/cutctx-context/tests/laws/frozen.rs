//! What a provider's cache finds again after a compaction.

use alloc::sync::Arc;

use cutctx_context::{
    BudgetedContextPolicy, BudgetedContextSettings, LiveContext, LiveRequest, LiveStep,
    ObservedDeltaContextEstimator,
};
use cutctx_messages::Message;
use cutctx_policies::recommended;
use cutctx_types::Role;

use crate::sessions::{round, says, session, text};

/// What was sent over a session.
#[derive(Debug, Default)]
struct Sent {
    compactions: u64,
    /// Tokens of requests that the one before did not begin with.
    read_anew: u64,
}

fn tokens(messages: &[Message]) -> u64 {
    let estimator = ObservedDeltaContextEstimator::default();
    messages.iter().map(|message| estimator.estimate_message_tokens(message)).sum()
}

fn sent(policy: &BudgetedContextPolicy) -> Sent {
    let mut context = LiveContext::new(policy, session());
    let (mut sent, mut last) = (Sent::default(), Vec::<Message>::new());
    for at in 0..160 {
        let said =
            [says(Role::User, &text(at, 120)), says(Role::Assistant, &text(at.saturating_add(7), 300))];
        for message in round(at, &[&text(at, 600)]).into_iter().chain(said) {
            context.append(message).unwrap();
        }
        let LiveStep::Done(result) = context.begin(&LiveRequest::new()).unwrap() else {
            panic!("nobody is asked")
        };
        let shown = context.messages();
        let same = shown.iter().zip(&last).take_while(|(new, old)| new == old).count();
        sent.read_anew = sent.read_anew.saturating_add(tokens(&shown[same..]));
        sent.compactions = sent.compactions.saturating_add(u64::from(result.outcome.name() == "compacted"));
        last = shown.to_vec();
    }
    sent
}

#[test]
fn the_beginning_mostly_stays_where_a_cache_finds_it() {
    let policy = BudgetedContextPolicy::new(BudgetedContextSettings::for_window(8_000)).unwrap();
    let freezing = sent(&policy);
    let plain = sent(&policy.planning_with(Arc::new(recommended())));
    assert!(plain.compactions > 6, "{plain:?}");
    assert!(freezing.compactions <= plain.compactions.saturating_add(1), "{freezing:?} {plain:?}");
    assert!(
        freezing.read_anew.saturating_mul(10) < plain.read_anew.saturating_mul(9),
        "{freezing:?} {plain:?}"
    );
}
