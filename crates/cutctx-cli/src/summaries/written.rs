//! Summaries that are written here, by a model or without one.

use super::models::model_of;
use crate::arguments::{SummarizerArguments, SummarizerChoice};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Progress, Unit};
use crate::loaded::Loaded;
use crate::show::grouped;
use crate::terminal::{self, Terminal};
use cutctx::fulfil::{Fulfilled, Fulfilment, by_model, extract, tasks};
use cutctx::models::{SummaryModel, TokenUsage};
use cutctx::{CompactionPlan, Role, Summaries};
use serde::Serialize;
use serde_json::json;

/// Writes the summaries that a plan asks for; `None` where nobody is to.
pub(crate) fn written(
    arguments: &SummarizerArguments,
    plan: &CompactionPlan,
    loaded: &Loaded,
    terminal: Terminal,
) -> Result<Option<Summaries>, Failure> {
    match &arguments.summarizer {
        SummarizerChoice::None => Ok(None),
        SummarizerChoice::Extract => {
            let extracts = extract(plan, &loaded.counting().measure(Role::Assistant));
            extracts.map(Some).map_err(|error| Failure::of(&error, Exit::Refused))
        }
        SummarizerChoice::OpenAi(_) | SummarizerChoice::Anthropic(_) | SummarizerChoice::Command(_) => {
            match model_of(&arguments.summarizer, &arguments.server)? {
                Some(asked) => ask(&*asked.model, arguments, plan, terminal),
                None => Ok(None),
            }
        }
    }
}

fn ask(
    model: &dyn SummaryModel,
    arguments: &SummarizerArguments,
    plan: &CompactionPlan,
    terminal: Terminal,
) -> Result<Option<Summaries>, Failure> {
    let unit = Unit::Summaries(plan.summarization_requests().len());
    let progress = Progress::new(terminal, "writing", unit);
    let fulfilment = Fulfilment::default().with_concurrency(arguments.summarizer_calls);
    let fulfilled = by_model(plan, model, &fulfilment, &|done| progress.reach(done));
    drop(progress);
    match fulfilled {
        Ok(fulfilled) => {
            note_cost(&fulfilled, terminal);
            Ok(Some(fulfilled.summaries))
        }
        Err(error) => {
            note_cost(&error.done, terminal);
            Err(Failure::of(&error, Exit::Refused))
        }
    }
}

fn note_cost(fulfilled: &Fulfilled, terminal: Terminal) {
    let Some(usage) = &fulfilled.usage else { return };
    terminal.json_note(&json!({ "summaries_usage": Spent::of(usage) }));
    let words = Spent::of(usage).words();
    terminal.note(&format!("summaries written: {}, {words}", grouped(fulfilled.count)));
}

/// What a provider counted, for programs.
#[derive(Debug, Serialize)]
pub(crate) struct Spent {
    uncached_input: u64,
    cached_input: u64,
    cache_write: u64,
    output: u64,
}

impl Spent {
    pub(crate) const fn of(usage: &TokenUsage) -> Self {
        Self {
            uncached_input: usage.uncached_input,
            cached_input: usage.cached_input,
            cache_write: usage.cache_write,
            output: usage.output,
        }
    }

    /// The same for people.
    pub(crate) fn words(&self) -> String {
        let input = self.uncached_input.saturating_add(self.cached_input).saturating_add(self.cache_write);
        format!("for {input} tokens of input and {} of output as the provider counts", self.output)
    }
}

/// What would be asked for: the answer of a dry run.
pub(crate) fn announce(plan: &CompactionPlan, loaded: &Loaded, terminal: Terminal) -> Result<(), Stop> {
    let measure = loaded.counting().measure(Role::User);
    let asked: Vec<(u64, u64)> = tasks(plan)
        .iter()
        .map(|task| {
            let texts = [task.instructions(), task.record()];
            let input = texts.iter().fold(0_u64, |sum, text| sum.saturating_add(measure.estimate(text)));
            (input, task.request.target_tokens())
        })
        .collect();
    let sum = |pick: fn(&(u64, u64)) -> u64| asked.iter().map(pick).fold(0_u64, u64::saturating_add);
    let (input, output) = (sum(|(input, _)| *input), sum(|(_, output)| *output));
    if terminal.json() {
        let estimator = loaded.counting().line();
        return terminal::json_result(&json!({
            "estimator": estimator,
            "summaries": asked.len(),
            "input_tokens": input,
            "output_tokens": output,
        }));
    }
    terminal::text(|out| {
        writeln!(
            out,
            "summaries to write: {}, of about {input} tokens of input and {output} of output; nothing was sent or written",
            grouped(asked.len())
        )
    })
}
