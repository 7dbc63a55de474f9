//! One policy until the context is large, another from then on.

mod marker;
mod ratio;

use alloc::boxed::Box;
use alloc::sync::Arc;

use cutctx_messages::DurableObject;

use super::{
    BuildFault, ContextBuildError, ContextBuildResult, ContextPolicy, DefaultContextPolicy, PendingCount,
    RuntimeManagedContextPolicy, Step, StepResult, and_then, begin_context,
};
use crate::estimate::{ContextPressureEstimate, ContextUsageState};
use crate::measure::pressure;
use crate::request::ContextRequest;
use crate::resume::Resume;
use crate::setting::{SettingError, SettingFault, positive_tokens};

/// Uses a base policy until usage or an estimate reaches a threshold, and another policy from then on.
///
/// That it was reached is kept in the checkpoint. All policies of this kind share one key in it, as in the reference.
#[derive(Debug, Clone)]
pub struct UsageTriggeredContextPolicy {
    config: Arc<Config>,
}

/// The thresholds, in tokens, and what is done at them.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "made with the rest taken from the default")]
pub struct UsageTriggeredSettings {
    /// The input that the provider reported last.
    pub min_input_tokens: Option<u64>,
    /// Input and output that the provider reported last.
    pub min_total_tokens: Option<u64>,
    /// The window that the next request is estimated to take.
    pub trigger_estimated_context_tokens: Option<u64>,
    /// What is kept free for the answer.
    pub reserved_output_tokens: u64,
    /// Whether the provider is asked to count when the estimate is near the threshold.
    pub verify_estimate_with_provider_count: bool,
    /// How near: from this part of the threshold on, above 0 and at most 1.
    pub provider_count_threshold_ratio: f64,
    /// Ask, too, when so much was estimated on top of what the provider counted.
    pub provider_count_min_delta_tokens: Option<u64>,
    /// Whether the other policy stays once a threshold was reached.
    pub sticky: bool,
}

impl Default for UsageTriggeredSettings {
    /// No threshold; sticky; no counting, and from nine tenths of the threshold on where there is any.
    fn default() -> Self {
        Self {
            min_input_tokens: None,
            min_total_tokens: None,
            trigger_estimated_context_tokens: None,
            reserved_output_tokens: 0,
            verify_estimate_with_provider_count: false,
            provider_count_threshold_ratio: 0.9,
            provider_count_min_delta_tokens: None,
            sticky: true,
        }
    }
}

impl UsageTriggeredSettings {
    fn check(&self, base: &dyn ContextPolicy) -> Result<(), SettingError> {
        let estimated = "trigger_estimated_context_tokens";
        positive_tokens("min_input_tokens", self.min_input_tokens)?;
        positive_tokens("min_total_tokens", self.min_total_tokens)?;
        positive_tokens(estimated, self.trigger_estimated_context_tokens)?;
        positive_tokens("provider_count_min_delta_tokens", self.provider_count_min_delta_tokens)?;
        let ratio = self.provider_count_threshold_ratio;
        if !(ratio > 0.0 && ratio <= 1.0) {
            return Err(SettingFault::RatioRange.of("provider_count_threshold_ratio"));
        }
        let actual = self.min_input_tokens.or(self.min_total_tokens);
        if actual.or(self.trigger_estimated_context_tokens).is_none() {
            return Err(SettingFault::NoThreshold.of("min_input_tokens"));
        }
        if self.trigger_estimated_context_tokens.is_some() && base.as_runtime_managed().is_some() {
            return Err(SettingFault::ManagedBase.of("base_policy"));
        }
        Ok(())
    }

    /// Whether what the provider reported reaches a threshold.
    fn is_reached_by(&self, usage: &ContextUsageState) -> bool {
        let reached = |least: Option<u64>, last: Option<u64>| {
            least.zip(last).is_some_and(|(least, last)| last >= least)
        };
        reached(self.min_input_tokens, usage.last_input_tokens)
            || reached(self.min_total_tokens, usage.last_total_tokens)
    }

    /// Whether the provider is to count before an estimate decides.
    fn wants_count(&self, trigger: u64, estimate: &ContextPressureEstimate) -> bool {
        let near = ratio::ceiling(trigger, self.provider_count_threshold_ratio);
        let grown = self.provider_count_min_delta_tokens;
        self.verify_estimate_with_provider_count
            && (estimate.estimated_context_window_tokens >= near
                || grown.is_some_and(|least| estimate.estimated_delta_input_tokens >= least))
    }
}

#[derive(Debug)]
struct Config {
    base: Arc<dyn ContextPolicy>,
    triggered: Arc<dyn ContextPolicy>,
    settings: UsageTriggeredSettings,
}

impl UsageTriggeredContextPolicy {
    /// This policy beyond the thresholds, and [`DefaultContextPolicy`] before.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn new(
        triggered: Arc<dyn ContextPolicy>,
        settings: UsageTriggeredSettings,
    ) -> Result<Self, SettingError> {
        Self::with_base(Arc::new(DefaultContextPolicy::default()), triggered, settings)
    }

    /// This policy beyond the thresholds, and that one before. With a threshold for an estimate the base is tried first,
    /// so that it must keep no checkpoint.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn with_base(
        base: Arc<dyn ContextPolicy>,
        triggered: Arc<dyn ContextPolicy>,
        settings: UsageTriggeredSettings,
    ) -> Result<Self, SettingError> {
        settings.check(&*base)?;
        Ok(Self { config: Arc::new(Config { base, triggered, settings }) })
    }
}

impl ContextPolicy for UsageTriggeredContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        self.begin_with_checkpoint(request, None)
    }

    fn as_runtime_managed(&self) -> Option<&dyn RuntimeManagedContextPolicy> {
        Some(self)
    }
}

impl RuntimeManagedContextPolicy for UsageTriggeredContextPolicy {
    fn begin_with_checkpoint(
        &self,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult {
        let state = checkpoint.cloned().unwrap_or_default();
        let previous = marker::previous(&state);
        let build = Build { config: Arc::clone(&self.config), request, state, previous };
        let already = self.config.settings.sticky && build.previous.is_some();
        if already || self.config.settings.is_reached_by(&build.request.context_usage) {
            return build.triggered();
        }
        match self.config.settings.trigger_estimated_context_tokens {
            Some(trigger) => build.tried(trigger),
            None => begin_context(&*self.config.base, build.request, Some(&build.state)),
        }
    }
}

/// One build.
#[derive(Debug)]
struct Build {
    config: Arc<Config>,
    request: ContextRequest,
    state: DurableObject,
    previous: Option<DurableObject>,
}

impl Build {
    /// Tries the base policy, and decides by what it shows.
    fn tried(self, trigger: u64) -> StepResult {
        let tried = self.config.base.begin(self.request.clone());
        and_then(tried, move |base| self.estimated(trigger, base))
    }

    fn estimated(self, trigger: u64, base: ContextBuildResult) -> StepResult {
        let settings = &self.config.settings;
        let estimate = pressure(&self.request, &base.messages, settings.reserved_output_tokens)?;
        if !self.request.can_count_input_tokens || !settings.wants_count(trigger, &estimate) {
            return self.decided(trigger, base, estimate);
        }
        let messages = match &self.request.place_runtime_context {
            Some(runtime) => runtime.place(&base.messages).into(),
            None => Arc::clone(&base.messages),
        };
        let resume = Resume::new(move |count| self.counted(trigger, base, estimate, count));
        Ok(Step::Count(PendingCount { messages, resume }))
    }

    fn counted(
        self,
        trigger: u64,
        base: ContextBuildResult,
        estimate: ContextPressureEstimate,
        count: Option<i64>,
    ) -> StepResult {
        let Some(count) = count else { return self.decided(trigger, base, estimate) };
        match u64::try_from(count) {
            Ok(count) => self.decided(trigger, base, estimate.counted(count)),
            Err(_) => Err(ContextBuildError::new(BuildFault::NegativeCount)),
        }
    }

    fn decided(
        mut self,
        trigger: u64,
        base: ContextBuildResult,
        estimate: ContextPressureEstimate,
    ) -> StepResult {
        let reached = estimate.window_tokens() >= trigger;
        self.request.context_usage.input_pressure = Some(estimate);
        if reached { self.triggered() } else { Ok(Step::Done(Box::new(base))) }
    }

    /// Builds with the other policy, and remembers that.
    fn triggered(self) -> StepResult {
        let begun = begin_context(&*self.config.triggered, self.request.clone(), Some(&self.state));
        and_then(begun, move |result| Ok(Step::Done(Box::new(self.remembered(result)?))))
    }

    fn remembered(self, mut result: ContextBuildResult) -> Result<ContextBuildResult, ContextBuildError> {
        let unchanged = result.checkpoint.is_none()
            && (result.checkpoint_event_payload.is_some() || self.previous.is_some());
        if !self.config.settings.sticky || unchanged {
            return Ok(result);
        }
        let is_new = self.previous.is_none();
        let figures = marker::figures(&self.config.settings, &self.request.context_usage);
        let marker = self.previous.unwrap_or_else(|| marker::marker(&figures));
        let state = result.checkpoint.take().unwrap_or(self.state);
        result.checkpoint = Some(marker::put_into(&state, marker)?);
        if is_new && result.checkpoint_event_payload.is_none() {
            result.checkpoint_event_payload = Some(marker::event(&figures));
        }
        Ok(result)
    }
}
