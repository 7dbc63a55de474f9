//! Replacing old stretches by summaries.

mod settings;
mod spans;
mod target;
mod v1;
mod v2;

pub(crate) use settings::prompt_id as checked_prompt_id;
pub(crate) use v2::SpanIds;

use crate::exemptions::Exemptions;
use crate::version::PolicyVersion;
use alloc::borrow::Cow;
use alloc::sync::Arc;
use cutctx_invariants::{BudgetUnsatisfiable, CompactionPolicy, PolicyError, Survey};
use cutctx_types::{InvalidValue, PlanDraft};

/// How long a summary may be, as a share of what it replaces, unless told otherwise.
pub(crate) const DEFAULT_TARGET_RATIO: f64 = 0.2;

/// How many turns a stretch must have to be worth a summary, unless told otherwise.
pub(crate) const DEFAULT_MIN_SPAN_TURNS: u64 = 4;

/// Asks for summaries of old stretches of turns. It calls no model: the plan carries requests, the
/// application fulfils them, and applying the plan puts the summaries in.
///
/// ```
/// use cutctx_invariants::CompactionPolicy;
/// use cutctx_policies::SummarizingPolicy;
/// use cutctx_types::{CompactionBudget, Role, Transcript, TranscriptTurn};
///
/// let turn = |id: &str| TranscriptTurn::new(id, Role::User, "a long story", 100);
/// let transcript = Transcript::new(vec![turn("a")?, turn("b")?, turn("c")?])?;
/// let budget = CompactionBudget::new(200).with_protected_recent_turns(1);
/// let policy = SummarizingPolicy::new("my/prompt")?.with_min_span_turns(2)?;
/// let plan = policy.decide(&transcript, &budget)?;
/// assert_eq!(plan.summarization_requests()[0].target_tokens(), 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SummarizingPolicy {
    version: PolicyVersion,
    prompt_id: Arc<str>,
    target_ratio: f64,
    min_span_turns: u64,
    exemptions: Exemptions,
}

impl SummarizingPolicy {
    /// The policy at version 2.0.0, with a prompt for the application to use, a target of a fifth, and
    /// stretches of four turns or more.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when the prompt's id is blank.
    pub fn new(prompt_id: impl Into<Arc<str>>) -> Result<Self, InvalidValue> {
        Self::at(PolicyVersion::V2, prompt_id)
    }

    /// The policy at version 1.0.0, with the same settings.
    ///
    /// # Errors
    ///
    /// As [`SummarizingPolicy::new`].
    pub fn v1(prompt_id: impl Into<Arc<str>>) -> Result<Self, InvalidValue> {
        Self::at(PolicyVersion::V1, prompt_id)
    }

    /// The policy at a version, with the same settings.
    ///
    /// # Errors
    ///
    /// As [`SummarizingPolicy::new`].
    pub fn at(version: PolicyVersion, prompt_id: impl Into<Arc<str>>) -> Result<Self, InvalidValue> {
        Ok(Self {
            version,
            prompt_id: settings::prompt_id(prompt_id.into())?,
            target_ratio: DEFAULT_TARGET_RATIO,
            min_span_turns: DEFAULT_MIN_SPAN_TURNS,
            exemptions: Exemptions::none(),
        })
    }

    /// The policy aiming at summaries of this share of what they replace.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] unless the share is finite and above zero.
    pub fn with_target_ratio(mut self, target_ratio: f64) -> Result<Self, InvalidValue> {
        self.target_ratio = settings::target_ratio(target_ratio)?;
        Ok(self)
    }

    /// The policy summarizing stretches of at least this many turns.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] when that is none.
    pub fn with_min_span_turns(mut self, turns: u64) -> Result<Self, InvalidValue> {
        self.min_span_turns = settings::min_span_turns(turns)?;
        Ok(self)
    }

    /// The policy leaving some exchanges alone.
    ///
    /// # Errors
    ///
    /// [`InvalidValue::Setting`] at version 1.0.0, which knows no exemptions.
    pub fn with_exemptions(mut self, exemptions: Exemptions) -> Result<Self, InvalidValue> {
        self.exemptions = exemptions.at(self.version)?;
        Ok(self)
    }
}

impl CompactionPolicy for SummarizingPolicy {
    fn name(&self) -> Cow<'_, str> {
        Cow::Borrowed("summarizing")
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

    fn admit(&self, survey: &Survey<'_>) -> Result<(), BudgetUnsatisfiable> {
        self.version.admit(self, survey)
    }
}
