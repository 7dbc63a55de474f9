//! A model behind HTTP.

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_context::ModelRequest;

use super::api::{Api, Wanted};
use super::endpoint::{Endpoint, endpoint_setters};
use super::transport::Transport;
use crate::completion::Completion;
use crate::error::FailedAttempt;
use crate::future::BoxFuture;
use crate::model::SummaryModel;

/// The limit of a summary where nobody says, in tokens: reasoning models count their reasoning too.
const OUTPUT_TOKENS: u64 = 8192;

/// A model behind HTTP, at its provider's or at any server that speaks the same interface.
///
/// The answer is asked for whole, not as a stream: a summary is of use only when it is complete.
///
/// `Debug` shows neither the key nor the transport.
#[derive(Debug, Clone)]
pub struct HttpModel {
    api: Api,
    model: Arc<str>,
    output_tokens: u64,
    endpoint: Endpoint,
}

impl HttpModel {
    /// A model of the provider itself, without a key. A request that names a model goes to that one instead.
    #[must_use]
    pub fn new(api: Api, model: impl Into<Arc<str>>, transport: Arc<dyn Transport>) -> Self {
        let endpoint = Endpoint::new(api.default_base_url(), transport);
        Self { api, model: model.into(), output_tokens: OUTPUT_TOKENS, endpoint }
    }

    /// The model with another limit of what it may write, in tokens. An option of the request of the interface's own
    /// name wins.
    #[must_use]
    pub const fn with_output_tokens(mut self, tokens: u64) -> Self {
        self.output_tokens = tokens;
        self
    }

    /// The interface that it speaks.
    #[must_use]
    pub const fn api(&self) -> Api {
        self.api
    }

    async fn ask(&self, request: &ModelRequest) -> Result<Completion, FailedAttempt> {
        let at_home = self.endpoint.base_url() == self.api.default_base_url();
        let model = request.model.as_deref().unwrap_or(&self.model);
        let body = self.api.body(request, Wanted { model, tokens: self.output_tokens, at_home })?;
        let headers = self.api.headers(self.endpoint.key());
        let response = self.endpoint.post(self.api.path(), headers, body).await?;
        self.api.answer(&response)
    }
}

endpoint_setters!(HttpModel, "model");

impl SummaryModel for HttpModel {
    fn provider_name(&self) -> &str {
        self.api.provider_name()
    }

    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
        Box::pin(self.ask(request))
    }
}
