//! A plan from a file: a record, or a bare plan with a budget beside it.

use crate::arguments::PlanArguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::{Loaded, estimator_name};
use crate::terminal::Terminal;
use cutctx::{CompactionBudget, CompactionPlan, PlanRecord, PolicySpec, RecordError};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// A stored plan, judged anew for the session at hand.
#[derive(Debug)]
pub(crate) struct StoredPlan {
    /// The plan.
    pub(crate) plan: CompactionPlan,
    /// The record that it came in; `None` for a bare plan.
    pub(crate) record: Option<PlanRecord>,
}

/// What tells a record from a bare plan.
#[derive(Deserialize)]
struct Marks {
    record_version: Option<IgnoredAny>,
    actions: Option<IgnoredAny>,
}

impl StoredPlan {
    /// Reads the plan of a command line for a session.
    pub(crate) fn read(
        arguments: &PlanArguments,
        loaded: &Loaded,
        terminal: Terminal,
    ) -> Result<Self, Failure> {
        let text = arguments.plan.text()?;
        let read = if is_bare(&text) {
            let budget = bare_budget(arguments)?;
            read_bare(&text, loaded, &budget)
        } else if arguments.bare.budget().is_some() {
            return Err(Failure::usage(
                "the plan has a budget of its own",
                "leave out --max-tokens, or plan again",
            )
            .file(arguments.plan.path()));
        } else {
            read_record(&text, loaded)
        };
        let stored = read.map_err(|error| failure_of(&error).file(arguments.plan.path()))?;
        if let Some(estimator) = stored.foreign_estimator() {
            terminal.warn(&format!(
                "the plan says that `{estimator}` measured it; here it is {}",
                estimator_name()
            ));
        }
        Ok(stored)
    }

    /// The estimator that the record names, where it is not ours.
    fn foreign_estimator(&self) -> Option<&str> {
        let named = self.record.as_ref()?.estimator();
        (named != estimator_name()).then_some(named)
    }

    /// The policy that the record names, as data.
    pub(crate) fn policy(&self) -> Result<Option<PolicySpec>, Failure> {
        let Some(value) = self.record.as_ref().and_then(PlanRecord::policy) else { return Ok(None) };
        crate::arguments::spec_of(&value.to_string()).map(Some)
    }
}

/// The record of a plan that this command made.
pub(crate) fn record_of(plan: &CompactionPlan, policy: &PolicySpec) -> PlanRecord {
    PlanRecord::of(plan, serde_json::to_value(policy).ok(), estimator_name())
}

fn is_bare(text: &str) -> bool {
    serde_json::from_str::<Marks>(text)
        .is_ok_and(|marks| marks.record_version.is_none() && marks.actions.is_some())
}

fn bare_budget(arguments: &PlanArguments) -> Result<CompactionBudget, Failure> {
    let missing = || {
        let message = "a bare plan has no budget of its own";
        Failure::usage(message, "pass --max-tokens and --protect-turns as the plan was made with")
            .file(arguments.plan.path())
    };
    arguments.bare.budget().ok_or_else(missing)
}

fn read_bare(text: &str, loaded: &Loaded, budget: &CompactionBudget) -> Result<StoredPlan, RecordError> {
    let plan = CompactionPlan::from_json(text, loaded.transcript(), budget)?;
    Ok(StoredPlan { plan, record: None })
}

fn read_record(text: &str, loaded: &Loaded) -> Result<StoredPlan, RecordError> {
    let record = PlanRecord::from_json(text)?;
    let plan = record.check(loaded.transcript())?;
    Ok(StoredPlan { plan, record: Some(record) })
}

fn failure_of(error: &RecordError) -> Failure {
    if let RecordError::Unsatisfiable(error) = error {
        return Failure::unsatisfiable(error);
    }
    let is_mismatch = matches!(
        error,
        RecordError::Shorter { .. }
            | RecordError::Transcript { .. }
            | RecordError::Hash { .. }
            | RecordError::Rejected(_)
    );
    let failure = Failure::of(error, if is_mismatch { Exit::Mismatch } else { Exit::Refused });
    if matches!(error, RecordError::Rejected(_)) {
        return failure.remedy("the rules do not accept this plan for this session and budget; plan again");
    }
    failure
}
