//! What `eval` and `replay` compare.

use crate::arguments::{PolicyArguments, PolicyChoice};
use crate::failure::Failure;
use core::str::FromStr;
use cutctx_eval::Contender;
use std::path::Path;

/// What is compared where nobody says: the bounds of the scale, the usual policies, and those of this project.
const USUAL: [&str; 9] = [
    "oracle",
    "cover",
    "cover-whole-items",
    "recommended",
    "mask-short-then-drop",
    "mask-then-drop",
    "drop-oldest",
    "random",
    "default",
];

/// What the others are compared with where nobody says.
const BASE: &str = "mask-then-drop";

/// One that is compared, by the name that it was given.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Random,
    Oracle,
    Policy(PolicyChoice),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kind = match text {
            "random" => Kind::Random,
            "oracle" => Kind::Oracle,
            _ => text.parse().map(Kind::Policy).map_err(|known| format!("{known}, `random` or `oracle`"))?,
        };
        Ok(Self { name: label(text), kind })
    }
}

/// A file's policy is called like the file.
fn label(text: &str) -> String {
    let file = text.strip_prefix('@').map(|path| Path::new(path).file_stem().unwrap_or_default());
    file.map_or_else(|| text.to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The contenders of a command line.
pub(super) fn chosen(choices: &[Choice]) -> Result<Vec<Contender>, Failure> {
    let usual: Vec<Choice> = USUAL.iter().filter_map(|name| name.parse().ok()).collect();
    let choices = if choices.is_empty() { &usual } else { choices };
    choices.iter().map(Choice::contender).collect()
}

impl Choice {
    fn contender(&self) -> Result<Contender, Failure> {
        Ok(match &self.kind {
            Kind::Random => Contender::random(),
            Kind::Oracle => Contender::oracle(),
            Kind::Policy(policy) => {
                let arguments = PolicyArguments { policy: policy.clone() };
                Contender::spec(&self.name, arguments.spec()?)
            }
        })
    }
}

/// What the others are compared with: what was asked for, or the usual one where it takes part.
pub(super) fn base(asked: Option<&str>, names: &[&str]) -> Result<Option<String>, Failure> {
    match asked {
        None => Ok(names.iter().find(|name| **name == BASE).map(|name| (*name).to_owned())),
        Some(asked) if names.contains(&asked) => Ok(Some(asked.to_owned())),
        Some(asked) => {
            let message = format!("`{asked}` is not among the policies that are compared");
            Err(Failure::usage(message, format!("name one of {} with --against", names.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_usually_compared_can_be() {
        assert_eq!(chosen(&[]).unwrap().len(), USUAL.len());
    }

    #[test]
    fn a_file_gives_its_name() {
        assert_eq!(label("@policies/mine.json"), "mine");
        assert_eq!(label("drop-oldest"), "drop-oldest");
    }

    #[test]
    fn only_what_is_compared_can_be_the_base() {
        assert_eq!(base(None, &["random", "mask-then-drop"]).unwrap().as_deref(), Some("mask-then-drop"));
        assert_eq!(base(None, &["random"]).unwrap(), None);
        assert!(base(Some("oracle"), &["random"]).is_err());
    }
}
