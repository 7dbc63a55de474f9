//! What a provider counts for the session, where it is asked.

use crate::arguments::{CounterChoice, CountingProvider, ProviderCountArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keys::key_for;
use crate::loaded::Loaded;
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use cutctx::formats::Session;
use cutctx::formats::convert::{LossKind, Target};
use cutctx::models::http::{CountApi, HttpCounter, UreqTransport};
use cutctx::models::{RetryPolicy, block_on};
use serde::Serialize;
use serde_json::{Map, Value};

/// Attempts in all: somebody waits for the answer.
const ATTEMPTS: u32 = 3;

/// What a provider counts.
#[derive(Debug, Serialize)]
pub(super) struct ProviderCount {
    provider: &'static str,
    model: String,
    pub(super) tokens: u64,
    /// What of the session was not in the request, and how often.
    left_out: BTreeMap<&'static str, usize>,
    #[serde(skip)]
    pub(super) says: Vec<String>,
}

impl ProviderCount {
    /// Who counts for which model.
    pub(super) fn who(&self) -> String {
        format!("{} for {}", self.provider, self.model)
    }
}

/// Asks the provider, where the command line names one.
pub(super) fn provider_count(
    arguments: &ProviderCountArguments,
    loaded: &Loaded,
) -> Result<Option<ProviderCount>, Failure> {
    let Some(CounterChoice { provider, model }) = &arguments.count_with else { return Ok(None) };
    let (api, target) = spoken_by(*provider);
    let counter = counter(api, model, arguments)?;
    let in_file = |failure: Failure| failure.file(loaded.input().path());
    let asked = Asked::of(loaded.session(), target).map_err(in_file)?;
    let tokens = block_on(counter.count_request(&asked.request))
        .map_err(|failed| in_file(Failure::of(&failed.error, Exit::Refused)))?;
    Ok(Some(ProviderCount {
        provider: api.provider_name(),
        model: model.clone(),
        tokens,
        left_out: asked.left_out.iter().map(|(kind, count)| (kind.as_str(), *count)).collect(),
        says: asked.left_out.iter().map(|(kind, count)| format!("{count} x {}", kind.says())).collect(),
    }))
}

const fn spoken_by(provider: CountingProvider) -> (CountApi, Target) {
    match provider {
        CountingProvider::Anthropic => (CountApi::AnthropicMessages, Target::AnthropicMessages),
        CountingProvider::OpenAi => (CountApi::OpenAiResponses, Target::OpenAiResponses),
        CountingProvider::Google => (CountApi::GeminiContents, Target::GeminiContents),
    }
}

fn counter(api: CountApi, model: &str, arguments: &ProviderCountArguments) -> Result<HttpCounter, Failure> {
    let url = arguments.url.as_deref();
    let key = key_for(url, arguments.key.as_deref(), api.key_variable())?;
    let mut counter = HttpCounter::new(api, model, Arc::new(UreqTransport::new()))
        .with_retry_policy(RetryPolicy::default().with_attempts(ATTEMPTS));
    if let Some(url) = url {
        counter = counter.with_base_url(url);
    }
    Ok(match key {
        Some(key) => counter.with_key(key),
        None => counter,
    })
}

/// The request that is counted.
struct Asked {
    request: String,
    left_out: BTreeMap<LossKind, usize>,
}

impl Asked {
    /// The session itself where it is a request to this provider, with its tools; else what it converts to.
    fn of(session: &Session, target: Target) -> Result<Self, Failure> {
        if is_request(session, target) {
            return Ok(Self { request: session.text().to_owned(), left_out: BTreeMap::new() });
        }
        let converted = session.convert(target).map_err(|error| Failure::of(&error, Exit::Refused))?;
        let mut left_out: BTreeMap<LossKind, usize> = BTreeMap::new();
        for loss in converted.losses.iter().filter(|loss| has_size(loss.kind)) {
            let count = left_out.entry(loss.kind).or_default();
            *count = count.saturating_add(loss.count);
        }
        Ok(Self { request: converted.text, left_out })
    }
}

fn is_request(session: &Session, target: Target) -> bool {
    let said = match target {
        Target::OpenAiResponses => "input",
        Target::GeminiContents => "contents",
        Target::OpenAiChat | Target::AnthropicMessages | Target::BedrockConverse | _ => "messages",
    };
    let members = || serde_json::from_str::<Map<String, Value>>(session.text());
    session.format().name() == target.name()
        && !session.is_abridged()
        && session.conversations() <= 1
        && members().is_ok_and(|members| members.contains_key(said))
}

/// Whether a loss takes tokens out of the request. Others only move or respell something.
const fn has_size(kind: LossKind) -> bool {
    matches!(
        kind,
        LossKind::Reasoning
            | LossKind::SignedReasoning
            | LossKind::ServerCall
            | LossKind::ServerResult
            | LossKind::Media
            | LossKind::OtherBlock
            | LossKind::OrphanResult
            | LossKind::FurtherResult
    )
}
