//! Which files to read.

use super::budget::OptionalBudgetArguments;
use super::counting::{CountingArguments, CountingChoice};
use crate::discovery::{Tool, discover, places};
use crate::failure::Failure;
use crate::files::{Input, Output};
use crate::show::{shell_word, visible};
use crate::terminal::Terminal;
use crate::verbs::sessions::{newest, nothing_found};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use cutctx::pins::Pin;

/// The session.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArguments {
    /// The session file; `-` is standard input. The format is recognised from the content.
    #[arg(value_name = "SESSION", value_parser = input_parser(), value_hint = ValueHint::FilePath,
          required_unless_present = "latest")]
    session: Option<Input>,
    /// Take the newest session of this tool in place of SESSION, or of all tools (`cutctx sessions` lists them).
    #[arg(long, value_name = "TOOL", value_enum, conflicts_with = "session")]
    #[expect(clippy::option_option, reason = "an option of the command line whose value is optional")]
    latest: Option<Option<Tool>>,
    /// Read it as this format, whatever it looks like (`cutctx formats` lists them).
    #[arg(long, value_name = "NAME")]
    format: Option<String>,
    /// Take this conversation of a file that holds several, from 0. The others stay as they are.
    #[arg(long, value_name = "N")]
    conversation: Option<usize>,
    /// Keep these turns and their exchanges as they are, in spite of the policy: `ID` or its beginning (eight
    /// characters or more), `first-user`, `last-user`, `role:user`, `tool:NAME`, `regex:PATTERN`, `latest:NAME` (the
    /// newest result of a tool) or `latest:todo`. May be repeated.
    #[arg(long, value_name = "PIN")]
    pin: Vec<Pin>,
    #[command(flatten)]
    counting: CountingArguments,
}

/// A session of which the file is known.
#[derive(Debug, Clone)]
pub(crate) struct ChosenSession {
    /// The file, or standard input.
    pub(crate) input: Input,
    /// The format that it is read as, where the content is not to decide.
    pub(crate) format: Option<String>,
    /// Which conversation of a file that holds several.
    pub(crate) conversation: Option<usize>,
    /// What is to stay.
    pub(crate) pins: Vec<Pin>,
    /// How its tokens are counted.
    pub(crate) counting: CountingChoice,
}

/// How a file is to be read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reading<'c> {
    /// The format that it is read as, where the content is not to decide.
    pub(crate) format: Option<&'c str>,
    /// Which conversation of a file that holds several.
    pub(crate) conversation: Option<usize>,
}

impl SessionArguments {
    /// The session that is meant. The newest one is looked for once, so that all of a run is about the same file.
    pub(crate) fn choose(&self, terminal: Terminal) -> Result<ChosenSession, Failure> {
        let input = match &self.session {
            Some(input) => input.clone(),
            None => latest(self.latest.flatten(), terminal)?,
        };
        let counting = self.counting.choice();
        let (format, pins) = (self.format.clone(), self.pin.clone());
        Ok(ChosenSession { input, format, conversation: self.conversation, pins, counting })
    }
}

fn latest(tool: Option<Tool>, terminal: Terminal) -> Result<Input, Failure> {
    let places = places(tool);
    let found = discover(&places);
    let session = newest(&found).ok_or_else(|| nothing_found(&places, &found))?;
    let path = &session.path;
    terminal.note(&format!(
        "the newest session: {} ({})",
        visible(&path.display().to_string()),
        session.tool
    ));
    Ok(Input::File(path.clone()))
}

impl ChosenSession {
    /// How the file is to be read.
    pub(crate) fn reading(&self) -> Reading<'_> {
        Reading { format: self.format.as_deref(), conversation: self.conversation }
    }

    /// These arguments as they are to be repeated for another verb that takes a plan, which keeps the pins. What came
    /// from standard input is called SESSION.
    pub(crate) fn to_words(&self) -> String {
        let session = match &self.input {
            Input::Stdin => "SESSION".to_owned(),
            Input::File(path) => shell_word(&path.display().to_string()),
        };
        let format = self.format.iter().map(|name| format!(" --format {}", shell_word(name)));
        let conversation = self.conversation.iter().map(|number| format!(" --conversation {number}"));
        core::iter::once(session).chain(format).chain(conversation).collect()
    }
}

/// A stored plan.
#[derive(Debug, Clone, Args)]
pub(crate) struct PlanArguments {
    /// The plan, as `cutctx plan -o FILE` writes it; `-` is standard input.
    #[arg(long, value_name = "FILE", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    pub(crate) plan: Input,
    #[command(flatten)]
    pub(crate) bare: OptionalBudgetArguments,
}

/// Supplied summaries.
#[derive(Debug, Clone, Args)]
pub(crate) struct SummariesArguments {
    /// The summaries that the plan asks for: a JSON object, group id to text.
    #[arg(long, value_name = "FILE", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    pub(crate) summaries: Option<Input>,
}

/// Reads the name of an input.
pub(crate) fn input_parser() -> impl TypedValueParser<Value = Input> {
    OsStringValueParser::new().map(|name| Input::from(name.as_os_str()))
}

/// Reads the name of an output.
pub(crate) fn output_parser() -> impl TypedValueParser<Value = Output> {
    OsStringValueParser::new().map(|name| Output::from(name.as_os_str()))
}
