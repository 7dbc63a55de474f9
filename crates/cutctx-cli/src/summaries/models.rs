//! The models that write summaries.

use crate::arguments::{ServerArguments, SummarizerChoice};
use crate::failure::Failure;
use crate::keys::key_for;
use alloc::sync::Arc;
use cutctx::context::ModelRequest;
use cutctx::models::http::{Api, HttpModel, UreqTransport};
use cutctx::models::{
    BoxFuture, CommandModel, Completion, FailedAttempt, ModelError, SummaryModel, TokenUsage,
};
use std::sync::{Mutex, PoisonError};

/// A model that is asked, and its name.
pub(crate) struct Asked {
    name: String,
    pub(crate) model: Box<dyn SummaryModel>,
}

/// The model that a command line names; none where no model is to be asked.
pub(crate) fn model_of(
    choice: &SummarizerChoice,
    server: &ServerArguments,
) -> Result<Option<Asked>, Failure> {
    let named = |name: &String, model: Box<dyn SummaryModel>| Some(Asked { name: name.clone(), model });
    Ok(match choice {
        SummarizerChoice::None | SummarizerChoice::Extract => None,
        SummarizerChoice::Command(line) => named(line, Box::new(CommandModel::shell(line))),
        SummarizerChoice::OpenAi(model) => {
            let api = if server.summarizer_url.is_some() { Api::OpenAiChat } else { Api::OpenAiResponses };
            named(model, Box::new(http(api, model, server)?))
        }
        SummarizerChoice::Anthropic(model) => {
            named(model, Box::new(http(Api::AnthropicMessages, model, server)?))
        }
    })
}

/// The model behind HTTP that is asked for.
fn http(api: Api, model: &str, server: &ServerArguments) -> Result<HttpModel, Failure> {
    let http = HttpModel::new(api, model, Arc::new(UreqTransport::new()));
    let url = server.summarizer_url.as_deref();
    let http = match url {
        Some(url) => http.with_base_url(url),
        None => http,
    };
    Ok(match key_for(url, server.summarizer_key.as_deref(), api.key_variable())? {
        Some(key) => http.with_key(key),
        None => http,
    })
}

/// A model whose attempts are counted, with what they cost.
pub(crate) struct Metered {
    asked: Asked,
    told: Mutex<(u64, Option<TokenUsage>)>,
    failed: Mutex<Option<ModelError>>,
}

impl Metered {
    pub(crate) fn new(asked: Asked) -> Self {
        Self { asked, told: Mutex::default(), failed: Mutex::default() }
    }

    /// The model's name.
    pub(crate) fn name(&self) -> &str {
        &self.asked.name
    }

    /// How often it was asked, and what the provider counted for all of that, where it said so.
    pub(crate) fn told(&self) -> (u64, Option<TokenUsage>) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why its last attempt failed, if it did.
    pub(crate) fn failure(&self) -> Option<ModelError> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, usage: Option<TokenUsage>) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.0 = told.0.saturating_add(1);
        if let Some(usage) = usage {
            told.1 = Some(told.1.unwrap_or_default().plus(usage));
        }
    }

    async fn ask(&self, request: &ModelRequest) -> Result<Completion, FailedAttempt> {
        let answer = self.asked.model.complete(request).await;
        self.add(answer.as_ref().map_or_else(|failed| failed.usage, |completion| completion.usage));
        *self.failed.lock().unwrap_or_else(PoisonError::into_inner) =
            answer.as_ref().err().map(|failed| failed.error.clone());
        answer
    }
}

impl SummaryModel for Metered {
    fn provider_name(&self) -> &str {
        self.asked.model.provider_name()
    }

    fn complete<'c>(&'c self, request: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
        Box::pin(self.ask(request))
    }
}
