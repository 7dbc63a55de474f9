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
    /// What decides: `recommended` (keeps what is worth most; where no target is given it goes down to half of the
    /// maximum; needs no model), `cover`, `cover-whole-items`, `mask-then-drop` (masks old tool results, then drops the
    /// oldest exchanges; needs no model), `mask`, `mask-short`, `mask-short-then-drop`, `drop-oldest`,
    /// `repeated-results`, `stale-reads`, `failed-results`, `clip`, `call-arguments`, `opaque-reasoning`,
    /// `old-reasoning`, `latest-state`, `summarize`, `rolling-summary`, `default` (masks, summarizes, drops), or `@FILE`
    /// with a policy in JSON.
    #[arg(long, value_name = "NAME|@FILE", default_value = "recommended", help_heading = "Policy")]
    pub(crate) policy: PolicyChoice,
}

/// A policy by name, or a file with one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PolicyChoice {
    Named(&'static str),
    File(Input),
}

/// Names and what they stand for, in the form of a policy file.
const NAMED: [(&str, &str); 19] = [
    ("recommended", r#"{"kind":"recommended"}"#),
    ("cover", r#"{"kind":"cover"}"#),
    ("cover-whole-items", r#"{"kind":"cover","whole_items":true}"#),
    ("mask-then-drop", r#"{"kind":"chain","members":[{"kind":"masking"},{"kind":"drop_oldest"}]}"#),
    ("mask", r#"{"kind":"masking"}"#),
    ("mask-short", r#"{"kind":"masking","stub":"short"}"#),
    (
        "mask-short-then-drop",
        r#"{"kind":"chain","members":[{"kind":"masking","stub":"short"},{"kind":"drop_oldest"}]}"#,
    ),
    ("drop-oldest", r#"{"kind":"drop_oldest"}"#),
    ("repeated-results", r#"{"kind":"repeated_results"}"#),
    ("stale-reads", r#"{"kind":"stale_reads"}"#),
    ("failed-results", r#"{"kind":"failed_results"}"#),
    ("clip", r#"{"kind":"clip"}"#),
    ("call-arguments", r#"{"kind":"call_arguments"}"#),
    ("opaque-reasoning", r#"{"kind":"opaque_reasoning"}"#),
    ("old-reasoning", r#"{"kind":"old_reasoning"}"#),
    ("latest-state", r#"{"kind":"latest_state"}"#),
    ("summarize", r#"{"kind":"summarizing","prompt_id":"cutctx/summary-v1"}"#),
    ("rolling-summary", r#"{"kind":"rolling_summary","prompt_id":"cutctx/summary-v1"}"#),
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

    /// Whether it is the recommended one with its usual settings.
    pub(crate) fn is_recommended(&self) -> bool {
        let recommended = NAMED.iter().find(|(name, _)| *name == "recommended");
        recommended.is_some_and(|(_, json)| self.policy == PolicyChoice::Named(json))
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
    fn the_help_and_the_page_of_the_command_list_every_name() {
        let help = PolicyArguments::augment_args(clap::Command::new("x")).render_long_help().to_string();
        let page = include_str!("../../../../docs/cli.md");
        let missing: Vec<&str> = NAMED
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| !help.contains(&format!("`{name}`")) || !page.contains(&format!("| `{name}` |")))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_policy_that_asks_for_summaries_names_our_prompt() {
        let asking = NAMED.iter().filter(|(_, json)| json.contains("prompt_id"));
        let ours = format!(r#""prompt_id":"{}""#, cutctx::policies::DEFAULT_PROMPT_ID);
        assert_eq!(asking.filter(|(_, json)| json.contains(&ours)).count(), 3);
    }
}
