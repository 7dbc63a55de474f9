//! The policy that keeps a summary in a checkpoint, as the reference does it.

mod events;
mod facts;
mod projection;
mod run;
mod selection;
mod settings;
mod size;
mod stored;
mod verdict;

use alloc::sync::Arc;

use cutctx_messages::{DurableObject, check_context};

use crate::compaction::{ContextCompactor, ExtractiveCompactor};
use crate::policy::{ContextPolicy, RuntimeManagedContextPolicy, StepResult};
use crate::request::ContextRequest;
use crate::setting::SettingError;
use run::Run;

pub(crate) use events::PassFigures;
pub(crate) use stored::Stored;
pub(crate) use verdict::Asked;

pub use settings::{CheckpointCompactionSettings, SizeMode, SummaryPrefix};

/// Shows a summary of what is old and the rest as it is; the summary and how far it reaches are kept in a checkpoint.
///
/// It behaves as the reference does, faults included. In *count mode* it compacts what is older than the last turns of
/// the user, once there is enough of it; in *size mode* as much as a number of tokens wants. What a summary covers is
/// proven, and what it does not cover stays word for word.
///
/// A failed summary is a failed build, and in size mode so is a context that stays too large. The policy to use is
/// [`BudgetedContextPolicy`](crate::BudgetedContextPolicy).
#[derive(Debug, Clone)]
pub struct CheckpointCompactionContextPolicy {
    config: Arc<Config>,
}

/// What a policy was made with.
#[derive(Debug)]
struct Config {
    settings: CheckpointCompactionSettings,
    compactor: Arc<dyn ContextCompactor>,
}

impl CheckpointCompactionContextPolicy {
    /// A policy with this compactor.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn new(
        compactor: Arc<dyn ContextCompactor>,
        settings: CheckpointCompactionSettings,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Self { config: Arc::new(Config { settings, compactor }) })
    }

    /// A policy that needs no model.
    ///
    /// # Errors
    ///
    /// [`SettingError`]: the first setting that is refused.
    pub fn extracting(settings: CheckpointCompactionSettings) -> Result<Self, SettingError> {
        Self::new(Arc::new(ExtractiveCompactor::default()), settings)
    }

    /// What the policy was made with.
    #[must_use]
    pub fn settings(&self) -> &CheckpointCompactionSettings {
        &self.config.settings
    }
}

impl Default for CheckpointCompactionContextPolicy {
    /// Count mode as by default, without a model.
    fn default() -> Self {
        let (settings, compactor) =
            (CheckpointCompactionSettings::default(), Arc::new(ExtractiveCompactor::default()));
        Self { config: Arc::new(Config { settings, compactor }) }
    }
}

impl ContextPolicy for CheckpointCompactionContextPolicy {
    fn begin(&self, request: ContextRequest) -> StepResult {
        self.begin_with_checkpoint(request, None)
    }

    fn as_runtime_managed(&self) -> Option<&dyn RuntimeManagedContextPolicy> {
        Some(self)
    }
}

impl RuntimeManagedContextPolicy for CheckpointCompactionContextPolicy {
    fn begin_with_checkpoint(
        &self,
        request: ContextRequest,
        checkpoint: Option<&DurableObject>,
    ) -> StepResult {
        check_context(&request.messages)?;
        Run::begin(Arc::clone(&self.config), request, checkpoint)
    }
}
