//! The policy of a command line, and one step of it.

use super::Arguments;
use crate::arguments::{ChosenSession, PolicyArguments, SummarizerChoice};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::summaries::Metered;
use alloc::sync::Arc;
use cutctx::context::{
    BudgetedContextPolicy, BudgetedContextSettings, ContextBuildError, ContextCompactor, ExtractiveCompactor,
    Session, SettingError, TurnContextRequest, TurnContextResult, TurnUsage,
};
use cutctx::messages::{CleanText, DurableObject, MessageEstimator};
use cutctx::models::{ContextDriver, ModelCompactor, SummaryModel};
use cutctx::{CompactionPolicy, PolicySpec, Role};

/// A policy, and what its step is about.
pub(super) struct Instance {
    policy: BudgetedContextPolicy,
    request: TurnContextRequest,
    pub(super) settings: BudgetedContextSettings,
    /// What the provider counted last, where the session tells.
    pub(super) usage: Option<TurnUsage>,
}

impl Instance {
    pub(super) fn of(
        arguments: &Arguments,
        chosen: &ChosenSession,
        loaded: &Loaded,
        model: Option<&Metered>,
    ) -> Result<Self, Failure> {
        let settings = arguments.window.settings()?;
        let policy = policy(arguments, loaded, settings.clone(), model)?;
        let usage = newest_usage(loaded).filter(|_| !chosen.counting.ignores_counts);
        let overhead = arguments.window.overhead(loaded)?;
        let mut request = TurnContextRequest::new(session(loaded)?, loaded.transcript().clone())
            .with_overhead_tokens(overhead);
        request.force_compaction = arguments.window.compact_now;
        request.force_bounded_compaction = arguments.window.overflowed;
        if let Some(usage) = usage {
            request = request.with_usage(usage);
        }
        Ok(Self { policy, request, settings, usage })
    }

    /// Takes the step.
    pub(super) fn step(
        &self,
        since: Since<'_>,
        model: Option<&Metered>,
    ) -> Result<TurnContextResult, ContextBuildError> {
        let mut request = self.request.clone();
        let checkpoint = match since {
            Since::Nothing => None,
            Since::Checkpoint(checkpoint) => Some(checkpoint),
            Since::Unknown => {
                request.usage = None;
                None
            }
        };
        driver(model).build_over_turns_blocking(&self.policy, request, checkpoint)
    }
}

/// What a step goes on from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Since<'c> {
    /// It is the first.
    Nothing,
    /// What was remembered.
    Checkpoint(&'c DurableObject),
    /// What was remembered is of no use: what the provider counted is of another context.
    Unknown,
}

fn driver(model: Option<&Metered>) -> ContextDriver<'_> {
    model.map_or_else(ContextDriver::new, |model| ContextDriver::new().with_model(model))
}

/// The session as compactors hear of it. What it is called does not matter to any of ours.
fn session(loaded: &Loaded) -> Result<Session, Failure> {
    Session::new("session", loaded.session().format().name())
        .map_err(|_| Failure::new(Exit::Bug, "BUG", "the format has no name"))
}

fn newest_usage(loaded: &Loaded) -> Option<TurnUsage> {
    let newest = loaded.session().usages().iter().max_by_key(|usage| usage.first_turn)?;
    Some(TurnUsage::new(newest.input(), newest.first_turn).with_output_tokens(newest.output))
}

fn policy(
    arguments: &Arguments,
    loaded: &Loaded,
    settings: BudgetedContextSettings,
    model: Option<&Metered>,
) -> Result<BudgetedContextPolicy, Failure> {
    let estimator: Arc<dyn MessageEstimator> = loaded.counting().estimator();
    let policy = match compactor(arguments, loaded, &settings, model)? {
        Some(compactor) => BudgetedContextPolicy::with(settings, compactor, estimator).map_err(refused)?,
        None => BudgetedContextPolicy::new(settings).map_err(refused)?.counting_with(estimator),
    };
    Ok(match planner(&arguments.policy, loaded)? {
        Some(planner) => policy.planning_with(planner),
        None => policy,
    })
}

fn refused(error: SettingError) -> Failure {
    Failure::of(&error, Exit::Usage).remedy(
        "the marks must be in this order: summaries, --low, --high, --window without --reserve-output",
    )
}

/// Who writes summaries, where somebody is to. In a dry run nobody is asked, and an extract stands in.
fn compactor(
    arguments: &Arguments,
    loaded: &Loaded,
    settings: &BudgetedContextSettings,
    model: Option<&Metered>,
) -> Result<Option<Arc<dyn ContextCompactor>>, Failure> {
    match (&arguments.summarizer, model) {
        (None | Some(SummarizerChoice::None), _) => Ok(None),
        (Some(_), Some(model)) if !arguments.dry_run => {
            let text = |name: &str| CleanText::new(name).map_err(|_| no_name());
            let compactor = ModelCompactor::new(text(model.provider_name())?, text(model.name())?);
            Ok(Some(Arc::new(compactor)))
        }
        (Some(_), _) => {
            let extract = ExtractiveCompactor::new(settings.summary_tokens).map_err(refused)?;
            Ok(Some(Arc::new(extract.with_estimator(loaded.counting().measure_of(Role::User)))))
        }
    }
}

fn no_name() -> Failure {
    Failure::usage("the summarizer has white space around its name", "see `cutctx context --help`")
}

/// The policy over turns that is asked for; none where it is the one that is recommended anyway.
fn planner(
    arguments: &PolicyArguments,
    loaded: &Loaded,
) -> Result<Option<Arc<dyn CompactionPolicy + Send + Sync>>, Failure> {
    let spec: PolicySpec = arguments.spec()?;
    if arguments.is_recommended() {
        return Ok(None);
    }
    let built = spec.build_with(&loaded.counting().measure(Role::Tool)).map_err(|error| {
        Failure::of(&error, Exit::Refused)
            .remedy("docs/policies.md says what the settings of a policy may be")
    })?;
    Ok(Some(Arc::from(built)))
}
