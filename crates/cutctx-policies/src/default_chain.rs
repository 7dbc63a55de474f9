//! The chain that most applications want.

use crate::chain::{BoxedPolicy, PolicyChain};
use crate::drop_oldest::DropOldestPolicy;
use crate::exemptions::Exemptions;
use crate::masking::{DEFAULT_KEEP, ObservationMaskingPolicy};
use crate::summarizing::{DEFAULT_MIN_SPAN_TURNS, DEFAULT_TARGET_RATIO, SummarizingPolicy};
use crate::version::PolicyVersion;
use alloc::boxed::Box;
use alloc::sync::Arc;
use cutctx_types::InvalidValue;

/// Mask, then summarize, then drop, at version 2.0.0 and with all settings at their defaults.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// let policy = cutctx_policies::default_chain("my/prompt")?;
/// assert_eq!(policy.version(), "2.0.0");
/// # Ok::<(), cutctx_types::InvalidValue>(())
/// ```
///
/// # Errors
///
/// [`InvalidValue::Setting`] when the prompt's id is blank.
pub fn default_chain(prompt_id: impl Into<Arc<str>>) -> Result<PolicyChain, InvalidValue> {
    DefaultChainSettings::new(prompt_id).build()
}

/// The settings of the default chain, to be changed before it is built.
///
/// ```
/// use cutctx_policies::{DefaultChainSettings, PolicyVersion};
/// let mut settings = DefaultChainSettings::new("my/prompt");
/// settings.version = PolicyVersion::V1;
/// settings.keep_recent_results = 0;
/// let policy = settings.build()?;
/// # Ok::<(), cutctx_types::InvalidValue>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DefaultChainSettings {
    /// The version of the chain and of its members.
    pub version: PolicyVersion,
    /// The prompt for the application to use.
    pub prompt_id: Arc<str>,
    /// How many tool results at the end stay readable; two at first.
    pub keep_recent_results: u64,
    /// The share of a summary in what it replaces; a fifth at first.
    pub target_ratio: f64,
    /// How many turns a stretch must have to be summarized; four at first.
    pub min_span_turns: u64,
    /// What all three leave alone.
    pub exemptions: Exemptions,
}

impl DefaultChainSettings {
    /// The defaults, with a prompt for the application to use.
    #[must_use]
    pub fn new(prompt_id: impl Into<Arc<str>>) -> Self {
        Self {
            version: PolicyVersion::V2,
            prompt_id: prompt_id.into(),
            keep_recent_results: DEFAULT_KEEP,
            target_ratio: DEFAULT_TARGET_RATIO,
            min_span_turns: DEFAULT_MIN_SPAN_TURNS,
            exemptions: Exemptions::none(),
        }
    }

    /// The chain.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for the first setting that a member refuses.
    pub fn build(self) -> Result<PolicyChain, InvalidValue> {
        let masking = ObservationMaskingPolicy::at(self.version)
            .with_keep_recent_results(self.keep_recent_results)
            .with_exemptions(self.exemptions.clone())?;
        let summarizing = SummarizingPolicy::at(self.version, self.prompt_id)?
            .with_target_ratio(self.target_ratio)?
            .with_min_span_turns(self.min_span_turns)?
            .with_exemptions(self.exemptions.clone())?;
        let drop_oldest = DropOldestPolicy::at(self.version).with_exemptions(self.exemptions)?;
        let members: [BoxedPolicy; 3] = [Box::new(masking), Box::new(summarizing), Box::new(drop_oldest)];
        PolicyChain::at(self.version, members.into())
    }
}
