//! Whether a request defines tools.

use super::findings::Findings;
use super::names::TOOLS_NOT_DEFINED;
use super::sent::{Message, Part, Sent};

/// A request in which calls or results stand defines tools under this key. A file without any of the `marks` of a
/// request is only its messages, and says nothing about tools.
pub(super) fn are_defined(sent: &Sent<'_>, key: &str, marks: &[&str], found: &mut Findings) {
    let Some(request) = sent.request.as_ref() else { return };
    if request.get(key).is_some_and(|tools| !tools.is_null()) || !marks.iter().any(|mark| request.has(mark)) {
        return;
    }
    if let Some(first) = sent.messages.iter().find(|message| uses_tools(message)) {
        found.broken(TOOLS_NOT_DEFINED, first);
    }
}

fn uses_tools(message: &Message) -> bool {
    message.parts.iter().any(|part| matches!(part, Part::Call(_) | Part::Result(_)))
}
