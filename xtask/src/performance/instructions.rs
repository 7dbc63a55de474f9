//! Instructions that the kernel's cases take, counted by `valgrind --tool=callgrind`.
//!
//! Counts are the same on a busy machine, so they show growth better than times do. The tenfold of turns should cost
//! about the tenfold. Valgrind's processor has no SHA instructions, so hashing weighs more here than it does in time.

use std::path::Path;
use std::process::{Command, Stdio};

use super::cases::Listed;
use super::document::Section;
use super::table::{as_f64, table, times};

const FEW: u64 = 10_000;
const MANY: u64 = 100_000;

/// The table of counts; a line that says so where there is no valgrind.
///
/// # Errors
///
/// A sentence, when a count cannot be taken although valgrind is there.
pub(super) fn counted(measure: &Path, cases: &[Listed]) -> Result<Section, String> {
    let text = if has_valgrind() {
        let rows: Result<Vec<_>, String> = cases.iter().map(|case| row(measure, case)).collect();
        table(&["case, in millions of instructions", "10,000 turns", "100,000 turns", "ratio"], &rows?)
    } else {
        "Not counted: `valgrind` is not installed.\n".to_owned()
    };
    Ok(Section { name: "instructions", text })
}

pub(crate) fn has_valgrind() -> bool {
    let mut version = Command::new("valgrind");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn row(measure: &Path, case: &Listed) -> Result<Vec<String>, String> {
    let [few, many] = [count(measure, &case.name, FEW)?, count(measure, &case.name, MANY)?];
    let millions = |count| format!("{:.1}", as_f64(count) / 1e6);
    Ok(vec![case.what.clone(), millions(few), millions(many), times(many, few)])
}

fn count(measure: &Path, case: &str, turns: u64) -> Result<u64, String> {
    counted_in(measure, &["once", case, &turns.to_string(), "200"])
}

/// The instructions that a program takes within its function `measured_region`.
///
/// # Errors
///
/// A sentence, when valgrind cannot be started or gives no count.
pub(crate) fn counted_in(program: &Path, words: &[&str]) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*measured_region*",
    ]);
    let output = command.arg(program).args(words).output();
    let output = output.map_err(|error| format!("valgrind could not be started: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    collected(&said).ok_or_else(|| format!("callgrind gave no count for {}: {said}", words.join(" ")))
}

/// The number behind `Collected :`.
fn collected(said: &str) -> Option<u64> {
    let (_, count) = said.lines().find_map(|line| line.split_once("Collected :"))?;
    count.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_in_what_callgrind_says() {
        let said =
            "==7== Events    : Ir\n==7== Collected : 14836210\n==7== \n==7== I   refs:      14,836,210\n";
        assert_eq!(collected(said), Some(14_836_210));
        assert_eq!(collected("==7== no such tool"), None);
    }
}
