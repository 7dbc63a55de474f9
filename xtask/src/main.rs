//! The developer's side of the workspace: `cargo xtask VERB`.
//!
//! | verb | what it does |
//! |---|---|
//! | `gate [STEP...]` | every check that must hold before a change is in, or only the named steps |
//! | `tidy` | house rules that no other tool checks: files, manifests, words, links |
//! | `layers` | which crate may depend on which, read against `cargo metadata` |
//! | `vectors [DIR]` | the conformance vectors of a folder against this build |
//! | `corpus [DIR]` | the readers of session files against a folder of real files |
//! | `performance [TABLE...] [--write]` | the speed of this build; with `--write` into docs/performance.md |
//! | `eval [DIR] [--part PART] [--write]` | what policies keep of real sessions and what they cost; with `--write` into docs/evaluation.md |
//! | `tokens [--write]` | how near the counters of tokens are; with `--write` into docs/tokens.md |
//! | `tokens fit` | weights for the heuristic, fitted anew |
//! | `help` | this, with the steps of the gate |
//!
//! One file a verb. A verb answers with a [`verdict::Verdict`], which decides the exit code: 0 passed or skipped,
//! 1 failed; 2 means that the words were not understood.

mod corpus;
mod eval;
mod gate;
mod help;
mod layers;
mod performance;
mod run;
mod shared;
mod tidy;
mod tokens;
mod vectors;
mod verdict;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use workspace::Workspace;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    dispatch(&Workspace::here(), &words).unwrap_or_else(|usage| {
        eprintln!("{usage}; `cargo xtask help` lists the verbs");
        ExitCode::from(2)
    })
}

/// Finds the verb and does it.
///
/// # Errors
///
/// A sentence on the usage, when the words name no verb or no step.
fn dispatch(workspace: &Workspace, words: &[&str]) -> Result<ExitCode, String> {
    match words {
        [] | ["help" | "--help" | "-h"] => Ok(help::print().exit()),
        // The gate closes with a line of its own.
        ["gate", rest @ ..] => gate::run(workspace, rest).map(|verdict| verdict.exit()),
        ["tidy"] => Ok(tidy::run(workspace).shown().exit()),
        ["layers"] => Ok(layers::run(workspace).shown().exit()),
        ["vectors", rest @ ..] => folder(rest).map(|named| vectors::run(workspace, named).shown().exit()),
        ["corpus", rest @ ..] => folder(rest).map(|named| corpus::run(workspace, named).shown().exit()),
        ["performance", rest @ ..] => {
            performance::Request::of(rest).map(|request| performance::run(workspace, &request).shown().exit())
        }
        ["eval", rest @ ..] => {
            eval::Request::of(rest).map(|request| eval::run(workspace, request).shown().exit())
        }
        ["tokens"] => Ok(tokens::run(workspace, false).shown().exit()),
        ["tokens", "--write"] => Ok(tokens::run(workspace, true).shown().exit()),
        ["tokens", "fit"] => Ok(tokens::fit(workspace).shown().exit()),
        [verb, ..] => Err(format!("`{verb}` is no verb, or takes no such arguments")),
    }
}

/// The optional folder argument of `vectors` and `corpus`.
fn folder(words: &[&str]) -> Result<Option<PathBuf>, String> {
    match words {
        [] => Ok(None),
        [folder] if !folder.starts_with('-') => Ok(Some(PathBuf::from(folder))),
        _ => Err("at most one folder is expected here".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_verb_is_a_usage_error_that_names_it() {
        let refused = dispatch(&Workspace::here(), &["gait"]).unwrap_err();
        assert!(refused.contains("`gait`"), "{refused}");
    }

    #[test]
    fn a_verb_without_arguments_refuses_arguments() {
        assert!(dispatch(&Workspace::here(), &["tidy", "all"]).is_err());
    }

    #[test]
    fn vectors_takes_one_folder_and_no_option() {
        assert_eq!(folder(&[]), Ok(None));
        assert_eq!(folder(&["data"]), Ok(Some(PathBuf::from("data"))));
        assert!(folder(&["--data"]).is_err());
        assert!(folder(&["a", "b"]).is_err());
    }
}
