//! A compactor that asks a model.

mod hierarchy;
pub(super) mod prompts;
mod single;

use alloc::sync::Arc;

use cutctx_context::{
    CompactionFacts, CompactionOutcome, CompactionRequest, CompactionStep, ContextCompactor, ModelRequest,
    Session, SettingError, SettingFault, default_compaction_prompt,
};
use cutctx_messages::{CleanText, DurableObject, Message, SpokenText, TextPart};
use cutctx_types::Role;

use super::asking::Asking;
use super::fault::Fault;
use super::payload::Asker;
use crate::retry::RetryPolicy;

/// How many characters a prompt may have where nobody says.
pub(super) const MAX_INPUT_CHARS: usize = 120_000;

/// How many calls one hierarchy may take where nobody says.
pub(super) const MAX_HIERARCHY_CALLS: u32 = 64;

/// Asks a model for a summary, as a machine without I/O: whoever drives it sends the requests.
///
/// A prompt that fits the limit shows all messages. Of more, it shows the longest prefix that fits and ends between
/// rounds; the rest waits for the next compaction. Where not even the first round fits, that round is read in
/// fragments, and their summaries are merged, level by level, within a limit of calls that is checked before the first
/// of them is paid.
///
/// Every attempt is told in the result or the failure, with what it cost.
///
/// ```
/// use cutctx_models::{Completion, ModelCompactor, SummaryModel, compact_with};
/// # use cutctx_context::{CompactionRequest, ModelRequest, Session};
/// # use cutctx_messages::{CleanText, Message, TextPart};
/// # use cutctx_models::{BoxFuture, FailedAttempt};
/// # use cutctx_types::Role;
/// # struct Short;
/// # impl SummaryModel for Short {
/// #     fn provider_name(&self) -> &str { "local" }
/// #     fn complete<'c>(&'c self, _: &'c ModelRequest) -> BoxFuture<'c, Result<Completion, FailedAttempt>> {
/// #         Box::pin(async { Ok(Completion::of("pole 7 is 4 m tall")) })
/// #     }
/// # }
/// let compactor = ModelCompactor::new(CleanText::new("local")?, CleanText::new("small-model")?);
/// let said = Message::new(Role::User, vec![TextPart::new("pole 7 is 4 m tall, I measured it")?.into()])?;
/// let request = CompactionRequest::new(Session::new("s1", "surveyor")?, vec![said]);
/// let result = cutctx_models::block_on(compact_with(&compactor, &request, &Short))?;
/// assert_eq!((&*result.summary, result.covered_message_count), ("pole 7 is 4 m tall", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModelCompactor {
    pub(super) provider: CleanText,
    pub(super) model: CleanText,
    pub(super) system_prompt: SpokenText,
    pub(super) options: DurableObject,
    pub(super) max_input_chars: Option<usize>,
    pub(super) max_hierarchy_calls: u32,
    pub(super) retry: RetryPolicy,
    pub(super) retry_empty_summaries: bool,
    /// Under which name attempts are told.
    pub(super) told_as: &'static str,
}

impl ModelCompactor {
    /// Asks this model of this provider.
    #[must_use]
    pub fn new(provider: CleanText, model: CleanText) -> Self {
        Self {
            provider,
            model,
            system_prompt: prompts::system(),
            options: DurableObject::empty(),
            max_input_chars: Some(MAX_INPUT_CHARS),
            max_hierarchy_calls: MAX_HIERARCHY_CALLS,
            retry: RetryPolicy::default(),
            retry_empty_summaries: false,
            told_as: "ModelCompactor",
        }
    }

    /// With another system prompt.
    #[must_use]
    pub fn with_system_prompt(mut self, system_prompt: SpokenText) -> Self {
        self.system_prompt = system_prompt;
        self
    }

    /// With options for the model.
    #[must_use]
    pub fn with_options(mut self, options: DurableObject) -> Self {
        self.options = options;
        self
    }

    /// With another limit of a prompt's characters, or none. The system prompt is not counted.
    ///
    /// # Errors
    ///
    /// [`SettingError`] below 1,000.
    pub fn with_max_input_chars(mut self, most: Option<usize>) -> Result<Self, SettingError> {
        if most.is_some_and(|most| most < 1000) {
            return Err(SettingFault::TooSmall { least: 1000 }.of("max_input_chars"));
        }
        self.max_input_chars = most;
        Ok(self)
    }

    /// With another limit of the calls of one hierarchy, repeated ones included; 64 without.
    ///
    /// # Errors
    ///
    /// [`SettingError`] below 2.
    pub fn with_max_hierarchy_calls(mut self, most: u32) -> Result<Self, SettingError> {
        if most < 2 {
            return Err(SettingFault::TooSmall { least: 2 }.of("max_hierarchy_calls"));
        }
        self.max_hierarchy_calls = most;
        Ok(self)
    }

    /// With another policy of when to ask again.
    #[must_use]
    pub const fn with_retry_policy(mut self, retry: RetryPolicy) -> Self {
        self.retry = retry;
        self
    }

    /// Asking again, or not, when the answer is blank although the provider calls it complete.
    #[must_use]
    pub const fn with_retry_empty_summaries(mut self, retries: bool) -> Self {
        self.retry_empty_summaries = retries;
        self
    }

    pub(super) fn asking(&self) -> Asking {
        let (provider, model) = (self.provider.shared().clone(), self.model.shared().clone());
        let asker = Asker { compactor: self.told_as, provider, model };
        Asking::new(Arc::new(asker), self.retry, self.retry_empty_summaries)
    }

    /// A request of one prompt.
    pub(super) fn request(&self, prompt: &SpokenText) -> ModelRequest {
        let say = |role, text: &SpokenText| {
            TextPart::new(text.shared().clone())
                .ok()
                .and_then(|text| Message::new(role, vec![text.into()]).ok())
        };
        let messages = [say(Role::System, &self.system_prompt), say(Role::User, prompt)];
        let messages: Vec<Message> = messages.into_iter().flatten().collect();
        ModelRequest::new(messages).with_model(self.model.clone()).with_options(self.options.clone())
    }
}

impl ContextCompactor for ModelCompactor {
    fn name(&self) -> &str {
        self.told_as
    }

    fn begin(&self, request: &CompactionRequest) -> CompactionStep {
        self.begin_with(request, self.asking(), Box::new(CompactionStep::Done))
    }

    fn bounded_input(&self, facts: &CompactionFacts<'_>) -> Option<bool> {
        let _ = facts;
        if self.max_input_chars.is_none() { Some(false) } else { None }
    }

    fn provider_budget_identity(&self, session: &Session) -> Option<(CleanText, CleanText)> {
        let _ = session;
        Some((self.provider.clone(), self.model.clone()))
    }
}

/// What goes on at the end of a compaction.
pub(super) type Finish = Box<dyn FnOnce(CompactionOutcome) -> CompactionStep + Send>;

impl ModelCompactor {
    /// As [`ContextCompactor::begin`], going on with what was asked before and ending in a way of the caller's.
    pub(super) fn begin_with(
        &self,
        request: &CompactionRequest,
        asking: Asking,
        finish: Finish,
    ) -> CompactionStep {
        match default_compaction_prompt(request) {
            Err(_) => finish(Err(Fault::Nothing.into_failure(asking.payloads))),
            Ok(prompt) => single::begin(self, request, &prompt, asking, finish),
        }
    }
}
