//! `cutctx context`: what to send for the next step of a long session.

mod account;
mod instance;

use crate::arguments::{
    ChosenSession, PolicyArguments, ServerArguments, SessionArguments, SummarizerChoice, WindowArguments,
    output_parser,
};
use crate::context_state::{Remembered, StateFile, Useless};
use crate::exit::Exit;
use crate::failure::{Failure, Stop};
use crate::files::{Input, Output};
use crate::loaded::Loaded;
use crate::summaries::{Metered, model_of};
use crate::terminal::Terminal;
use crate::verbs::deliver::write_rendered;
use account::{Account, Written};
use clap::{Args, ValueHint};
use cutctx::context::{ContextBuildError, TurnContextResult};
use cutctx::formats::{FormatError, Rendered};
use cutctx::session::render_context;
use instance::{Instance, Since};
use std::path::PathBuf;

/// Writes the context of a session's next request, so that it fits a window and stays the same at its beginning.
///
/// Run it before each request, with the whole session that only ever grows, and with the state that the run before left.
/// Below the high mark everything is sent. Above it the context is compacted down to the low mark; what it then shows of
/// the past it goes on showing, byte for byte, until it is above the high mark again, so that a prompt cache keeps.
/// The session itself is never touched. What a provider counted for the session's newest request is believed more than
/// estimates are, where the file tells it; --no-anchor is for sessions whose requests had other contexts than these.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  cutctx context session.jsonl --state session.state --window 200k -o context.jsonl --force
  cutctx context session.jsonl --state session.state --window 200k --dry-run
  cutctx context session.jsonl --state session.state --window 200k --summarizer anthropic:MODEL > context.jsonl

The loop of an agent:
  while there is something to do
    cutctx context session.jsonl --state session.state --window 200k -o context.jsonl --force
    send context.jsonl to the model
    append what was said and done to session.jsonl, never to context.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    session: SessionArguments,
    /// Where the policy keeps what it remembers from one run to the next. It is made by the first compaction and holds
    /// summaries, so guard it like the session.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "State")]
    state: PathBuf,
    #[command(flatten)]
    window: WindowArguments,
    #[command(flatten)]
    policy: PolicyArguments,
    /// Have old stretches summarized by `extract` (heads and tails of the turns, without a model), `openai:MODEL`,
    /// `anthropic:MODEL` or `command:LINE` (a shell line: the request on standard input, the summary on standard
    /// output). Without it nothing is summarized unless --policy asks for it, and then by extract. A summary that
    /// fails costs nothing but itself: the context is made without it.
    #[arg(long, value_name = "WHO", help_heading = "Summaries")]
    summarizer: Option<SummarizerChoice>,
    #[command(flatten)]
    server: ServerArguments,
    /// Only say what would be done. Nothing is written and no model is asked.
    #[arg(long, help_heading = "Output")]
    dry_run: bool,
    /// Where to write the context, in the session's own format; `-`, the default, is standard output.
    #[arg(long, short, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    output: Option<Output>,
    /// Overwrite the context of the run before.
    #[arg(long, help_heading = "Output")]
    force: bool,
}

pub(crate) fn run(arguments: &Arguments, terminal: Terminal) -> Result<Exit, Stop> {
    let output = arguments.output.clone().unwrap_or(Output::Stdout);
    let chosen = chosen(arguments, terminal)?;
    let state = StateFile::new(&arguments.state, &chosen.input, arguments.policy.input(), &output)?;
    if !arguments.dry_run {
        output.check(&chosen.input, arguments.force)?;
        state.check_writable()?;
    }
    Input::at_most_one_stdin(core::iter::once(&chosen.input).chain(arguments.policy.input()))?;
    let asked = arguments.summarizer.as_ref().map(|choice| model_of(choice, &arguments.server));
    let model = asked.transpose()?.flatten().map(Metered::new);
    let loaded = Loaded::read(&chosen, terminal)?;
    let instance = Instance::of(arguments, &chosen, &loaded, model.as_ref())?;
    let remembered = state.read(loaded.session().format().name())?;
    let (taken, useless) = take(&instance, &loaded, model.as_ref(), remembered);
    let Taken { result, rendered } = taken.map_err(|error| failed(&error, arguments, &state, &loaded))?;
    let step =
        Step { arguments, loaded: &loaded, instance: &instance, result: &result, rendered, useless, model };
    step.deliver(&state, &output, terminal)
}

/// The session, whose estimates are not scaled: the policy finds out by itself how far they are off.
fn chosen(arguments: &Arguments, terminal: Terminal) -> Result<ChosenSession, Failure> {
    let mut chosen = arguments.session.choose(terminal)?;
    chosen.counting.anchor = false;
    chosen.counting.overhead = arguments.window.declared_overhead();
    Ok(chosen)
}

/// A step, and the session as it shows it.
struct Taken<'l> {
    result: TurnContextResult,
    rendered: Rendered<'l>,
}

/// Why there is no step.
enum Untaken {
    Build(ContextBuildError),
    Render(FormatError),
}

/// Takes the step with what is remembered. Where that cannot be applied to the session it is of no use, and the step is
/// taken without it, unless a model was asked already. Then nobody knows which context the provider counted last.
fn take<'l>(
    instance: &Instance,
    loaded: &'l Loaded,
    model: Option<&Metered>,
    remembered: Remembered,
) -> (Result<Taken<'l>, Untaken>, Option<Useless>) {
    let asked_nobody = || model.is_none_or(|model| model.told().0 == 0);
    let with = |since: Since<'_>| written(loaded, instance.step(since, model));
    match remembered {
        Remembered::Nothing => (with(Since::Nothing), None),
        Remembered::Useless(useless) => (with(Since::Unknown), Some(useless)),
        Remembered::Checkpoint(checkpoint) => match with(Since::Checkpoint(&checkpoint)) {
            Err(first) if asked_nobody() => match with(Since::Unknown) {
                Ok(taken) => (Ok(taken), Some(Useless::Inapplicable)),
                Err(_) => (Err(first), None),
            },
            taken => (taken, None),
        },
    }
}

/// The session as a step shows it.
fn written(
    loaded: &Loaded,
    step: Result<TurnContextResult, ContextBuildError>,
) -> Result<Taken<'_>, Untaken> {
    let result = step.map_err(Untaken::Build)?;
    let rendered = render_context(loaded.session(), &result).map_err(Untaken::Render)?;
    Ok(Taken { result, rendered })
}

/// Keeps what was reached before the failure, which may be paid for.
fn failed(error: &Untaken, arguments: &Arguments, state: &StateFile<'_>, loaded: &Loaded) -> Failure {
    let format = loaded.session().format().name();
    let failure = match error {
        Untaken::Render(error) => Failure::of(error, Exit::Refused),
        Untaken::Build(error) => {
            let reached = error.checkpoint().filter(|_| !arguments.dry_run);
            if let Some(Err(failure)) = reached.map(|checkpoint| state.write(format, checkpoint)) {
                return failure;
            }
            Failure::of(error, Exit::Refused)
        }
    };
    failure.file(loaded.input().path())
}

/// A step that was taken.
struct Step<'s> {
    arguments: &'s Arguments,
    loaded: &'s Loaded,
    instance: &'s Instance,
    result: &'s TurnContextResult,
    rendered: Rendered<'s>,
    /// Why the state was of no use at all.
    useless: Option<Useless>,
    model: Option<Metered>,
}

impl Step<'_> {
    /// Writes the state first: what it holds may be paid for, and the same context can be made of it again.
    fn deliver(&self, state: &StateFile<'_>, output: &Output, terminal: Terminal) -> Result<Exit, Stop> {
        let Self { arguments, loaded, rendered, .. } = self;
        if arguments.dry_run {
            return Account::of(self, &Written::default()).say(false, terminal);
        }
        let mut written = self.write_state(state)?;
        output.write(arguments.force, |out| write_rendered(rendered, loaded, terminal, out))?;
        written.output = match output {
            Output::Stdout => None,
            Output::File(path) => Some(path.clone()),
        };
        Account::of(self, &written).say(*output == Output::Stdout, terminal)
    }

    fn write_state(&self, state: &StateFile<'_>) -> Result<Written, Failure> {
        let mut written = Written::default();
        if self.useless.is_some() || self.result.invalidated.is_some() {
            written.kept_aside = Some(state.keep_aside()?);
        }
        match &self.result.checkpoint {
            Some(checkpoint) => {
                state.write(self.loaded.session().format().name(), checkpoint)?;
                written.state = Some(state.path().to_owned());
            }
            // Else the next run would find what this one could not use.
            None if written.kept_aside.is_some() => state.remove()?,
            None => {}
        }
        Ok(written)
    }
}
