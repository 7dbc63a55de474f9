//! Which files to read.

use super::budget::OptionalBudgetArguments;
use crate::files::{Input, Output};
use crate::show::shell_word;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};

/// The session.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArguments {
    /// The session file; `-` is standard input. The format is recognised from the content.
    #[arg(value_name = "SESSION", value_parser = input_parser(), value_hint = ValueHint::FilePath)]
    pub(crate) session: Input,
    /// Read it as this format, whatever it looks like (`cutctx formats` lists them).
    #[arg(long, value_name = "NAME")]
    pub(crate) format: Option<String>,
    /// Keep this turn as it is, in spite of the policy: a turn's id, its beginning (eight
    /// characters or more), or `first-user`. May be repeated.
    #[arg(long, value_name = "TURN")]
    pub(crate) pin: Vec<String>,
}

impl SessionArguments {
    /// These arguments as they are to be repeated for another verb. What came from standard input is called SESSION.
    pub(crate) fn to_words(&self) -> String {
        let session = match &self.session {
            Input::Stdin => "SESSION".to_owned(),
            Input::File(path) => shell_word(&path.display().to_string()),
        };
        let format = self.format.iter().map(|name| format!(" --format {}", shell_word(name)));
        let pins = self.pin.iter().map(|pin| format!(" --pin {}", shell_word(pin)));
        core::iter::once(session).chain(format).chain(pins).collect()
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
