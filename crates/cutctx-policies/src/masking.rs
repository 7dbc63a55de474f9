//! Masking what tools observed.

mod estimator;
mod settings;
mod stub;
mod v1;
mod v2;

pub(crate) use estimator::Estimator;
pub use stub::{MaskStub, StubForm};

use crate::exemptions::Exemptions;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use core::fmt;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, LockedCosts, PolicyError, Survey};
use cutctx_types::{InvalidValue, PlanDraft, TokenEstimator};
use stub::Stubs;

/// How many tool results at the end stay readable unless told otherwise.
pub(crate) const DEFAULT_KEEP: u64 = 2;

/// What a stub begins with unless told otherwise.
const DEFAULT_PLACEHOLDER: &str = "[tool result masked by cutctx]";

/// Replaces tool results, oldest first, by short stubs that hold the digest of what was there.
///
/// The newest results stay readable (two unless told otherwise), and a stub that is no cheaper than
/// its result is not used. A result may be masked even where its exchange can be neither dropped nor
/// summarized.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::ObservationMaskingPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let log = "line\n".repeat(800);
/// let turns = vec![TranscriptTurn::new("t", Role::Tool, log, 1000)?.with_tool_call_id("c")];
/// let budget = CompactionBudget::new(100).with_protected_recent_turns(0);
/// let policy = ObservationMaskingPolicy::new().with_keep_recent_results(0);
/// let plan = policy.decide(&Transcript::new(turns)?, &budget)?;
/// assert_eq!(plan.tokens_after_estimate(), 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ObservationMaskingPolicy {
    version: PolicyVersion,
    keep_recent_results: u64,
    placeholder: Arc<str>,
    stub: StubForm,
    estimator: Estimator,
    exemptions: Exemptions,
}

impl ObservationMaskingPolicy {
    /// The policy at version 2.0.0, with two results kept, the usual placeholder and four characters a
    /// token.
    #[must_use]
    pub fn new() -> Self {
        Self::at(PolicyVersion::V2)
    }

    /// The policy at version 1.0.0, with the same settings.
    #[must_use]
    pub fn v1() -> Self {
        Self::at(PolicyVersion::V1)
    }

    /// The policy at a version, with the same settings.
    #[must_use]
    pub fn at(version: PolicyVersion) -> Self {
        Self {
            version,
            keep_recent_results: DEFAULT_KEEP,
            placeholder: Arc::from(DEFAULT_PLACEHOLDER),
            stub: StubForm::Full,
            estimator: Estimator::Own,
            exemptions: Exemptions::none(),
        }
    }

    /// The policy keeping this many of the last tool results readable.
    #[must_use]
    pub const fn with_keep_recent_results(mut self, results: u64) -> Self {
        self.keep_recent_results = results;
        self
    }

    /// The policy with another beginning for its stubs.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when it is blank; at version 2.0.0 also when it is longer than 256
    /// characters or breaks the line, because a stub must be recognised again.
    pub fn with_placeholder(mut self, placeholder: impl Into<Arc<str>>) -> Result<Self, InvalidValue> {
        let placeholder = settings::placeholder(placeholder.into(), self.version)?;
        if self.stub == StubForm::Short && *placeholder != *DEFAULT_PLACEHOLDER {
            let value = Some("short".into());
            return Err(InvalidValue::Setting { setting: "stub", value, reason: "has no placeholder" });
        }
        self.placeholder = placeholder;
        Ok(self)
    }

    /// The policy with full stubs, which is the default, or short ones. A short stub has no placeholder.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] for short ones at version 1.0.0, which knows none, and beside a placeholder of one's
    /// own.
    pub fn with_stub(mut self, stub: StubForm) -> Result<Self, InvalidValue> {
        let refused = |reason| InvalidValue::Setting { setting: "stub", value: Some("short".into()), reason };
        if stub == StubForm::Short && self.version == PolicyVersion::V1 {
            return Err(refused("needs version 2.0.0"));
        }
        if stub == StubForm::Short && *self.placeholder != *DEFAULT_PLACEHOLDER {
            return Err(refused("has no placeholder"));
        }
        self.stub = stub;
        Ok(self)
    }

    /// The policy measuring its stubs with this estimator.
    ///
    /// At version 1.0.0 a plan then records no ratio, whichever estimator it is.
    #[must_use]
    pub fn with_estimator(self, estimator: Arc<dyn TokenEstimator>) -> Self {
        self.measured_by(Estimator::Injected(estimator))
    }

    pub(crate) fn measured_by(mut self, estimator: Estimator) -> Self {
        self.estimator = estimator;
        self
    }

    /// The policy leaving some results alone.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] at version 1.0.0, which knows no exemptions.
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Result<Self, InvalidValue> {
        self.exemptions = exemptions.at(self.version)?;
        Ok(self)
    }
}

impl Default for ObservationMaskingPolicy {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ObservationMaskingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ObservationMaskingPolicy")
            .field("version", &self.version)
            .field("keep_recent_results", &self.keep_recent_results)
            .field("placeholder", &self.placeholder)
            .field("stub", &self.stub)
            .field("estimator", &self.estimator)
            .field("exemptions", &self.exemptions)
            .finish()
    }
}

impl CompactionPolicy for ObservationMaskingPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("observation_masking")
    }

    fn version(&self) -> &str {
        self.version.as_str()
    }

    fn propose(&self, survey: &Survey<'_>) -> Result<PlanDraft, PolicyError> {
        match self.version {
            PolicyVersion::V1 => v1::propose(self, survey),
            PolicyVersion::V2 => v2::propose(self, survey),
        }
    }

    /// A locked result costs what its stub costs, where this policy would mask it.
    fn lower_locked(&self, survey: &Survey<'_>, costs: &mut LockedCosts) {
        let maskable = match self.version {
            PolicyVersion::V1 => v1::maskable(self, survey),
            PolicyVersion::V2 => v2::maskable(self, survey),
        };
        let mut stubs = Stubs::of(self);
        costs.lower(|position| {
            maskable.binary_search(&position).ok()?;
            stubs.cost_of(survey.original(position)?)
        });
    }

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.version.admit(self, survey)
    }
}
