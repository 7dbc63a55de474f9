//! Why nothing is left to measure.

use super::Gathered;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::counted;

/// So many of a thing that was left out, and which.
pub(crate) type Reason = (usize, &'static str, String);

/// The failure of a run that could measure nothing: what was left out and why, as far as there is any.
pub(crate) fn nothing_measured(code: &str, gathered: &Gathered, reasons: &[Reason]) -> Failure {
    let files = (gathered.not_sessions, "file", "without a session".to_owned());
    let reasons = reasons.iter().chain([&files]).filter(|(count, ..)| *count > 0);
    let left_out: Vec<String> =
        reasons.map(|(count, thing, which)| format!("{} {which}", counted(*count, thing))).collect();
    let why = if left_out.is_empty() {
        "there is no session in what was named".to_owned()
    } else {
        format!("left out: {}", left_out.join(", "))
    };
    Failure::new(Exit::NothingToMeasure, code, format!("nothing could be measured; {why}"))
}
