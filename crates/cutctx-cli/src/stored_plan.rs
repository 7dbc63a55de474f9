//! A plan from a file: a record, or a bare plan with a budget beside it.

use crate::arguments::{ChosenSession, PlanArguments};
use crate::counting::Counting;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::terminal::Terminal;
use alloc::sync::Arc;
use cutctx::counting::Counter;
use cutctx::{
    CompactionBudget, CompactionPlan, PlanRecord, PolicySpec, RecordError, Reserved, TranscriptTurn,
};
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

/// What tells a record from a bare plan, and what measured it.
#[derive(Deserialize)]
struct Marks {
    record_version: Option<IgnoredAny>,
    actions: Option<IgnoredAny>,
    estimator: Option<String>,
}

/// The text of a plan, read before its session, because it says how the session is to be counted.
pub(crate) struct PlanText<'p> {
    arguments: &'p PlanArguments,
    text: String,
    is_bare: bool,
    estimator: Option<String>,
}

impl<'p> PlanText<'p> {
    /// Reads the plan of a command line, and has the session counted as it was when the plan was made.
    pub(crate) fn read(arguments: &'p PlanArguments, chosen: &mut ChosenSession) -> Result<Self, Failure> {
        let text = arguments.plan.text()?;
        let marks = serde_json::from_str::<Marks>(&text).ok();
        let is_bare =
            marks.as_ref().is_some_and(|marks| marks.record_version.is_none() && marks.actions.is_some());
        let estimator = marks.and_then(|marks| marks.estimator).filter(|_| !is_bare);
        let known = estimator.as_ref().filter(|name| Counter::named(name).is_ok());
        if let Some(name) = known {
            chosen.counting.tokenizer = Some(name.clone());
            chosen.counting.anchor = false;
        }
        Ok(Self { arguments, text, is_bare, estimator })
    }

    /// The plan for a session, with what was pinned when it was made pinned again.
    pub(crate) fn for_session(&self, loaded: &mut Loaded, terminal: Terminal) -> Result<StoredPlan, Failure> {
        let read = if self.is_bare {
            let budget = bare_budget(self.arguments)?;
            read_bare(&self.text, loaded, &budget)
        } else if self.arguments.bare.budget().is_some() {
            return Err(Failure::usage(
                "the plan has a budget of its own",
                "leave out --max-tokens, or plan again",
            )
            .file(self.arguments.plan.path()));
        } else {
            read_record(&self.text, loaded)
        };
        let stored = read.map_err(|error| failure_of(&error).file(self.arguments.plan.path()))?;
        let measured = loaded.counting().name();
        if let Some(estimator) = self.estimator.as_ref().filter(|name| **name != measured) {
            terminal.warn(&format!("the plan says that `{estimator}` measured it; here it is {measured}"));
        }
        Ok(stored)
    }
}

impl StoredPlan {
    /// What was taken off the window before the plan's budget was made.
    pub(crate) fn reserved(&self) -> Reserved {
        self.record.as_ref().map(PlanRecord::reserved).unwrap_or_default()
    }

    /// The policy that the record names, as data.
    pub(crate) fn policy(&self) -> Result<Option<PolicySpec>, Failure> {
        let Some(value) = self.record.as_ref().and_then(PlanRecord::policy) else { return Ok(None) };
        crate::arguments::spec_of(&value.to_string()).map(Some)
    }
}

/// The record of a plan that this command made, with all that was pinned, and how where that matters.
pub(crate) fn record_of(
    plan: &CompactionPlan,
    policy: &PolicySpec,
    counting: &Counting,
    reserved: Reserved,
) -> PlanRecord {
    let clips = plan.budget().clip_active();
    let is_in_place = |turn: &&TranscriptTurn| clips && turn.pinned_in_place();
    let pinned = plan.transcript().turns().iter().filter(|turn| turn.pinned());
    let (in_place, whole): (Vec<_>, Vec<_>) = pinned.partition(is_in_place);
    let ids = |turns: Vec<&TranscriptTurn>| turns.iter().map(|turn| Arc::clone(turn.turn_id())).collect();
    let held = plan.transcript().turns().iter().filter(|turn| turn.holds_reasoning()).collect();
    let record = PlanRecord::of(plan, serde_json::to_value(policy).ok(), counting.name());
    let record = record.with_pins(ids(whole)).with_pins_in_place(ids(in_place));
    record.with_held_reasoning(ids(held)).with_reserved(reserved)
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

fn read_record(text: &str, loaded: &mut Loaded) -> Result<StoredPlan, RecordError> {
    let record = PlanRecord::from_json(text)?;
    let judge = |loaded: &mut Loaded| {
        loaded.repinned(record.pinned(loaded.transcript())?);
        record.check(loaded.transcript())
    };
    let plan = match judge(loaded) {
        Err(error @ RecordError::Transcript { .. }) if loaded.count_otherwise() => {
            judge(loaded).map_err(|_| error)
        }
        plan => plan,
    }?;
    Ok(StoredPlan { plan, record: Some(record) })
}

fn failure_of(error: &RecordError) -> Failure {
    if let RecordError::Unsatisfiable(error) = error {
        return Failure::unsatisfiable(error, Reserved::default());
    }
    let is_mismatch = matches!(
        error,
        RecordError::Shorter { .. }
            | RecordError::Transcript { .. }
            | RecordError::UnknownPins { .. }
            | RecordError::Hash { .. }
            | RecordError::Rejected(_)
    );
    let failure = Failure::of(error, if is_mismatch { Exit::Mismatch } else { Exit::Refused });
    if matches!(error, RecordError::Rejected(_)) {
        return failure.remedy("the rules do not accept this plan for this session and budget; plan again");
    }
    failure
}
