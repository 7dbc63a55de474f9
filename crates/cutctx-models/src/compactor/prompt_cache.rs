//! A compactor that asks where the provider has the conversation cached.

mod exact;
mod options;

use alloc::sync::Arc;
use core::fmt;

use cutctx_context::{
    CompactionFacts, CompactionRequest, CompactionStep, ContextCompactor, Label, ModelRequest, Session,
    TranscriptDigestCompactor,
};
use cutctx_messages::{CleanText, DurableObject, DurableValue, Message, SpokenText};

use super::fault::Fault;
use super::model::{MAX_HIERARCHY_CALLS, MAX_INPUT_CHARS, ModelCompactor, prompts};
use crate::retry::RetryPolicy;

/// The tool that stands in for a form of answer where a provider knows none.
const FORM_TOOL: &str = "__cutctx_submit_structured_output";

const INSTRUCTION: &str = "Stop here and summarize the whole conversation above so that work can go on from the summary alone. Keep what was asked and decided, the names of files, results of tools, errors, numbers, and what is still to be done. Add nothing that isn't there, be brief and still concrete, write only the summary, and call no tools.";

/// Builds the request that was sent last, of these messages, with the tools and options that it had.
///
/// A provider's cache is reached only by a request that begins as an earlier one did, byte by byte in what it renders
/// to: the application knows what it sent.
pub trait CachePrefixBuilder: fmt::Debug + Send + Sync {
    /// The request, or `None` when it cannot be built any more.
    fn build(&self, messages: &[Message]) -> Option<ModelRequest>;
}

/// Asks for the summary at the end of the conversation itself, while the provider still has it cached: the input then
/// costs a tenth.
///
/// That works once, for the first compaction of a session with the provider and model that the session has. In all
/// other cases it reads bounded input, as a [`ModelCompactor`] does; and where nothing is known of what was sent last,
/// another compactor does it all. A first attempt that runs into a tool call or past the window is followed by one bounded
/// attempt; both are told.
///
/// The caller's additional instructions do not reach the exact attempt.
#[derive(Debug, Clone)]
pub struct PromptCacheCompactor {
    provider: CleanText,
    model: Option<CleanText>,
    instruction: SpokenText,
    options: DurableObject,
    agent_options: DurableObject,
    fallback: Arc<dyn ContextCompactor>,
    prefix: Option<Arc<dyn CachePrefixBuilder>>,
    retry: RetryPolicy,
}

impl PromptCacheCompactor {
    /// Asks this provider, with the session's model.
    #[must_use]
    pub fn new(provider: CleanText) -> Self {
        Self {
            provider,
            model: None,
            instruction: prompts::spoken(INSTRUCTION),
            options: DurableObject::empty(),
            agent_options: DurableObject::empty(),
            fallback: Arc::new(TranscriptDigestCompactor::default()),
            prefix: None,
            retry: RetryPolicy::default(),
        }
    }

    /// With another model than the session's, which has nothing cached.
    #[must_use]
    pub fn with_model(mut self, model: CleanText) -> Self {
        self.model = Some(model);
        self
    }

    /// With another instruction at the end of the conversation.
    #[must_use]
    pub fn with_instruction(mut self, instruction: SpokenText) -> Self {
        self.instruction = instruction;
        self
    }

    /// With options that win over those of the request.
    #[must_use]
    pub fn with_options(mut self, options: DurableObject) -> Self {
        self.options = options;
        self
    }

    /// With the options that the agent gives its provider, for bounded requests.
    #[must_use]
    pub fn with_agent_options(mut self, options: DurableObject) -> Self {
        self.agent_options = options;
        self
    }

    /// With another compactor for when nothing is known of what was sent last.
    #[must_use]
    pub fn with_fallback(mut self, fallback: Arc<dyn ContextCompactor>) -> Self {
        self.fallback = fallback;
        self
    }

    /// With what builds the request that was sent last. Without it nothing cached is ever reached.
    #[must_use]
    pub fn with_prefix_builder(mut self, builder: Arc<dyn CachePrefixBuilder>) -> Self {
        self.prefix = Some(builder);
        self
    }

    /// With another policy of when to ask again.
    #[must_use]
    pub const fn with_retry_policy(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }
}

/// Which way a compaction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// At the end of what is cached.
    Exact,
    /// With bounded input.
    Bounded,
    /// By the other compactor.
    Fallback,
}

impl PromptCacheCompactor {
    /// The way, as far as it is known before anything is built.
    fn way(&self, facts: &CompactionFacts<'_>) -> Way {
        let (session, usage) = (facts.session, facts.usage);
        let differs = |known: &Option<CleanText>, ours: Option<&CleanText>| {
            known.as_ref().is_some_and(|known| Some(known) != ours)
        };
        let is_bounded = facts.has_existing_summary
            || facts.was_exhausted
            || facts.force_bounded_compaction
            || facts.has_structured_output_instruction
            || facts.has_peer_content
            || differs(&self.model, session.model.as_ref())
            || session.provider_name.as_ref() != Some(&self.provider)
            || differs(&usage.last_provider_name, Some(&self.provider))
            || differs(&usage.last_requested_model, session.model.as_ref());
        let is_cached = usage.last_provider_name.as_ref() == Some(&self.provider)
            && usage.last_requested_model.is_some()
            && self.prefix.is_some();
        match (is_bounded, is_cached) {
            (true, _) => Way::Bounded,
            (false, true) => Way::Exact,
            (false, false) => Way::Fallback,
        }
    }

    /// Whether the other compactor will do it, once it is known whether what was sent last can be had.
    fn falls_back(&self, facts: &CompactionFacts<'_>) -> bool {
        match self.way(facts) {
            Way::Fallback => true,
            Way::Exact => !facts.has_cache_prefix,
            Way::Bounded => false,
        }
    }

    /// The compactor for bounded input.
    fn bounded(&self, model: CleanText) -> ModelCompactor {
        ModelCompactor {
            provider: self.provider.clone(),
            model,
            system_prompt: self.instruction.clone(),
            options: options::bounded(&self.agent_options, &self.options),
            max_input_chars: Some(MAX_INPUT_CHARS),
            max_hierarchy_calls: MAX_HIERARCHY_CALLS,
            retry: self.retry,
            retry_empty_summaries: false,
            told_as: "PromptCacheCompactor",
        }
    }

    /// The request that was sent last, where the same model can be asked again.
    fn cached(&self, request: &CompactionRequest) -> Option<ModelRequest> {
        self.prefix.as_ref()?.build(request.cache_prefix.as_ref()?)
    }

    fn can_be_exact(&self, request: &CompactionRequest, cached: &ModelRequest) -> bool {
        let session_model = request.session.model.as_ref();
        let is_same = |model: &Option<CleanText>| model.is_none() || model.as_ref() == session_model;
        let is_form = |tool: &DurableObject| {
            tool.get("name").and_then(DurableValue::as_text).is_some_and(|name| **name == *FORM_TOOL)
        };
        is_same(&cached.model) && is_same(&self.model) && !cached.tools.iter().any(is_form)
    }
}

impl ContextCompactor for PromptCacheCompactor {
    fn name(&self) -> &'static str {
        "PromptCacheCompactor"
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        let session = &request.session;
        let is_at_home = session.provider_name.as_ref() == Some(&self.provider);
        let own =
            if is_at_home { self.model.as_ref().or(session.model.as_ref()) } else { self.model.as_ref() };
        let Some(model) = own.cloned() else {
            return CompactionStep::Done(Err(Fault::ModelUnknown.into_failure(Vec::new())));
        };
        let bounded = self.bounded(model);
        if request.existing_summary.is_some() || request.force_bounded_compaction || !is_at_home {
            return bounded.begin(request);
        }
        match self.cached(request) {
            Some(cached) if self.can_be_exact(request, &cached) => {
                exact::begin(self.exact_request(&cached), bounded, request)
            }
            Some(_) => bounded.begin(request),
            None if self.model.is_some() && self.model != session.model => bounded.begin(request),
            None => self.fallback.begin(request),
        }
    }

    fn progress_key(&self, facts: &CompactionFacts<'_>) -> Option<Label> {
        if self.falls_back(facts) { self.fallback.progress_key(facts) } else { None }
    }

    fn bounded_input(&self, facts: &CompactionFacts<'_>) -> Option<bool> {
        match self.way(facts) {
            Way::Exact if facts.has_cache_prefix => Some(false),
            Way::Bounded => Some(true),
            Way::Exact | Way::Fallback => self.fallback.bounded_input(facts),
        }
    }

    fn wants_cache_prefix(&self, facts: &CompactionFacts<'_>) -> bool {
        self.way(facts) == Way::Exact
    }

    fn provider_budget_identity(&self, session: &Session) -> Option<(CleanText, CleanText)> {
        let is_at_home = session.provider_name.as_ref() == Some(&self.provider);
        let model = self.model.clone().or_else(|| session.model.clone().filter(|_| is_at_home))?;
        Some((self.provider.clone(), model))
    }
}

impl PromptCacheCompactor {
    /// The request that was sent last, with the instruction at its end.
    fn exact_request(&self, cached: &ModelRequest) -> ModelRequest {
        let mut request = cached.clone();
        let instruction = exact::instruction(&self.instruction);
        request.messages = cached.messages.iter().cloned().chain(instruction).collect();
        request.options = options::exact(&cached.options, &self.options);
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instruction_is_as_long_as_the_vectors_count_on() {
        assert_eq!(INSTRUCTION.chars().count(), 319);
    }
}
