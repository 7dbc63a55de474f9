//! What a model must be able to do for us.

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_context::ModelRequest;
use cutctx_messages::Message;

use crate::completion::Completion;
use crate::error::FailedAttempt;
use crate::future::BoxFuture;

/// A model that writes summaries.
///
/// One call is one attempt: repeating is [`RetryPolicy`](crate::RetryPolicy)'s business. Dropping the future
/// cancels the call.
///
/// ```
/// use cutctx_context::ModelRequest;
/// use cutctx_models::{BoxFuture, Completion, FailedAttempt, SummaryModel};
///
/// /// Says how much there was to read.
/// struct Counting;
///
/// impl SummaryModel for Counting {
///     fn provider_name(&self) -> &str {
///         "local"
///     }
///
///     fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
///         let answer = format!("{} messages", request.messages.len());
///         Box::pin(async move { Ok(Completion::of(answer)) })
///     }
/// }
///
/// let request = ModelRequest::new(Vec::new());
/// assert_eq!(cutctx_models::block_on(Counting.complete(&request))?.text, "0 messages");
/// # Ok::<(), FailedAttempt>(())
/// ```
pub trait SummaryModel: Send + Sync {
    /// The provider, as reports name it.
    fn provider_name(&self) -> &str;

    /// Asks once.
    ///
    /// # Errors
    ///
    /// [`FailedAttempt`], with what the attempt cost where that is known.
    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>>;
}

/// Something that counts messages as the provider does.
pub trait TokenCounter: Send + Sync {
    /// The tokens of these messages as one request. `None` where they cannot be counted.
    ///
    /// # Errors
    ///
    /// [`FailedAttempt`]. A caller that only wants a better estimate goes on without one.
    fn count<'c>(&'c self, messages: &'c [Message]) -> BoxFuture<'c, Result<Option<u64>, FailedAttempt>>;
}

/// What only points at a model is one.
macro_rules! pointing {
    ($($pointer:ty),*) => {$(
        impl<M: SummaryModel + ?Sized> SummaryModel for $pointer {
            fn provider_name(&self) -> &str {
                (**self).provider_name()
            }

            fn complete<'c>(
                &'c self,
                request: &'c ModelRequest,
            ) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
                (**self).complete(request)
            }
        }
    )*};
}

pointing!(&M, Arc<M>, Box<M>);
