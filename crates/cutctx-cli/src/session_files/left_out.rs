//! Why nothing is left to measure.

use super::Gathered;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::grouped;

/// The failure of a run that could measure nothing: what was left out and why, as far as there is any.
pub(crate) fn nothing_measured(code: &str, gathered: &Gathered, reasons: &[(usize, String)]) -> Failure {
    let files = (gathered.not_sessions, "files that are no sessions".to_owned());
    let reasons = reasons.iter().chain([&files]).filter(|(count, _)| *count > 0);
    let left_out: Vec<String> = reasons.map(|(count, what)| format!("{} {what}", grouped(*count))).collect();
    let why = if left_out.is_empty() {
        "there is no session in what was named".to_owned()
    } else {
        format!("left out: {}", left_out.join(", "))
    };
    Failure::new(Exit::NothingToMeasure, code, format!("nothing could be measured; {why}"))
}
