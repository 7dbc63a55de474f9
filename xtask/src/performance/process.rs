//! A program's whole run: time on the wall, CPU time, and the most memory it had at once.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What one run took.
#[derive(Clone, Copy, Default)]
pub(super) struct Run {
    pub(super) wall_micros: u64,
    /// Zero where the system does not tell.
    pub(super) cpu_micros: u64,
    /// Zero where the system does not tell.
    pub(super) peak_kibibytes: u64,
}

/// Runs a command to its end.
///
/// # Errors
///
/// A sentence, when it cannot be started or ends with a code that is not among `fine`.
pub(super) fn run(command: &mut Command, fine: &[i32]) -> Result<Run, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let started = clock();
    let mut child = command.spawn().map_err(|error| format!("{name} could not be started: {error}"))?;
    let mut run = watched(&child);
    let status = child.wait().map_err(|error| format!("{name} was lost: {error}"))?;
    if run.wall_micros == 0 {
        run.wall_micros = started.elapsed_micros();
    }
    let is_fine = status.code().is_some_and(|code| fine.contains(&code));
    if is_fine { Ok(run) } else { Err(format!("{name} ended with {status}")) }
}

/// Looks at the process every millisecond until it has ended and only its figures are left. They are gone once it is
/// waited for. Memory is read while it lives; its high-water mark does not fall, so little is missed.
fn watched(child: &Child) -> Run {
    let started = clock();
    let mut run = Run::default();
    while let Some(state) = state_of(child.id()) {
        if state == 'Z' {
            run.wall_micros = started.elapsed_micros();
            run.cpu_micros = cpu_micros(child.id());
            break;
        }
        run.peak_kibibytes = run.peak_kibibytes.max(peak_kibibytes(child.id()));
        pause();
    }
    run
}

fn state_of(process: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name before it stands in brackets and may hold anything.
    stat.rsplit_once(") ")?.1.chars().next()
}

fn peak_kibibytes(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    high_water_mark(&status).unwrap_or_default()
}

fn high_water_mark(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Of the process's first thread, which is all that is measured here.
fn cpu_micros(process: u32) -> u64 {
    let figures = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let nanos: Option<u64> = figures.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    nanos.unwrap_or_default() / 1_000
}

#[expect(clippy::disallowed_methods, reason = "it waits for another program, which it has no other news of")]
fn pause() {
    std::thread::sleep(Duration::from_millis(1));
}

#[expect(clippy::disallowed_types, reason = "measuring time is what this verb is for")]
struct Clock(std::time::Instant);

#[expect(clippy::disallowed_types, reason = "measuring time is what this verb is for")]
fn clock() -> Clock {
    Clock(std::time::Instant::now())
}

impl Clock {
    fn elapsed_micros(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_high_water_mark_is_found_among_the_figures() {
        assert_eq!(high_water_mark("Name:\tx\nVmHWM:\t    5120 kB\nVmRSS:\t 4 kB\n"), Some(5_120));
        assert_eq!(high_water_mark("Name:\tx\n"), None);
    }

    #[test]
    fn a_code_that_is_not_fine_is_an_error() {
        let own = std::env::current_exe().unwrap();
        let refused = run(Command::new(own).arg("--no-such-option"), &[0]);
        assert!(refused.is_err());
    }
}
