//! Which policy decides.

use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::Input;
use clap::Args;
use core::str::FromStr;
use cutctx::PolicySpec;
use std::ffi::OsStr;

/// The policy.
#[derive(Debug, Clone, Args)]
pub(crate) struct PolicyArguments {
    /// What decides: `mask-then-drop` (masks old tool results, then drops the oldest exchanges; needs no model),
    /// `mask`, `drop-oldest`, `summarize`, `default` (masks, summarizes, drops), or `@FILE` with a policy in JSON.
    #[arg(long, value_name = "NAME|@FILE", default_value = "mask-then-drop", help_heading = "Policy")]
    pub(crate) policy: PolicyChoice,
}

/// A policy by name, or a file with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PolicyChoice {
    Named(&'static str),
    File(Input),
}

/// The prompt that summaries are asked for with, where nobody names another.
pub(crate) const PROMPT_ID: &str = "cutctx/summary-v1";

/// Names and what they stand for, in the form of a policy file.
const NAMED: [(&str, &str); 5] = [
    ("mask-then-drop", r#"{"kind":"chain","members":[{"kind":"masking"},{"kind":"drop_oldest"}]}"#),
    ("mask", r#"{"kind":"masking"}"#),
    ("drop-oldest", r#"{"kind":"drop_oldest"}"#),
    ("summarize", r#"{"kind":"summarizing","prompt_id":"cutctx/summary-v1"}"#),
    ("default", r#"{"kind":"default_chain","prompt_id":"cutctx/summary-v1"}"#),
];

impl FromStr for PolicyChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix('@') {
            return Ok(Self::File(Input::from(OsStr::new(path))));
        }
        let found = NAMED.iter().find(|(name, _)| *name == text);
        found.map(|(_, spec)| Self::Named(spec)).ok_or_else(|| {
            let known: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
            format!("expected one of {}, or @FILE", known.join(", "))
        })
    }
}

impl PolicyArguments {
    /// The policy as data.
    pub(crate) fn spec(&self) -> Result<PolicySpec, Failure> {
        match &self.policy {
            PolicyChoice::Named(json) => spec_of(json),
            PolicyChoice::File(input) => {
                spec_of(&input.text()?).map_err(|failure| failure.file(input.path()))
            }
        }
    }

    /// The file that it is read from, if it is.
    pub(crate) const fn input(&self) -> Option<&Input> {
        match &self.policy {
            PolicyChoice::Named(_) => None,
            PolicyChoice::File(input) => Some(input),
        }
    }
}

/// A policy in JSON.
pub(crate) fn spec_of(json: &str) -> Result<PolicySpec, Failure> {
    cutctx::documents::policy(json).map_err(|error| Failure::of(&error, Exit::Refused))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_policy_that_can_be_built() {
        for (name, json) in NAMED {
            assert_eq!(name.parse(), Ok(PolicyChoice::Named(json)));
            assert!(spec_of(json).unwrap().build().is_ok(), "{name}");
        }
    }

    #[test]
    fn the_default_prompt_is_the_one_that_policies_name() {
        assert!(NAMED.iter().filter(|(_, json)| json.contains(PROMPT_ID)).count() == 2);
    }
}
