//! Where a compacted session goes, and what is written beside it.

use super::output_parser;
use crate::failure::Failure;
use crate::files::{Input, Output};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use cutctx::formats::SignedReasoning;
use std::fs;

/// Where the compacted session goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct TargetArguments {
    /// Where to write the compacted session; `-`, the default, is standard output.
    #[arg(long, short, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    pub(crate) output: Option<Output>,
    /// Replace SESSION itself, atomically and with a backup (`cutctx restore` brings it back).
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    pub(crate) in_place: bool,
    /// Overwrite files that exist.
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
    /// What becomes of signed reasoning behind the first change, in turns that stay: `keep`, `strip` (only the
    /// signature goes, where the format knows reasoning without one) or `drop`. The turn that is still going on keeps
    /// it in any case. Without this, what the provider asks for: `keep`.
    #[arg(long, value_name = "RULE", value_parser = rule_parser(),
          help_heading = "Output")]
    pub(crate) signed_reasoning: Option<SignedReasoning>,
}

/// Documents about what was done.
#[derive(Debug, Clone, Args)]
pub(crate) struct AccountArguments {
    /// Write the report here, as JSON: what applying the plan did.
    #[arg(long, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    pub(crate) report: Option<Output>,
    /// Write the account here, as JSON: the fate of every turn with its reason, and the reusable prompt prefix.
    #[arg(long, value_name = "FILE", value_parser = output_parser(), value_hint = ValueHint::FilePath,
          help_heading = "Output")]
    pub(crate) account: Option<Output>,
}

/// Reads a rule for signed reasoning.
fn rule_parser() -> impl TypedValueParser<Value = SignedReasoning> {
    let words = SignedReasoning::ALL.map(SignedReasoning::as_str);
    PossibleValuesParser::new(words).try_map(|word| word.parse::<SignedReasoning>())
}

impl TargetArguments {
    /// Where the session goes when it is not replaced.
    pub(crate) fn destination(&self) -> Output {
        self.output.clone().unwrap_or(Output::Stdout)
    }

    /// Refuses what cannot work before any work is done.
    pub(crate) fn check(&self, input: &Input, others: &[&Option<Output>]) -> Result<(), Failure> {
        if self.in_place && *input == Input::Stdin {
            return Err(Failure::usage(
                "standard input cannot be replaced",
                "pass a file, or drop --in-place",
            ));
        }
        if let (true, Input::File(path)) = (self.in_place, input)
            && fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
        {
            let remedy = "pass a plain file, or write somewhere else with -o";
            return Err(Failure::usage("only a plain file can be replaced", remedy).file(path));
        }
        let session = (!self.in_place).then(|| self.destination());
        let all = || session.iter().chain(others.iter().filter_map(|other| other.as_ref()));
        if all().filter(|output| **output == Output::Stdout).count() > 1 {
            let message = "several documents would go to standard output";
            return Err(Failure::usage(message, "write all but one of them to files"));
        }
        for (place, output) in all().enumerate() {
            if let Some(path) = all().take(place).find_map(|other| other.clash(output)) {
                let message = "two documents would go to one file";
                return Err(Failure::usage(message, "give each a name of its own").file(path));
            }
        }
        if let Some(Output::File(path)) = session.as_ref().filter(|output| output.is(input)) {
            let remedy = "pass --in-place, which leaves a backup, or choose another name";
            return Err(Failure::usage("the output is the input", remedy).file(path));
        }
        all().try_for_each(|output| output.check(input, self.force))
    }

    /// Whether one of the documents goes to standard output.
    pub(crate) fn takes_stdout(&self, others: &[&Option<Output>]) -> bool {
        let session = !self.in_place && self.destination() == Output::Stdout;
        session || others.iter().any(|other| **other == Some(Output::Stdout))
    }
}
