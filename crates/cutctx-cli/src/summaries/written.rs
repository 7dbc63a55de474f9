//! Summaries that are written here, by a model or without one.

use super::bar::Bar;
use crate::arguments::{SummarizerArguments, SummarizerChoice};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::loaded::Loaded;
use crate::show::grouped;
use crate::terminal::{self, Terminal};
use alloc::sync::Arc;
use cutctx::fulfil::{Fulfilled, Fulfilment, by_model, extract, tasks};
use cutctx::models::http::{Api, ApiKey, HttpModel, UreqTransport};
use cutctx::models::{CommandModel, SummaryModel, TokenUsage};
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
    let home = |api| http(api, arguments);
    match &arguments.summarizer {
        SummarizerChoice::None => Ok(None),
        SummarizerChoice::Extract => {
            let extracts = extract(plan, &loaded.counting().measure(Role::Assistant));
            extracts.map(Some).map_err(|error| Failure::of(&error, Exit::Refused))
        }
        SummarizerChoice::Command(line) => ask(&CommandModel::shell(line), arguments, plan, terminal),
        SummarizerChoice::OpenAi(model) => {
            let api = if arguments.summarizer_url.is_some() { Api::OpenAiChat } else { Api::OpenAiResponses };
            ask(&home((api, model))?, arguments, plan, terminal)
        }
        SummarizerChoice::Anthropic(model) => {
            ask(&home((Api::AnthropicMessages, model))?, arguments, plan, terminal)
        }
    }
}

/// The model behind HTTP that is asked for.
fn http((api, model): (Api, &String), arguments: &SummarizerArguments) -> Result<HttpModel, Failure> {
    let http = HttpModel::new(api, model.as_str(), Arc::new(UreqTransport::new()));
    let http = match &arguments.summarizer_url {
        Some(url) => http.with_base_url(url),
        None => http,
    };
    // A key is the provider's: another server gets one only where the command line names it.
    let variable = match (arguments.summarizer_key.as_deref(), &arguments.summarizer_url) {
        (Some(variable), _) => variable,
        (None, None) => api.key_variable(),
        (None, Some(_)) => return Ok(http),
    };
    ApiKey::from_env(variable).map(|key| http.with_key(key)).map_err(|error| Failure::of(&error, Exit::Usage))
}

fn ask(
    model: &dyn SummaryModel,
    arguments: &SummarizerArguments,
    plan: &CompactionPlan,
    terminal: Terminal,
) -> Result<Option<Summaries>, Failure> {
    let bar = Bar::of(terminal, plan.summarization_requests().len());
    let fulfilment = Fulfilment::default().with_concurrency(arguments.summarizer_calls);
    let fulfilled = by_model(plan, model, &fulfilment, &|done| bar.tell(done));
    drop(bar);
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
    terminal.note(&format!(
        "summaries written: {}, for {} tokens of input and {} of output as the provider counts",
        grouped(fulfilled.count),
        usage.input(),
        usage.output
    ));
}

/// What a provider counted, for programs.
#[derive(Serialize)]
struct Spent {
    uncached_input: u64,
    cached_input: u64,
    cache_write: u64,
    output: u64,
}

impl Spent {
    const fn of(usage: &TokenUsage) -> Self {
        Self {
            uncached_input: usage.uncached_input,
            cached_input: usage.cached_input,
            cache_write: usage.cache_write,
            output: usage.output,
        }
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
