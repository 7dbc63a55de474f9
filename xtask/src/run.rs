//! Running other programs, each shown before it starts.

use std::process::{Command, Stdio};

use crate::verdict::Verdict;

/// Runs the command with its output on the terminal; passed when it ended well.
pub(crate) fn run(command: &mut Command) -> Verdict {
    let line = spelled(command);
    println!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Verdict::Passed,
        Ok(status) => Verdict::Failed(format!("`{line}` ended with {status}")),
        Err(error) => Verdict::Failed(format!("`{line}` could not be started: {error}")),
    }
}

/// Runs all of them, also after a failure, and names each that failed.
pub(crate) fn run_all(commands: impl IntoIterator<Item = Command>) -> Verdict {
    let failed: Vec<String> = commands
        .into_iter()
        .filter_map(|mut command| match run(&mut command) {
            Verdict::Failed(why) => Some(why),
            Verdict::Passed | Verdict::Skipped(_) => None,
        })
        .collect();
    if failed.is_empty() { Verdict::Passed } else { Verdict::Failed(failed.join("; ")) }
}

/// Whether the command exists here and ends well, without showing what it says.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// The command as one would type it, with `cargo` for the path of Cargo.
fn spelled(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_there_fails_with_its_name() {
        let Verdict::Failed(why) = run(&mut Command::new("no-such-program-anywhere")) else {
            panic!("a missing program passed");
        };
        assert!(why.contains("no-such-program-anywhere"), "{why}");
    }

    #[test]
    fn every_failing_command_is_named() {
        let all = ["no-such-program-a", "no-such-program-b"].map(Command::new);
        let Verdict::Failed(why) = run_all(all) else { panic!("missing programs passed") };
        assert!(why.contains("program-a") && why.contains("program-b"), "{why}");
    }

    #[test]
    fn a_command_is_spelled_as_it_would_be_typed() {
        let mut command = Command::new("/some/where/cargo");
        command.args(["fmt", "--check"]);
        assert_eq!(spelled(&command), "cargo fmt --check");
    }
}
