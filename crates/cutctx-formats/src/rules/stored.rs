//! Session files of tools that mend what they send, and what holds for session files of all tools.

use super::findings::Findings;
use super::names::{ORPHAN_RESULT, REPEATED_RESULT, REPLAYED_RECORD, UNANSWERED_CALL};
use super::sent::Sent;
use super::{Rule, Severity, in_flight, pairing};
use crate::format::Dialect;

pub(super) fn check(sent: &Sent<'_>, found: &mut Findings) {
    pairing::anywhere(&sent.messages, found);
}

pub(super) static RULES: [Rule; 5] = [
    Dialect::Free.rule(
        UNANSWERED_CALL,
        Severity::Repaired,
        "a tool call has no result; the tool answers or drops it when it goes on",
        "none is needed; a session that was stopped in the middle of a call looks so",
        "observed in sessions that were interrupted",
    ),
    in_flight::rule(Dialect::Free),
    Dialect::Free.rule(
        ORPHAN_RESULT,
        Severity::Repaired,
        "a tool result has no call before it; the tool drops it when it goes on",
        "drop the result where another program reads the file",
        "observed in sessions that were cut",
    ),
    Dialect::Free.rule(
        REPEATED_RESULT,
        Severity::Repaired,
        "two results answer the same call",
        "keep the first one where another program reads the file",
        "observed in sessions that were compacted in the middle of a batch",
    ),
    Dialect::Free.rule(
        REPLAYED_RECORD,
        Severity::Repaired,
        "the file holds a record of the same id twice: a tool has written again what it had read",
        "drop the copy, which is read as the record that it repeats",
        "https://github.com/anthropics/claude-code/issues/92089",
    ),
];
