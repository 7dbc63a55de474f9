//! A provider that counts, behind HTTP.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use cutctx_messages::{DurableObject, Message};

use super::api::CountApi;
use super::endpoint::{Endpoint, endpoint_setters};
use super::transport::Transport;
use crate::error::FailedAttempt;
use crate::future::BoxFuture;
use crate::model::TokenCounter;
use crate::retry::RetryPolicy;
use crate::retrying::repeated;

/// What a provider would count for a request, asked over HTTP. Nothing is generated.
///
/// Of messages it is counted what a model would be sent: reasoning, provider states and citations are left out, and a
/// file is an error. Nothing is asked twice unless [`HttpCounter::with_retry_policy`] says so: a context can be built
/// without the answer.
///
/// `Debug` shows neither the key nor the transport.
///
/// ```
/// use cutctx_models::http::{CountApi, HttpCounter, HttpRequest, HttpResponse, Transport, TransportError};
/// use cutctx_models::{BoxFuture, block_on};
///
/// /// Always gives the same answer.
/// struct Recorded;
///
/// impl Transport for Recorded {
///     fn post(&self, _: HttpRequest) -> BoxFuture<'_, Result<HttpResponse, TransportError>> {
///         Box::pin(async { Ok(HttpResponse::new(200, br#"{"input_tokens": 12}"#.to_vec())) })
///     }
/// }
///
/// let counter = HttpCounter::new(CountApi::AnthropicMessages, "model-1", std::sync::Arc::new(Recorded));
/// let request = r#"{"messages": [{"role": "user", "content": "how tall is pole 7?"}]}"#;
/// assert_eq!(block_on(counter.count_request(request)), Ok(12));
/// ```
#[derive(Debug, Clone)]
pub struct HttpCounter {
    api: CountApi,
    model: Arc<str>,
    tools: Arc<[DurableObject]>,
    retry: RetryPolicy,
    endpoint: Endpoint,
}

impl HttpCounter {
    /// What the provider itself counts for this model, asked without a key.
    #[must_use]
    pub fn new(api: CountApi, model: impl Into<Arc<str>>, transport: Arc<dyn Transport>) -> Self {
        let endpoint = Endpoint::new(api.default_base_url(), transport);
        Self { api, model: model.into(), tools: Arc::default(), retry: RetryPolicy::never(), endpoint }
    }

    /// The counter that asks again where this policy says so.
    #[must_use]
    pub const fn with_retry_policy(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }

    /// The counter that counts these tools with all messages: each with its name, description and the schema of its
    /// parameters, as a [`ModelRequest`](cutctx_context::ModelRequest) holds them.
    #[must_use]
    pub fn with_tools(mut self, tools: impl Into<Arc<[DurableObject]>>) -> Self {
        self.tools = tools.into();
        self
    }

    /// The interface that it speaks.
    #[must_use]
    pub const fn api(&self) -> CountApi {
        self.api
    }

    /// Counts a request that stands as JSON already, in the form of this interface. What of it has no part in its size
    /// (limits, storage, streaming) is left out, and the model is this counter's.
    ///
    /// # Errors
    ///
    /// [`FailedAttempt`]; [`Unsupported`](crate::ModelError::Unsupported) when the text is no JSON object.
    #[must_use = "nothing is asked until it is waited for"]
    pub fn count_request<'c>(&'c self, request: &'c str) -> BoxFuture<'c, Result<u64, FailedAttempt>> {
        Box::pin(async move { self.ask(self.api.request(&self.model, request)?).await })
    }

    async fn count_messages(&self, messages: &[Message]) -> Result<Option<u64>, FailedAttempt> {
        match self.api.body(&self.model, messages, &self.tools)? {
            Some(body) => self.ask(body).await.map(Some),
            None => Ok(None),
        }
    }

    async fn ask(&self, body: Vec<u8>) -> Result<u64, FailedAttempt> {
        repeated(&self.retry, || Box::pin(self.ask_once(body.clone()))).await.0
    }

    async fn ask_once(&self, body: Vec<u8>) -> Result<u64, FailedAttempt> {
        let path = self.api.path(&self.model)?;
        let response = self.endpoint.post(&path, self.api.headers(self.endpoint.key()), body).await?;
        Ok(self.api.answer(&response)?)
    }
}

endpoint_setters!(HttpCounter, "counter");

impl TokenCounter for HttpCounter {
    fn count<'c>(&'c self, messages: &'c [Message]) -> BoxFuture<'c, Result<Option<u64>, FailedAttempt>> {
        Box::pin(self.count_messages(messages))
    }
}
