//! How a transcript tells that a call failed.

use cutctx_invariants::Survey;
use cutctx_types::TranscriptTurn;

/// What the report of a failure begins with, as tools of agents in wide use write it.
const BEGINNINGS: [&str; 10] = [
    "error:",
    "error ",
    "<error",
    "<tool_use_error>",
    "traceback (most recent call last)",
    "exception:",
    "fatal:",
    "panic:",
    "command failed",
    "failed to ",
];

/// What stands before the code with which a program ended.
const CODES: [&str; 6] =
    ["exit code: ", "exit code ", "exited with code ", "<returncode>", "\"exit_code\":", "\"exit_code\": "];

/// What all of these have: few texts do, and the others need not be searched for each.
const IN_ALL_CODES: &str = "code";

/// How much of a text's beginning may tell such a code, in bytes.
const HEAD: usize = 200;
/// How much of its end may, in bytes.
const TAIL: usize = 120;

/// How a transcript tells that a call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// By the turns themselves.
    Turns,
    /// Not at all: texts are asked, whether they begin like the report of a failure or tell at one of their ends that
    /// a program ended with a code other than zero. Some are none, and some reports are missed.
    Texts,
}

impl Telling {
    /// By the turns, if one of them says so.
    pub(super) fn of(survey: &Survey<'_>) -> Self {
        if survey.turns().iter().any(TranscriptTurn::failed) { Self::Turns } else { Self::Texts }
    }

    pub(super) fn has_failed(self, turn: &TranscriptTurn) -> bool {
        match self {
            Self::Turns => turn.failed(),
            Self::Texts => reports_a_failure(turn.content()),
        }
    }
}

fn reports_a_failure(text: &str) -> bool {
    let text = text.trim();
    let starts = |beginning: &&str| {
        text.get(..beginning.len()).is_some_and(|start| start.eq_ignore_ascii_case(beginning))
    };
    BEGINNINGS.iter().any(starts) || code_of(text).is_some_and(|code| code != "0")
}

/// The code with which a program ended, where the beginning or the end of its output tells it.
fn code_of(text: &str) -> Option<&str> {
    let head = text.get(..border(text, HEAD)).unwrap_or_default();
    let tail = text.get(border(text, text.len().saturating_sub(TAIL))..).unwrap_or_default();
    [head, tail].into_iter().find_map(code_in)
}

fn code_in(text: &str) -> Option<&str> {
    find_ignoring_case(text, IN_ALL_CODES)?;
    let found = |before: &&str| {
        let start = find_ignoring_case(text, before)?.saturating_add(before.len());
        let rest = text.get(start..)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest.get(..digits).filter(|digits| !digits.is_empty())
    };
    CODES.iter().find_map(found)
}

fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let begins = |window: &[u8]| {
        window
            .first()
            .zip(wanted.as_bytes().first())
            .is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
    };
    let mut windows = text.as_bytes().windows(wanted.len());
    windows.position(|window| begins(window) && window.eq_ignore_ascii_case(wanted.as_bytes()))
}

/// The last border of a character at or before a byte.
fn border(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_of_failures_are_told_from_other_texts() {
        let failures = [
            "Error: no such file",
            "  Traceback (most recent call last):\n",
            "Exit code 1\nboom",
            "fatal: not a repository",
            "<returncode>127</returncode>\n<output>",
            "Wall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nboom",
            r#"{"output":"boom","metadata":{"exit_code":1,"duration_seconds":0.1}}"#,
            "漢字 boom\n[Command finished with exit code 1]",
        ];
        for text in failures {
            assert!(reports_a_failure(text), "{text}");
        }
        let others = [
            "",
            "errors.rs\nmain.rs",
            "Exit code: 0\nfine",
            "exit code",
            "0 errors",
            "no error: fine",
            "<returncode>0</returncode>",
        ];
        for text in others {
            assert!(!reports_a_failure(text), "{text}");
        }
        assert!(CODES.iter().all(|code| code.contains(IN_ALL_CODES)));
        let buried = ["x".repeat(300), "exit code 1".into(), "x".repeat(300)].concat();
        assert!(!reports_a_failure(&buried));
    }
}
