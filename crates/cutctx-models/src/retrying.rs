//! A model that is asked again where that may help.

use alloc::boxed::Box;
use core::time::Duration;

use cutctx_context::ModelRequest;

use crate::completion::{Completion, TokenUsage};
use crate::error::{FailedAttempt, ModelError};
use crate::future::{BoxFuture, pause};
use crate::model::SummaryModel;
use crate::retry::RetryPolicy;

/// A model that is asked again where that may help, as one that answers or fails for good.
///
/// The usage of its answer, or of its failure, is that of all attempts together. It is for those who call a model
/// themselves; compactors repeat on their own, and tell each attempt apart.
///
/// ```
/// use cutctx_context::ModelRequest;
/// use cutctx_models::{CommandModel, RetryPolicy, Retrying, SummaryModel, block_on};
///
/// let model = Retrying::new(CommandModel::shell("exit 1"), RetryPolicy::default().without_delay());
/// assert!(block_on(model.complete(&ModelRequest::default())).is_err());
/// ```
#[derive(Debug, Clone)]
pub struct Retrying<M> {
    model: M,
    policy: RetryPolicy,
}

impl<M: SummaryModel> Retrying<M> {
    /// This model, asked again as this policy says.
    #[must_use]
    pub const fn new(model: M, policy: RetryPolicy) -> Self {
        Self { model, policy }
    }

    async fn ask(&self, request: &ModelRequest) -> Result<Completion, FailedAttempt> {
        let (answer, spent) = repeated(&self.policy, || self.model.complete(request)).await;
        let mut completion = answer?;
        completion.usage = together(spent, completion.usage);
        Ok(completion)
    }
}

/// Asks until there is an answer, or until the policy gives up: then the failure has the usage of all attempts. Beside
/// the answer stands what the failed attempts cost.
pub(crate) async fn repeated<'c, T>(
    policy: &RetryPolicy,
    ask: impl Fn() -> BoxFuture<'c, Result<T, FailedAttempt>>,
) -> (Result<T, FailedAttempt>, Option<TokenUsage>) {
    let (mut waited, mut attempt, mut spent) = (Duration::ZERO, 1_u32, None);
    loop {
        let failed = match ask().await {
            Ok(answer) => return (Ok(answer), spent),
            Err(failed) => failed,
        };
        spent = together(spent, failed.usage);
        match policy.next_delay(&failed.error, attempt, waited, chance(attempt, &failed.error)) {
            None => return (Err(FailedAttempt { usage: spent, ..failed }), spent),
            Some(delay) => {
                pause(delay).await;
                waited = waited.saturating_add(delay);
                attempt = attempt.saturating_add(1);
            }
        }
    }
}

impl<M: SummaryModel> SummaryModel for Retrying<M> {
    fn provider_name(&self) -> &str {
        self.model.provider_name()
    }

    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
        Box::pin(self.ask(request))
    }
}

const fn together(spent: Option<TokenUsage>, more: Option<TokenUsage>) -> Option<TokenUsage> {
    match (spent, more) {
        (Some(spent), Some(more)) => Some(spent.plus(more)),
        (Some(usage), None) | (None, Some(usage)) => Some(usage),
        (None, None) => None,
    }
}

/// What decides the jitter: where the error happens to lie in memory, which differs between clients.
fn chance(attempt: u32, error: &ModelError) -> u16 {
    jitter(core::ptr::from_ref(error).addr(), attempt)
}

/// A number that follows from a place in memory and an attempt.
pub(crate) fn jitter(place: usize, attempt: u32) -> u16 {
    let attempt = usize::try_from(attempt).unwrap_or(0);
    let mixed = place.wrapping_mul(0x9E37_79B9).wrapping_add(attempt.wrapping_mul(0x85EB_CA6B)) >> 8;
    u16::try_from(mixed & 0xFFFF).unwrap_or(0)
}
